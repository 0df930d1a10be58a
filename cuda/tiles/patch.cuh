/* SPDX-License-Identifier: MIT
 *
 * patch.cuh - a tile in the registers of a block. Each warp has four rows, and each of its lanes has a patch of 2 x 2
 * pixels.
 *
 * Pixels 0 and 1 of a patch are its upper row, 2 and 3 its lower one. In every lane, pixels 0 and 3 have one colour of
 * a checkerboard, and 1 and 2 have the other. No two pixels of a colour share a link, and each lane has two pixels of
 * each colour. With diagonals there are four colours, one for each pixel of a patch.
 */
#pragma once

#include <string.h>

#include "tiles_view.cuh"

enum {
    PATCH = 4, /* pixels                                                               */
    HALF = 16, /* patches in a row; lanes 0 to 15 have a warp's upper patches, 16 to 31 its lower ones */
};
static_assert(WARP_ROWS == 4 && TC_TILE == 2 * HALF, "two rows of 16 patches are a warp");

typedef struct patch {
    float residual[LINKS][PATCH]; /* by direction and pixel */
    float excess[PATCH];
} patch;

/* The position of the lane's patch in its warp: the number of patches to its left, and whether it is a lower one. */
static __device__ inline int patch_column(void)
{
    return (int)(threadIdx.x & (HALF - 1));
}

static __device__ inline int patch_is_low(void)
{
    return (int)(threadIdx.x / HALF & 1);
}

/* The first row of the lane's patch in the tile, and the index of its pixel 0 in arrays of nodes. */
static __device__ inline int patch_row(void)
{
    return (int)(threadIdx.x >> 5) * WARP_ROWS + 2 * patch_is_low();
}

static __device__ inline size_t patch_at(int tile)
{
    return (size_t)tile * TC_TILE_NODES + (size_t)(patch_row() * TC_TILE + 2 * patch_column());
}

/* Reads or writes two consecutive words of an array. */
template <class Word>
static __device__ inline void load_two(const Word *from, Word &a, Word &b)
{
    const int2 x = __ldcg((const int2 *)from);
    memcpy(&a, &x.x, 4), memcpy(&b, &x.y, 4);
}

template <class Word>
static __device__ inline void store_two(Word *to, Word a, Word b)
{
    int2 x;
    memcpy(&x.x, &a, 4), memcpy(&x.y, &b, 4);
    *(int2 *)to = x;
}

/* Reads or writes one word for each pixel of the patch, in an array of nodes. */
template <class Word>
static __device__ inline void load_words(const Word *nodes, int tile, Word (&word)[PATCH])
{
#pragma unroll
    for (int k = 0; k < PATCH; k += 2) load_two(nodes + patch_at(tile) + (k >> 1) * TC_TILE, word[k], word[k + 1]);
}

template <class Word>
static __device__ inline void store_words(Word *nodes, int tile, const Word (&word)[PATCH])
{
#pragma unroll
    for (int k = 0; k < PATCH; k += 2) store_two(nodes + patch_at(tile) + (k >> 1) * TC_TILE, word[k], word[k + 1]);
}

/* A patch as it is read from memory. */
typedef struct patch_read {
    float4 residual[PATCH];
    float excess[PATCH];
#if TC_NEIGHBOURS == 8
    float4 diagonal[PATCH];
#elif TC_NEIGHBOURS == 6
    float4 slices[PATCH / 2]; /* the links to other slices, for the two pixels of a row */
#endif
} patch_read;

/* The two pixels of a row share a sector of 32 bytes. The first read brings the sector to the first-level cache, from
 * which the second read takes it. A barrier over all blocks empties that cache, so values that others wrote before the
 * barrier are seen. */
static __device__ inline void load_four(const float4 *nodes, int tile, float4 (&four)[PATCH])
{
    const float4 *first = nodes + patch_at(tile);
#pragma unroll
    for (int k = 0; k < PATCH; k++) four[k] = __ldca(first + (k >> 1) * TC_TILE + (k & 1));
}

static __device__ inline void load_patch(const tiles_view &v, int tile, patch_read &p)
{
    load_four(v.grid.residual, tile, p.residual);
#if TC_NEIGHBOURS == 8
    load_four(v.grid.diagonal, tile, p.diagonal);
#elif TC_NEIGHBOURS == 6
#pragma unroll
    for (int y = 0; y < 2; y++) p.slices[y] = __ldcg((const float4 *)(v.grid.slices + patch_at(tile) + y * TC_TILE));
#endif
    load_words(v.grid.excess, tile, p.excess);
}

