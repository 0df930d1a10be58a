/* SPDX-License-Identifier: MIT
 *
 * build_grid.h - operations on a grid in one pass over the rows of a graph: building it, checking its flow against the
 * original capacities, carrying its flow over to new terminals, and fitting its flow to new links.
 */
#pragma once

#include "energy.h"
#include "graph.h"
#include "grid.h"

/* Fills `grid`, which has the size of `graph`, in one pass over the graph's rows, on `threads` threads. The layout of
 * links is grid->by_rows. Errors: ENOMEM, if there is no memory for a few rows. */
tilecut_status tc_grid_build(tc_grid *grid, const tilecut_graph *graph, int threads);

/* The sum of `count` capacities. */
int64_t tc_sum_of(const int32_t *numbers, int count);

/* Returns the value of the flow in a solved grid: grid->sinks minus the residual capacity to the sink. */
int64_t tc_flow_value(const tc_grid *grid);

/* Reads the flow on the links of TC_TILE pixels that begin at (x0, row->y, row->z); x0 is a multiple of TC_TILE. net[i]
 * is the flow that leaves pixel i over its links; 0 in the padding. Returns the number of violations: residual
 * capacities that are negative or not whole, and links whose two residuals do not add up to their two capacities. Each
 * link is checked at the end from which it leads forward. Links that leave the image have capacity zero. */
int32_t tc_check_residuals(const tc_grid *grid, const tc_row_view *row, int x0, int32_t net[TC_TILE]);

/* Keeps the flow on the links, and recomputes excesses from that flow and the terminals of `graph`, which has the same
 * size and neighbours (Kohli & Torr, ICCV 2005, section 3). Where a terminal can no longer supply the flow that comes
 * from it, the excess becomes negative, which means residual capacity to the sink. Kohli & Torr change both terminal
 * links of the pixel instead; for the cut that is the same, because only the difference of the two matters. *fits is
 * false if the links of `graph` differ: then this is not a flow of it, and the grid has to be built anew. *changed is
 * the number of excesses that have changed. */
tilecut_status tc_carry_flow(tc_grid *grid, const tilecut_graph *graph, int threads, bool *fits, int64_t *changed);

/* The colour terminals that the excesses in a photo's grid contain, by the colours of its palette. With them another
 * model of colours can change the excesses without reading links. All zero means that nothing is known. */
typedef struct tc_color_terminals {
    tc_energy of;           /* the energy, without tables; it holds references to palette and levels of nearness     */
    int32_t *source, *sink; /* [colours] the terminals of unseeded pixels; one allocation, with room for as many
                               again */
} tc_color_terminals;

/* Stores the colour terminals of `energy`, from which the grid was built or to which it was carried. Stores nothing
 * unless `energy` shares its seeds with other models and has a palette that numbers its pixels. */
void tc_color_terminals_keep(tc_color_terminals *terminals, const tc_energy *energy);
void tc_color_terminals_free(tc_color_terminals *terminals);

/* Does the work of tc_carry_flow() if `energy` and the energy behind the grid's terminals differ only in costs of
 * colours. Otherwise returns false and does nothing. */
bool tc_carry_colors(tc_grid *grid, const tc_color_terminals *terminals, const tc_energy *energy, int threads);

/* Updates the excesses if only the seeds of an image have changed, from `before` to `after`. Reads and writes only rows
 * that differ. */
tilecut_status tc_grid_reseed(tc_grid *grid, const tc_energy *energy, const uint8_t *before, const uint8_t *after);

/* Turns the flow in `grid`, which was solved for another image of the same size, into a flow of `graph`, which is from
 * an image: where a link carries more flow than its new capacity, the flow is reduced to the capacity. Afterwards the
 * excesses match no graph until tc_carry_flow() recomputes them. */
tilecut_status tc_refit_flow(tc_grid *grid, const tilecut_graph *graph, int threads);
