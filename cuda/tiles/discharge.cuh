/* SPDX-License-Identifier: MIT
 *
 * discharge.cuh - push and relabel inside one tile, in the registers of one block.
 *
 * Pixels are discharged like the fields of a checkerboard, one colour at a time (patch.cuh). All neighbours of a
 * pixel have the other colour, so their heights are fixed while it rises and pushes. A sweep discharges each colour
 * twice, so excess can move 4 pixels in any direction. Half of a patch's links stay within the lane, and the others
 * take one shuffle. Warps exchange flow and heights in shared memory once per sweep. A warp without active pixels
 * only takes part in a vote.
 *
 * Of other tiles, the last published heights are used, which may be one round old. Flow to another tile goes to its
 * inbox, which has one writer. Old heights cost detours but never correctness: residuals and excesses always describe
 * a preflow, and only a complete relabelling decides that it is maximum.
 */
#ifndef TC_DISCHARGE_CUH
#define TC_DISCHARGE_CUH

#include "visit.cuh"

/* How the warps of a tile exchange heights and flow; even and odd sweeps use different halves. Seam w is the line
 * above warp w. It has two sides: 0 above it, 1 below it. Beyond the first and the last seam lie the tiles above and
 * below. */
typedef struct exchange {
    float height[2][WARPS + 1][2][TC_TILE]; /* of the pixels on that side of the seam           */
    float flow[2][WARPS + 1][2][TC_TILE];   /* pushed from that side's pixels to the other side */
} exchange;

/* The order of directions in which excess is pushed; it alternates between two opposite orders. */
static __device__ constexpr int push_order(bool forth, int k)
{
    const int forwards[4] = {TC_DOWN, TC_RIGHT, TC_UP, TC_LEFT};
    return forth ? forwards[k] : forwards[k] ^ 1;
}

/* Raises a pixel, with or without excess, above the lowest neighbour to which it has a residual link. Then pushes its
 * excess to all lower neighbours, as far as links have room; push[d] is what goes in direction d. Whether a neighbour
 * is lower is computed as a number, 0 or 1, because an instruction that depends on a comparison has to wait three
 * times as long. */
template <bool forth, int p>
static __device__ inline void discharge_pixel(patch &s, float &h, const float (&around)[4], float (&push)[4])
{
    float n[4], room = 0, before = 0;
    float lowest = __saturatef(s.excess[p] + 1); /* 0 if the sink link has room: the sink is a neighbour at height 0 */
#pragma unroll
    for (int d = 0; d < 4; d++) {
        n[d] = around[d] + __saturatef(1 - s.residual[d][p]); /* without residual capacity at least HIGHEST */
        lowest = fminf(lowest, n[d]);
    }
    h = fmaxf(h, __saturatef(lowest + LEVEL));
    const float e = fmaxf(s.excess[p], 0), levels = h / LEVEL;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int d = push_order(forth, k);
        const float lower = __saturatef(__fmaf_rn(n[d], -1 / LEVEL, levels));
        room = __fmaf_rn(lower, s.residual[d][p], room);
        const float upto = fminf(e, room); /* what fits into this link and those before it */
        push[d] = upto - before;
        before = upto;
    }
    s.excess[p] -= before;
#pragma unroll
    for (int d = 0; d < 4; d++) s.residual[d][p] -= push[d];
}

/* Pixel p receives `push` over its link in direction d. */
template <int d, int p>
static __device__ inline void arrive(patch &s, float push)
{
    s.excess[p] += push;
    s.residual[d][p] += push;
}

/* The same for push * part, where `part` is 0 or 1. */
template <int d, int p>
static __device__ inline void arrive(patch &s, float push, float part)
{
    s.excess[p] = __fmaf_rn(push, part, s.excess[p]);
    s.residual[d][p] = __fmaf_rn(push, part, s.residual[d][p]);
}

/* Discharges the patch's two pixels of one colour: OVER in its upper row, UNDER in its lower row. Each has two links
 * within the patch: to the other pixel of its row (INWARDS for OVER), and to the other row. Its other two links leave
 * the patch: OUTWARDS, and up for OVER or down for UNDER. Flow that leaves the warp is added to `gone`. */
template <int colour, bool forth>
static __device__ inline void discharge_colour(visit &here, const float (&outside)[2], float (&gone)[2])
{
    enum { OVER = colour, UNDER = 3 - colour };
    enum { INWARDS = colour ? TC_LEFT : TC_RIGHT, OUTWARDS = INWARDS ^ 1 }; /* for OVER; for UNDER exchange them */
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

/* Receives the flow that came over the seam at which the lane's patch lies. */
static __device__ inline void cross_seam(patch &s, float2 in)
{
    if (patch_is_low()) arrive<TC_DOWN, 2>(s, in.x), arrive<TC_DOWN, 3>(s, in.y);
    else arrive<TC_UP, 0>(s, in.x), arrive<TC_UP, 1>(s, in.y);
}

/* Writes the heights of the patch's pixels at the seam, and the flow that left over it, for the other side to read. */
static __device__ inline void show(float *height, float *flow, const visit &here, const float (&gone)[2])
{
    const bool low = patch_is_low();
    store_two(height, low ? here.height[2] : here.height[0], low ? here.height[3] : here.height[1]);
    store_two(flow, gone[0], gone[1]);
}

/* Discharges `tile` in at most `sweeps` sweeps, as long as a warp has active pixels. With `all`, the first sweep
 * includes warps without active pixels, so that their heights rise, too. Then writes everything back, and puts tiles
 * that still have something to do on `next`. All threads of the block call it together. */
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
