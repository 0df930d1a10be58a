/* SPDX-License-Identifier: MIT
 *
 * push.h - push.c for a solver that has boards of the graph already.
 */
#ifndef TC_PUSH_H
#define TC_PUSH_H

#include <assert.h>

#include "solver.h"
#include "tile_board.h"

#define tc_push_on TC_OF(tc_push_on)

/* What push has of a pixel. */
typedef struct tc_push_node {
    int32_t height;
    int32_t link; /* of the lists by level */
} tc_push_node;

enum { TC_LEVEL_PLANES = 12 };

/* By how much the level at which a search reached a pixel is above the first in its tile, as bit planes. */
typedef struct tc_push_levels {
    uint32_t plane[TC_LEVEL_PLANES][TC_TILE];
} tc_push_levels;

/* What push has of a grid, or of rows of tiles in it. */
typedef struct tc_push_memory {
    tc_push_node *node;     /* [nodes] */
    tc_push_levels *levels; /* [tiles] */
    tc_board *board;        /* [tiles] `open`, `source` (all excess above 0) and `sink` are true, and stay so */
} tc_push_memory;

static_assert(TC_TILE_NODES * sizeof(tc_push_node) + sizeof(tc_push_levels) <= TC_TILE_NODES * sizeof(tc_node),
               "what push has of pixels and tiles is more than the grid has memory for");

/* From `tile` on, of `grid`, whose `node` is memory for it, with large pages and not touched before it is used: first
 * all pixels, which are smaller than a tc_node, then all tiles. `board`: of the whole grid. */
static inline tc_push_memory tc_push_memory_of(const tc_grid *grid, tc_board *board, int tile)
{
    tc_push_node *const node = (tc_push_node *)(void *)grid->node;
    tc_push_levels *const levels = (tc_push_levels *)(void *)(node + grid->nodes);
    return (tc_push_memory){node + (size_t)tile * TC_TILE_NODES, levels + tile, board + tile};
}

/* Pushes until nothing in `grid`, which may be rows of tiles cut out of a larger one, can reach a sink there any more.
 * Links out of it are not used. Heights in use are below *base, and are again afterwards. `reach`: so many levels from
 * the sinks at first. */
tilecut_status tc_push_on(tc_grid *grid, tc_push_memory memory, const tc_solve_params *params, int reach,
                          uint32_t *base, tc_solve_stats *stats);

#endif
