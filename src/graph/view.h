/* SPDX-License-Identifier: MIT
 *
 * view.h - what of an image, its seeds and its masks lies in a window.
 */
#pragma once

#include "coarse.h"
#include "lattice.h"
#include "tilecut.h"

/* Copies what lies in a block out of a lattice of a byte a pixel, with slices of width x height, or into it. */
void tc_block_read(const uint8_t *lattice, int width, int height, const tc_block *block, uint8_t *to);
void tc_block_write(uint8_t *lattice, int width, int height, const tc_block *block, const uint8_t *from);

/* Copies a window out of an image of a byte a pixel, in rows of `width` bytes, or into it. */
void tc_window_read(const uint8_t *rows, int width, const tc_window *window, uint8_t *to);
void tc_window_write(uint8_t *rows, int width, const tc_window *window, const uint8_t *from);

/* Makes a copy of what lies in a window of `from`, unless that is NULL. *to: to be freed. */
tilecut_status tc_window_take(const uint8_t *from, int width, const tc_window *window, uint8_t **to);

/* The pixels and seeds of an image inside a window, and memory for its mask. For an image in parts: those in this
 * part's rows. */
typedef struct tc_view {
    tilecut_image image;   /* a view           */
    uint8_t *seeds, *mask; /* [window]; owned  */
} tc_view;

/* `window` is in these rows. On failure there is nothing to be freed. */
tilecut_status tc_view_init(tc_view *view, const tilecut_image *image, const uint8_t *seeds,
                             const tc_window *window);
void tc_view_free(tc_view *view);
