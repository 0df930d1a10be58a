/* SPDX-License-Identifier: MIT
 *
 * colours.cuh - a sweep over a tile whose pixels have four links in the plane. It uses two colours, as on a
 * checkerboard.
 */
#pragma once

#include "push_pixel.cuh"

enum { OUTSIDE = 2 }; /* the number of heights beyond the seam that a patch needs */

static __device__ inline void read_outside(const float *height, float (&outside)[OUTSIDE])
{
    const float2 there = *(const float2 *)height;
    outside[0] = there.x, outside[1] = there.y;
}

/* In a volume: reads the heights of the neighbours of pixel p in the next and the previous slice. */
template <int p>
static __device__ inline void look_across(const visit &here, float (&around)[LINKS])
{
#if TC_NEIGHBOURS == 6
    around[TC_BEHIND] = here.above[0][p], around[TC_BEFORE] = here.above[1][p];
#else
    (void)here, (void)around;
#endif
}

/* Discharges the patch's two pixels of one colour: OVER in its upper row, UNDER in its lower row. Each has two links
 * within the patch: to the other pixel of its row (INWARDS for OVER), and to the other row. Its other two links leave
 * the patch: OUTWARDS, and up for OVER or down for UNDER. Flow that leaves the warp is added to `gone`. Flow to other
 * slices is handled at the end of the visit. */
template <int colour, bool forward>
static __device__ inline void discharge_colour(visit &here, const float (&outside)[2], float (&gone)[1][2])
{
    enum { OVER = colour, UNDER = 3 - colour };
    /* the directions for OVER; for UNDER the two are exchanged */
    enum { INWARDS = colour ? TC_LEFT : TC_RIGHT, OUTWARDS = INWARDS ^ 1 };
    patch &s = here.s;
    float(&h)[PATCH] = here.height;
    const bool low = patch_is_low();
    const bool first = patch_column() == (colour ? HALF - 1 : 0), last = patch_column() == (colour ? 0 : HALF - 1);
    const float below = low, above = 1 - below;
    const float out0 = colour ? __shfl_down_sync(WARP, h[OVER ^ 1], 1) : __shfl_up_sync(WARP, h[OVER ^ 1], 1);
    const float out1 = colour ? __shfl_up_sync(WARP, h[UNDER ^ 1], 1) : __shfl_down_sync(WARP, h[UNDER ^ 1], 1);
    const float across = __shfl_xor_sync(WARP, low ? h[UNDER ^ 2] : h[OVER ^ 2], HALF);
    float around[LINKS], push0[LINKS], push1[LINKS];
    around[INWARDS] = h[OVER ^ 1];
    around[OUTWARDS] = first ? here.beside[0] : out0;
    around[TC_DOWN] = h[OVER ^ 2];
    around[TC_UP] = low ? across : outside[OVER & 1];
    look_across<OVER>(here, around);
    discharge_pixel<forward, OVER>(s, h[OVER], around, push0);
    around[OUTWARDS] = h[UNDER ^ 1];
    around[INWARDS] = last ? here.beside[1] : out1;
    around[TC_UP] = h[UNDER ^ 2];
    around[TC_DOWN] = low ? outside[UNDER & 1] : across;
    look_across<UNDER>(here, around);
    discharge_pixel<forward, UNDER>(s, h[UNDER], around, push1);

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
    gone[0][UNDER & 1] = __fmaf_rn(push1[TC_DOWN], below, gone[0][UNDER & 1]);
    gone[0][OVER & 1] = __fmaf_rn(push0[TC_UP], above, gone[0][OVER & 1]);
}

static __device__ inline void sweep_colours(visit &here, const float (&outside)[OUTSIDE], float (&gone)[KINDS][2])
{
    discharge_colour<0, true>(here, outside, gone);
    discharge_colour<1, true>(here, outside, gone);
    discharge_colour<0, false>(here, outside, gone);
    discharge_colour<1, false>(here, outside, gone);
}
