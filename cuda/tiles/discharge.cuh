/* SPDX-License-Identifier: MIT
 *
 * discharge.cuh - push and relabel inside one tile, in the registers of one block.
 *
 * Pixels are discharged one colour at a time (patch.cuh). All neighbours of a pixel have other colours, so their
 * heights are fixed while it rises and pushes. A sweep discharges all colours; with two colours, each twice, so that
 * excess can move 4 pixels in any direction. Links inside a patch stay within the lane, and the others take one or two
 * shuffles (colours.cuh, colours_diagonal.cuh). Warps exchange flow and heights in shared memory once per sweep. A warp
 * without active pixels only takes part in a vote.
 *
 * For pixels of other tiles, the last published heights are used, which may be one round old. Flow to another tile goes
 * to its inbox, which has one writer; to another slice it is added in place. Old heights cost detours but never
 * correctness: residuals and excesses always describe a preflow, and only a complete relabelling decides that it is
 * maximum.
 */
#pragma once

#if TC_NEIGHBOURS == 8
#include "colours_diagonal.cuh"
#else
#include "colours.cuh"
#endif

/* Shared memory in which the warps of a tile exchange heights and flow; even and odd sweeps use different halves. Seam
 * w is the line above warp w. It has two sides: 0 above it, 1 below it. Beyond the first and the last seam lie the
 * tiles above and below. With diagonals, rows have two more entries on either side, one of them for the pixel of the
 * tile beside. */
enum { RIM = TC_DIAGONALS ? 2 : 0, SEAM_WIDTH = TC_TILE + 2 * RIM };
typedef struct exchange {
    float height[2][WARPS + 1][2][SEAM_WIDTH];      /* heights of the pixels on this side of the seam      */
    /* flow pushed from this side to the other, indexed by the pixel that receives it */
    float flow[2][WARPS + 1][2][KINDS][SEAM_WIDTH];
} exchange;

/* The place where a lane exchanges values: the seam above or below its warp. */
typedef struct place {
    int seam, low, column;
} place;

static __device__ inline place place_at_seam(void)
{
    const int low = patch_is_low();
    return {(int)(threadIdx.x >> 5) + low, low, RIM + 2 * patch_column()};
}

/* Writes the heights of the patch's pixels at the seam, and the flow that left over the seam, for the other side to
 * read. */
static __device__ inline void show(exchange &x, int half, const place &at, const visit &here,
                                   const float (&gone)[KINDS][2])
{
    float *const height = x.height[half][at.seam][!at.low];
    float(*const flow)[SEAM_WIDTH] = x.flow[half][at.seam][!at.low];
    store_two(height + at.column, at.low ? here.height[2] : here.height[0], at.low ? here.height[3] : here.height[1]);
#pragma unroll
    for (int kind = 0; kind < KINDS; kind++) {
        float *const to = flow[kind] + at.column + shift_of(kind);
        if (kind == 0) store_two(to, gone[0][0], gone[0][1]);
        else to[0] = gone[kind][0], to[1] = gone[kind][1];
    }
    /* no flow: the next pixel lies in another tile, whose flow comes through the inbox */
    if (TC_DIAGONALS && at_side()) {
        const int right = patch_column() ? 1 : 0;
        height[at.column + (right ? 2 : -1)] = at.low ? here.beside[1] : here.beside[0];
        flow[TC_DIAGONALS * (1 + right)][at.column + right] = 0;
    }
}

/* Writes heights and flow at the tile's top and bottom for the side beyond. Once is enough, because no flow comes from
 * there. */
static __device__ inline void show_beyond(exchange &x, const place &at, const visit &here)
{
#pragma unroll
    for (int half = 0; half < 2; half++) {
        float *const height = x.height[half][at.seam][at.low];
        store_two(height + at.column, here.beyond[0], here.beyond[1]);
        if (TC_DIAGONALS && at_side()) height[at.column + (patch_column() ? 2 : -1)] = here.corner;
#pragma unroll
        for (int kind = 0; kind < KINDS; kind++) store_two(x.flow[half][at.seam][at.low][kind] + at.column, 0.0f, 0.0f);
    }
}

/* Receives the flow that came over the seam at which the lane's patch lies. Returns whether there was any. */
static __device__ inline bool cross_seam(const exchange &x, int half, const place &at, patch &s)
{
    float sum = 0;
#pragma unroll
    for (int kind = 0; kind < KINDS; kind++) {
        const float2 in = *(const float2 *)(x.flow[half][at.seam][at.low][kind] + at.column);
        if (at.low) {
            s.excess[2] += in.x, s.residual[link_over(TC_DOWN, kind_back(kind))][2] += in.x;
            s.excess[3] += in.y, s.residual[link_over(TC_DOWN, kind_back(kind))][3] += in.y;
        } else {
            s.excess[0] += in.x, s.residual[link_over(TC_UP, kind_back(kind))][0] += in.x;
            s.excess[1] += in.y, s.residual[link_over(TC_UP, kind_back(kind))][1] += in.y;
        }
        sum += in.x + in.y;
    }
    return sum > 0;
}

static __device__ inline bool any_flow_left(const float (&gone)[KINDS][2])
{
    float sum = 0;
#pragma unroll
    for (int kind = 0; kind < KINDS; kind++) sum += gone[kind][0] + gone[kind][1];
    return sum > 0;
}

/* Discharges `tile` in at most `sweeps` sweeps, while any warp has active pixels. With `all`, the first sweep includes
 * warps without active pixels, so that their heights rise, too. Then writes everything back, and puts tiles that still
 * have active pixels on `next`. All threads of the block call it together. */
static __device__ inline void discharge_tile(const tiles_view &v, int tile, unsigned round, uint32_t *next, int sweeps,
                                             bool all, exchange &x)
{
    const place at = place_at_seam();
    const float none[KINDS][2] = {};
    visit here;

    open_tile(v, tile, round, here);
    if (at_end()) show_beyond(x, at, here);
    show(x, 1, at, here, none);
    __syncthreads();
    if (threadIdx.x == 0) v.relabelled[tile] = 0;

    int sweep = 0;
    bool active = is_active(here);
    for (bool more = true; more && sweep < sweeps; sweep++) {
        const int now = sweep & 1, last = now ^ 1;
        float outside[OUTSIDE], gone[KINDS][2] = {};
        read_outside(x.height[last][at.seam][at.low] + at.column, outside);
        const bool came = cross_seam(x, last, at, here.s);
        if ((all && sweep == 0) || __any_sync(WARP, active || came)) {
            sweep_colours(here, outside, gone);
            active = is_active(here);
        }
        show(x, now, at, here, gone);
        more = __syncthreads_or(active || (!at_end() && any_flow_left(gone)));
    }
    cross_seam(x, (sweep & 1) ^ 1, at, here.s);
    publish_tile(v, tile, round, next, here);
    __syncthreads();
}
