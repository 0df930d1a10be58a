/* SPDX-License-Identifier: MIT
 *
 * marks.h - what is painted on which frame: files by the number of their frame, "40:later.png"; box, points and mask
 * are of the first frame.
 */
#ifndef CLI_MARKS_H
#define CLI_MARKS_H

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
    mark *item; /* by frame, and in the order that they were given */
    int count;
    int next;   /* the first mark that belongs to no frame so far */
    int64_t last; /* frame with anything on it; -1: none           */
} marks;

/* Takes the files of --seeds apart and sees whether they are there. EXIT_USAGE, also when nothing is marked;
 * EXIT_INPUT, EXIT_RESOURCES. */
int marks_init(marks *m, const inputs *in, failure *why);
void marks_free(marks *m);

/* Whether anything is on that frame; frames come in order. */
bool marks_on(const marks *m, int64_t frame);

/* The most frames from one that is marked, or from the first, to the next one. */
int64_t marks_gap(const marks *m);

/* What is painted on `frame`, whose pixels are `photo`. `known`: there is a mask of the frame before, so no class has
 * to be painted. The caller frees it with seeds_free() and mask_file_free(); out->label NULL: nothing is painted.
 * Errors as of seeds_read() and mask_file_read(). */
int marks_read(marks *m, int64_t frame, const image *photo, const char *name, bool known, seeds *out, mask_file *mask,
               notes *log, failure *why);

/* EXIT_INPUT for marks on frames that never came. */
int marks_left(const marks *m, int64_t frames, const char *name, failure *why);

#endif
