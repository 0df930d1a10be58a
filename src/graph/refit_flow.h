/* SPDX-License-Identifier: MIT
 *
 * refit_flow.h - keeps the flow of one image in the links of the next image, as far as each link can still carry it
 * (Kohli & Torr, ICCV 2005, section 3). The nodes may then be out of balance; tc_carry_flow() puts that into the
 * excesses.
 */
#ifndef TC_REFIT_FLOW_H
#define TC_REFIT_FLOW_H

#include "graph.h"
#include "grid.h"

/* Gives the links of `grid` the capacities of `graph`, which is from an image and has the same size and neighbours.
 * The flow on each link stays, reduced to the new capacity. Each link must have the same capacity both ways, before
 * and after. Excesses are not updated and have no meaning afterwards. */
tilecut_status tc_refit_flow(tc_grid *grid, const tilecut_graph *graph, int threads);

#endif
