/* SPDX-License-Identifier: MIT
 *
 * host_relabel.cuh - global relabelling on the CPU, after He & Hong (2010). Residuals and excesses are copied to the
 * host, a breadth-first search finds every node's distance to the sinks, and these heights are copied back. Shared by
 * the rungs that push with atomics in global memory.
 *
 * He & Hong first cancel residual links that lead down by more than one. Here heights are exact distances in the
 * residual graph afterwards, so there are no such links. A node that reaches no sink gets a height to which no node
 * pushes, and is never active again. This does the work of gap relabelling for all gaps at once.
 */
#pragma once

#include "grid_view.cuh"

static const int STUCK = 0x3fffffff; /* the height of a node that reaches no sink */

/* A function that queues kernels which push or relabel. */
typedef struct ladder_cycles {
    tilecut_status (*queue)(const grid_view *g, int *height, const void *own, cudaStream_t stream);
    const void *own; /* the caller's data, passed to queue()           */
    int rounds;      /* the number of rounds that one call counts for */
} ladder_cycles;

/* Alternates between relabelling on the CPU and cycles on the device, until no excess reaches a sink. `height` is on
 * the device, [nodes], with guard nodes. */
tilecut_status relabel_and_push(const grid_view *g, int *height, const ladder_cycles *cycles,
                                const tc_solve_params *params, cudaStream_t stream, device_run *run);

/* Returns the direction of the lowest neighbour of p among those to which residual links lead; -1 if there is none. */
static __device__ inline int lowest_neighbour(const grid_view &g, const int *height, int p, float *capacity,
                                              int *lowest)
{
    const float4 c = __ldcg(g.residual + p);
    const float to[4] = {c.x, c.y, c.z, c.w};
    int best = -1;
    *lowest = STUCK;
    for (int d = 0; d < 4; d++) {
        if (!(to[d] > 0)) continue;
        const int h = __ldcg(height + neighbour(g, p, d));
        if (h < *lowest) *lowest = h, best = d, *capacity = to[d];
    }
    return best;
}

/* Hong's operation (2008): pushes to the lowest neighbour if it is lower than p, else raises p above it. Only p's own
 * thread subtracts from p's excess and links; all other threads add. So no value becomes negative, in whatever order
 * the atomics happen. */
static __device__ inline void push_or_rise(const grid_view &g, int *height, int p, float excess, int d, float capacity,
                                           int lowest)
{
    if (d < 0) {
        height[p] = STUCK;
    } else if (__ldcg(height + p) > lowest) {
        const int q = neighbour(g, p, d);
        const float f = fminf(excess, capacity);
        atomicAdd((float *)(g.residual + q) + (d ^ 1), f);
        atomicAdd((float *)(g.residual + p) + d, -f);
        atomicAdd(g.excess + q, f);
        atomicAdd(g.excess + p, -f);
    } else {
        height[p] = lowest + 1;
    }
}
