/* SPDX-License-Identifier: MIT
 *
 * steps.h - tables of the steps from a node to its neighbours, and from a tile to the tiles around it. The steps are
 * those of tc_neighbour(), but in 32 bits and without a switch.
 */
#pragma once

#include "neighbourhood.h"

/* By direction: the number to add to a tile's index to get the index of the neighbouring tile. `slice` is the number of
 * tiles in a slice. */
#if TC_NEIGHBOURS == 4
#define TC_TILE_STEPS(tiles_x, slice) {1, -1, (tiles_x), -(tiles_x)}
#elif TC_NEIGHBOURS == 6
#define TC_TILE_STEPS(tiles_x, slice) {1, -1, (tiles_x), -(tiles_x), (slice), -(slice)}
#else
#define TC_TILE_STEPS(tiles_x, slice) \
    {1, -1, (tiles_x), -(tiles_x), (tiles_x) + 1, -(tiles_x) - 1, (tiles_x) - 1, -(tiles_x) + 1}
#endif

/* By direction 0 .. 3: the number to add to a node's index to get its neighbour's index, inside the tile (inner) and
 * across its edge (outer). */
typedef struct tc_steps {
    int32_t inner[4], outer[4];
    uint32_t edge_mask[4], edge[4]; /* see tc_at_edge() */
    int32_t slice;                  /* in a volume: the step to the same pixel of the next slice; else 0 */
} tc_steps;

static inline tc_steps tc_steps_of(const tc_grid *grid)
{
    enum { LAST = TC_TILE - 1, LAST_ROW = LAST * TC_TILE };
    const int32_t row = grid->tiles_x * TC_TILE_NODES;
    return (tc_steps){
        .inner = {1, -1, TC_TILE, -TC_TILE},
        .outer = {TC_TILE_NODES - LAST, LAST - TC_TILE_NODES, row - LAST_ROW, LAST_ROW - row},
        .edge_mask = {LAST, LAST, LAST_ROW, LAST_ROW},
        .edge = {LAST, 0, LAST_ROW, 0},
        .slice = row * grid->slice_rows,
    };
}

/* True if node p lies at the edge of its tile in direction d, 0 .. 3. */
static inline bool tc_at_edge(const tc_steps *steps, int32_t p, int d)
{
    return ((uint32_t)p & steps->edge_mask[d]) == steps->edge[d];
}

static inline int32_t tc_step(const tc_steps *steps, int32_t p, int d)
{
    return p + (tc_at_edge(steps, p, d) ? steps->outer[d] : steps->inner[d]);
}

/* Returns the direction of the tile to which a step from p in direction d (0 .. 7) leads; TC_NOWHERE if the step stays
 * in p's tile. */
static inline int tc_crossing(const tc_steps *steps, int32_t p, int d)
{
    if (d < 4) return tc_at_edge(steps, p, d) ? d : TC_NOWHERE;
    if (TC_SLICES) return d;
    const bool along = tc_at_edge(steps, p, tc_along[d]), across = tc_at_edge(steps, p, tc_across[d]);
    return along && across ? d : along ? tc_along[d] : across ? tc_across[d] : TC_NOWHERE;
}

/* Returns the neighbour of p in direction d (0 .. 7), for a step that stays in the tile. */
static inline int32_t tc_step_within(const tc_steps *steps, int32_t p, int d)
{
#if TC_NEIGHBOURS == 8
    if (d >= 4) return p + steps->inner[tc_along[d]] + steps->inner[tc_across[d]];
#endif
    return p + steps->inner[d & 3]; /* a step to another slice never stays in the tile */
}

/* Returns the neighbour of p in direction d (0 .. 7), for a step that leaves the tile. */
static inline int32_t tc_step_over(const tc_steps *steps, int32_t p, int d)
{
    if (d < 4) return p + steps->outer[d];
    if (TC_SLICES) return d == TC_BEHIND ? p + steps->slice : p - steps->slice;
    return tc_step(steps, p, tc_along[d]) + tc_step(steps, p, tc_across[d]) - p;
}

/* Returns the directions, one bit each, in which tile x of row y has a neighbouring tile within a rectangle of tiles;
 * for rows see tc_rows(). `tiles_x` is that of the grid. */
static inline uint32_t tc_tiles_beside(int tiles_x, int x, int y, int first_x, int first_y, int end_x, int end_y)
{
    if (TC_SLICES) {
        const bool right = x + 1 < end_x && (x + 1) % tiles_x, left = x > first_x && x % tiles_x;
        return (uint32_t)(right << TC_RIGHT | left << TC_LEFT | (x + tiles_x < end_x) << TC_DOWN |
                          (x - tiles_x >= first_x) << TC_UP | (y + 1 < end_y) << TC_BEHIND |
                          (y > first_y) << TC_BEFORE);
    }
    uint32_t beside = (uint32_t)((x + 1 < end_x) << TC_RIGHT | (x > first_x) << TC_LEFT | (y + 1 < end_y) << TC_DOWN |
                                 (y > first_y) << TC_UP);
    for (int d = 4; d < TC_TILE_SIDES; d++) beside |= (beside >> tc_along[d] & beside >> tc_across[d] & 1) << d;
    return beside;
}
