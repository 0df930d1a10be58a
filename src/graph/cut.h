/* SPDX-License-Identifier: MIT
 *
 * cut.h - finds the canonical cut of a solved grid and proves it, in the same way for every solver.
 *
 * A pixel is background if and only if residual links lead from it to a node of negative excess, which means residual
 * capacity to the sink. That set is the same for every maximum preflow, and for every pseudoflow in which no residual
 * path leads from positive to negative excess. It is the minimum cut with the least background.
 */
#pragma once

#include "graph.h"
#include "grid.h"

/* Labels in bit rows: bit x & 31 of word [tile][y & 31] is set if the pixel is background. */
typedef struct tc_labels {
    uint32_t *background; /* [tiles * TC_TILE]; owned */
} tc_labels;

static inline bool tc_is_background(const tc_labels *labels, size_t p)
{
    return labels->background[p / TC_TILE] >> p % TC_TILE & 1;
}

/* A flood that can be continued from pixels in the halo of a part that neighbouring parts have reached. */
typedef struct tc_flood {
    const tc_grid *grid;
    int tiles, directions;
    int planes;                /* 4 or 8: the number of directions that `open` has for each tile                   */
    int slice;                 /* number of tiles in a slice of a volume; 0: an image                              */
    uint32_t (*open)[TC_TILE]; /* [tile][direction] bit rows of links with residual capacity                       */
    tc_stored room;            /* memory for `open`, if the grid lies in a file                                    */
    uint32_t *label;           /* [tile][row] as in tc_labels                                                      */
    /* the caller's memory, [tile][row]: pixels with excess, and pixels with residual capacity to the sink; NULL: not
     * needed */
    uint32_t *source, *sink;
    const uint8_t *stale;      /* [row of tiles] nonzero: read this row again; NULL: read all rows                 */
    int first, end;            /* the rows of tiles that are flooded: all, or those of one thread                  */
    int32_t *queue;            /* a ring buffer of tiles of these rows                                             */
    uint8_t *queued;           /* [tile]                                                                           */
    size_t head, waiting;
} tc_flood;

/* Floods from all nodes with residual capacity to the sink. After a failure nothing has to be closed. `kept` is NULL,
 * or memory for the pixels with excess and those with residual capacity to the sink, [2][tiles][TC_TILE]. */
tilecut_status tc_flood_open(tc_flood *flood, const tc_grid *grid, uint32_t *kept, int threads);
void tc_flood_close(tc_flood *flood);

/* Floods anew after the grid has changed in the rows of tiles that are marked in `stale`, and in no others. The flood
 * must have been opened with `kept`. */
void tc_flood_again(tc_flood *flood, const uint8_t *stale, int threads);

/* Continues the flood after labels in rows of tiles first .. end - 1 were set in flood->label. */
void tc_flood_rows(tc_flood *flood, int first, int end);

/* A flood like tc_flood for a volume with 26 neighbours: it goes backwards along residual links. */
typedef struct tc_wide_flood {
    const tc_grid *grid;
    tc_labels labels;
    int32_t *stack; /* reached nodes whose neighbours have not been visited yet */
    size_t waiting;
    tc_stored room; /* memory of the stack: in the grid's file, if it has one */
} tc_wide_flood;

tilecut_status tc_wide_flood_open(tc_wide_flood *flood, const tc_grid *grid); /* no node is reached at first */
void tc_wide_flood_close(tc_wide_flood *flood);
/* starts the flood anew, from all nodes with residual capacity to the sink */
void tc_wide_flood_sinks(tc_wide_flood *flood);
void tc_wide_flood_add(tc_wide_flood *flood, size_t p); /* marks node p as reached, unless it is marked already */
void tc_wide_flood_on(tc_wide_flood *flood);            /* continues the flood from all nodes that were added   */
tilecut_status tc_wide_cut(const tc_grid *grid, tc_labels *labels);

/* Finds the canonical cut of `grid`, for any number of neighbours. */
tilecut_status tc_cut(const tc_grid *grid, int threads, tc_labels *labels);
void tc_labels_free(tc_labels *labels);

/* Proves that `labels` is a minimum cut. The original capacities are read again from `graph`. Two checks:
 *   - The residuals describe a feasible preflow in whole numbers: 0 <= residual, both residuals of a link add up to its
 *     capacities, and excess = terminal + inflow - outflow.
 *   - Its value `*flow` equals the cost `*cut` of the labelling. By weak duality both are then optimal.
 * If a check fails, returns TILECUT_EUNPROVEN. */
tilecut_status tc_certify(const tc_grid *grid, const tilecut_graph *graph, const tc_labels *labels,
                          int threads, int64_t *flow, int64_t *cut);

/* The sums over some rows, from which tc_proof_judge() decides. */
typedef struct tc_proof {
    int64_t flow, cut, violations;
} tc_proof;

/* Computes the sums of a proof for rows first .. end - 1, counted through all slices: a part's own rows. Links that
 * lead forward out of these rows are counted here, and links that lead forward into them by the part above. So the
 * adjacent rows must have the residuals and labels of the neighbours. */
tilecut_status tc_prove_rows(const tc_grid *grid, const tilecut_graph *graph, const tc_labels *labels, int first,
                             int end, int threads, tc_proof *proof);
tilecut_status tc_proof_judge(const tc_proof *proof); /* TILECUT_OK or TILECUT_EUNPROVEN */

/* Returns the number of foreground pixels in rows first .. end - 1, counted through all slices. */
int64_t tc_labels_foreground(const tc_grid *grid, const tc_labels *labels, int first, int end);

/* Writes 0 for background and 255 for foreground, width * height * depth bytes. Returns the number of foreground
 * pixels. */
int64_t tc_labels_mask(const tc_grid *grid, const tc_labels *labels, int threads, uint8_t *mask);
