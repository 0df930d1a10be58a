/* SPDX-License-Identifier: MIT
 *
 * levels_kernel.cuh - breadth-first search on the device, in the two ways of chapter 4 of a thesis on irregular
 * algorithms on GPUs (University of Manitoba; docs/design/networks-gpu.md). In the first, each level goes through all
 * nodes to find those of the level before, with one thread per node. In the second, the nodes of the level before are
 * on a list. The thesis starts a kernel for each level; here one kernel does all levels, with a barrier over all blocks
 * after each.
 */
#pragma once

#include "steps.cuh"

/* The state of a search, in device memory. */
typedef struct levels_state {
    step_counts launch;
    int depth, begin, end, done; /* the number of the last level, and where its nodes begin and end in the list */
} levels_state;

typedef struct levels_work {
    int nodes;
    const int *first, *head;
    int *level; /* [nodes] -1: not reached yet       */
    int *queue; /* [nodes] the nodes reached, in the order of levels */
    levels_state *state;
} levels_work;

/* LANES lanes follow the arcs of node u, and append newly reached nodes to the list, from position `end` on. u is -1
 * for lanes without a node. */
template <int LANES>
static __device__ inline void spread_level(const levels_work &w, const steps &s, int u, int depth, int end)
{
    int *const count = step_count(&w.state->launch, s, 0);
    int i = u < 0 ? 0 : w.first[u] + (int)(threadIdx.x & (LANES - 1));
    const int last = u < 0 ? 0 : w.first[u + 1];
    for (; __any_sync(WARP, i < last); i += LANES) {
        const int head = i < last ? w.head[i] : 0;
        const bool fresh = i < last && __ldcg(w.level + head) < 0 && atomicCAS(w.level + head, -1, depth + 1) < 0;
        append(w.queue + end, count, fresh, head);
    }
}

/* One thread follows the arcs of node u. There is no list, so it does not matter which thread reaches a node first. */
static __device__ inline bool spread_alone(const levels_work &w, int u, int depth)
{
    bool found = false;
    for (int i = w.first[u]; i < w.first[u + 1]; i++) {
        if (__ldcg(w.level + w.head[i]) >= 0) continue;
        __stcg(w.level + w.head[i], depth + 1);
        found = true;
    }
    return found;
}

/* Searches at most `slice` further levels. */
template <int LANES>
static __global__ void __launch_bounds__(STEP_BLOCK, 4) levels_list_kernel(levels_work w, int slice)
{
    steps s = {0, 0};
    int depth = w.state->depth, begin = w.state->begin, end = w.state->end;
    for (int k = 0; k < slice && begin < end; k++) {
        share_out<LANES>(w.queue + begin, end - begin, [&](int u) { spread_level<LANES>(w, s, u, depth, end); });
        step_over(&w.state->launch, s);
        begin = end;
        end += step_found(&w.state->launch, s, 0);
        depth++;
    }
    if (!first_thread()) return;
    w.state->depth = depth, w.state->begin = begin, w.state->end = end;
    w.state->done = begin == end;
}

static __global__ void __launch_bounds__(STEP_BLOCK, 4) levels_all_kernel(levels_work w, int slice)
{
    steps s = {0, 0};
    int depth = w.state->depth;
    bool more = true;
    for (int k = 0; k < slice && more; k++) {
        for_each(w.nodes, [&](int u) {
            const bool found = u >= 0 && __ldcg(w.level + u) == depth && spread_alone(w, u, depth);
            if (__any_sync(WARP, found) && (threadIdx.x & 31) == 0) atomicAdd(step_count(&w.state->launch, s, 0), 1);
        });
        step_over(&w.state->launch, s);
        more = step_found(&w.state->launch, s, 0) > 0;
        depth++;
    }
    if (!first_thread()) return;
    w.state->depth = depth;
    w.state->done = !more;
}
