/* SPDX-License-Identifier: MIT
 *
 * push_pixel.cuh - discharges a single pixel: raises it, pushes its excess, and receives flow.
 */
#pragma once

#include "visit.cuh"

/* The order of directions in which excess is pushed. It alternates between two opposite orders. */
static __device__ constexpr int push_order(bool forward, int k)
{
#if TC_NEIGHBOURS == 8
    const int forwards[8] = {TC_DOWN, TC_RIGHT, TC_DOWN_RIGHT, TC_DOWN_LEFT, TC_UP, TC_LEFT, TC_UP_RIGHT, TC_UP_LEFT};
#elif TC_NEIGHBOURS == 6
    const int forwards[6] = {TC_DOWN, TC_RIGHT, TC_BEHIND, TC_UP, TC_LEFT, TC_BEFORE};
#else
    const int forwards[4] = {TC_DOWN, TC_RIGHT, TC_UP, TC_LEFT};
#endif
    return forward ? forwards[k] : forwards[k] ^ 1;
}

/* Raises a pixel, with or without excess, above the lowest neighbour to which it has a residual link. Then pushes its
 * excess to all lower neighbours, as far as links have room; push[d] is the amount in direction d. The comparison of
 * heights is computed as a number, 0 or 1, because an instruction that depends on a comparison has to wait three times
 * as long. */
template <bool forward, int p>
static __device__ inline void discharge_pixel(patch &s, float &h, const float (&around)[LINKS], float (&push)[LINKS])
{
    float n[LINKS], room = 0, before = 0;
    float lowest = __saturatef(s.excess[p] + 1); /* 0 if the sink link has room: the sink is a neighbour at height 0 */
#pragma unroll
    for (int d = 0; d < LINKS; d++) {
        /* the neighbour's height; at least HIGHEST if the link to it has no residual capacity */
        n[d] = around[d] + __saturatef(1 - s.residual[d][p]);
        lowest = fminf(lowest, n[d]);
    }
    h = fmaxf(h, __saturatef(lowest + LEVEL));
    const float e = fmaxf(s.excess[p], 0), levels = h / LEVEL;
#pragma unroll
    for (int k = 0; k < LINKS; k++) {
        const int d = push_order(forward, k);
        const float lower = __saturatef(__fmaf_rn(n[d], -1 / LEVEL, levels));
        room = __fmaf_rn(lower, s.residual[d][p], room);
        const float upto = fminf(e, room); /* the flow that fits into this link and all links before it */
        push[d] = upto - before;
        before = upto;
    }
    s.excess[p] -= before;
#pragma unroll
    for (int d = 0; d < LINKS; d++) s.residual[d][p] -= push[d];
}

/* Pixel p receives `push` over its link in direction d. */
template <int d, int p>
static __device__ inline void arrive(patch &s, float push)
{
    s.excess[p] += push;
    s.residual[d][p] += push;
}

/* Pixel p receives push * part over its link in direction d, where `part` is 0 or 1. */
template <int d, int p>
static __device__ inline void arrive(patch &s, float push, float part)
{
    s.excess[p] = __fmaf_rn(push, part, s.excess[p]);
    s.residual[d][p] = __fmaf_rn(push, part, s.residual[d][p]);
}
