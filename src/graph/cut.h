/* SPDX-License-Identifier: MIT
 *
 * cut.h - from a solved grid to the canonical cut and its proof, the same way for every solver.
 *
 * A pixel is background if and only if it still reaches a node of negative excess (room to the sink) over
 * residual links. That set is the same for every maximum preflow, and for every pseudoflow that leaves excess and room
 * with no way between them: the minimum cut with the least background.
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

/* Proves `labels` against the original capacities, read again from `graph`: that the residuals describe a
 * feasible preflow (0 <= residual, both residuals of a link add up to its capacities, excess = terminal +
 * inflow - outflow, all whole numbers) and that its value `*flow` equals the cost `*cut` of the labelling.
 * Weak duality makes both optimal. Otherwise TILECUT_EUNPROVEN. */
tilecut_status tc_certify(const tc_grid *grid, const tilecut_graph *graph, const tc_labels *labels,
                          int threads, int64_t *flow, int64_t *cut);

/* Writes 0 for background and 255 for foreground, width * height bytes; returns how many are foreground. */
int64_t tc_labels_mask(const tc_grid *grid, const tc_labels *labels, uint8_t *mask);

#endif
