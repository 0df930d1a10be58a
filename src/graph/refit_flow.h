/* SPDX-License-Identifier: MIT
 *
 * refit_flow.h - the flow of one image in the links of the next: as much of it as each link can still carry (Kohli &
 * Torr, ICCV 2005, section 3). What that leaves unbalanced turns up in the excesses, which tc_carry_flow() computes.
 */
#ifndef TC_REFIT_FLOW_H
#define TC_REFIT_FLOW_H

#include "graph.h"
#include "grid.h"

/* Links of `grid` get the capacities of `graph`, which is from an image and of the same size and neighbours, and keep
 * the flow they had, cut down to these. Both ends of a link have one capacity, before and after. Excesses are left as
 * they are, of no meaning. */
tilecut_status tc_refit_flow(tc_grid *grid, const tilecut_graph *graph, int threads);

#endif
