/* SPDX-License-Identifier: MIT
 *
 * device_certify.cuh - certify.c on a GPU, with the same numbers: proves the cut that a solve on the device has found,
 * and writes it as a mask.
 */
#pragma once

#include "lattice_source.cuh"

/* The sums of the proof, and counts of the mask's pixels. In device memory; zero at first. */
typedef struct proof_sums {
    unsigned long long flow, cut, violations, foreground, changed;
} proof_sums;

/* What a proof reads and writes. All pointers are device memory. */
typedef struct proof_request {
    const uint32_t *background; /* labels in bit rows: a set bit is background; tile t begins at t * step */
    size_t step;
    int first, end;             /* the proof sums over rows first .. end - 1, counted through all slices */
    const uint8_t *before;      /* an earlier mask, for sums->changed; NULL: none                                    */
    proof_sums *sums;           /* must be zero on entry                                                             */
    uint8_t *mask;              /* out: the mask of all rows, 0 and 255                                              */
    int *parent;                /* out: the trees of the mask's runs, with which islands_drop() begins; NULL: none.
                                   May lie where the solve's heights were */
    const int *done;            /* if *done is 0, there is no answer yet, and `parent` is not written; may be NULL   */
} proof_request;

/* Does the same as tc_certify() of cut.h. */
tilecut_status grid_certify(const device_lattice *lattice, const grid_view *grid, const proof_request *r,
                            cudaStream_t stream);

/* ---- What every proof on a device does ---------------------------------------------------------- */

/* The result of the proof for one pixel. */
typedef struct node_proof {
    int violations;
    long long flow, cut;
} node_proof;

/* Returns a residual as a whole number. A residual that is not whole becomes 0, so that the comparison with the
 * original capacity fails. */
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

/* Adds the results of a block's threads to the block's sums in shared memory, and those to the sums of all blocks. All
 * threads call both functions, with barriers before and in between. */
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
