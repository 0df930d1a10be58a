/* SPDX-License-Identifier: MIT
 *
 * net_search.cuh - steps that all blocks take together, over lists of nodes; and the first kind of step, one level of
 * the search back from the sink that makes heights exact.
 *
 * A step reads one list and writes the next; two lists take turns. Three counters of list lengths take turns as well:
 * one is read, one is counted up, and one is cleared for the step after. A few lanes share a node, as many as nodes
 * have slots on average, so that a warp takes several nodes at a time. Nodes with very many slots (hubs) are put aside,
 * and all threads work on them after the step.
 */
#pragma once

#include "net_view.cuh"

enum { NET_BLOCK = 512, NET_HUB = 1024 };

/* The state of a solve, in device memory. */
typedef struct net_progress {
    struct {
        unsigned arrived;      /* the number of blocks at the barrier              */
        int count[3], hubs[3]; /* lengths of the lists                             */
    } launch;                  /* zeroed before every launch                       */
    int done;
    long long rounds, searches, levels;
} net_progress;

typedef struct net_work {
    net_view net;
    int *even, *odd;         /* [nodes] lists that are read in even and in odd steps */
    int *even_hubs, *odd_hubs;
    int hub;                 /* a node with more slots than this is a hub                   */
    net_progress *state;
} net_work;

/* What a block knows about the steps. All fields but `target` are the same in all blocks. */
typedef struct stepper {
    unsigned target, turn;
    int in, hubs; /* in: length of the list being read; hubs: how many hubs the last step put aside */
} stepper;

static __device__ inline bool first_thread(void)
{
    return blockIdx.x == 0 && threadIdx.x == 0;
}

static __device__ inline int *list_in(const net_work &w, const stepper &t) { return t.turn & 1 ? w.odd : w.even; }
static __device__ inline int *list_out(const net_work &w, const stepper &t) { return t.turn & 1 ? w.even : w.odd; }
static __device__ inline int *hubs_out(const net_work &w, const stepper &t)
{
    return t.turn & 1 ? w.even_hubs : w.odd_hubs;
}

static __device__ inline int *count_out(const net_work &w, const stepper &t)
{
    return w.state->launch.count + (t.turn + 1) % 3;
}

static __device__ inline void put_aside(const net_work &w, const stepper &t, bool wanted, int u)
{
    append(hubs_out(w, t), w.state->launch.hubs + (t.turn + 1) % 3, wanted, u);
}

/* Ends the main part of a step; after this the hubs that were put aside can be worked on. */
static __device__ inline void end_main_part(const net_work &w, stepper &t)
{
    if (first_thread()) w.state->launch.count[(t.turn + 2) % 3] = w.state->launch.hubs[(t.turn + 2) % 3] = 0;
    barrier_all(&w.state->launch.arrived, &t.target);
    t.hubs = __ldcg(w.state->launch.hubs + (t.turn + 1) % 3);
    t.in = __ldcg(count_out(w, t)); /* read together with the number of hubs; read again if hubs follow */
}

/* Ends a step: the next step reads the list that this one wrote. */
static __device__ inline void end_step(const net_work &w, stepper &t)
{
    if (t.hubs) {
        barrier_all(&w.state->launch.arrived, &t.target);
        t.in = __ldcg(count_out(w, t));
    }
    t.turn++;
}

/* Calls visit(node) for all nodes on a list; node is -1 for lanes that got none. All lanes of a warp call it together,
 * LANES of them with the same node. */
template <int LANES, class Visit>
static __device__ inline void share_out(const int *list, int count, Visit visit)
{
    const int lane = (int)(threadIdx.x & 31), each = 32 / LANES;
    const int warp = (int)((threadIdx.x >> 5) * gridDim.x + blockIdx.x), warps = (int)(gridDim.x * (blockDim.x >> 5));
    for (int base = warp * each; base < count; base += warps * each) {
        const int at = base + lane / LANES;
        visit(at < count ? __ldcg(list + at) : -1);
    }
}

/* ---- Exact heights ---------------------------------------------------------------------------- */

/* True if this lane is the first to reach the head of slot i. */
static __device__ inline bool reach_head(const net_view &v, int i, int height, int *head)
{
    const tc_slot slot = read_slot(v, i);
    *head = slot.head;
    if (slot.head == v.source || __ldcg(v.height + slot.head) != v.nodes || read_room(v, slot.mate) <= 0) return false;
    return atomicCAS(v.height + slot.head, v.nodes, height) == v.nodes;
}

template <int LANES> static __device__ inline void search_node(const net_work &w, const stepper &t, int u, int height)
{
    const net_view &v = w.net;
    const int seat = (int)(threadIdx.x & (LANES - 1));
    int i = u < 0 ? 0 : v.first[u] + seat, end = u < 0 ? 0 : v.first[u + 1];
    const bool hub = end - i + seat > w.hub;
    put_aside(w, t, hub && seat == 0, u);
    if (hub) end = i;
    for (; __any_sync(WARP, i < end); i += LANES) {
        int head = 0;
        const bool fresh = i < end && reach_head(v, i, height, &head);
        append(list_out(w, t), count_out(w, t), fresh, head);
    }
}

/* Searches the slots of hubs, with all threads. */
static __device__ inline void search_hubs(const net_work &w, const stepper &t, int height)
{
    const net_view &v = w.net;
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), threads = (int)(gridDim.x * blockDim.x);
    for (int k = 0; k < t.hubs; k++) {
        const int u = __ldcg(hubs_out(w, t) + k), end = v.first[u + 1];
        for (int i = v.first[u] + thread; __any_sync(WARP, i < end); i += threads) {
            int head = 0;
            const bool fresh = i < end && reach_head(v, i, height, &head);
            append(list_out(w, t), count_out(w, t), fresh, head);
        }
    }
}

/* Forgets all heights and puts the sink on the list. */
static __device__ inline void begin_search(const net_work &w, stepper &t)
{
    const net_view &v = w.net;
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), threads = (int)(gridDim.x * blockDim.x);
    for (int u = thread; u < v.nodes; u += threads) __stcg(v.height + u, u == v.sink ? 0 : v.nodes);
    if (first_thread()) {
        __stcg(list_out(w, t), v.sink);
        atomicAdd(count_out(w, t), 1);
    }
    end_main_part(w, t);
    end_step(w, t);
}

/* Makes all heights exact. Returns the number of levels. *seen is the number of nodes that reach the sink. */
template <int LANES> static __device__ inline int search(const net_work &w, stepper &t, int *seen)
{
    int level = 0;
    *seen = 0;
    for (begin_search(w, t); t.in; level++) {
        *seen += t.in;
        share_out<LANES>(list_in(w, t), t.in, [&](int u) { search_node<LANES>(w, t, u, level + 1); });
        end_main_part(w, t);
        search_hubs(w, t, level + 1);
        end_step(w, t);
    }
    return level;
}

/* Lists the nodes with excess that reach the sink. */
static __device__ inline void gather(const net_work &w, stepper &t)
{
    const net_view &v = w.net;
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), threads = (int)(gridDim.x * blockDim.x);
    for (int u = thread; __any_sync(WARP, u < v.nodes); u += threads) {
        const bool active = u < v.nodes && u != v.sink && __ldcg(v.excess + u) > 0 && __ldcg(v.height + u) < v.nodes;
        append(list_out(w, t), count_out(w, t), active, u);
    }
    end_main_part(w, t);
    end_step(w, t);
}
