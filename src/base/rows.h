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

/* The caller's seeds, or a packed copy of them. */
typedef struct tc_seeds {
    const uint8_t *label; /* [width * height]                                */
    uint8_t *own;         /* the copy, owned; NULL: `label` is the caller's memory */
} tc_seeds;

tilecut_status tc_seeds_open(tc_seeds *seeds, const uint8_t *label, size_t stride, int width, int height);
void tc_seeds_close(tc_seeds *seeds);

/* The memory to which a mask is written: the caller's, or a packed copy until the mask is complete. */
typedef struct tc_mask {
    uint8_t *pixel; /* [width * height]                                     */
    uint8_t *own;   /* the packed copy, owned; NULL: `pixel` is the caller's memory */
    uint8_t *to;    /* the caller's mask                                    */
    size_t stride;
    int width, height;
} tc_mask;

tilecut_status tc_mask_open(tc_mask *mask, uint8_t *to, size_t stride, int width, int height);
void tc_mask_close(tc_mask *mask, bool complete); /* copies to the caller's mask if `complete` */

#ifdef __cplusplus
}
#endif
