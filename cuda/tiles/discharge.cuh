/* SPDX-License-Identifier: MIT
 *
 * discharge.cuh - push and relabel inside one tile, in the registers of one block.
 *
 * The pixels are taken like the fields of a checkerboard, a colour at a time (patch.cuh): nobody's neighbours move with
 * him, so that he rises and pushes by what they are. A sweep takes either colour twice: excess gets 4 pixels far in it,
 * any way. Half of a patch's links stay in the lane, the others are a shuffle away; warps hand flow and heights to
 * each other in shared memory, once a sweep. A warp without active pixels costs a vote.
 *
 * Towards other tiles the heights are those last published, perhaps old by a round, and flow goes to the
 * neighbour's inbox, which has one writer. Old heights cost detours, never correctness: what stays true is
 * that residuals and excesses describe a preflow, and only a complete relabelling decides that it is maximum.
 */
#ifndef TC_DISCHARGE_CUH
#define TC_DISCHARGE_CUH

#include "visit.cuh"

/* What warps of a tile tell each other, in turn by parity of the sweep. Seam w is the one over warp w, and has two
 * sides, 0 over it and 1 under it; those beyond the first and the last seam are the tiles above and below. */
typedef struct exchange {
    float height[2][WARPS + 1][2][TC_TILE]; /* of the pixels on that side        */
    float flow[2][WARPS + 1][2][TC_TILE];   /* that has left these for the other */
} exchange;

/* The order in which excess is pushed, forth and back. */
static __device__ constexpr int push_order(bool forth, int k)
{
    const int forwards[4] = {TC_DOWN, TC_RIGHT, TC_UP, TC_LEFT};
    return forth ? forwards[k] : forwards[k] ^ 1;
}

/* A pixel rises over the lowest neighbour to which it has a residual link, with or without excess, and pushes what
 * excess it has to all lower ones. What it pushes is returned by direction. Who is lower is a number, 0 or 1: it takes
 * three times as long until an instruction may depend on a comparison. */
template <bool forth, int p>
static __device__ inline void discharge_pixel(patch &s, float &h, const float (&around)[4], float (&push)[4])
{
    float n[4], room = 0, before = 0;
    float lowest = __saturatef(s.excess[p] + 1); /* who has room towards the sink has a neighbour at height 0 in it */
#pragma unroll
    for (int d = 0; d < 4; d++) {
        n[d] = around[d] + __saturatef(1 - s.residual[d][p]); /* as good as HIGHEST behind a link without capacity */
        lowest = fminf(lowest, n[d]);
    }
    h = fmaxf(h, __saturatef(lowest + LEVEL));
    const float e = fmaxf(s.excess[p], 0), levels = h / LEVEL;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int d = push_order(forth, k);
        const float lower = __saturatef(__fmaf_rn(n[d], -1 / LEVEL, levels));
        room = __fmaf_rn(lower, s.residual[d][p], room);
        const float upto = fminf(e, room); /* what fits into the first of them up to this one */
        push[d] = upto - before;
        before = upto;
    }
    s.excess[p] -= before;
#pragma unroll
    for (int d = 0; d < 4; d++) s.residual[d][p] -= push[d];
}

/* `push` arrives at pixel p from the other end of its link in direction d. */
template <int d, int p>
static __device__ inline void arrive(patch &s, float push)
{
    s.excess[p] += push;
    s.residual[d][p] += push;
}

/* `part` of `push`, 0 or 1, does. */
template <int d, int p>
static __device__ inline void arrive(patch &s, float push, float part)
{
    s.excess[p] = __fmaf_rn(push, part, s.excess[p]);
    s.residual[d][p] = __fmaf_rn(push, part, s.residual[d][p]);
}

/* The pixels of one colour. Each has a link inwards, to the patch's other pixel of its row, and one outwards; the
 * pixel OVER has one down to that under it, and up to another patch or warp, the pixel UNDER the other way round. What
 * leaves the warp is added to `gone`. */
