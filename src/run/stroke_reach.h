/* SPDX-License-Identifier: MIT
 *
 * stroke_reach.h - how far from a stroke its change is believed.
 *
 * A user paints in the middle of what is wrong. So how deep the stroke lies in the wrong label tells how large the
 * error is there: a stroke near the outline corrects the outline, one far from it a whole part. What lies much farther
 * from the stroke than that keeps its label, unless its colour clearly speaks against it. Without this a stroke takes
 * right parts along, through a gap or where colours are alike (docs/lab/quality.md has which, and the two numbers).
 */
#ifndef TC_STROKE_REACH_H
#define TC_STROKE_REACH_H

#include "stroke_window.h"

/* What is nearer to the stroke than TC_REACH_NEAR times its depth is free to change. From TC_REACH_FAR times on a
 * change costs TC_REACH_NATS nats a pixel, and between the two in proportion. */
enum { TC_REACH_NEAR = 2, TC_REACH_FAR = 5, TC_REACH_NATS = 4 };

typedef struct tc_stroke_reach {
    uint16_t *distance; /* [window] to painted pixels that are to change (chamfer.h); owned. NULL: changes are free   */
    int depth;          /* same unit: how far the deepest of those is from pixels that have the stroke's label        */
    int32_t most;       /* capacity of TC_REACH_NATS nats                                                             */
} tc_stroke_reach;

/* `in` needs its roles. Where colours say nothing, as in graphs from arrays, all changes are free; so they are where no
 * pixel of the window has the stroke's label. */
tilecut_status tc_stroke_reach_init(tc_stroke_reach *reach, const tc_stroke_window *in, const tilecut_graph *graph);
void tc_stroke_reach_free(tc_stroke_reach *reach);

/* What it costs pixel p of the window to change. */
static inline int32_t tc_stroke_reach_cost(const tc_stroke_reach *reach, size_t p)
{
    if (!reach->distance) return 0;
    const int64_t d = reach->distance[p], near = (int64_t)TC_REACH_NEAR * reach->depth;
    const int64_t far = (int64_t)TC_REACH_FAR * reach->depth;
    if (d <= near) return 0;
    return d >= far ? reach->most : (int32_t)(reach->most * (d - near) / (far - near));
}

#endif
