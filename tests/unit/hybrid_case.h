/* SPDX-License-Identifier: MIT
 *
 * hybrid_case.h - shared by the tests of the solver on two devices: a graph of an image or of a volume, its grid, the
 * answer of `bk`, and a check that a solved grid gives the same answer.
 */
#pragma once

#include "graph.h"
#include "grid.h"
#include "tilecut_volume.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hybrid_case {
    const tilecut_graph *graph; /* the graph of an image; NULL if the case is a volume */
    tilecut_graph of_volume;
    size_t pixels;
    uint8_t *mask; /* mask of all pixels by `bk`; owned */
    int64_t flow;
} hybrid_case;

/* Stores the graph, or the volume's arrays, and solves it with `bk`. Returns false on failure. */
bool hybrid_case_init(hybrid_case *c, const tilecut_graph *graph, const tilecut_volume_arrays *volume);
void hybrid_case_free(hybrid_case *c);

/* Builds the grid with the links stored node by node. Returns false on failure. */
bool hybrid_case_grid(const hybrid_case *c, tc_grid *grid);

/* Checks that the solution in `grid` is certified and equals that of `bk`. Returns what is wrong, or NULL. */
const char *hybrid_case_wrong(const hybrid_case *c, tc_grid *grid);

/* tile_over() returns the direction of the tile that the link from node p in direction d enters, for a volume also
 * TC_BEHIND or TC_BEFORE, or -1 if the link stays in its tile. node_over() returns the node at the link's other end, or
 * -1 if there is none. Links that leave the image have no capacity. */
int tile_over(const tc_grid *grid, size_t p, int d);
ptrdiff_t node_over(const tc_grid *grid, size_t p, int d);

#ifdef __cplusplus
}
#endif
