/* SPDX-License-Identifier: MIT
 *
 * frame_report.h - reports each frame: a line of JSON, and a line with -v.
 */
#pragma once

#include "objects.h"
#include "options.h"
#include "seeds.h"

/* The report of one frame; set the fields that are known. */
typedef struct frame_report {
    const char *film;       /* the film's name as given                 */
    int64_t frame;          /* from 0                                   */
    const char *image;      /* the frame's own file; NULL: it has none  */
    const char *output;     /* its mask's own file; NULL: none          */
    int width, height;
    const seeds *painted;   /* what was painted; NULL: nothing          */
    const followed *what;
    const objects *labelled; /* the labels of the frame; NULL: there is one mask */
    const uint8_t *mask;    /* NULL: the frame has failed               */
    const tilecut_doubt *doubt; /* NULL: nobody asked, or there is no mask  */
    const notes *notes;
    int window;             /* frames that were cut at once             */
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

/* Writes both lines as far as they are wanted. `error`, NULL: none, becomes the member of that name. EXIT_RUNTIME. */
int frame_log_put(const frame_log *log, const frame_report *r, const failure *error, failure *why);
