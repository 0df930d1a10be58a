/* SPDX-License-Identifier: MIT
 *
 * stroke_window.h - the graph of the pixels in a window that a stroke may change.
 */
#pragma once

#include <stdbool.h>

#include "graph.h"
#include "lattice.h"
#include "tilecut.h"

typedef struct tc_stroke_task {
    const tilecut_graph *graph;
    const uint8_t *seeds; /* NULL: none */
    const tilecut_stroke *stroke;
    const uint8_t *mask;
    uint8_t *held; /* [window] 1 where a pixel keeps its label (stroke_leak.h); NULL: no pixel is held */
    bool limited;  /* true: nothing changes beyond the limit in stroke_reach.h */
} tc_stroke_task;

/* The role of a pixel for a stroke. Pixels of all roles but the first are fixed. */
enum {
    TC_ROLE_FREE,        /* has the other label and is not a seed, so it may change */
    TC_ROLE_SAME,        /* already has the stroke's label, and keeps it         */
    TC_ROLE_OTHER,       /* is a seed of the other label, is held, or lies beyond the limit */
    TC_ROLE_STROKE,      /* is painted, and changes                              */
    TC_ROLE_STROKE_SAME  /* is painted, but already has the stroke's label       */
};

typedef struct tc_stroke_window {
    tc_block window;
    int connectivity;
    bool foreground;     /* the label of the stroke */
    int depth;           /* how deep the stroke lies in the other label (stroke_reach.h); 0: not known */
    uint8_t *role;       /* [window] */
    int32_t *memory;     /* memory of the graph's arrays; owned */
    tilecut_graph graph; /* a graph from arrays; links from free to fixed pixels have become terminal links of the free
                            pixels */
} tc_stroke_window;

/* Makes the graph. Outside the window all pixels are fixed to their label in the mask of `task`. */
tilecut_status tc_stroke_window_init(tc_stroke_window *in, const tc_stroke_task *task, tc_block window, int threads);
void tc_stroke_window_free(tc_stroke_window *in);
