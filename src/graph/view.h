/* SPDX-License-Identifier: MIT
 *
 * view.h - copies of the window of an image, of its seeds and of its masks.
 */
#pragma once

#include "coarse.h"
#include "lattice.h"
#include "tilecut.h"

/* Keeps the part `to` of a copy `cells` of the block `from`; a cell has `size` bytes. */
void tc_block_crop(void *cells, size_t size, const tc_block *from, const tc_block *to);

/* Returns a block with a margin of `by` pixels on all sides, as far as `within` has them. */
tc_block tc_block_around(const tc_block *block, int by, const tc_block *within);

/* Copy a block out of a lattice with one byte per pixel and slices of width x height, or back into it. */
void tc_block_read(const uint8_t *lattice, int width, int height, const tc_block *block, uint8_t *to);
void tc_block_write(uint8_t *lattice, int width, int height, const tc_block *block, const uint8_t *from);

/* Copy a window out of an image with one byte per pixel and rows of `width` bytes, or back into it. */
void tc_window_read(const uint8_t *rows, int width, const tc_window *window, uint8_t *to);
void tc_window_write(uint8_t *rows, int width, const tc_window *window, const uint8_t *from);

/* Allocates a copy of a window of `from`, unless that is NULL. The caller frees *to. */
tilecut_status tc_window_take(const uint8_t *from, int width, const tc_window *window, uint8_t **to);

/* The pixels and seeds of an image inside a window, and memory for its mask. For an image in parts: the ones in this
 * part's rows. */
typedef struct tc_view {
    tilecut_image image;   /* a view of the caller's pixels, if these are in host memory */
    uint8_t *seeds, *mask; /* [window]; owned  */
} tc_view;

/* `window` must lie in these rows. After a failure there is nothing to free. */
tilecut_status tc_view_init(tc_view *view, const tilecut_image *image, const uint8_t *seeds,
                             const tc_window *window);
void tc_view_free(tc_view *view);
