/* SPDX-License-Identifier: MIT
 *
 * stored.h - memory that may lie in a file of the caller: while it is not used, it need not take any of the machine's
 * memory.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Zero-initialise; tc_stored_free() when done. */
typedef struct tc_stored {
    void *start; /* NULL: there is no array  */
    size_t size;
    int file;    /* 0: the array is in memory */
    int64_t at;  /* offset in the file       */
} tc_stored;

/* Maps `size` zeroed bytes, on pages of their own: at the end of the file `file`, or in memory if `file` is 0. Space on
 * the disk is reserved at once. Returns NULL if there is not enough. */
void *tc_stored_take(tc_stored *out, size_t size, int file);

/* Releases the memory of an array in a file, which is read again when needed. Does nothing to an array in memory. */
void tc_stored_release_pages(const tc_stored *stored);

/* Frees the array. If it lay at the end of its file, the file becomes shorter. */
void tc_stored_free(tc_stored *stored);
