/* SPDX-License-Identifier: MIT
 *
 * stroke_window.h - the graph of those pixels in a window that a stroke may change.
 */
#pragma once

#include <stdbool.h>

#include "stroke.h"

typedef struct tc_stroke_task {
    const tilecut_graph *graph;
    const uint8_t *seeds; /* NULL: none */
    const tilecut_stroke *stroke;
    const uint8_t *mask;
    uint8_t *held; /* [window] 1: keeps its label (stroke_leak.h); NULL: none does */
} tc_stroke_task;

/* The role of a pixel for a stroke. All but the first are fixed. */
enum {
    TC_ROLE_FREE,        /* has the other label and is not a seed: may change    */
    TC_ROLE_SAME,        /* has the stroke's label already: keeps it             */
    TC_ROLE_OTHER,       /* is a seed of the other label, or held                */
    TC_ROLE_STROKE,      /* is painted: changes                                  */
    TC_ROLE_STROKE_SAME  /* is painted, but has the stroke's label already       */
};

typedef struct tc_stroke_window {
    tc_block window;
    int connectivity;
    bool foreground;     /* the label of the stroke */
    uint8_t *role;       /* [window] */
    int32_t *memory;     /* holds the graph's arrays; owned */
    tilecut_graph graph; /* from arrays; links from free to fixed pixels have become terminal links of the free ones */
} tc_stroke_window;

/* Makes the graph. Outside the window all pixels are fixed to their label in the mask of `task`. */
tilecut_status tc_stroke_window_init(tc_stroke_window *in, const tc_stroke_task *task, tc_block window, int threads);
void tc_stroke_window_free(tc_stroke_window *in);
