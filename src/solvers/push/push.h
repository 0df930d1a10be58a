/* SPDX-License-Identifier: MIT
 *
 * push.h - push-relabel for a solver that already has boards of the graph.
 */
#pragma once

#include <assert.h>

#include "solver.h"
#include "tile_board.h"

#define tc_push_on TC_OF(tc_push_on)

/* The words that push stores for a pixel. */
typedef struct tc_push_node {
    int32_t height;
    int32_t link; /* the next pixel in the list of its level */
} tc_push_node;

enum { TC_LEVEL_PLANES = 12 };

/* For each pixel of a tile: the level at which the search reached it, minus the level at which it reached the tile; in
 * bit planes. Plane k of all tiles comes after plane k - 1 of all tiles, because few tiles need the higher planes, and
 * pages that are never written take no memory. */
typedef uint32_t tc_push_plane[TC_TILE];

/* The memory that push uses for a grid, or for some rows of tiles of it. */
typedef struct tc_push_memory {
    tc_push_node *node;     /* [nodes] */
    tc_push_plane *levels;  /* [TC_LEVEL_PLANES][step] */
    size_t step;            /* number of tiles of the whole grid */
    tc_board *board;        /* [tiles] `open`, `source` (all pixels with excess) and `sink` are kept up to date */
    int across;             /* pushes happen in this many tiles of each row; its other tiles are not touched */
} tc_push_memory;

static_assert(TC_TILE_NODES * sizeof(tc_push_node) + TC_LEVEL_PLANES * sizeof(tc_push_plane) <=
                   TC_TILE_NODES * sizeof(tc_node),
               "what push has of pixels and tiles is more than the grid has memory for");

/* Lays out the memory of push in grid->node, for `across` tiles of each row, beginning with tile `tile`: first the
 * words of all pixels, which are smaller than a tc_node, then the planes of all tiles. Pages of grid->node take no
 * memory before they are used. `board` is that of the whole grid. */
static inline tc_push_memory tc_push_memory_of(const tc_grid *grid, tc_board *board, int tile, int across)
{
    tc_push_node *const node = (tc_push_node *)(void *)grid->node;
    tc_push_plane *const levels = (tc_push_plane *)(void *)(node + grid->nodes);
    return (tc_push_memory){node + (size_t)tile * TC_TILE_NODES, levels + tile, grid->nodes / TC_TILE_NODES,
                            board + tile, across};
}

/* Pushes until no excess in `grid` can reach a sink in it. `grid` may be a rectangle of tiles of a larger grid, while
 * other threads push in other rectangles of it; links out of it are not used. All heights in use are below *base,
 * before and after. `reach` is how far from the sinks, in levels, the first search goes. */
tilecut_status tc_push_on(tc_grid *grid, tc_push_memory memory, const tc_solve_params *params, int reach,
                          uint32_t *base, tc_solve_stats *stats);
