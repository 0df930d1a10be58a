/* SPDX-License-Identifier: MIT
 *
 * net_kernel.cuh - network-cuda: push-relabel on a network of any shape, all in one kernel that stays on the device
 * until the flow is found. Two kinds of rounds alternate: a search back from the sink makes heights exact
 * (net_search.cuh), and nodes with excess push it to lower nodes or are lifted, without locks (Hong 2008).
 *
 *   - Active nodes are on a list, and a warp takes several at a time. A node is put on the list only by the push that
 *     finds it without excess. So each node is on the list at most once, and needs no mark.
 *   - In one pass over its slots, a node pushes to all lower neighbours at the same time: a prefix sum gives each lane
 *     the excess that is left for its slot. The same pass finds how far the node must be lifted.
 *
 * A search costs as many rounds as it has levels, and pushing continues until it has cost as much. The solve ends only
 * when a search finds that no node with excess reaches the sink, so heights need not be exact in between.
 */
#pragma once

#include "net_search.cuh"

#include "cuda_network.h"

/* Exclusive prefix sum, over LANES lanes, of the amounts that they push; sums are limited to `most`. */
template <int LANES> static __device__ inline unsigned long long sum_before(unsigned long long amount,
                                                                           unsigned long long most,
                                                                           unsigned long long *total)
{
    const unsigned seat = threadIdx.x & (LANES - 1);
    unsigned long long upto = amount;
#pragma unroll
    for (unsigned d = 1; d < LANES; d <<= 1) {
        const unsigned long long other = __shfl_up_sync(WARP, upto, d);
        if (seat >= d) upto = min(upto + other, most);
    }
    const unsigned long long before = __shfl_up_sync(WARP, upto, 1);
    *total = __shfl_sync(WARP, upto, (int)(threadIdx.x & 31 & ~(LANES - 1u)) + LANES - 1);
    return seat ? before : 0;
}

template <int LANES> static __device__ inline int least_of(int x)
{
#pragma unroll
    for (int d = LANES / 2; d; d >>= 1) x = min(x, __shfl_xor_sync(WARP, x, d));
    return x;
}

/* A node while it is discharged. All fields but `woken` are the same in all lanes of the node. */
typedef struct discharge {
    int u, begin, end, height;
    long long left, stuck; /* left: excess to be pushed; stuck: excess that stays, because the node was given up */
    int woken;             /* a neighbour that got its first excess from this lane and is not on the list yet; -1:
                              none */
} discharge;

/* Makes one pass over the slots of a node. Returns the smallest height of a neighbour that is not lower and has a
 * residual link from the node. */
template <int LANES> static __device__ inline int push_pass(const net_work &w, const stepper &t, discharge &n)
{
    const net_view &v = w.net;
    int least = v.nodes;
    for (int base = n.begin; __any_sync(WARP, base < n.end && n.left > 0); base += LANES) {
        const int i = base + (int)(threadIdx.x & (LANES - 1));
        const bool here = n.left > 0 && i < n.end;
        tc_slot slot = {0, 0, 0};
        if (here) slot = read_slot(v, i);
        const int height = slot.room > 0 ? __ldcg(v.height + slot.head) : v.nodes;
        const unsigned long long most = (unsigned long long)n.left;
        const unsigned long long want = height < n.height ? min((unsigned long long)slot.room, most) : 0;
        unsigned long long total;
        const unsigned long long before = sum_before<LANES>(want, most, &total);
        const unsigned long long give = min(want, most - before);
        const bool wakes = give && push_slot(v, i, slot, (int64_t)give) == 0;
        if (__any_sync(WARP, wakes && n.woken >= 0)) {
            append(list_out(w, t), count_out(w, t), n.woken >= 0, n.woken);
            n.woken = -1;
        }
        if (wakes) n.woken = slot.head;
        if (height >= n.height) least = min(least, height);
        n.left -= (long long)total;
    }
    return least_of<LANES>(least);
}

