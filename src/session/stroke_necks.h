/* SPDX-License-Identifier: MIT
 *
 * stroke_necks.h - what a stroke has changed only through a thin neck.
 *
 * A leak passes through a gap and fills what is right beyond it; a part that is wrong as a whole is joined broadly with
 * what the stroke touches. The depths of changed pixels, their distances to what has not changed, tell the two apart: a
 * pixel hangs on a neck if it lies more than one and a half times as deep as the narrowest place of the widest way to
 * it from the stroke. What does is a leak if it is more than twice as large as all else that has changed, for a user
 * paints into the largest part of what is wrong, and more than a quarter of the object. Only the stroke and the change
 * count, so the rule is the same for both labels, in the plane and in space (docs/lab/quality.md: how it was chosen).
 */
#pragma once

#include "lattice.h"
#include "tilecut.h"

#define TC_BLOCK_NONE SIZE_MAX

/* The neighbour of pixel p of a block in direction d (lattice.h), or TC_BLOCK_NONE if it lies outside. */
static inline size_t tc_block_neighbour(const tc_block *b, size_t p, int connectivity, int d)
{
    const tc_link_steps step = tc_link_step(connectivity, d / 2);
    const size_t w = (size_t)b->width, h = (size_t)b->height;
    const int sign = d % 2 ? -1 : 1, x = b->x + (int)(p % w) + sign * step.x;
    const int y = b->y + (int)(p / w % h) + sign * step.y, z = b->z + (int)(p / w / h) + sign * step.z;
    return tc_block_has(b, x, y, z) ? tc_block_at(b, x, y, z) : TC_BLOCK_NONE;
}

/* What has changed with a stroke. */
typedef struct tc_spread {
    tc_block window;
    int connectivity, slice_rows; /* of the lattice; rows of a stroke are counted through all slices */
    const double *spacing;        /* NULL: 1, 1, 1                                                   */
    const uint8_t *changed;       /* [window] 1: has changed                                         */
    int64_t pixels, object;       /* that have changed; of the object before                         */
} tc_spread;

/* Sets *held to a map of the window, 1 for what leaked, 0 for all else; or leaves it NULL if nothing did. `stroke` lies
 * in the window. */
tilecut_status tc_stroke_necks(const tc_spread *spread, const tilecut_stroke *stroke, uint8_t **held);
