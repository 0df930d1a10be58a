/* SPDX-License-Identifier: MIT
 *
 * frame_list.h - the files of a film whose frames are pictures: a folder, a name with %04d or *, or several names.
 */
#pragma once

#include <stddef.h>

#include "failure.h"

/* Zero-initialise; frame_list_free() when done. */
typedef struct frame_list {
    char **name; /* paths, in the order of the film; owned  */
    int count;   /* number of pictures; 0: the film is one file or stream */
} frame_list;

/* What the words that name a film stand for. A folder: its pictures, in the order of their names, where digits count as
 * numbers. A name with * or ?: those that fit, likewise. A name with %d or %04d: those with a number there, from the
 * least on, without a gap. A picture, or more than one word: these. Otherwise, and if another file of that very name is
 * there, the list stays empty. EXIT_INPUT: there is none, or one is missing; EXIT_RESOURCES. */
int frame_list_find(frame_list *list, const char *const *words, int count, failure *why);
void frame_list_free(frame_list *list);

/* The name of a picture without its folder and extension: where it begins, and its length. */
const char *frame_stem(const char *path, size_t *length);
