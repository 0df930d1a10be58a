/* SPDX-License-Identifier: MIT
 *
 * paper_kernels.cuh - push-relabel without locks (Hong 2008) as in the papers: an active node finds its lowest
 * neighbour, and pushes to it or is lifted just above it.
 *
 *   thread_kernel  one thread per node, active or not (He & Hong 2010; "thread-centric" in Hsieh et al. 2024)
 *   vertex_kernel  in each cycle the active nodes are put on a list; then each warp takes a node of the list, and its
 *                  lanes look for the lowest neighbour ("vertex-centric")
 *
 * Both end after some cycles; then the host makes heights exact.
 */
#pragma once

#include "net_search.cuh"
#include "paper_layouts.cuh"

/* What the kernels need besides a layout. In device memory. */
typedef struct paper_nodes {
    int nodes, source, sink;
    long long *excess; /* [nodes] */
    int *height;       /* [nodes] */
    int *list;         /* [nodes] the active nodes, for vertex_kernel */
    struct paper_count {
        unsigned arrived; /* the number of blocks at the barrier                  */
        int active[3];    /* number of nodes on the list: in this cycle, and in the next two */
        unsigned long long steps; /* number of pushes and lifts                   */
    } *count;             /* zeroed before every launch                           */
} paper_nodes;

static __device__ inline bool is_active(const paper_nodes &n, int u)
{
    return u != n.source && u != n.sink && __ldcg(n.excess + u) > 0 && __ldcg(n.height + u) < n.nodes;
}

/* Pushes over link k, whose head has height `lowest`, or lifts u. One thread does this. */
template <class Layout>
static __device__ inline void push_or_lift(const Layout &l, const paper_nodes &n, int u, int k, int lowest)
{
    if (lowest >= __ldcg(n.height + u)) {
        __stcg(n.height + u, min(lowest + 1, n.nodes));
        return;
    }
    const net_link link = l.at(u, k);
    const long long amount = min(__ldcg(n.excess + u), link.room);
    l.move(u, k, amount);
    if (link.head != n.sink) add_to(n.excess + link.head, amount);
    add_to(n.excess + u, -amount);
}

template <class Layout>
static __global__ void __launch_bounds__(NET_BLOCK) thread_kernel(Layout l, paper_nodes n, int cycles)
{
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), threads = (int)(gridDim.x * blockDim.x);
    unsigned long long steps = 0;
    for (int cycle = 0; cycle < cycles; cycle++)
        for (int u = thread; u < n.nodes; u += threads) {
            if (!is_active(n, u)) continue;
            const int links = l.links(u);
            int lowest = n.nodes, best = 0;
            for (int k = 0; k < links; k++) {
                const net_link link = l.at(u, k);
                const int height = link.room > 0 ? __ldcg(n.height + link.head) : n.nodes;
                if (height < lowest) lowest = height, best = k;
            }
            push_or_lift(l, n, u, best, lowest);
            steps++;
        }
    if (steps) atomicAdd(&n.count->steps, steps);
}

/* Finds the lowest neighbour of u with a whole warp. Returns its height and the link to it in one number. */
template <class Layout>
static __device__ inline long long lowest_link(const Layout &l, const paper_nodes &n, int u)
{
    const int links = l.links(u);
    long long best = (long long)n.nodes << 32;
    for (int k = (int)(threadIdx.x & 31); k < links; k += 32) {
        const net_link link = l.at(u, k);
        if (link.room > 0) best = min(best, (long long)__ldcg(n.height + link.head) << 32 | k);
    }
    for (int d = 16; d; d >>= 1) best = min(best, __shfl_xor_sync(WARP, best, d));
    return best;
}

/* All blocks must run at the same time. */
template <class Layout>
static __global__ void __launch_bounds__(NET_BLOCK) vertex_kernel(Layout l, paper_nodes n, int cycles)
{
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), threads = (int)(gridDim.x * blockDim.x);
    unsigned target = 0;
    for (int cycle = 0; cycle < cycles; cycle++) {
        int *const active = &n.count->active[cycle % 3];
        for (int u = thread; __any_sync(WARP, u < n.nodes); u += threads)
            append(n.list, active, u < n.nodes && is_active(n, u), u);
        if (first_thread()) n.count->active[(cycle + 1) % 3] = 0;
        barrier_all(&n.count->arrived, &target);
        const int listed = __ldcg(active);
        if (!listed) break;
        for (int at = thread / 32; at < listed; at += threads / 32) {
            const int u = __ldcg(n.list + at);
            const long long best = lowest_link(l, n, u);
            if ((threadIdx.x & 31) == 0) push_or_lift(l, n, u, (int)(best & 0x7fffffff), (int)(best >> 32));
        }
        if (first_thread()) n.count->steps += (unsigned long long)listed;
        barrier_all(&n.count->arrived, &target);
    }
}

/* ---- The host's part -------------------------------------------------------------------------- */

/* Saturates all links of the source. */
template <class Layout> static void saturate_on_host(const Layout &l, int source, int sink, long long *excess)
{
    const int links = l.links(source);
    for (int k = 0; k < links; k++) {
        const net_link link = l.at(source, k);
        if (link.room <= 0) continue;
        l.move(source, k, link.room);
        if (link.head != sink) excess[link.head] += link.room;
    }
}

/* Makes all heights exact by a search back from the sink; all arrays are on the host. Returns the number of nodes with
 * excess that reach the sink. He & Hong first saturate links that lead down by more than 1; after an exact search there
 * are no such links. `queue`: [nodes], for the search. */
template <class Layout>
static int relabel_on_host(const Layout &l, int nodes, int source, int sink, const long long *excess, int *height,
                           int *queue)
{
    int ends = 0, active = 0;
    for (int u = 0; u < nodes; u++) height[u] = nodes;
    height[sink] = 0;
    queue[ends++] = sink;
    for (int at = 0; at < ends; at++) {
        const int v = queue[at], links = l.links(v);
        if (v != sink) active += excess[v] > 0;
        for (int k = 0; k < links; k++) {
            const int u = l.at(v, k).head;
            if (u == source || height[u] != nodes || l.back(v, k) <= 0) continue;
            height[u] = height[v] + 1;
            queue[ends++] = u;
        }
    }
    return active;
}
