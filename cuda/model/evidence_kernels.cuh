/* SPDX-License-Identifier: MIT
 *
 * evidence_kernels.cuh - src/guess/box_evidence.c on the device: counts what a mask shows of its box.
 */
#pragma once

#include "device_energy.cuh"

extern "C" {
#include "box_tally.h"
}

enum { TALLY_BLOCK = 256 };

/* A tc_box_tally whose pixels of a colour are counted in 32 bits. */
typedef struct device_tally {
    unsigned mask[TC_TALLY_BINS], outside[TC_TALLY_BINS];
    unsigned long long in_mask, in_ring, open, links, across;
} device_tally;

/* Returns sample i of row y as one of 256 levels. */
static __device__ inline int level_in(const device_energy &e, int y, int i)
{
    return e.depth == 8 ? e.pixels[(size_t)y * e.stride + i] : row16(e, y)[i] >> 8;
}

static __device__ inline int tally_bin_at(const device_energy &e, int x, int y)
{
    const int at = x * e.channels, step = e.channels > 1;
    return tc_tally_bin(level_in(e, y, at), level_in(e, y, at + step), level_in(e, y, at + 2 * step));
}

/* The pairs of a thread's pixels that the outline divides, and the sum of their differences. */
typedef struct tally_pairs {
    unsigned long long links, across;
} tally_pairs;

/* Adds the pair of pixel `at` and its neighbour `next`. `in`: the pixel is in the mask. */
static __device__ inline void tally_pair(const device_energy &e, const uint8_t *mask, bool in, int2 at, int2 next,
                                         tally_pairs *sums)
{
    const size_t p = (size_t)next.y * e.width + next.x;
    if (e.seeds[p] == TILECUT_OUTSIDE || (mask[p] != 0) == in) return;
    sums->links++;
    for (int c = 0; c < e.channels; c++) {
        const int a = level_in(e, at.y, at.x * e.channels + c), b = level_in(e, next.y, next.x * e.channels + c);
        sums->across += (unsigned)(a < b ? b - a : a - b);
    }
}

/* Counts all pixels. Each block counts colours in shared memory first. *to is zero at first. */
static __global__ void tally_kernel(device_energy e, const uint8_t *mask, device_tally *to)
{
    __shared__ unsigned bins[2 * TC_TALLY_BINS];
    const size_t pixels = (size_t)e.width * (size_t)e.height, step = (size_t)gridDim.x * TALLY_BLOCK;
    unsigned long long in_mask = 0, in_ring = 0, open = 0;
    tally_pairs pairs = {0, 0};
    for (int i = (int)threadIdx.x; i < 2 * TC_TALLY_BINS; i += TALLY_BLOCK) bins[i] = 0;
    __syncthreads();
    for (size_t p = (size_t)blockIdx.x * TALLY_BLOCK + threadIdx.x; p < pixels; p += step) {
        const int x = (int)(p % (size_t)e.width), y = (int)(p / (size_t)e.width);
        const bool in = mask[p] != 0, out = e.seeds[p] == TILECUT_OUTSIDE;
        if (in || out) atomicAdd(&bins[(in ? 0 : TC_TALLY_BINS) + tally_bin_at(e, x, y)], 1u);
        in_mask += in, in_ring += out, open += !out;
        if (!out && x + 1 < e.width) tally_pair(e, mask, in, int2{x, y}, int2{x + 1, y}, &pairs);
        if (!out && y + 1 < e.height) tally_pair(e, mask, in, int2{x, y}, int2{x, y + 1}, &pairs);
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < 2 * TC_TALLY_BINS; i += TALLY_BLOCK)
        if (bins[i]) atomicAdd(i < TC_TALLY_BINS ? &to->mask[i] : &to->outside[i - TC_TALLY_BINS], bins[i]);
    const unsigned long long own[] = {in_mask, in_ring, open, pairs.links, pairs.across};
    unsigned long long *const all[] = {&to->in_mask, &to->in_ring, &to->open, &to->links, &to->across};
    for (int k = 0; k < 5; k++) {
        const unsigned long long sum = warp_sum(own[k]);
        if (threadIdx.x % 32 == 0 && sum) atomicAdd(all[k], sum);
    }
}
