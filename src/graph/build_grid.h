/* SPDX-License-Identifier: MIT
 *
 * build_grid.h - builds the grid that a solver works on from a graph, whose capacities are read row by row.
 */
#ifndef TC_BUILD_GRID_H
#define TC_BUILD_GRID_H

#include "graph.h"
#include "grid.h"

/* Fills `grid`, which has the size of `graph`, in one pass over the graph's rows, on `threads` threads. Links lie as
 * grid->by_rows says. Errors: ENOMEM, if there is no memory for a few rows. */
tilecut_status tc_grid_build(tc_grid *grid, const tilecut_graph *graph, int threads);

#endif
