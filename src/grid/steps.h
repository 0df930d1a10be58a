/* SPDX-License-Identifier: MIT
 *
 * steps.h - tables for stepping from a node to its neighbours and from a tile to those beside it. The steps are those
 * of tc_neighbour(), but in 32 bits and without a switch.
 */
#ifndef TC_STEPS_H
#define TC_STEPS_H

#include "grid.h"

/* By direction: what to add to the number of a tile for the number of the tile beside it. */
#define TC_TILE_STEPS(tiles_x) {1, -1, (tiles_x), -(tiles_x)}

/* By direction: what to add to a node's index for its neighbour's, inside the tile (inner) and across its edge
 * (outer). */
typedef struct tc_steps {
    int32_t inner[4], outer[4];
    uint32_t edge_mask[4], edge[4]; /* see tc_at_edge() */
} tc_steps;

static inline tc_steps tc_steps_of(int tiles_x)
{
    enum { LAST = TC_TILE - 1, LAST_ROW = LAST * TC_TILE };
    const int32_t row = tiles_x * TC_TILE_NODES;
    return (tc_steps){
        .inner = {1, -1, TC_TILE, -TC_TILE},
        .outer = {TC_TILE_NODES - LAST, LAST - TC_TILE_NODES, row - LAST_ROW, LAST_ROW - row},
        .edge_mask = {LAST, LAST, LAST_ROW, LAST_ROW},
        .edge = {LAST, 0, LAST_ROW, 0},
    };
}

/* Whether node p lies at the edge of its tile in direction d. */
static inline bool tc_at_edge(const tc_steps *steps, int32_t p, int d)
{
    return ((uint32_t)p & steps->edge_mask[d]) == steps->edge[d];
}

static inline int32_t tc_step(const tc_steps *steps, int32_t p, int d)
{
    return p + (tc_at_edge(steps, p, d) ? steps->outer[d] : steps->inner[d]);
}

/* The directions, one bit each, in which the tile at (x, y) has another tile beside it within a rectangle of tiles. */
static inline uint32_t tc_tiles_beside(int x, int y, int first_x, int first_y, int end_x, int end_y)
{
    return (uint32_t)((x + 1 < end_x) << TC_RIGHT | (x > first_x) << TC_LEFT | (y + 1 < end_y) << TC_DOWN |
                      (y > first_y) << TC_UP);
}

#endif
