/* SPDX-License-Identifier: MIT
 *
 * yolo_lines.h - finds out what the lines of a YOLO file are. A line is a class, and then a box or the corners of a
 * polygon. Key points may follow a box (x, y, and often a visibility), and predictions end with a confidence, a track
 * number or both. Nothing in the line says which of these it is, so some lines can be read in two ways. All lines
 * together usually decide: polygons differ in their number of corners, poses do not.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The row of --yolo in tables of options (options.h), by which the user says what all lines are. */
#define OPTION_YOLO(type, field)                                                                                       \
    {.name = "yolo", .argument = "WHAT",                                                                               \
     .help = "of YOLO files whose lines can be read in two ways: boxes (what follows is key points, a confidence, a "  \
             "track), polygons, or tracks (polygons with a confidence and a track)",                                   \
     .parse = yolo_parse, .at = offsetof(type, field)}

/* What the user has said that all lines are: the value of that option. */
typedef enum yolo_stated { YOLO_NOT_STATED, YOLO_BOXES, YOLO_POLYGONS, YOLO_TRACKS } yolo_stated;

/* Reads the argument of --yolo into *field, an int. Returns NULL, or what the argument should be. */
const char *yolo_parse(const char *text, void *field);

/* Counts of the lines of a file added so far, by the ways in which they can be read. Zero-initialise all but
 * `stated`. */
typedef struct yolo_lines {
    int stated;                    /* a yolo_stated */
    int boxes, polygons, either; /* numbers of lines that must be boxes, must be polygons, or can be read as both */
    int numbers;                 /* how many numbers each of these lines has; -1: not all have equally many      */
    int tracks, corners, ends;   /* numbers of polygons that end with a track number, do not, or may             */
    long first;                  /* number of the first line that can be read in two ways; 0: none */
} yolo_lines;

/* Adds a line of `count` numbers, of which the first is the class. Lines of 6 numbers and less show nothing. */
void yolo_add(yolo_lines *all, const double *v, int count, long line);

/* Says why the lines together do not show what each is, as a phrase that names the option; NULL if they do. Static. */
const char *yolo_unclear(const yolo_lines *all);

/* What a line is, after all have been added and yolo_unclear() was NULL. Returns the number of coordinates behind the
 * class: 4 for a box, with *box set, or twice the number of corners. */
int yolo_decide(const yolo_lines *all, const double *v, int count, bool *box);
