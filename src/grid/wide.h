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

static inline int32_t tc_wide_neighbour(const tc_steps *steps, int32_t p, int d)
{
    const tc_link_steps step = tc_link_step(26, d >> 1);
    const int way = d & 1 ? -1 : 1;
    if (step.x) p = tc_step(steps, p, step.x == way ? TC_RIGHT : TC_LEFT);
    if (step.y) p = tc_step(steps, p, step.y == way ? TC_DOWN : TC_UP);
    return p + step.z * way * steps->slice;
}
