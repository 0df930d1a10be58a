/* SPDX-License-Identifier: MIT
 *
 * coarse.h - makes searching cheaper: a smaller copy of an image and its seeds, and the window of the image that a box
 * needs. Also adjusts seeds and weights before anything is learnt (tc_seeds_settle()).
 */
#pragma once

#include <stdbool.h>

#include "exact_math.h"
#include "params.h"
#include "rows.h"
#include "tilecut.h"
#include "comm.h"

/* Columns x .. x + width - 1 of rows y .. y + height - 1. */
typedef struct tc_window {
    int x, y, width, height;
} tc_window;

static inline bool tc_same_window(const tc_window *a, const tc_window *b)
{
    return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height;
}

/* The background of a box is learnt from a margin on every side: TC_BOX_MARGIN times the square root of the box's area,
 * but at least TC_BOX_LEAST pixels. Farther away there may also be colours of the object (docs/guide/quality.md).
  */
#define TC_BOX_MARGIN 0.15
enum { TC_BOX_LEAST = 8 };

/* `height` is the number of rows of `seeds`. If the image is split into parts, the functions with `comm` read only this
 * part's own rows, agree on one answer, and return windows in coordinates of the whole image. If another part fails,
 * their answers are meaningless: call tc_comm_check(). */

/* The bounding box of all pixels that are neither background nor outside. Returns false if there is none. */
bool tc_box_rectangle(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *box);

/* The box that the user drew: tc_box_rectangle(), unless that contains pixels labelled outside. Then foreground strokes
 * reach beyond the box, and the bounding box of the unknown pixels is returned. */
bool tc_box_drawn(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *box);

/* Adjusts seeds and setup before anything is learnt, once for each call of the library. Does nothing if there is a
 * prior mask, if seeds are soft, or if no colours are learnt.
 *
 * A side of the drawn box that is nearer to the border than a hundredth of the image's side (rounded up) moves to the
 * border, if that side has at least 50 pixels: the pixels in between become unknown, in a copy that `seeds` then owns.
 * Users who draw so near to the border mean the border itself, and colours learnt from such a narrow strip would be
 * those of an object that touches it. If less than a twenty-fifth of the image would be left outside, these sides move
 * to a hundredth from the border instead. A box with foreground strokes stays as it is if nothing would be left
 * outside.
 *
 * With strokes of both classes and no box, setup->spatial is raised by half if the caller has not set it and less than
 * three tenths of the image are nearer to the foreground's strokes than to the background's.
 *
 * *boxless becomes true if seeds were looked at and none of them is TILECUT_OUTSIDE; it may be NULL. */
tilecut_status tc_seeds_settle(tc_bytes *seeds, tc_setup *setup, bool *boxless);

/* True if any pixel of a window has that label. */
bool tc_box_has(const uint8_t *seeds, int width, int height, tc_comm *comm, const tc_window *window, uint8_t label);

/* The window of the image that a box needs: tc_box_rectangle() and the margin around it. Returns false if there is no
 * box, if no pixel can be foreground, or if the window would be the whole image. */
bool tc_box_window(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *window);

typedef struct tc_coarse {
    int factor;          /* columns of a cell; cells at the right and at the bottom may be smaller             */
    tilecut_image image; /* one pixel per cell, the mean of the cell's samples; owned                          */
    uint8_t *seeds;      /* [cells] The label of a cell is that of its strokes; unknown if it has strokes of both
                            classes. Without strokes it is outside if any of its pixels is. Owned */
} tc_coarse;

/* The size of a cell in columns, rows and slices. slice_rows: rows of a slice; 0 for an image, where z is 1. */
typedef struct tc_cell {
    int x, y, z, slice_rows;
} tc_cell;

/* Combines the labels of a cell's pixels one by one: returns the cell's state after one more label. A state is a label,
 * or TC_COARSE_BOTH if the cell has strokes of both classes, which counts as unknown at the end. */
enum { TC_COARSE_BOTH = 4 };

static TC_BOTH inline uint8_t tc_coarse_join(uint8_t before, uint8_t label)
{
    if (label == TILECUT_UNKNOWN || before == TC_COARSE_BOTH) return before;
    if (before == TILECUT_UNKNOWN || before == TILECUT_OUTSIDE) return label;
    return label == TILECUT_OUTSIDE || label == before ? before : (uint8_t)TC_COARSE_BOTH;
}

/* Returns the mean sample of a cell with `pixels` pixels, rounded. */
static TC_BOTH inline uint64_t tc_coarse_mean(uint64_t sum, uint64_t pixels)
{
    return (sum + pixels / 2) / pixels;
}

/* Makes the copy, whose cells have `factor` >= 1 columns and as many rows. Without image->pixels only its seeds are
 * written. If the image is split into parts, each part gets the whole copy. *done is true if the copy can be used: if
 * it has unknown cells, and cells of each label that occurs in `seeds`. On failure `coarse` is empty. */
tilecut_status tc_coarse_init(tc_coarse *coarse, tc_comm *comm, const tilecut_image *image, const uint8_t *seeds,
                              int factor, int threads, bool *done);

/* The same in space: the image has the slices of a volume one below the other, and so has the copy. */
tilecut_status tc_coarse_in_space(tc_coarse *coarse, tc_comm *comm, const tilecut_image *image, const uint8_t *seeds,
                                  const tc_cell *cell, int threads, bool *done);

/* Makes `mask`, of the size of `image`, smaller by the same cells. *small, which the caller frees, becomes 255 in cells
 * whose mean is 128 or more, and 0 in the others. In parts every part gets all of it. */
tilecut_status tc_coarse_mask(uint8_t **small, tc_comm *comm, const tilecut_image *image, const uint8_t *mask,
                              const uint8_t *seeds, const tc_cell *cell, int threads);
void tc_coarse_free(tc_coarse *coarse);

/* Enlarges `small`, a mask of the copy: writes `height` rows of the large image, from its row `above` on. Each pixel
 * gets the value of its cell. */
void tc_coarse_spread(const tc_coarse *coarse, const uint8_t *small, int threads, int width, int height, int above,
                      uint8_t *mask);
