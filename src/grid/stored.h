/* SPDX-License-Identifier: MIT
 *
 * stored.h - memory that may lie in a file of the caller: then it can leave the machine's memory while nobody reads it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Zero-initialise; tc_stored_free() when done. */
typedef struct tc_stored {
    void *start; /* NULL: there is none      */
    size_t size;
    int file;    /* 0: it is in memory       */
    int64_t at;  /* in the file              */
} tc_stored;

/* Maps `size` bytes, which are zero, at pages of their own: behind all that the file `file` has, or in memory (0).
 * The disk's room is taken at once. NULL: there is not enough room. */
void *tc_stored_take(tc_stored *out, size_t size, int file);

/* Gives back the memory of an array in a file, which is read again when needed. Does nothing to an array in memory. */
void tc_stored_rest(const tc_stored *stored);

/* Releases the array. If it lay at the end of its file, the file becomes shorter. */
void tc_stored_free(tc_stored *stored);
