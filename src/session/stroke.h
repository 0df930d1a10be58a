/* SPDX-License-Identifier: MIT
 *
 * stroke.h - the mask after one more stroke: a minimum cut over the pixels that the stroke may change; all others are
 * fixed.
 */
#pragma once

#include "graph.h"
#include "tilecut.h"

/* The change that a stroke has made. */
typedef struct tc_stroke_change {
    tc_block window; /* contains all changed pixels                           */
    int slice_rows;  /* rows of a slice in the lattice                        */
    uint8_t *changed; /* [window] 1: the pixel has changed to the stroke's label; owned */
    int64_t pixels;   /* number of changed pixels                             */
    int depth;        /* how deep the stroke lay in the other label (stroke_reach.h); 0: not known */
} tc_stroke_change;

/* Finds the changes that `stroke` makes in `mask` (0 or 255 a pixel). `mask` and `seeds` (NULL: none) are only read.
 * The stroke's rows are counted through all slices.
 *
 * The painted pixels take the stroke's label. Other pixels may also take it, if they have the other label and are not
 * seeds. So a foreground stroke only adds, and a background stroke only removes. Which pixels change is a minimum cut
 * of `graph` with all other pixels fixed and with a cost for changes far from the stroke (stroke_reach.h), certified
 * like every cut. Of these pixels, only those change that are connected to the stroke through changing pixels. The cut
 * is made in a window around the stroke; if the change would reach beyond the window, the window grows. If the graph
 * has colours, a leak (stroke_leak.h) is fixed, and the rest is cut once more. `report` describes the graph that was
 * cut last; its times are sums over all cuts.
  */
tilecut_status tc_stroke_cut(const tilecut_graph *graph, const uint8_t *seeds, const tilecut_stroke *stroke,
                             const tc_setup *params, const uint8_t *mask, tc_stroke_change *change,
                             tilecut_report *report);
void tc_stroke_change_free(tc_stroke_change *change);
