/* SPDX-License-Identifier: MIT
 *
 * stroke.h - a mask after one more stroke: a minimum cut of the pixels that the stroke may change, all others fixed.
 */
#ifndef TC_STROKE_H
#define TC_STROKE_H

#include "graph.h"
#include "tilecut.h"

/* Pixels x .. x + width - 1 of rows y .. y + height - 1. */
typedef struct tc_window {
    int x, y, width, height;
} tc_window;

/* What a stroke changes. */
typedef struct tc_stroke_change {
    tc_window window; /* all of it lies in there                              */
    uint8_t *changed; /* [window] 1: has the stroke's label now, and had not; owned */
    int64_t pixels;   /* of those                                             */
} tc_stroke_change;

/* Finds what `stroke` changes of `mask` (0 or 255 a pixel), which is only read, like `seeds` (NULL: none).
 *
 * The pixels of the stroke take its label. Others may take it too, if they have the other one and are no seeds, so a
 * stroke of foreground only adds, one of background only takes away. Which of them do is a minimum cut of `graph` with
 * all other pixels fixed, certified like every cut; only what hangs together with the stroke, through pixels that
 * change, is changed. Where that would go beyond a window around the stroke, the window grows. `report` tells of the
 * graph in the last window; its times are sums. */
tilecut_status tc_stroke_cut(const tilecut_graph *graph, const uint8_t *seeds, const tilecut_stroke *stroke,
                             const tc_setup *params, const uint8_t *mask, tc_stroke_change *change,
                             tilecut_report *report);
void tc_stroke_change_free(tc_stroke_change *change);

#endif
