/* SPDX-License-Identifier: MIT
 *
 * frame_list.h - finds the files of a film whose frames are pictures: a folder, a name with %04d or *, or several
 * names.
 */
#pragma once

#include <stddef.h>

#include "failure.h"

/* Zero-initialise; frame_list_free() when done. */
typedef struct frame_list {
    char **name; /* paths of the pictures, in the order of the film; owned */
    int count;   /* number of pictures; 0: the film is a single file or stream */
} frame_list;

/* Finds the pictures that the words of a film name. A folder: its pictures, sorted by name, where digits count as
 * numbers. A name with * or ?: the matching pictures, sorted in the same way. A name with %d or %04d: the pictures with
 * a number there, from the smallest on, without a gap. A picture, or several words: these pictures. For any other word,
 * or if a file has exactly that name and is no picture, the list stays empty. Returns EXIT_INPUT if there is
 * no picture or one is missing, EXIT_RESOURCES if memory runs out. */
int frame_list_find(frame_list *list, const char *const *words, int count, failure *why);
void frame_list_free(frame_list *list);

/* Returns the start of a picture's name without folder and extension, and sets *length. */
const char *frame_stem(const char *path, size_t *length);
