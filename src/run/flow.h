/* SPDX-License-Identifier: MIT
 *
 * flow.h - makes a flow from a solved grid, which holds a maximum preflow, by returning stuck excess to the source.
 */
#ifndef TC_FLOW_H
#define TC_FLOW_H

#include "grid.h"
#include "solver.h"
#include "tilecut.h"

/* Reads the flow of `graph` from `grid`, which is solved and certified, into `flow`. Destroys the grid's contents. */
tilecut_status tc_flow_read(tc_grid *grid, const tilecut_graph *graph, const tc_solve_params *params,
                            const tilecut_flow *flow);

#endif
