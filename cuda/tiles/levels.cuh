/* SPDX-License-Identifier: MIT
 *
 * levels.cuh - the state of a tile in a search on bit rows: its bits, the pixels it has reached, and their heights as
 * bit planes. See relabel.cuh.
 */
#pragma once

#include "tiles_view.cuh"

enum { LEVEL_STEP = 8, LEVEL_LAST = (1 << PLANES) - LEVEL_STEP };
static const int NEVER = 0x7fffffff;

/* The bit rows of a tile, as one lane has them. */
typedef struct tile_bits {
    uint32_t open[LINKS], sink, active;
} tile_bits;

static __device__ inline tile_bits bits_load(const tiles_view &v, int tile)
{
    const int lane = threadIdx.x & 31;
    tile_bits b;
#pragma unroll
    for (int d = 0; d < LINKS; d++) b.open[d] = __ldcg(bits_at(v, tile, d) + lane);
    b.sink = __ldcg(bits_at(v, tile, BITS_SINK) + lane);
    b.active = __ldcg(bits_at(v, tile, BITS_ACTIVE) + lane);
    return b;
}

/* The state of a search inside a tile: pixels reached, and the planes of their heights above `lowest`. */
typedef struct tile_levels {
    uint32_t set, plane[PLANES];
    int lowest, planes;
} tile_levels;

/* Rounds `height` up to a multiple of LEVEL_STEP, the unit in which heights count between tiles. */
static __device__ inline int next_step(int height)
{
    return (height + LEVEL_STEP - 1) & ~(LEVEL_STEP - 1);
}