static __device__ inline void read_patch(const patch_read &p, patch &s)
{
#pragma unroll
    for (int k = 0; k < PATCH; k++) {
        const float4 c = p.residual[k];
        s.residual[TC_RIGHT][k] = c.x, s.residual[TC_LEFT][k] = c.y;
        s.residual[TC_DOWN][k] = c.z, s.residual[TC_UP][k] = c.w;
#if TC_NEIGHBOURS == 8
        const float4 d = p.diagonal[k];
        s.residual[TC_DOWN_RIGHT][k] = d.x, s.residual[TC_UP_LEFT][k] = d.y;
        s.residual[TC_DOWN_LEFT][k] = d.z, s.residual[TC_UP_RIGHT][k] = d.w;
#elif TC_NEIGHBOURS == 6
        const float4 d = p.slices[k >> 1];
        s.residual[TC_BEHIND][k] = k & 1 ? d.z : d.x, s.residual[TC_BEFORE][k] = k & 1 ? d.w : d.y;
#endif
        s.excess[k] = p.excess[k];
    }
}

/* The two lanes of a pair exchange values: afterwards the even lane has the first values of both, and the odd lane the
 * second values of both. */
static __device__ inline void swap_in_pair(float &first, float &second)
{
    const bool odd = threadIdx.x & 1;
    const float other = __shfl_xor_sync(WARP, odd ? first : second, 1);
    if (odd) first = other;
    else second = other;
}

/* Writes four links of each pixel, those from direction `from` on. Two neighbouring lanes have four pixels of a row.
 * The even lane writes the first pixel of both patches and the odd lane the second, so that whole sectors are
 * written. */
template <int from>
static __device__ inline void store_four(float4 *nodes, int tile, patch &s)
{
    float4 *pair = nodes + patch_at(tile) - (threadIdx.x & 1);
#pragma unroll
    for (int k = 0; k < PATCH; k += 2) {
        float4 *to = pair + (k >> 1) * TC_TILE;
#pragma unroll
        for (int d = from; d < from + 4; d++) swap_in_pair(s.residual[d][k], s.residual[d][k + 1]);
#pragma unroll
        for (int j = 0; j < 2; j++)
            to[2 * j] = make_float4(s.residual[from][k + j], s.residual[from + 1][k + j], s.residual[from + 2][k + j],
                                    s.residual[from + 3][k + j]);
    }
}

static __device__ inline void store_patch(const tiles_view &v, int tile, patch s)
{
    store_four<0>(v.grid.residual, tile, s);
#if TC_NEIGHBOURS == 8
    store_four<4>(v.grid.diagonal, tile, s);
#elif TC_NEIGHBOURS == 6
#pragma unroll
    for (int k = 0; k < PATCH; k += 2)
        *(float4 *)(v.grid.slices + patch_at(tile) + (k >> 1) * TC_TILE) =
            make_float4(s.residual[TC_BEHIND][k], s.residual[TC_BEFORE][k], s.residual[TC_BEHIND][k + 1],
                        s.residual[TC_BEFORE][k + 1]);
#endif
    store_words(v.grid.excess, tile, s.excess);
}

/* Spreads 16 bits: moves bit i of x to bit 2 * i. */
static __device__ inline uint32_t spread_bits(uint32_t x)
{
    x &= 0xffff;
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

/* Writes the bit rows `first` to end - 1 of the warp, at most eight kinds. Lane 4 * k + r composes row r of kind first
 * + k from the bits of even and of odd columns. */
template <int first, int end>
static __device__ inline void store_some_bits(const tiles_view &v, int tile, const patch &s)
{
    const int lane = threadIdx.x & 31, kind = first + lane / WARP_ROWS, row = lane % WARP_ROWS;
    uint32_t even = 0, odd = 0;
#pragma unroll
    for (int k = first; k < end; k++)
#pragma unroll
        for (int y = 0; y < 2; y++) {
            bool set[2];
#pragma unroll
            for (int x = 0; x < 2; x++) {
                const int p = 2 * y + x;
                if (k < LINKS) set[x] = s.residual[k < LINKS ? k : 0][p] > 0;
                else set[x] = k == BITS_SINK ? s.excess[p] < 0 : s.excess[p] > 0;
            }
            const uint32_t those[2] = {__ballot_sync(WARP, set[0]), __ballot_sync(WARP, set[1])};
            if (kind == k && (row & 1) == y) even = those[0], odd = those[1];
        }
    if (row >= 2) even >>= HALF, odd >>= HALF;
    if (kind < end)
        bits_at(v, tile, kind)[(threadIdx.x >> 5) * WARP_ROWS + row] = spread_bits(even) | spread_bits(odd)
                                                                                               << 1;
}

static __device__ inline void store_bits(const tiles_view &v, int tile, const patch &s)
{
#if TC_NEIGHBOURS == 8
    store_some_bits<0, 8>(v, tile, s);
    store_some_bits<8, BITS>(v, tile, s);
#else
    store_some_bits<0, BITS>(v, tile, s);
#endif
}
