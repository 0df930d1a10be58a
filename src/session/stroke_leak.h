/* SPDX-License-Identifier: MIT
 *
 * stroke_leak.h - what a stroke has changed that it cannot have meant.
 *
 * A user paints in the middle of an error, or a line along it. So discs around the stroke that fit into the change
 * fill a good part of it (balls, in space). If they do not, the change has leaked, and only what they fill changes. A
 * line has leaked if they fill less than two fifths of the change. A click tells less: it has leaked if it is less
 * than two thirds as deep in the change as the deepest place, and what is beyond its discs is more than a quarter of
 * the object. The same for both labels (docs/lab/quality.md: how it was chosen).
 */
#pragma once

#include "chamfer.h"
#include "lattice.h"
#include "tilecut.h"

/* What has changed with a stroke. */
typedef struct tc_spread {
    tc_block window;
    int slice_rows;         /* of the lattice; rows of a stroke are counted through all slices */
    const double *spacing;  /* NULL: 1, 1, 1                                                   */
    const uint8_t *changed; /* [window] 1: has changed                                         */
    int64_t pixels, object; /* that have changed; of the object before                         */
} tc_spread;

/* Sets *held to a map of the window, 1 for what leaked, 0 for all else; or leaves it NULL if nothing did. `stroke` lies
 * in the window. */
tilecut_status tc_stroke_leak(const tc_spread *spread, const tilecut_stroke *stroke, uint8_t **held);

/* Whether a stroke of `pixels` is a line: it has as many as three discs of its own width (9.4 is that of a radius of
 * 1). `widest`: the greatest distance from one of its pixels to what is not painted. */
static inline bool tc_is_line(int64_t pixels, int widest)
{
    const double radius = (double)widest / TC_CHAMFER_PIXEL;
    return (double)pixels > 9.4 * radius * radius;
}