/* Lifts a node so that it can push to a neighbour of height `least`, or gives it up if there is none. */
template <int LANES> static __device__ inline void lift(const net_work &w, discharge &n, int least)
{
    const net_view &v = w.net;
    if (least >= v.nodes - 1) n.stuck = n.left, n.left = 0;
    n.height = n.stuck ? v.nodes : least + 1;
    if ((threadIdx.x & (LANES - 1)) == 0) __stcg(v.height + n.u, n.height);
}

/* Discharges node u. These lanes have no node if u is -1. With `aside`, a hub is put aside for later instead. */
template <int LANES> static __device__ inline void discharge_node(const net_work &w, const stepper &t,
                                                                  const tc_net_schedule &plan, int u, bool aside)
{
    const net_view &v = w.net;
    const bool leads = (threadIdx.x & (LANES - 1)) == 0;
    discharge n = {u, u < 0 ? 0 : v.first[u], u < 0 ? 0 : v.first[u + 1], 0, 0, 0, -1};
    const bool hub = aside && n.end - n.begin > w.hub;
    long long rest = 0;
    put_aside(w, t, hub && leads, u);
    if (u >= 0 && !hub) {
        n.height = __ldcg(v.height + u);
        n.left = n.height < v.nodes ? __ldcg(v.excess + u) : 0;
    }
    /* all lanes take the value of one lane, because other nodes add to the excess meanwhile */
    n.left = __shfl_sync(WARP, n.left, (int)(threadIdx.x & 31 & ~(LANES - 1u)));
    const long long begun = n.left;
    for (int k = 0; k < plan.tries && __any_sync(WARP, n.left > 0); k++) {
        const int least = push_pass<LANES>(w, t, n);
        if (n.left > 0) lift<LANES>(w, n, least);
    }
    const long long pushed = begun - n.left - n.stuck;
    if (leads && begun) rest = (pushed ? add_to(v.excess + u, -pushed) : begun) - pushed;
    append_two(list_out(w, t), count_out(w, t), n.woken >= 0, n.woken, rest > 0 && !n.stuck, u);
}

/* Does rounds of pushing that cost about `budget` in all. Returns the number of rounds. */
template <int LANES> static __device__ inline int push_rounds(const net_work &w, stepper &t,
                                                              const tc_net_schedule &plan, long long budget)
{
    const int slots = w.net.first[w.net.nodes] / w.net.nodes + 1;
    int rounds = 0;
    for (; t.in && budget > 0; rounds++) {
        budget -= plan.round_cost + (long long)t.in * slots * plan.tries;
        share_out<LANES>(list_in(w, t), t.in, [&](int u) { discharge_node<LANES>(w, t, plan, u, true); });
        end_main_part(w, t);
        share_out<32>(hubs_out(w, t), t.hubs, [&](int u) { discharge_node<32>(w, t, plan, u, false); });
        end_step(w, t);
    }
    return rounds;
}

/* A launch begins with a search, so only residual capacities, excess and `state` are kept between two launches. */
template <int LANES> static __global__ void __launch_bounds__(NET_BLOCK, 2) net_kernel(net_work w, tc_net_schedule plan)
{
    const long long slots = w.net.first[w.net.nodes] / w.net.nodes + 1;
    stepper t = {0, 0, 0, 0};
    long long rounds = 0, searches = 0, levels = 0;
    bool done = false;
    while (rounds + levels < plan.slice) {
        int seen;
        const int deep = search<LANES>(w, t, &seen);
        searches++, levels += deep;
        gather(w, t);
        done = t.in == 0;
        if (done) break;
        const long long cost = deep * (long long)plan.round_cost + seen * slots;
        rounds += push_rounds<LANES>(w, t, plan, cost * plan.push_share / 100);
    }
    if (!first_thread()) return;
    w.state->done = done;
    w.state->rounds += rounds, w.state->searches += searches, w.state->levels += levels;
}
