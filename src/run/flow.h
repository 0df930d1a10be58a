/* SPDX-License-Identifier: MIT
 *
 * flow.h - from a solved grid, which holds a maximum preflow, to a flow: what is stuck goes back to the source.
 */
#ifndef TC_FLOW_H
#define TC_FLOW_H

#include "grid.h"
#include "solver.h"
#include "tilecut.h"

/* Reads the flow of `graph` out of `grid`, solved and certified, into `flow`; the grid is spent after it. */
tilecut_status tc_flow_read(tc_grid *grid, const tilecut_graph *graph, const tc_solve_params *params,
                            const tilecut_flow *flow);

#endif
