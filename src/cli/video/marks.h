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
    mark *item; /* sorted by frame; within a frame in the order given */
    int count;
    int next;   /* the first mark whose frame has not come yet */
    int64_t last; /* the last frame that has marks; -1: none */
} marks;

/* Splits the arguments of --seeds into frames and files, and checks that the files exist. Returns EXIT_USAGE for
 * wrong arguments and if no frame is marked, EXIT_INPUT or EXIT_RESOURCES on other failures. */
int marks_init(marks *m, const inputs *in, failure *why);
void marks_free(marks *m);

/* True if that frame has seeds. Call it for frames in ascending order. */
bool marks_on(const marks *m, int64_t frame);

/* Returns the largest distance, in frames, from a frame with seeds (or the first frame) to the next frame with
 * seeds. */
int64_t marks_gap(const marks *m);

typedef struct marked_frame {
    int64_t number; /* from 0 on */
    const image *photo;
    const char *name;
    bool known;     /* true: the previous frame has a mask, so either class of seeds may be missing */
} marked_frame;

/* Reads the seeds of a frame. The caller frees the results with seeds_free() and mask_file_free(). If the frame has no
 * seeds, out->label is NULL. Errors as of seeds_read() and mask_file_read(). */
int marks_read(marks *m, const marked_frame *frame, seeds *out, mask_file *mask, notes *log, failure *why);

/* For label maps: marks_file() returns the file of that frame, or NULL. marks_alone() returns EXIT_USAGE if a frame has
 * two files, or if a file name comes with a format. */
const char *marks_file(marks *m, int64_t frame);
int marks_alone(const marks *m, failure *why);

/* Returns EXIT_INPUT if there are marks on frames that never came. */
int marks_left(const marks *m, int64_t frames, const char *name, failure *why);
