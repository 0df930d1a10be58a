/* SPDX-License-Identifier: MIT
 *
 * hussein_waves.cuh - the common part of the three rungs after Hussein, Varshney & Davis (2007).
 *
 * A round first labels all nodes by breadth-first search from the sinks and keeps them in lists, level by level (the
 * paper's traversal lattice). Then it sends all excess down, one level after the other. No two threads write to one
 * node: the pushing node leaves flow in the reservoir of its link, and the receiving node takes it from there. Rounds
 * end when the search reaches no node with excess. The rungs differ in how they find a level, and in whether a level
 * is a list of nodes or of tiles.
 *
 * The host launches every step, and only now and then reads whether a search has ended: launching some unneeded
 * levels costs less than waiting for the size of each.
 */
#pragma once

#include "grid_view.cuh"

enum { WAVE_BLOCK = 256, WAVE_BLOCKS = 264, UNLABELLED = -1, LOOK_EVERY = 32 };

typedef struct lattice {
    int *label;        /* [nodes] the node's level, or UNLABELLED; with guard nodes                     */
    float4 *reservoir; /* [nodes] flow that was pushed over each link in this wave and not yet received */
    int *member;       /* [nodes] the nodes, or tiles, of level 0, level 1, ...                         */
    int2 *level;       /* [nodes + LOOK_EVERY + 2] for each level, where it begins in `member`, and its size */
    int *top;          /* the highest label of a node with excess                                       */
    uint8_t *flag;     /* [nodes] for the rung's own use                                                */
    int *stamp;        /* [tiles] for the rung's own use                                                */
} lattice;

/* How a rung labels level k + 1 and how it sends flow down from level k. Both functions only launch kernels. */
typedef struct wave_steps {
    void (*sinks)(const grid_view &g, const lattice &l, cudaStream_t stream); /* puts the sinks on level 0 */
    void (*expand)(const grid_view &g, const lattice &l, int k, cudaStream_t stream);
    void (*push)(const grid_view &g, const lattice &l, int k, int top, cudaStream_t stream);
} wave_steps;

size_t waves_scratch_bytes(const grid_view *g);
tilecut_status waves_solve(const grid_view *g, void *scratch, const tc_solve_params *params, cudaStream_t stream,
                           const wave_steps *steps, device_run *run);

/* Puts all sinks on level 0. Shared by the rungs whose levels are lists of nodes. */
void sinks_of_nodes(const grid_view &g, const lattice &l, cudaStream_t stream);
void push_from_nodes(const grid_view &g, const lattice &l, int k, int top, cudaStream_t stream);

static __device__ inline float &component(float4 &v, int d)
{
    return d == TC_RIGHT ? v.x : d == TC_LEFT ? v.y : d == TC_DOWN ? v.z : v.w;
}

/* Residual capacity of the link that leads back to p from `neighbour`, which lies in direction d from p. */
static __device__ inline float residual_back(const grid_view &g, int neighbour, int d)
{
    return ((const float *)(g.residual + neighbour))[d ^ 1];
}

/* Each lane with `take` appends its `item` to level k of the lattice. Level k - 1 must be complete. All 32 lanes call
 * it together; one atomic per warp. */
static __device__ inline void append(const lattice &l, int k, bool take, int item)
{
    const int lane = threadIdx.x & 31;
    const unsigned who = __ballot_sync(0xffffffffu, take);
    if (!who) return;
    const int begin = k > 0 ? l.level[k - 1].x + l.level[k - 1].y : 0;
    int at = 0;
    if (lane == __ffs(who) - 1) {
        at = atomicAdd(&l.level[k].y, __popc(who));
        l.level[k].x = begin;
    }
    at = __shfl_sync(0xffffffffu, at, __ffs(who) - 1);
    if (take) l.member[begin + at + __popc(who & ((1u << lane) - 1))] = item;
}

/* Node p of level k takes the flow that level k + 1 left in its links, and pushes its excess to level k - 1. Bit d of
 * `above` is set if the neighbour in direction d is on level k + 1, and bit d of `below` if it is on level k - 1. */
static __device__ inline void wave_node(const grid_view &g, const lattice &l, int p, unsigned above, unsigned below)
{
    float4 c = g.residual[p], pushed = make_float4(0, 0, 0, 0);
    float e = g.excess[p];
#pragma unroll
    for (int d = 0; d < 4; d++) {
        if (!(above >> d & 1)) continue;
        const float f = ((const float *)(l.reservoir + neighbour(g, p, d)))[d ^ 1];
        e += f;
        component(c, d) += f;
    }
#pragma unroll
    for (int d = 0; d < 4; d++) {
        if (!(below >> d & 1) || !(e > 0)) continue;
        const float f = fminf(e, component(c, d));
        e -= f;
        component(c, d) -= f;
        component(pushed, d) = f;
    }
    l.reservoir[p] = pushed;
    g.residual[p] = c;
    g.excess[p] = e;
}

/* Defines the solver of a rung, as called by its row of the table. The arguments say how the rung finds the sinks, how
 * it finds the next level, and how it pushes. */
#define WAVE_RUNG(name, sinks, expand, push) \
    static tilecut_status solve(const grid_view *g, void *scratch, const tc_solve_params *params, cudaStream_t stream, \
                                device_run *run) \
    { \
        static const wave_steps steps = {sinks, expand, push}; \
        return waves_solve(g, scratch, params, stream, &steps, run); \
    } \
    static const device_solver name##_solver = {waves_scratch_bytes, solve}; \
    extern "C" tilecut_status tc_ladder_##name(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats) \
    { \
        return solve_on_device(&name##_solver, grid, params, stats); \
    }
