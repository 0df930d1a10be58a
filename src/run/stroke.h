/* SPDX-License-Identifier: MIT
 *
 * stroke.h - the mask after one more stroke: a minimum cut over the pixels that the stroke may change; all others are
 * fixed.
 */
#pragma once

#include "graph.h"
#include "stroke_window.h"
#include "tilecut.h"

/* The change that a stroke has made. */
typedef struct tc_stroke_change {
    tc_block window; /* contains all changed pixels, and a pixel around them where the image has one */
    int slice_rows;  /* rows of a slice in the lattice                        */
    uint8_t *changed; /* [window] 1: the pixel has changed to the stroke's label; owned */
    int64_t pixels;   /* number of changed pixels                             */
} tc_stroke_change;

/* Finds the changes that the stroke of `task` makes in its mask (0 or 255 a pixel). The stroke's rows are counted
 * through all slices.
 *
 * The painted pixels take the stroke's label. Other pixels may also take it, if they have the other label and are not
 * seeds. So a foreground stroke only adds, and a background stroke only removes. Which pixels change is a minimum cut
 * of the graph with all other pixels fixed and with a cost for changes far from the stroke (stroke_reach.h), certified
 * like every cut. Of these pixels, only those change that are connected to the stroke through changing pixels. The cut
 * is made in a window around the stroke; if the change would reach beyond the window, the window grows. If the graph
 * has colours, a leak (stroke_leak.h) is fixed, and the rest is cut once more. If task->others is given, strokes of the
 * other label in the change are fixed, too, and the rest is cut again. `report` describes the graph that was cut last;
 * its times are sums over all cuts.
 */
tilecut_status tc_stroke_cut(const tc_stroke_task *task, const tc_setup *params, tc_stroke_change *change,
                             tilecut_report *report);
void tc_stroke_change_free(tc_stroke_change *change);

/* A refined mask, and the strokes that correct it. All arrays have a byte per pixel, in packed rows. */
typedef struct tc_all_strokes {
    const tilecut_graph *graph; /* its colours are those of the mask; it has no strokes  */
    const uint8_t *open;        /* the seeds without strokes                             */
    const uint8_t *seeds;       /* the seeds with strokes                                */
    const uint8_t *before;      /* the mask that they correct, 0 or 255                  */
} tc_all_strokes;

/* Corrects a mask by all strokes at once, in no order. A stroke is a connected region of seeds of one label that
 * contradict the mask; of more than TC_MOST_STROKES strokes, those of a label count as one. What a stroke may change is
 * found as if there were no others, with tc_stroke_cut(). Of this, strokes of the other label keep what they speak for:
 * the rest is cut once more with them. All that strokes of a label change together changes. So one more stroke of a
 * label adds what it changes, and holds back what strokes of the other label change, and does nothing else, unless it
 * touches another one or is one too many. The painted pixels always get their label. *report must be {0}, and stays so
 * if no seed contradicts the mask; flow and cut are sums over the strokes. */
enum { TC_MOST_STROKES = 64 };
tilecut_status tc_strokes_correct(const tc_all_strokes *s, const tc_setup *params, uint8_t *mask,
                                  tilecut_report *report);
