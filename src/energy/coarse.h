/* SPDX-License-Identifier: MIT
 *
 * coarse.h - less of an image than there is: a smaller copy of it and its seeds, in which searching is cheap; and the
 * part of it that a box needs.
 */
#ifndef TC_COARSE_H
#define TC_COARSE_H

#include <stdbool.h>

#include "exact_math.h"
#include "params.h"
#include "rows.h"
#include "tilecut.h"
#include "comm.h"

/* Pixels x .. x + width - 1 of rows y .. y + height - 1. */
typedef struct tc_window {
    int x, y, width, height;
} tc_window;

static inline bool tc_same_window(const tc_window *a, const tc_window *b)
{
    return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height;
}

/* How far the background of a box is learnt: this much of the root of its area on every side. Beyond that there are
 * colours that the object may have, too (docs/guide/quality.md). TC_BOX_LEAST pixels at least. */
#define TC_BOX_MARGIN 0.15
enum { TC_BOX_LEAST = 8 };

/* These look at seeds of `height` rows, of an image in parts at those of this part's own rows; windows are of the whole
 * image. After a failure of another part they mean nothing: tc_comm_check(). */

/* The rectangle around all that may be foreground. False: there is no such pixel. */
bool tc_box_rectangle(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *box);

/* The box that was drawn, without strokes of foreground that reach beyond it as far as can be told. False: as above. */
bool tc_box_drawn(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *box);

/* What seeds say before anything is learnt from them, once for each call of the library.
 *
 * A side of the drawn box that lies within a hundredth of the image's side (rounded up) of the border is taken to be
 * at the border: what lies between is opened, in a copy that `seeds` then owns. Nobody draws so near on purpose, and
 * colours learnt from so narrow a strip would be those of an object that touches the border. Nothing happens if no box
 * was drawn from which colours are to be learnt, or if nothing of the image would be left outside of it.
 *
 * Strokes without a box choose setup->spatial, if the caller has not: it is half as much again if less than three
 * tenths of the image are nearer to the foreground's strokes than to the background's. */
tilecut_status tc_seeds_settle(tc_seeds *seeds, int width, int height, tc_setup *setup);

/* Whether a pixel of a window has that label. */
bool tc_box_has(const uint8_t *seeds, int width, int height, tc_comm *comm, const tc_window *window, uint8_t label);

/* The part of an image that matters where there is a box: all that may be foreground, and the margin around it. False:
 * there is no box, nothing is open, or all of the image matters. */
bool tc_box_window(const uint8_t *seeds, int width, int height, tc_comm *comm, tc_window *window);

typedef struct tc_coarse {
    int factor;          /* of both sides; cells at the right and at the bottom may be smaller         */
    tilecut_image image; /* mean samples of the cells; owned                                           */
    uint8_t *seeds;      /* [cells] the label of a class if the cell has strokes of that class only; unknown if it has
                            strokes of both; without strokes, outside if any pixel is                               */
} tc_coarse;

/* Joins the labels of a cell's pixels one by one: returns the cell's state after one more label. Each state stands
 * for the set of labels met so far. At the end, TC_COARSE_BOTH (strokes of both classes) counts as unknown. */
enum { TC_COARSE_BOTH = 4 };

static TC_BOTH inline uint8_t tc_coarse_join(uint8_t before, uint8_t label)
{
    if (label == TILECUT_UNKNOWN || before == TC_COARSE_BOTH) return before;
    if (before == TILECUT_UNKNOWN || before == TILECUT_OUTSIDE) return label;
    return label == TILECUT_OUTSIDE || label == before ? before : (uint8_t)TC_COARSE_BOTH;
}

/* The mean sample of a cell with `pixels` pixels, rounded. */
static TC_BOTH inline uint64_t tc_coarse_mean(uint64_t sum, uint64_t pixels)
{
    return (sum + pixels / 2) / pixels;
}

/* Makes the copy; `factor` >= 1. Each part of an image gets all of it. *done: whether it has unknown pixels, and seeds
 * of each class that occurs in `seeds`. On failure `coarse` is empty. */
tilecut_status tc_coarse_init(tc_coarse *coarse, tc_comm *comm, const tilecut_image *image, const uint8_t *seeds,
                              int factor, int threads, bool *done);
void tc_coarse_free(tc_coarse *coarse);

/* Writes `height` rows of the mask of the large image, from row `above` on: each pixel gets the label of its cell in
 * `small`. */
void tc_coarse_spread(const tc_coarse *coarse, const uint8_t *small, int threads, int width, int height, int above,
                      uint8_t *mask);

#endif
