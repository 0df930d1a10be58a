/* SPDX-License-Identifier: MIT
 *
 * carry_flow.h - adapts a solved grid to new terminals. The flow on the links stays; excesses are recomputed from the
 * new terminals and that flow (Kohli & Torr, ICCV 2005, section 3). Where a terminal can no longer supply what flows
 * from it, the excess becomes negative, which means room to the sink. Kohli & Torr change both terminal links of the
 * pixel instead; for the cut that is the same, because only the difference of the two matters.
 */
#ifndef TC_CARRY_FLOW_H
#define TC_CARRY_FLOW_H

#include "energy.h"
#include "graph.h"
#include "grid.h"

/* Carries the flow in `grid` over to `graph`, which has the same size and neighbours. If the links of `graph` differ,
 * so that this is not a flow of it, *fits becomes false, and the grid has to be built anew. */
tilecut_status tc_carry_flow(tc_grid *grid, const tilecut_graph *graph, int threads, bool *fits);

/* The same if only seeds have changed, from `before` to `after`. Touches only rows that differ. */
tilecut_status tc_grid_reseed(tc_grid *grid, const tc_energy *energy, const uint8_t *before, const uint8_t *after);

#endif
