/* SPDX-License-Identifier: MIT
 *
 * frame_report.h - reports each frame: a line of JSON, and a line with -v.
 */
#pragma once

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

/* Zero-initialise. */
typedef struct frame_log {
    const common *common;
    int descriptor;         /* of --json; -1: none */
} frame_log;

/* EXIT_RUNTIME. */
int frame_log_open(frame_log *log, const common *asked, failure *why);
int frame_log_close(frame_log *log, failure *why);

/* Writes the line of JSON and the line for the user, if they are wanted. `error` is written as the member "error"; it
 * may be NULL. EXIT_RUNTIME. */
int frame_log_put(const frame_log *log, const frame_report *r, const failure *error, failure *why);
