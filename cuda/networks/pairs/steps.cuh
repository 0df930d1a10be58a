/* SPDX-License-Identifier: MIT
 *
 * steps.cuh - steps that all blocks take together on lists. A step may append to several lists, whose lengths are
 * counted anew in each step. Three sets of counts take turns: one is read, one is counted up, and one is cleared for
 * the step after.
 */
#pragma once

#include "net_search.cuh"

enum { STEP_BLOCK = 256, STEP_LISTS = 4 };

/* The counters of the steps, in device memory; zeroed before every launch. */
typedef struct step_counts {
    unsigned arrived;
    int count[3][STEP_LISTS];
} step_counts;

/* What a block knows about the steps. All fields but `target` are the same in all blocks. */
typedef struct steps {
    unsigned target, turn;
} steps;

/* The counter that this step counts up. */
static __device__ inline int *step_count(step_counts *counts, const steps &s, int list)
{
    return &counts->count[s.turn % 3][list];
}

/* Returns what the last step has counted. */
static __device__ inline int step_found(const step_counts *counts, const steps &s, int list)
{
    return __ldcg(&counts->count[(s.turn + 2) % 3][list]);
}

/* Ends a step. Afterwards all threads see what was written in it. */
static __device__ inline void step_over(step_counts *counts, steps &s)
{
    if (first_thread())
        for (int k = 0; k < STEP_LISTS; k++) __stcg(&counts->count[(s.turn + 1) % 3][k], 0);
    barrier_all(&counts->arrived, &s.target);
    s.turn++;
}

/* Calls visit(k) for k in 0 .. count - 1, each by one thread; -1 for threads that have none. All lanes of a warp call
 * it together. */
template <class Visit> static __device__ inline void for_each(int count, Visit visit)
{
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), threads = (int)(gridDim.x * blockDim.x);
    for (int k = thread; __any_sync(WARP, k < count); k += threads) visit(k < count ? k : -1);
}

/* Does the same as for_each(), with LANES lanes for each k. */
template <int LANES, class Visit> static __device__ inline void for_each_shared(int count, Visit visit)
{
    const int lane = (int)(threadIdx.x & 31), each = 32 / LANES;
    const int warp = (int)(blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int warps = (int)(gridDim.x * blockDim.x) / 32;
    for (int base = warp * each; base < count; base += warps * each) {
        const int k = base + lane / LANES;
        visit(k < count ? k : -1);
    }
}
