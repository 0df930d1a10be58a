/* SPDX-License-Identifier: MIT
 *
 * cut.h - finds the canonical cut of a solved grid and proves it, in the same way for every solver.
 *
 * A pixel is background if and only if residual links lead from it to a node of negative excess (room to the sink).
 * That set is the same for every maximum preflow, and for every pseudoflow in which no residual path leads from
 * excess to room. It is the minimum cut with the least background.
 */
#ifndef TC_CUT_H
#define TC_CUT_H

#include "graph.h"
#include "grid.h"

/* Labels as bit rows: bit x & 31 of word [tile][y & 31] is set where the pixel is background. */
typedef struct tc_labels {
    uint32_t *background; /* [tiles * TC_TILE]; owned */
} tc_labels;

/* Finds the canonical cut of `grid`. */
tilecut_status tc_cut(const tc_grid *grid, int threads, tc_labels *labels);
void tc_labels_free(tc_labels *labels);

/* Proves that `labels` is a minimum cut. The original capacities are read again from `graph`. Checks that the
 * residuals describe a feasible preflow (0 <= residual, both residuals of a link add up to its capacities, excess =
 * terminal + inflow - outflow, all whole numbers), and that its value `*flow` equals the cost `*cut` of the
 * labelling. By weak duality both are then optimal. If a check fails: TILECUT_EUNPROVEN. */
tilecut_status tc_certify(const tc_grid *grid, const tilecut_graph *graph, const tc_labels *labels,
                          int threads, int64_t *flow, int64_t *cut);

/* Writes 0 for background and 255 for foreground, width * height bytes; returns how many are foreground. */
int64_t tc_labels_mask(const tc_grid *grid, const tc_labels *labels, uint8_t *mask);

#endif
