/* SPDX-License-Identifier: MIT
 *
 * volume_kernels.cuh - volumes on the device before and after a solve: grey values from voxels, a check of arrays, the
 * grid, and the proof of its answer. A thread has a voxel at a time. Separate from their launches, so that a GPU in
 * software can run them, too (tests/unit/software_gpu).
 */
#ifndef TC_VOLUME_KERNELS_CUH
#define TC_VOLUME_KERNELS_CUH

#include "device_certify.cuh"
#include "volume_source.cuh"

extern "C" {
#include "volume_math.h"
}

enum { VOLUME_BLOCK = 256 };

/* ---- Grey values ------------------------------------------------------------------------------ */

/* The range of voxels, as words that are ordered as the voxels are; see volume_word(). */
typedef struct volume_range {
    int least, greatest;
    int odd; /* 1: some voxel is not a finite number */
} volume_range;

/* A float's bits as a number: both are ordered alike, if negative ones are turned round. */
static __host__ __device__ inline int ordered_bits(int bits)
{
    return bits < 0 ? bits ^ 0x7fffffff : bits;
}

static __device__ inline int volume_word(const void *voxels, int type, size_t i)
{
    return type == TILECUT_VOXEL_F32 ? ordered_bits(((const int *)voxels)[i]) : (int)tc_voxel_value(voxels, type, i);
}

static __global__ void range_kernel(const void *voxels, int type, size_t count, volume_range *range)
{
    const size_t first = (size_t)blockIdx.x * VOLUME_BLOCK + threadIdx.x, step = (size_t)gridDim.x * VOLUME_BLOCK;
    int least = INT32_MAX, greatest = INT32_MIN, odd = 0;
    for (size_t i = first; i < count; i += step) {
        const int word = volume_word(voxels, type, i);
        least = min(least, word), greatest = max(greatest, word);
        odd |= type == TILECUT_VOXEL_F32 && (((const int *)voxels)[i] & 0x7f800000) == 0x7f800000;
    }
    for (int d = 16; d; d >>= 1) {
        least = min(least, __shfl_xor_sync(0xffffffffu, least, d));
        greatest = max(greatest, __shfl_xor_sync(0xffffffffu, greatest, d));
        odd |= __shfl_xor_sync(0xffffffffu, odd, d);
    }
    if (threadIdx.x % 32) return;
    atomicMin(&range->least, least);
    atomicMax(&range->greatest, greatest);
    if (odd) range->odd = 1;
}

static __global__ void grey_kernel(const void *voxels, int type, size_t count, tc_grey_scale scale, void *grey)
{
    const size_t i = (size_t)blockIdx.x * VOLUME_BLOCK + threadIdx.x;
    if (i >= count) return;
    const double level = tc_grey_of(&scale, tc_voxel_value(voxels, type, i));
    if (scale.depth == 8) ((uint8_t *)grey)[i] = (uint8_t)level;
    else ((uint16_t *)grey)[i] = (uint16_t)level;
}

/* ---- Arrays ----------------------------------------------------------------------------------- */

/* Sets *bad if tc_volume_check() would refuse voxel i. */
static __global__ void check_arrays_kernel(array_source s, size_t count, int *bad)
{
    const size_t i = (size_t)blockIdx.x * VOLUME_BLOCK + threadIdx.x, width = (size_t)s.size[0];
    if (i >= count) return;
    const volume_place p = {{(int)(i % width), (int)(i / width % (size_t)s.size[1]),
                             (int)(i / width / (size_t)s.size[1])}};
    const size_t step[3] = {1, width, width * (size_t)s.size[1]};
    const long long source = s.source[i], sink = s.sink[i];
    long long load = source > sink ? source - sink : sink - source;
    bool wrong = source < 0 || sink < 0 || source >= TC_EXACT_LIMIT || sink >= TC_EXACT_LIMIT;
    for (int k = 0; k < 3; k++) {
        if (has_next(p, s.size, k)) {
            wrong |= s.to[k][i] < 0 || s.from[k][i] < 0;
            load += (long long)s.to[k][i] + s.from[k][i];
        }
        if (p.at[k] > 0) load += (long long)s.to[k][i - step[k]] + s.from[k][i - step[k]];
    }
    if (wrong || load >= TC_EXACT_LIMIT) *bad = 1;
}

/* ---- The grid --------------------------------------------------------------------------------- */

template <class Source> static __device__ inline bool in_volume(const Source &s, const volume_place &p)
{
    return p.at[0] < s.size[0] && p.at[1] < s.size[1] && p.at[2] < s.size[2];
}

