/* SPDX-License-Identifier: MIT
 *
 * volume_kernels.cuh - volumes on the device before a solve: grey values from voxels, a check of arrays. A thread has a
 * voxel at a time. Separate from their launches, so that a GPU in software can run them, too
 * (tests/unit/software_gpu).
 */
#ifndef TC_VOLUME_KERNELS_CUH
#define TC_VOLUME_KERNELS_CUH

#include "lattice_kernels.cuh"

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

/* Sets *bad if tc_graph_check() would refuse voxel i. */
static __global__ void check_arrays_kernel(array_source s, size_t count, int *bad)
{
    const size_t i = (size_t)blockIdx.x * VOLUME_BLOCK + threadIdx.x, width = (size_t)s.size[0];
    if (i >= count) return;
    const lattice_place p = {{(int)(i % width), (int)(i / width % (size_t)s.size[1]),
                             (int)(i / width / (size_t)s.size[1])}};
    const size_t step[3] = {1, width, width * (size_t)s.size[1]};
    const long long source = s.source[i], sink = s.sink[i];
    long long load = source > sink ? source - sink : sink - source;
    bool wrong = source < 0 || sink < 0 || source >= TC_EXACT_LIMIT || sink >= TC_EXACT_LIMIT;
    for (int k = 0; k < 3; k++) {
        if (is_inside(place_beside<6>(p, k, 1), s.size)) {
            wrong |= s.to[k][i] < 0 || s.from[k][i] < 0;
            load += (long long)s.to[k][i] + s.from[k][i];
        }
        if (p.at[k] > 0) load += (long long)s.to[k][i - step[k]] + s.from[k][i - step[k]];
    }
    if (wrong || load >= TC_EXACT_LIMIT) *bad = 1;
}

#endif
