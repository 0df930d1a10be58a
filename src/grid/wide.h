/* SPDX-License-Identifier: MIT
 *
 * wide.h - 26 neighbours in space: all voxels that touch a voxel at a face, an edge or a corner. A grid of such a
 * volume (tc_grid_init_volume()) has nodes and excesses like any other volume, but its links are in `wide`: 26 residual
 * capacities per node, by direction, see lattice.h.
 */
#pragma once

#include "grid.h"
#include "steps.h"

enum { TC_WIDE_DIRECTIONS = 26 };

/* The residual capacity of the link from p in direction d. p may be a guard node, where it is zero. */
static inline float *tc_wide_residual(const tc_grid *grid, ptrdiff_t p, int d)
{
    return grid->wide + p * TC_WIDE_DIRECTIONS + d;
}

/* The numbers to add to a node's index to get its neighbours' indices, by the node's place in its tile (see
 * tc_wide_place()) and by direction. */
typedef struct tc_wide_steps {
    int32_t to[9][TC_WIDE_DIRECTIONS];
} tc_wide_steps;

/* Returns 0 to 8: which edges of its tile node p lies at. */
static inline int tc_wide_place(int32_t p)
{
    const int x = p & (TC_TILE - 1), y = p >> TC_TILE_BITS & (TC_TILE - 1);
    return 3 * ((y > 0) + (y == TC_TILE - 1)) + (x > 0) + (x == TC_TILE - 1);
}

static inline tc_wide_steps tc_wide_steps_of(const tc_grid *grid)
{
    const tc_steps steps = tc_steps_of(grid);
    const int32_t side[3] = {0, 1, TC_TILE - 1};
    tc_wide_steps all;
    for (int d = 0; d < TC_WIDE_DIRECTIONS; d++)
        for (int place = 0; place < 9; place++) {
            const tc_link_steps step = tc_link_step(26, d >> 1);
            const int way = d & 1 ? -1 : 1;
            const int32_t p = side[place / 3] * TC_TILE + side[place % 3];
            int32_t q = p;
            if (step.x) q = tc_step(&steps, q, step.x == way ? TC_RIGHT : TC_LEFT);
            if (step.y) q = tc_step(&steps, q, step.y == way ? TC_DOWN : TC_UP);
            all.to[place][d] = q + step.z * way * steps.slice - p;
        }
    return all;
}

static inline int32_t tc_wide_neighbour(const tc_wide_steps *steps, int32_t p, int d)
{
    return p + steps->to[tc_wide_place(p)][d];
}