template <int colour, bool forth>
static __device__ inline void discharge_colour(visit &here, const float (&outside)[2], float (&gone)[2])
{
    enum { OVER = colour, UNDER = 3 - colour };
    enum { INWARDS = colour ? TC_LEFT : TC_RIGHT, OUTWARDS = INWARDS ^ 1 }; /* from OVER; from UNDER the opposite */
    patch &s = here.s;
    float(&h)[PATCH] = here.height;
    const bool low = patch_is_low();
    const bool first = patch_column() == (colour ? HALF - 1 : 0), last = patch_column() == (colour ? 0 : HALF - 1);
    const float below = low, above = 1 - below;
    const float out0 = colour ? __shfl_down_sync(WARP, h[OVER ^ 1], 1) : __shfl_up_sync(WARP, h[OVER ^ 1], 1);
    const float out1 = colour ? __shfl_up_sync(WARP, h[UNDER ^ 1], 1) : __shfl_down_sync(WARP, h[UNDER ^ 1], 1);
    const float across = __shfl_xor_sync(WARP, low ? h[UNDER ^ 2] : h[OVER ^ 2], HALF);
    float around[4], push0[4], push1[4];
    around[INWARDS] = h[OVER ^ 1];
    around[OUTWARDS] = first ? here.beside[0] : out0;
    around[TC_DOWN] = h[OVER ^ 2];
    around[TC_UP] = low ? across : outside[OVER & 1];
    discharge_pixel<forth, OVER>(s, h[OVER], around, push0);
    around[OUTWARDS] = h[UNDER ^ 1];
    around[INWARDS] = last ? here.beside[1] : out1;
    around[TC_UP] = h[UNDER ^ 2];
    around[TC_DOWN] = low ? outside[UNDER & 1] : across;
    discharge_pixel<forth, UNDER>(s, h[UNDER], around, push1);

    arrive<OUTWARDS, OVER ^ 1>(s, push0[INWARDS]);
    arrive<TC_UP, OVER ^ 2>(s, push0[TC_DOWN]);
    arrive<INWARDS, UNDER ^ 1>(s, push1[OUTWARDS]);
    arrive<TC_DOWN, UNDER ^ 2>(s, push1[TC_UP]);
    const float in0 = colour ? __shfl_up_sync(WARP, push0[OUTWARDS], 1) : __shfl_down_sync(WARP, push0[OUTWARDS], 1);
    const float in1 = colour ? __shfl_down_sync(WARP, push1[INWARDS], 1) : __shfl_up_sync(WARP, push1[INWARDS], 1);
    const float in = __shfl_xor_sync(WARP, low ? push0[TC_UP] : push1[TC_DOWN], HALF);
    arrive<INWARDS, OVER ^ 1>(s, in0, last ? 0 : 1);
    arrive<OUTWARDS, UNDER ^ 1>(s, in1, first ? 0 : 1);
    arrive<TC_UP, UNDER ^ 2>(s, in, below);
    arrive<TC_DOWN, OVER ^ 2>(s, in, above);
    gone[UNDER & 1] = __fmaf_rn(push1[TC_DOWN], below, gone[UNDER & 1]);
    gone[OVER & 1] = __fmaf_rn(push0[TC_UP], above, gone[OVER & 1]);
}

/* What came over the seam that the lane's patch lies at. */
static __device__ inline void cross_seam(patch &s, float2 in)
{
    if (patch_is_low()) arrive<TC_DOWN, 2>(s, in.x), arrive<TC_DOWN, 3>(s, in.y);
    else arrive<TC_UP, 0>(s, in.x), arrive<TC_UP, 1>(s, in.y);
}

/* Shows the other side of the seam the heights of a patch's pixels at it, and gives it what left over it. */
static __device__ inline void show(float *height, float *flow, const visit &here, const float (&gone)[2])
{
    const bool low = patch_is_low();
    store_two(height, low ? here.height[2] : here.height[0], low ? here.height[3] : here.height[1]);
    store_two(flow, gone[0], gone[1]);
}

/* At most `sweeps` sweeps over `tile`, of warps with active pixels, the first of all warps if `all`, so that heights
 * rise there, too; everything is written back, and tiles with something left to do are put on `next`. All threads of
 * the block together. */
static __device__ inline void discharge_tile(const tiles_view &v, int tile, unsigned round, uint32_t *next, int sweeps,
                                             bool all, exchange &x)
{
    const int column = 2 * patch_column(), low = patch_is_low(), seam = (int)(threadIdx.x >> 5) + low;
    const float none[2] = {0, 0};
    visit here;

    open_tile(v, tile, round, here);
    if (at_end())
        for (int k = 0; k < 2; k++) {
            store_two(&x.height[k][seam][low][column], here.beyond[0], here.beyond[1]);
            store_two(&x.flow[k][seam][low][column], none[0], none[1]);
        }
    show(&x.height[1][seam][!low][column], &x.flow[1][seam][!low][column], here, none);
    __syncthreads();
    if (threadIdx.x == 0) v.relabelled[tile] = 0;

    int sweep = 0;
    bool active = is_active(here);
    for (bool more = true; more && sweep < sweeps; sweep++) {
        const int now = sweep & 1, last = now ^ 1;
        const float2 there = *(const float2 *)&x.height[last][seam][low][column];
        const float2 in = *(const float2 *)&x.flow[last][seam][low][column];
        const float outside[2] = {there.x, there.y};
        float gone[2] = {0, 0};
        cross_seam(here.s, in);
        if ((all && sweep == 0) || __any_sync(WARP, active || in.x + in.y > 0)) {
            discharge_colour<0, true>(here, outside, gone);
            discharge_colour<1, true>(here, outside, gone);
            discharge_colour<0, false>(here, outside, gone);
            discharge_colour<1, false>(here, outside, gone);
            active = is_active(here);
        }
        show(&x.height[now][seam][!low][column], &x.flow[now][seam][!low][column], here, gone);
        more = __syncthreads_or(active || (!at_end() && gone[0] + gone[1] > 0));
    }
    cross_seam(here.s, *(const float2 *)&x.flow[(sweep & 1) ^ 1][seam][low][column]);
    publish_tile(v, tile, round, next, here);
    __syncthreads();
}

#endif
