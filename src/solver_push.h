/* SPDX-License-Identifier: MIT
 *
 * solver_push.h - solver_push.c for a solver that has boards of the graph already.
 */
#ifndef TC_SOLVER_PUSH_H
#define TC_SOLVER_PUSH_H

#include "solver.h"
#include "tile_board.h"

/* What push has of a pixel. The grid's `node` is memory for these, which are smaller, and lie there close together. */
typedef struct tc_push_node {
    int32_t height;
    int32_t link; /* of the lists by level */
} tc_push_node;

static inline tc_push_node *tc_push_nodes(const tc_grid *grid)
{
    return (tc_push_node *)(void *)grid->node;
}

/* Pushes until nothing in `grid`, which may be rows of tiles cut out of a larger one, can reach a sink there any more.
 * Links out of it are not used. `node` [nodes]: of the larger one's tc_push_nodes(). `board` [tiles]: `open`, `source`
 * (all excess above 0) and `sink` are true, and stay so. Heights in use are below *base, and are again afterwards.
 * `reach`: so many levels from the sinks at first, INT_MAX for all. */
tilecut_status tc_push_on(tc_grid *grid, tc_push_node *node, tc_board *board, const tc_solve_params *params, int reach,
                          uint32_t *base, tc_solve_stats *stats);

#endif
