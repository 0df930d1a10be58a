/* SPDX-License-Identifier: MIT
 *
 * device_certify.cuh - certify.c on a GPU, with the same numbers: proves the cut that a solve on the device has
 * found, and writes it as a mask.
 */
#ifndef TC_DEVICE_CERTIFY_CUH
#define TC_DEVICE_CERTIFY_CUH

#include "device_energy.cuh"

/* The sums of the proof, and counts of the mask. In device memory; zero at first. */
typedef struct proof_sums {
    unsigned long long flow, cut, violations, foreground, changed;
} proof_sums;

/* tc_certify() of cut.h for labels as bit rows, where a set bit means background. Those of tile t begin at `background`
 * + t * `step` words. Adds to `sums`, which must be 0, over rows first .. end - 1 as tc_prove_rows() does, and fills
 * all of `mask` with 0 and 255. sums->changed counts the pixels that differ from `before`, if that is not NULL. */
tilecut_status grid_certify(const device_energy *energy, const grid_view *grid, const uint32_t *background, size_t step,
                            int first, int end, const uint8_t *before, proof_sums *sums, uint8_t *mask,
                            cudaStream_t stream);

/* ---- What every proof on a device does ---------------------------------------------------------- */

/* Of one pixel. */
typedef struct node_proof {
    int violations;
    long long flow, cut;
} node_proof;

/* A residual as a whole number. One that is not whole becomes 0, which then differs from it. */
static __device__ inline int32_t whole_residual(float residual, int *violations)
{
    const bool in_range = residual >= 0 && residual < TC_EXACT_LIMIT;
    const int32_t number = in_range ? (int32_t)residual : 0;
    *violations += (float)number != residual;
    return number;
}

static __device__ inline void add_warp(unsigned long long *to, long long value)
{
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0 && value) atomicAdd(to, (unsigned long long)value);
}

/* Adds what the threads of a block have found to its sums in shared memory, and these to those of all blocks. All
 * threads call both, and meet before and in between. */
static __device__ inline void add_proof(proof_sums *block, const node_proof &proof, int foreground, int changed)
{
    add_warp(&block->flow, proof.flow);
    add_warp(&block->cut, proof.cut);
    add_warp(&block->violations, proof.violations);
    add_warp(&block->foreground, foreground);
    add_warp(&block->changed, changed);
}

static __device__ inline void add_block(proof_sums *sums, const proof_sums *block)
{
    if (threadIdx.x >= sizeof *block / sizeof block->flow) return;
    const unsigned long long sum = (&block->flow)[threadIdx.x];
    if (sum) atomicAdd(&sums->flow + threadIdx.x, sum);
}

#endif
