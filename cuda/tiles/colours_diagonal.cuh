/* SPDX-License-Identifier: MIT
 *
 * colours_diagonal.cuh - a sweep over a tile whose pixels have diagonals. It uses four colours; each patch has one
 * pixel of each.
 *
 * Pixel k of a patch lies at one of its corners. Of its eight neighbours, three lie in its own patch, two in the patch
 * next to it in the row, two in the patch above or below, and one in the diagonal patch. Rows of patches belong to the
 * upper or lower lanes of a warp, or to the next warp, beyond a seam.
 */
#pragma once

#include "push_pixel.cuh"

enum { OUTSIDE = 4 }; /* the number of heights beyond the seam that a patch needs: two pixels next to it, and one on
                         each side of those */

static __device__ inline void read_outside(const float *height, float (&outside)[OUTSIDE])
{
    outside[0] = height[-1], outside[3] = height[2];
    const float2 there = *(const float2 *)height;
    outside[1] = there.x, outside[2] = there.y;
}

/* Returns the word of the next lane to the right or, with `right` false, to the left. */
template <bool right>
static __device__ inline float from_beside(float word)
{
    return right ? __shfl_down_sync(WARP, word, 1) : __shfl_up_sync(WARP, word, 1);
}

/* The directions from pixel k that lead out of its patch, and those that lead into it. */
template <int k>
struct corner_of {
    enum {
        RIGHT = k & 1, LOW = k >> 1,
        OUT = RIGHT ? TC_RIGHT : TC_LEFT, IN = OUT ^ 1,      /* along the row   */
        OVER = LOW ? TC_DOWN : TC_UP, BACK = OVER ^ 1,       /* across rows     */
        OVER_OUT = diagonal_of(OVER, OUT), OVER_IN = diagonal_of(OVER, IN),
        BACK_OUT = diagonal_of(BACK, OUT), BACK_IN = diagonal_of(BACK, IN)
    };
};

/* Finds the heights around pixel k. `across` holds the heights of the tile beside, for the other half of the warp's
 * rows. */
template <int k>
static __device__ inline void look_around(const visit &here, const float (&outside)[OUTSIDE], const float (&across)[2],
                                          bool at_seam, bool at_edge, float (&around)[LINKS])
{
    typedef corner_of<k> c;
    const float(&h)[PATCH] = here.height;
    const float out = from_beside<c::RIGHT>(h[k ^ 1]), back_out = from_beside<c::RIGHT>(h[k ^ 3]);
    const float over = __shfl_xor_sync(WARP, h[k ^ 2], HALF), over_in = __shfl_xor_sync(WARP, h[k ^ 3], HALF);
    const float over_out = from_beside<c::RIGHT>(over_in);
    around[c::IN] = h[k ^ 1], around[c::BACK] = h[k ^ 2], around[c::BACK_IN] = h[k ^ 3];
    around[c::OUT] = at_edge ? here.beside[c::LOW] : out;
    around[c::BACK_OUT] = at_edge ? here.beside[1 - c::LOW] : back_out;
    around[c::OVER] = at_seam ? outside[1 + c::RIGHT] : over;
    around[c::OVER_IN] = at_seam ? outside[2 - c::RIGHT] : over_in;
    around[c::OVER_OUT] = at_seam ? outside[3 * c::RIGHT] : at_edge ? across[1 - c::LOW] : over_out;
}

/* Moves the flow that pixel k of each patch has pushed to the pixels that receive it. */
template <int k>
static __device__ inline void hand_over(patch &s, const float (&push)[LINKS], bool at_seam, bool from_edge,
                                        float (&gone)[KINDS][2])
{
    typedef corner_of<k> c;
    const float inside = from_edge ? 0 : 1, over = at_seam ? 1 : 0;
    arrive<c::OUT, k ^ 1>(s, push[c::IN]);
    arrive<c::OVER, k ^ 2>(s, push[c::BACK]);
    arrive<c::OVER_OUT, k ^ 3>(s, push[c::BACK_IN]);
    arrive<c::IN, k ^ 1>(s, from_beside<!c::RIGHT>(push[c::OUT]), inside);
    arrive<c::OVER_IN, k ^ 3>(s, from_beside<!c::RIGHT>(push[c::BACK_OUT]), inside);
    arrive<c::BACK, k ^ 2>(s, __shfl_xor_sync(WARP, push[c::OVER], HALF), over);
    arrive<c::BACK_OUT, k ^ 3>(s, __shfl_xor_sync(WARP, push[c::OVER_IN], HALF), over);
    arrive<c::BACK_IN, k ^ 3>(s, __shfl_xor_sync(WARP, from_beside<!c::RIGHT>(push[c::OVER_OUT]), HALF), inside * over);
    gone[0][c::RIGHT] = __fmaf_rn(push[c::OVER], over, gone[0][c::RIGHT]);
    gone[1][c::RIGHT] = __fmaf_rn(push[diagonal_of(c::OVER, TC_RIGHT)], over, gone[1][c::RIGHT]);
    gone[2][c::RIGHT] = __fmaf_rn(push[diagonal_of(c::OVER, TC_LEFT)], over, gone[2][c::RIGHT]);
}

template <int k, bool forward>
static __device__ inline void discharge_colour(visit &here, const float (&outside)[OUTSIDE], const float (&across)[2],
                                               float (&gone)[KINDS][2])
{
    typedef corner_of<k> c;
    const bool at_seam = patch_is_low() == c::LOW;
    const bool at_edge = patch_column() == (c::RIGHT ? HALF - 1 : 0);
    const bool from_edge = patch_column() == (c::RIGHT ? 0 : HALF - 1);
    float around[LINKS], push[LINKS];
    look_around<k>(here, outside, across, at_seam, at_edge, around);
    discharge_pixel<forward, k>(here.s, here.height[k], around, push);
    hand_over<k>(here.s, push, at_seam, from_edge, gone);
}

static __device__ inline void sweep_colours(visit &here, const float (&outside)[OUTSIDE], float (&gone)[KINDS][2])
{
    const float across[2] = {__shfl_xor_sync(WARP, here.beside[0], HALF), __shfl_xor_sync(WARP, here.beside[1], HALF)};
    discharge_colour<0, true>(here, outside, across, gone);
    discharge_colour<3, true>(here, outside, across, gone);
    discharge_colour<1, true>(here, outside, across, gone);
    discharge_colour<2, true>(here, outside, across, gone);
    discharge_colour<2, false>(here, outside, across, gone);
    discharge_colour<1, false>(here, outside, across, gone);
    discharge_colour<3, false>(here, outside, across, gone);
    discharge_colour<0, false>(here, outside, across, gone);
}
