/* SPDX-License-Identifier: MIT
 *
 * build_grid.h - from a graph, whose capacities are read row by row, to the grid that a solver works on.
 */
#ifndef TC_BUILD_GRID_H
#define TC_BUILD_GRID_H

#include "graph.h"
#include "grid.h"

/* Fills `grid`, of the size of `graph`, in one pass over the graph's rows, on `threads` threads. Links lie as
 * grid->by_rows says. Errors: ENOMEM for want of memory for a few rows. */
tilecut_status tc_grid_build(tc_grid *grid, const tilecut_graph *graph, int threads);

#endif
