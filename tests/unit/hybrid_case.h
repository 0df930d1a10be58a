/* SPDX-License-Identifier: MIT
 *
 * hybrid_case.h - what tests of the solver on two devices share: a graph of an image or of a volume, its grid, the
 * answer of bk, and whether a solved grid gives the same one.
 */
#pragma once

#include "graph.h"
#include "grid.h"
#include "tilecut_volume.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hybrid_case {
    const tilecut_graph *graph; /* NULL: that of arrays of a volume */
    tilecut_graph of_volume;
    size_t pixels;
    uint8_t *mask; /* [pixels] of bk; owned */
    int64_t flow;
} hybrid_case;

/* Solves it with bk. False: it failed. */
bool hybrid_case_init(hybrid_case *c, const tilecut_graph *graph, const tilecut_volume_arrays *volume);
void hybrid_case_free(hybrid_case *c);

/* Makes the grid, with links by node. False: it failed. */
bool hybrid_case_grid(const hybrid_case *c, tc_grid *grid);

/* What is wrong with the answer that lies in `grid`; NULL if it is proven, and that of bk. */
const char *hybrid_case_wrong(const hybrid_case *c, tc_grid *grid);

/* The tile to which the link from node p in direction d leads, as a direction (of a volume also TC_BEHIND and
 * TC_BEFORE); -1: its own. And the node there; -1: it lies outside of all nodes. A link to no pixel has no capacity. */
int tile_over(const tc_grid *grid, size_t p, int d);
ptrdiff_t node_over(const tc_grid *grid, size_t p, int d);

#ifdef __cplusplus
}
#endif
