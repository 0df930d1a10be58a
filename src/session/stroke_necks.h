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
