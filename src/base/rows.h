/* SPDX-License-Identifier: MIT
 *
 * rows.h - seeds and masks in the caller's layout: rows of bytes, a stride apart. Inside the library rows are packed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilecut.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Checks that `height` rows of `bytes` bytes each, `stride` apart and starting at `first`, fit into the address space.
 * Error messages call them `name`. A stride of 0 means packed rows. */
tilecut_status tc_rows_check(const void *first, size_t stride, size_t bytes, int height, const char *name);

/* Checks the alignment: numbers of `unit` bytes are read at `first` and at every multiple of `stride` after it. */
tilecut_status tc_address_check(const void *first, size_t stride, size_t unit, const char *name);

/* Does the same as tc_rows_check() and tc_address_check(), for rows of numbers of `unit` bytes. */
tilecut_status tc_samples_check(const void *first, size_t stride, size_t unit, size_t bytes, int height,
                                const char *name);

/* Copies rows of `bytes` bytes. A stride of 0 means packed rows. */
void tc_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes, size_t rows);

/* Row y of a stroke, with a byte for each pixel. */
static inline const uint8_t *tc_stroke_row(const tilecut_stroke *stroke, int y)
{
    return stroke->painted + (size_t)y * (stroke->stride ? stroke->stride : (size_t)stroke->width);
}

/* Rows of bytes that the caller lends: seeds or a prior mask, which are read, or a mask, which is written. If they are
 * not packed, the library works on a packed copy. */
typedef struct tc_bytes {
    const uint8_t *from; /* packed rows to read                       */
    uint8_t *to;         /* packed rows to write; NULL: only read     */
    uint8_t *own;        /* the packed copy, owned; may be NULL       */
    uint8_t *lent;       /* the caller's mask, `stride` from row to row; NULL: seeds or a prior mask */
    size_t stride;
    int width, height;
} tc_bytes;

/* Opens rows to be read; messages call them `name`. A stride of 0 means packed rows. */
tilecut_status tc_bytes_open(tc_bytes *bytes, const char *name, const uint8_t *from, size_t stride, int width,
                             int height);
tilecut_status tc_bytes_own(tc_bytes *bytes, const char *name); /* makes sure that there is a copy */
tilecut_status tc_mask_open(tc_bytes *mask, uint8_t *to, size_t stride, int width, int height);
void tc_bytes_close(tc_bytes *bytes, bool complete); /* copies a mask to the caller's if `complete` */

#ifdef __cplusplus
}
#endif
