/* SPDX-License-Identifier: MIT
 *
 * deliver.cuh - adds to a tile the flow that other tiles have sent to it, outside of a visit. One warp works on a tile.
 */
#pragma once

#include "slices.cuh"

/* Adds flow that came over side d to the pixels of that side: `f` is the amount for the lane's pixel, and `link` is the
 * direction of the link back. Updates the bits that this changes. */
static __device__ inline void deliver(const tiles_view &v, int tile, int d, int link, float f, tile_bits &b)
{
    const int lane = threadIdx.x & 31;
    const int x = d == TC_RIGHT ? 31 : d == TC_LEFT ? 0 : lane, y = d == TC_DOWN ? 31 : d == TC_UP ? 0 : lane;
    float *excess = v.grid.excess + (size_t)tile * TC_TILE_NODES + y * TC_TILE + x;
    float4 *links = link < 4 ? v.grid.residual : v.grid.diagonal;
    float *residual = (float *)(links + (size_t)tile * TC_TILE_NODES + y * TC_TILE + x) + (link & 3);
    float e = __ldcg(excess);
    if (f > 0) {
        e += f;
        *excess = e;
        *residual = __ldcg(residual) + f;
    }
    if (d == TC_RIGHT || d == TC_LEFT) {
        const uint32_t bit = 1u << x;
#pragma unroll
        for (int k = 0; k < LINKS; k++)
            if (k == link && f > 0) b.open[k] |= bit;
        b.sink = e < 0 ? b.sink | bit : b.sink & ~bit;
        b.active = e > 0 ? b.active | bit : b.active & ~bit;
    } else {
        const uint32_t open = __ballot_sync(WARP, f > 0), sink = __ballot_sync(WARP, e < 0),
                       active = __ballot_sync(WARP, e > 0);
        if (lane == (d == TC_DOWN ? 31 : 0)) {
#pragma unroll
            for (int k = 0; k < LINKS; k++)
                if (k == link) b.open[k] |= open;
            b.sink = sink;
            b.active = active;
        }
    }
    __syncwarp();
}

/* Adds the flow that other tiles have sent. Flow left in an inbox would hide a residual link from the search, which
 * might then miss that a pixel reaches a sink. */
static __device__ inline void deliver_inboxes(const tiles_view &v, int tile, unsigned round)
{
    const int lane = threadIdx.x & 31;
    tile_bits b = bits_load(v, tile);
    bool changed = false;
#pragma unroll
    for (int d = 0; d < SIDES; d++)
#pragma unroll
        for (int kind = 0; kind < KINDS; kind++) {
            float *in = inbox_at(v, round, tile, d, kind) + lane;
            const float f = __ldcg(in);
            if (!__any_sync(WARP, f > 0)) continue;
            changed = true;
            if (f > 0) *in = 0;
            deliver(v, tile, d, link_over(d, kind), f, b);
        }
    if (!changed) return;
#pragma unroll
    for (int k = 0; k < LINKS; k++) bits_at(v, tile, k)[lane] = b.open[k];
    bits_at(v, tile, BITS_SINK)[lane] = b.sink;
    bits_at(v, tile, BITS_ACTIVE)[lane] = b.active;
    __syncwarp();
}

/* Adds all flow that other tiles have sent to the tile before `round`. */
static __device__ inline void deliver_all(const tiles_view &v, int tile, unsigned round)
{
    deliver_inboxes(v, tile, round + 1);
#if TC_NEIGHBOURS == 6
    deliver_inboxes(v, tile, round + 1 + SLICE_TURNS);
    refresh_bits(v, tile);
#endif
}
