/* SPDX-License-Identifier: MIT
 *
 * build_grid.h - what is done to a grid in one pass over the rows of a graph: it is built; the flow in it is checked
 * against the original capacities, carried over to new terminals, or made to fit new links.
 */
#pragma once

#include "energy.h"
#include "graph.h"
#include "grid.h"

/* Fills `grid`, which has the size of `graph`, in one pass over the graph's rows, on `threads` threads. Links lie as
 * grid->by_rows says. Errors: ENOMEM, if there is no memory for a few rows. */
tilecut_status tc_grid_build(tc_grid *grid, const tilecut_graph *graph, int threads);

/* The sum of `count` capacities. */
int64_t tc_sum_of(const int32_t *numbers, int count);

/* The value of the flow in a solved grid: grid->sinks minus the capacity that is left to the sink. */
int64_t tc_flow_value(const tc_grid *grid);

/* Reads the flow on links of TC_TILE pixels from (x0, row->y, row->z) on; x0 is a multiple of TC_TILE. net: for each
 * pixel, the flow that leaves it over its links; 0 in the padding. Returns the number of violations: residual
 * capacities that are negative or not whole, and links whose two residuals do not add up to their two capacities. Each
 * link is checked at the end from which it leads forward. Links that leave the image have capacity zero. */
int32_t tc_check_residuals(const tc_grid *grid, const tc_row_view *row, int x0, int32_t net[TC_TILE]);

/* The flow on the links stays; excesses are recomputed from the terminals of `graph`, which has the same size and
 * neighbours, and that flow (Kohli & Torr, ICCV 2005, section 3). Where a terminal can no longer supply what flows from
 * it, the excess becomes negative, which means room to the sink. Kohli & Torr change both terminal links of the pixel
 * instead; for the cut that is the same, because only the difference of the two matters. *fits: false if the links of
 * `graph` differ, so that this is no flow of it, and the grid has to be built anew. *changed: how many excesses are no
 * longer what they were. */
tilecut_status tc_carry_flow(tc_grid *grid, const tilecut_graph *graph, int threads, bool *fits, int64_t *changed);

/* The colour terminals that the excesses in a photo's grid contain, by the colours of its palette. With them another
 * model of colours can change the excesses without reading links. All zero: nothing is known. */
typedef struct tc_color_terminals {
    tc_energy of;           /* the energy, without tables; palette and levels of nearness are held                   */
    int32_t *source, *sink; /* [colours] what unseeded pixels have; one piece of memory, with room for as many again */
} tc_color_terminals;

/* Keeps the colour terminals of `energy`, of which the grid was built or to which it was carried. Keeps nothing unless
 * `energy` shares its seeds with other models and has a palette that numbers its pixels. */
void tc_color_terminals_keep(tc_color_terminals *terminals, const tc_energy *energy);
void tc_color_terminals_free(tc_color_terminals *terminals);

/* Does the work of tc_carry_flow() if `energy` and the energy behind the grid's terminals differ only in costs of
 * colours. Otherwise returns false and does nothing. */
bool tc_carry_colors(tc_grid *grid, const tc_color_terminals *terminals, const tc_energy *energy, int threads);

/* Updates the excesses if only seeds of an image have changed, from `before` to `after`. Touches only rows that
 * differ. */
tilecut_status tc_grid_reseed(tc_grid *grid, const tc_energy *energy, const uint8_t *before, const uint8_t *after);

/* Makes the flow in `grid`, which was solved for another image of the same size, a flow of `graph`, which is from an
 * image: where a link carries more flow than its new capacity, the flow is cut down to the capacity. Afterwards the
 * excesses belong to no graph; tc_carry_flow() makes them right. */
tilecut_status tc_refit_flow(tc_grid *grid, const tilecut_graph *graph, int threads);
