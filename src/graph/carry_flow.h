/* SPDX-License-Identifier: MIT
 *
 * carry_flow.h - a solved grid for other terminals: the links hold the flow they have, and excesses become what
 * the new terminals and that flow make them (Kohli & Torr, ICCV 2005, section 3). What a terminal can no longer
 * supply turns up as room to the sink at its pixel; their two reparametrised terminal links are that, since only
 * the difference of the two matters to the cut.
 */
#ifndef TC_CARRY_FLOW_H
#define TC_CARRY_FLOW_H

#include "energy.h"
#include "graph.h"
#include "grid.h"

/* Takes the flow in `grid` over to `graph`, of the same size and neighbours. `*fits` is false, and the grid has to be
 * built anew, if that is no flow of `graph`: its links are others. */
tilecut_status tc_carry_flow(tc_grid *grid, const tilecut_graph *graph, int threads, bool *fits);

/* The same where nothing but seeds has changed, from `before` to `after`: touches only rows that differ. */
tilecut_status tc_grid_reseed(tc_grid *grid, const tc_energy *energy, const uint8_t *before, const uint8_t *after);

#endif