/* Writes capacities and excesses of all voxels, and zeros in the padding. */
template <class Source> static __global__ void build_volume_kernel(Source s, grid_view g)
{
    const int p = (int)(blockIdx.x * VOLUME_BLOCK + threadIdx.x);
    if (p >= view_nodes(g)) return;
    const volume_place at = volume_place_of(g, p);
    voxel_links c = {};
    terminals t = {0, 0};
    if (in_volume(s, at)) c = links_around(s, at), t = s.ends(at);
    g.residual[p] = make_float4((float)c.next[0].x, (float)c.before[0], (float)c.next[1].x, (float)c.before[1]);
    g.slices[p] = make_float2((float)c.next[2].x, (float)c.before[2]);
    g.excess[p] = (float)(t.source - t.sink);
}

/* ---- The proof -------------------------------------------------------------------------------- */

static __device__ inline float residual_of(const grid_view &g, int p, int d)
{
    return d < 4 ? ((const float *)(g.residual + p))[d] : ((const float *)(g.slices + p))[d - 4];
}

static __device__ inline bool is_background(const uint32_t *background, size_t step, int p)
{
    return background[(size_t)(p / TC_TILE_NODES) * step + (size_t)(p / TC_TILE % TC_TILE)] >> p % TC_TILE & 1;
}

/* Checks the links of a voxel along axis k. Returns what flows out over them. Both residuals of a link are checked at
 * its first end, and there is added what it costs if it is cut, either way. */
template <class Source>
static __device__ inline int32_t prove_axis(const Source &s, const grid_view &g, const volume_place &at, int k,
                                            const voxel_links &c, const uint32_t *background, size_t step,
                                            node_proof &proof)
{
    const int p = volume_node(g, at);
    const float forth = residual_of(g, p, 2 * k), back = residual_of(g, p, 2 * k + 1);
    const int32_t rest = whole_residual(forth, &proof.violations) + whole_residual(back, &proof.violations);
    const bool here = is_background(background, step, p);
    volume_place next = at;
    next.at[k]++;
    if (has_next(at, s.size, k)) {
        const int q = volume_node(g, next);
        proof.violations += forth + residual_of(g, q, 2 * k + 1) != (float)(c.next[k].x + c.next[k].y);
        if (here != is_background(background, step, q)) proof.cut += here ? c.next[k].y : c.next[k].x;
    } else {
        proof.violations += forth != 0;
    }
    if (at.at[k] == 0) proof.violations += back != 0;
    return c.next[k].x + c.before[k] - rest;
}

template <class Source>
static __device__ inline node_proof prove_voxel(const Source &s, const grid_view &g, const volume_place &at,
                                                const uint32_t *background, size_t step)
{
    const voxel_links c = links_around(s, at);
    const terminals t = s.ends(at);
    const int p = volume_node(g, at);
    node_proof proof = {0, 0, 0};
    int32_t excess = t.source - t.sink;
#pragma unroll
    for (int k = 0; k < 3; k++) excess -= prove_axis(s, g, at, k, c, background, step, proof);
    proof.violations += g.excess[p] != (float)excess;
    proof.flow = t.sink + min(excess, 0);
    proof.cut += is_background(background, step, p) ? t.source : t.sink;
    return proof;
}

/* tc_volume_prove_slices() for labels as bit rows, as in grid_certify() of device_certify.cuh; the mask is of all
 * slices. */
template <class Source>
static __global__ void certify_volume_kernel(Source s, grid_view g, const uint32_t *background, size_t step, int first,
                                             int end, proof_sums *sums, uint8_t *mask)
{
    __shared__ proof_sums block;
    const int p = (int)(blockIdx.x * VOLUME_BLOCK + threadIdx.x);
    const volume_place at = volume_place_of(g, p);
    node_proof proof = {0, 0, 0};
    int foreground = 0;

    if (threadIdx.x == 0) block = proof_sums{};
    __syncthreads();
    if (p < view_nodes(g) && in_volume(s, at)) {
        const bool own = at.at[2] >= first && at.at[2] < end, front = !is_background(background, step, p);
        if (own) proof = prove_voxel(s, g, at, background, step);
        foreground = own && front;
        mask[((size_t)at.at[2] * (size_t)s.size[1] + (size_t)at.at[1]) * (size_t)s.size[0] + (size_t)at.at[0]] =
            front ? 255 : 0;
    }
    add_proof(&block, proof, foreground, 0);
    __syncthreads();
    add_block(sums, &block);
}

#endif
