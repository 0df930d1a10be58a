/* SPDX-License-Identifier: MIT
 *
 * frame_report.h - reports each frame: a line of JSON, and a line with -v.
 */
#pragma once

#include "json.h"
#include "objects.h"
#include "options.h"
#include "seeds.h"

/* The report of one frame. Set the fields that are known. */
typedef struct frame_report {
    const char *film;       /* name of the film as the user gave it */
    int64_t frame;          /* from 0                                   */
    const char *image;      /* the file of this frame; NULL: it has none */
    const char *output;     /* the file of its mask; NULL: masks have no files of their own */
    int width, height;
    const seeds *painted;   /* seeds on this frame; NULL: none */
    const followed *what;
    const objects *labelled; /* objects of the frame if it has several labels; NULL: there is one mask */
    const uint8_t *mask;    /* mask of the frame; NULL: the frame has failed */
    const tilecut_doubt *doubt; /* uncertain pixels; NULL: not wanted, or there is no mask */
    const notes *notes;
    int window;             /* number of frames that are cut together */
    double read_ms, seeds_ms, write_ms, total_ms;
} frame_report;

/* Writes the line of JSON, if there is a log. `error`, which may be NULL, becomes its member "error". Returns
 * EXIT_RUNTIME on failure. */
int frame_report_put(const json_log *log, const frame_report *r, const failure *error, failure *why);

void frame_report_print(const frame_report *r); /* the line for the user */
