/* SPDX-License-Identifier: MIT
 *
 * inspect.cuh - counts the work that is left in each tile, for `hybrid`: its active pixels, and whether excess may
 * leave it for the tiles around it. The inboxes must be empty.
 */
#pragma once

#include "slices.cuh"

/* The pixels that are known to reach a sink; each lane has a row. */
static __device__ inline uint32_t reach_of(const tiles_view &v, int tile)
{
    const int lane = threadIdx.x & 31;
    uint32_t reach = 0;
    if (v.relabelled[tile]) return levels_at(v, tile, LEVELS_SET)[lane];
    for (int row = 0; row < TC_TILE; row++) {
        const float h = v.height[(size_t)tile * TC_TILE_NODES + row * TC_TILE + lane];
        const uint32_t set = __ballot_sync(WARP, h < HIGHEST);
        if (lane == row) reach = set;
    }
    return reach;
}

/* True if the lane's pixel of side d has a residual link in direction `link`. */
static __device__ inline bool open_at(const tiles_view &v, int tile, int d, int link)
{
    const int lane = threadIdx.x & 31;
    const uint32_t *rows = bits_at(v, tile, link);
    if (d == TC_RIGHT) return rows[lane] >> 31;
    if (d == TC_LEFT) return rows[lane] & 1;
    return rows[d == TC_DOWN ? TC_TILE - 1 : 0] >> lane & 1;
}

/* True if pixel i of side d has a height in the border heights published last. */
static __device__ inline bool border_reaches(const tiles_view &v, int tile, int d, int i)
{
    return v.border[side_at(tile, d) + i] < UNREACHED;
}

/* True if a residual link leads over side d, from a pixel that reaches a sink to another such pixel. */
static __device__ inline bool crosses_side(const tiles_view &v, int tile, int d)
{
    const int lane = threadIdx.x & 31, to = tile_beside(v.grid, tile, d);
    bool crosses = false;
    if (to < 0) return false;
#pragma unroll
    for (int kind = 0; kind < KINDS; kind++) {
        const int there = lane + shift_of(kind);
        crosses |= there >= 0 && there < TC_TILE && open_at(v, tile, d, link_over(d, kind)) &&
                   border_reaches(v, to, d ^ 1, there);
    }
    return __any_sync(WARP, crosses && border_reaches(v, tile, d, lane));
}

/* True if a residual link leads to the tile at a corner, from a pixel that reaches a sink to another such pixel. Only
 * one link leads to that tile. */
static __device__ inline bool crosses_corner(const tiles_view &v, int tile, int across, int along)
{
    const int to = diagonal_tile(v.grid, tile, across, along), x = along == TC_RIGHT ? TC_TILE - 1 : 0;
    const bool open = bits_at(v, tile, diagonal_of(across, along))[across == TC_DOWN ? TC_TILE - 1 : 0] >> x & 1;
    return to >= 0 && open && border_reaches(v, tile, across, x) && border_reaches(v, to, across ^ 1, TC_TILE - 1 - x);
}

/* The same for links to the tile in the next or the previous slice. */
static __device__ inline bool crosses_slice(const tiles_view &v, int tile, int d, uint32_t reach)
{
    const int to = tile_beside(v.grid, tile, d);
    return to >= 0 && __any_sync(WARP, reach & bits_at(v, tile, d)[threadIdx.x & 31] & reach_of(v, to));
}

/* One warp per tile, one lane per row. */
static __global__ void inspect_kernel(tiles_view v, uint32_t *words)
{
    const int lane = threadIdx.x & 31, warps = gridDim.x * WARPS;
    for (int tile = blockIdx.x * WARPS + (threadIdx.x >> 5); tile < view_tiles(v.grid); tile += warps) {
#if TC_NEIGHBOURS == 6
        refresh_bits(v, tile); /* the bits may be stale, because other slices change links and excesses in place */
#endif
        const uint32_t reach = reach_of(v, tile);
        int active = __popc(bits_at(v, tile, BITS_ACTIVE)[lane] & reach);
        for (int d = 16; d; d >>= 1) active += __shfl_xor_sync(WARP, active, d);
        uint32_t word = (uint32_t)active;
        for (int d = 0; d < SIDES; d++) word |= (uint32_t)crosses_side(v, tile, d) << (TC_TILE_CROSSES + d);
        for (int k = 0; k < (TC_DIAGONALS ? 4 : 0); k++) {
            const int across = k & 1 ? TC_UP : TC_DOWN, along = k & 2 ? TC_LEFT : TC_RIGHT;
            word |= (uint32_t)crosses_corner(v, tile, across, along) << (TC_TILE_CROSSES + diagonal_of(across, along));
        }
        for (int d = TC_BEHIND; d < (TC_SLICES ? LINKS : 0); d++)
            word |= (uint32_t)crosses_slice(v, tile, d, reach) << (TC_TILE_CROSSES + d);
        if (lane == 0) words[tile] = word;
    }
}
