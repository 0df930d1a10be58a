/* SPDX-License-Identifier: MIT
 *
 * stroke_window.h - the graph of the pixels in a window that a stroke may change.
 */
#pragma once

#include "graph.h"
#include "lattice.h"
#include "stroke_reach.h"
#include "tilecut.h"

typedef struct tc_stroke_task {
    const tilecut_graph *graph;
    const uint8_t *seeds; /* NULL: none */
    const tilecut_stroke *stroke;
    const uint8_t *mask;
    int64_t object;        /* number of foreground pixels of the mask                                           */
    const uint8_t *others; /* NULL, or seeds: those of the other label keep what they speak for, after the cut  */
    bool limited;          /* true: nothing changes beyond the limit in stroke_reach.h                          */
} tc_stroke_task;

/* The role of a pixel for a stroke. Pixels of all roles but TC_ROLE_FREE are fixed. */
enum {
    TC_ROLE_SAME,        /* already has the stroke's label, and keeps it         */
    TC_ROLE_OTHER,       /* is a seed of the other label, is held, or lies beyond the limit */
    TC_ROLE_FREE,        /* has the other label and is not a seed, so it may change */
    TC_ROLE_STROKE,      /* is painted, and changes                              */
    TC_ROLE_STROKE_SAME  /* is painted, but already has the stroke's label       */
};

static inline bool tc_role_is_painted(uint8_t role)
{
    return role >= TC_ROLE_STROKE;
}

typedef struct tc_stroke_window {
    const tc_stroke_task *task;
    tc_block window;       /* contains `open`, and a pixel around it where the image has one */
    tc_block open;         /* the bounding box of all painted and free pixels; empty if its width is below 1 */
    int connectivity;
    bool foreground;       /* the label of the stroke */
    uint8_t *role;         /* [window] */
    tc_stroke_reach reach; /* reach.depth: how deep the stroke lies in the other label; 0: not known */
    int32_t *memory;       /* memory of the graph's arrays; owned */
    tilecut_graph graph;   /* a graph from arrays; links from free to fixed pixels have become terminal links of the
                              free pixels */
} tc_stroke_window;

/* Finds the roles of the pixels that may change, which lie in the block `within`. Outside of it all pixels are fixed to
 * their label in the mask of `task`, which must outlive *in. Close it with tc_stroke_window_free() after a failure,
 * too. */
tilecut_status tc_stroke_window_init(tc_stroke_window *in, const tc_stroke_task *task, const tc_block *within);

/* Makes the window as small as it can be, after fewer pixels are free. */
void tc_stroke_window_shrink(tc_stroke_window *in);

/* Makes the graph. It may be made again after fewer pixels are free. */
tilecut_status tc_stroke_window_build(tc_stroke_window *in, int threads);
void tc_stroke_window_free(tc_stroke_window *in);
