/* SPDX-License-Identifier: MIT
 *
 * wide.h - 26 neighbours in space: all voxels that touch a voxel, with a face, an edge or a corner. A grid of such a
 * volume (tc_grid_init_volume()) has its nodes and excesses where any volume has them, but its links in `wide`: 26
 * residual capacities a node, by direction. Direction 2 k is a step of tc_wide_steps[k], and 2 k + 1 the way back.
 */
#ifndef TC_WIDE_H
#define TC_WIDE_H

#include "grid.h"
#include "steps.h"

enum { TC_WIDE_LINKS = 13, TC_WIDE_DIRECTIONS = 26 };

typedef struct tc_wide_step {
    int x, y, z;
} tc_wide_step;

/* Along the axes first: these three are the links of a volume of 6 neighbours. Each leads to a greater number. */
static const tc_wide_step tc_wide_steps[TC_WIDE_LINKS] = {
    {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {-1, 1, 0}, {1, 0, 1}, {-1, 0, 1},
    {0, 1, 1}, {0, -1, 1}, {1, 1, 1}, {-1, 1, 1}, {1, -1, 1}, {-1, -1, 1}};

/* The residual capacity of the link out of p in direction d. p may be a guard node: it is zero there. */
static inline float *tc_wide_residual(const tc_grid *grid, ptrdiff_t p, int d)
{
    return grid->wide + p * TC_WIDE_DIRECTIONS + d;
}

static inline int32_t tc_wide_neighbour(const tc_steps *steps, int32_t p, int d)
{
    const tc_wide_step step = tc_wide_steps[d >> 1];
    const int way = d & 1 ? -1 : 1;
    if (step.x) p = tc_step(steps, p, step.x == way ? TC_RIGHT : TC_LEFT);
    if (step.y) p = tc_step(steps, p, step.y == way ? TC_DOWN : TC_UP);
    return p + step.z * way * steps->slice;
}

#endif
