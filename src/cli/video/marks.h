/* SPDX-License-Identifier: MIT
 *
 * marks.h - the seeds of a film, by frame: files with the number of their frame, "40:later.png". Box, points and mask
 * belong to the first frame.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "inputs.h"

typedef struct mark {
    int64_t frame;
    const char *file;
    enum seeds_format format;
} mark;

/* Zero-initialise; marks_free() when done. */
typedef struct marks {
    const inputs *in;
    mark *item; /* sorted by frame, for one frame as they were given */
    int count;
    int next;   /* the first mark that belongs to no frame so far */
    int64_t last; /* frame with anything on it; -1: none           */
} marks;

/* Splits what was given to --seeds in frames and files, and checks that the files exist. EXIT_USAGE, also when nothing
 * is marked; EXIT_INPUT, EXIT_RESOURCES. */
int marks_init(marks *m, const inputs *in, failure *why);
void marks_free(marks *m);

/* Whether that frame has seeds. Ask for frames in ascending order. */
bool marks_on(const marks *m, int64_t frame);

/* The largest number of frames from one with seeds, or from the first one, to the next with seeds. */
int64_t marks_gap(const marks *m);

typedef struct marked_frame {
    int64_t number; /* from 0 on */
    const image *photo;
    const char *name;
    bool known;     /* there is a mask of the frame before, so either class of seeds may be missing */
} marked_frame;

/* Reads the seeds of a frame. The caller frees the results with seeds_free() and mask_file_free(). If nothing is
 * painted, out->label is NULL. Errors as of seeds_read() and mask_file_read(). */
int marks_read(marks *m, const marked_frame *frame, seeds *out, mask_file *mask, notes *log, failure *why);

/* For label maps, of which a frame has one at most: the file of that frame, or NULL. EXIT_USAGE of marks_alone(): a
 * frame has two, or the name of a file has a format. */
const char *marks_file(marks *m, int64_t frame);
int marks_alone(const marks *m, failure *why);

/* EXIT_INPUT for marks on frames that never came. */
int marks_left(const marks *m, int64_t frames, const char *name, failure *why);
