/* SPDX-License-Identifier: MIT
 *
 * stroke_reach.h - limits how far from a stroke pixels change with it.
 *
 * A user paints in the middle of an error. So the stroke's depth, its distance to the outline, is an estimate of the
 * size of the error: a stroke near the outline corrects the outline, and a stroke far from it corrects a whole part.
 * Pixels much farther from the stroke than its depth keep their label, unless their colour is strong evidence against
 * it. Without this a stroke would also change right parts, through a gap or where colours are similar
 * (docs/lab/quality.md has examples, and how the numbers were chosen).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilecut.h"

/* Pixels nearer to the stroke than TC_REACH_NEAR times its depth change at no cost. From TC_REACH_FAR times its depth
 * on a change costs TC_REACH_NATS nats per pixel; between the two the cost rises linearly. A stroke with a limit, on a
 * refined mask, reaches less: it has the factors of TC_LIMIT, and nothing changes beyond TC_LIMIT_FAR times its depth,
 * or beyond TC_LIMIT_NEAR times its depth if it is a line, as a line itself shows how far the error extends. */
enum { TC_REACH_NEAR = 2, TC_REACH_FAR = 5, TC_REACH_NATS = 4, TC_LIMIT_NEAR = 1, TC_LIMIT_FAR = 4 };

struct tc_stroke_window;

typedef struct tc_stroke_reach {
    uint16_t *distance; /* [window] distance to the painted pixels that change (chamfer.h); owned; NULL: changes have no
                           costs */
    /* depth of the stroke: how far a painted pixel lies from the stroke's label in the mask, at most; same unit */
    int depth;
    int near, far;      /* a change has no cost up to `near`, and the highest from `far` on; same unit               */
    int32_t most;       /* TC_REACH_NATS nats as a capacity, in quanta                                                */
} tc_stroke_reach;

/* Reads the roles of `in`. With `limited`, free pixels beyond the limit get TC_ROLE_OTHER. There are no costs and no
 * limit if the graph has no colours, as a graph from arrays, or if no pixel of the window has the stroke's label. */
tilecut_status tc_stroke_reach_init(tc_stroke_reach *reach, struct tc_stroke_window *in, const tilecut_graph *graph,
                                    bool limited);
void tc_stroke_reach_free(tc_stroke_reach *reach);

/* The cost, in quanta, of changing pixel p of the window. */
static inline int32_t tc_stroke_reach_cost(const tc_stroke_reach *reach, size_t p)
{
    if (!reach->distance) return 0;
    const int64_t d = reach->distance[p], near = reach->near, far = reach->far;
    if (d <= near) return 0;
    return d >= far ? reach->most : (int32_t)(reach->most * (d - near) / (far - near));
}
