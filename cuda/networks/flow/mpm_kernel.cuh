/* SPDX-License-Identifier: MIT
 *
 * mpm_kernel.cuh - the maximum flow of Malhotra, Pramodh Kumar & Maheshwari (1978) with one thread per node, as in
 * chapter 5 of a thesis on irregular algorithms on GPUs (University of Manitoba; docs/design/networks-gpu.md). Nodes
 * are layered by their distance from the source. The potential of a node is the lesser of two sums: what can come in
 * from the layer before, and what can go out to the layer after. The node of least potential pushes that much flow to
 * the sink and pulls it from the source, layer by layer, which uses up its potential. Nodes without potential are
 * pruned. This is repeated until no path is left in the layers.
 *
 * There are two versions: each step goes through all nodes or, with LISTED, through a list of the nodes that have a
 * layer, in the order of layers. The thesis has a kernel for each step; here all steps are in one, with a barrier over
 * all blocks after each.
 */
#pragma once

#include "net_search.cuh"

static const unsigned long long MPM_MOST = 1ull << 62; /* larger sums are limited to this; no flow is larger */
enum { MPM_SINK = 1 << 30, MPM_NONE = -1 };

/* The state of a run, in device memory. */
typedef struct mpm_state {
    struct {
        unsigned arrived;
        int count[3], chosen[3]; /* three counters each, used in turn from step to step; zeroed before every launch */
    } launch;
    unsigned long long least[3];
    int done;
    long long phases, turns;
} mpm_state;

typedef struct mpm_work {
    net_view net;                  /* height holds the layer of a node, excess the flow that the node has yet to push or
                                      pull */
    int *alive, *dirty;            /* [nodes] dirty: the potential has to be computed anew                  */
    unsigned long long *potential; /* [nodes]                                                               */
    int *order, *begin;            /* [nodes + 2] nodes ordered by layer, and where each layer begins       */
    mpm_state *state;
} mpm_work;

/* What a block knows about the run. All fields but `target` are the same in all blocks. */
typedef struct mpm_run {
    unsigned target, turn;
    int deep, listed; /* the sink's layer; the number of nodes that have a layer */
} mpm_run;

static __device__ inline int *mpm_count(const mpm_work &w, const mpm_run &r)
{
    return w.state->launch.count + r.turn % 3;
}

/* Ends a step. Returns the count of the step. */
static __device__ inline int mpm_step(const mpm_work &w, mpm_run &r)
{
    const unsigned next = (r.turn + 1) % 3;
    if (first_thread()) {
        w.state->launch.count[next] = 0;
        w.state->launch.chosen[next] = w.net.nodes;
        w.state->least[next] = ~0ull;
    }
    barrier_all(&w.state->launch.arrived, &r.target);
    return __ldcg(w.state->launch.count + r.turn++ % 3);
}

/* Calls visit(u) for nodes begin .. end - 1 of the list, or for all nodes, one thread per node. u is -1 in threads that
 * have no node. */
template <bool LISTED, class Visit>
static __device__ inline void mpm_nodes(const mpm_work &w, int begin, int end, Visit visit)
{
    const int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x), threads = (int)(gridDim.x * blockDim.x);
    const int from = LISTED ? begin : 0, to = LISTED ? end : w.net.nodes;
    for (int k = from + thread; __any_sync(WARP, k < to); k += threads)
        visit(k >= to ? -1 : LISTED ? __ldcg(w.order + k) : k);
}

/* Calls visit(u) for the nodes of one layer. */
template <bool LISTED, class Visit> static __device__ inline void mpm_layer(const mpm_work &w, int layer, Visit visit)
{
    const int begin = LISTED ? __ldcg(w.begin + layer) : 0, end = LISTED ? __ldcg(w.begin + layer + 1) : 0;
    mpm_nodes<LISTED>(w, begin, end, [&](int u) {
        if (u >= 0 && __ldcg(w.net.height + u) == layer) visit(u);
    });
}

/* ---- Layers ----------------------------------------------------------------------------------- */

template <bool LISTED> static __device__ inline void mpm_spread(const mpm_work &w, const mpm_run &r, int u, int layer)
{
    const net_view &v = w.net;
    for (int i = v.first[u]; i < v.first[u + 1]; i++) {
        const tc_slot slot = read_slot(v, i);
        if (slot.room <= 0 || __ldcg(v.height + slot.head) != MPM_NONE ||
            atomicCAS(v.height + slot.head, MPM_NONE, layer + 1) != MPM_NONE)
            continue;
        const int at = atomicAdd(mpm_count(w, r), slot.head == v.sink ? MPM_SINK + 1 : 1) & (MPM_SINK - 1);
        if (LISTED) __stcg(w.order + r.listed + at, slot.head);
    }
}

/* Searches breadth first from the source until the sink is found. Returns false if the sink cannot be reached. */
template <bool LISTED> static __device__ inline bool mpm_search(const mpm_work &w, mpm_run &r)
{
    const net_view &v = w.net;
    mpm_nodes<false>(w, 0, 0, [&](int u) {
        if (u < 0) return;
        __stcg(v.height + u, u == v.source ? 0 : MPM_NONE);
        __stcg(w.alive + u, 0);
    });
    if (first_thread()) {
        __stcg(w.order, v.source);
        __stcg(w.begin, 0);
        __stcg(w.begin + 1, 1);
    }
    mpm_step(w, r);
    r.listed = 1;
    for (r.deep = 0;; r.deep++) {
        mpm_layer<LISTED>(w, r.deep, [&](int u) { mpm_spread<LISTED>(w, r, u, r.deep); });
        const int found = mpm_step(w, r);
        r.listed += found & (MPM_SINK - 1);
        /* other blocks read this only after the next step */
        if (first_thread()) __stcg(w.begin + r.deep + 2, r.listed);
        if (!found) return false;
        if (LISTED) mpm_step(w, r);
        if (found & MPM_SINK) break;
    }
    r.deep++;
    mpm_nodes<LISTED>(w, 0, r.listed, [&](int u) {
        const int layer = u < 0 ? MPM_NONE : __ldcg(v.height + u);
        if (layer == MPM_NONE || (layer == r.deep && u != v.sink)) return;
        __stcg(w.alive + u, 1);
        __stcg(w.dirty + u, 1);
    });
    mpm_step(w, r);
    return true;
}

/* ---- Potentials ------------------------------------------------------------------------------- */

static __device__ inline unsigned long long mpm_sum(unsigned long long sum, int64_t room)
{
    return min(sum + (unsigned long long)room, MPM_MOST);
}

/* Marks the neighbours of u in the layers before and after its own as dirty. */
static __device__ inline void mpm_mark(const mpm_work &w, int u, int layer)
{
    const net_view &v = w.net;
    for (int i = v.first[u]; i < v.first[u + 1]; i++) {
        const int head = v.slot[i].head, other = __ldcg(v.height + head);
        if (other == layer + 1 || other == layer - 1) __stcg(w.dirty + head, 1);
    }
}

static __device__ inline void mpm_weigh(const mpm_work &w, const mpm_run &r, int u)
{
    const net_view &v = w.net;
    const int layer = __ldcg(v.height + u);
    unsigned long long in = u == v.source ? MPM_MOST : 0, out = u == v.sink ? MPM_MOST : 0;
    __stcg(w.dirty + u, 0);
    __threadfence(); /* a neighbour that is removed after this marks u again */
    for (int i = v.first[u]; i < v.first[u + 1]; i++) {
        const tc_slot slot = read_slot(v, i);
        const int other = __ldcg(v.height + slot.head);
        if ((other != layer + 1 && other != layer - 1) || !__ldcg(w.alive + slot.head)) continue;
        if (other > layer) out = mpm_sum(out, slot.room);
        else in = mpm_sum(in, read_room(v, slot.mate));
    }
    __stcg(w.potential + u, min(in, out));
    if (in && out) return;
    if (u == v.source || u == v.sink) return;
    __stcg(w.alive + u, 0);
    __threadfence();
    mpm_mark(w, u, layer);
    atomicAdd(mpm_count(w, r), 1);
}

/* Computes potentials and prunes nodes until nothing changes. Returns the node of least potential. Returns no node if
 * the least potential is 0: then a terminal has it, because other nodes with potential 0 have been pruned. */
template <bool LISTED> static __device__ inline int mpm_choose(const mpm_work &w, mpm_run &r, unsigned long long *least)
{
    int pruned;
    do {
        mpm_nodes<LISTED>(w, 0, r.listed, [&](int u) {
            if (u >= 0 && __ldcg(w.alive + u) && __ldcg(w.dirty + u)) mpm_weigh(w, r, u);
        });
        pruned = mpm_step(w, r);
    } while (pruned);
    mpm_nodes<LISTED>(w, 0, r.listed, [&](int u) {
        unsigned long long mine = u >= 0 && __ldcg(w.alive + u) ? __ldcg(w.potential + u) : ~0ull;
        for (int d = 16; d; d >>= 1) mine = min(mine, __shfl_xor_sync(WARP, mine, d));
        if ((threadIdx.x & 31) == 0 && mine != ~0ull) atomicMin(&w.state->least[r.turn % 3], mine);
    });
    mpm_step(w, r);
    *least = __ldcg(&w.state->least[(r.turn - 1) % 3]);
    mpm_nodes<LISTED>(w, 0, r.listed, [&](int u) {
        if (u >= 0 && __ldcg(w.alive + u) && __ldcg(w.potential + u) == *least)
            atomicMin(&w.state->launch.chosen[r.turn % 3], u);
    });
    mpm_step(w, r);
    return *least ? __ldcg(&w.state->launch.chosen[(r.turn - 1) % 3]) : MPM_NONE;
}

/* ---- Pushing and pulling ---------------------------------------------------------------------- */

/* Moves the flow of u one layer on if u has yet to push it (`by` is 1), or one layer back if u has yet to pull it
 * (-1). */
static __device__ inline void mpm_move(const mpm_work &w, int u, int layer, int by)
{
    const net_view &v = w.net;
    long long need = __ldcg(v.excess + u);
    if (!need) return;
    __stcg(v.excess + u, 0ll);
    for (int i = v.first[u]; need && i < v.first[u + 1]; i++) {
        const tc_slot slot = read_slot(v, i);
        if (__ldcg(v.height + slot.head) != layer + by || !__ldcg(w.alive + slot.head)) continue;
        const long long amount = min(need, (long long)(by > 0 ? slot.room : read_room(v, slot.mate)));
        if (!amount) continue;
        add_to((long long *)&v.slot[i].room, -by * amount);
        add_to((long long *)&v.slot[slot.mate].room, by * amount);
        if (slot.head != (by > 0 ? v.sink : v.source)) add_to(v.excess + slot.head, amount);
        __stcg(w.dirty + slot.head, 1);
        need -= amount;
    }
    __stcg(w.dirty + u, 1);
}

template <bool LISTED>
static __device__ inline void mpm_send(const mpm_work &w, mpm_run &r, int chosen, unsigned long long amount, int by)
{
    const int end = by > 0 ? r.deep : 0;
    if (chosen == (by > 0 ? w.net.sink : w.net.source)) return;
    if (first_thread()) __stcg(w.net.excess + chosen, (long long)amount);
    mpm_step(w, r);
    for (int layer = __ldcg(w.net.height + chosen); layer != end; layer += by) {
        mpm_layer<LISTED>(w, layer, [&](int u) { mpm_move(w, u, layer, by); });
        mpm_step(w, r);
    }
}

/* Works for about `slice` steps. Whenever a node has been emptied, the network holds a valid flow, so the next launch
 * can begin with new layers. At least one node is emptied, however many steps the layers take; otherwise a launch might
 * do no more than build layers. */
template <bool LISTED> static __global__ void __launch_bounds__(NET_BLOCK, 1) mpm_kernel(mpm_work w, int slice)
{
    mpm_run r = {0, 0, 0, 0};
    long long phases = 0, turns = 0;
    bool more = true;
    while (more && r.turn < (unsigned)slice) {
        more = mpm_search<LISTED>(w, r);
        phases++;
        if (!more) break;
        do {
            unsigned long long least;
            const int chosen = mpm_choose<LISTED>(w, r, &least);
            if (chosen == MPM_NONE) break;
            mpm_send<LISTED>(w, r, chosen, least, 1);
            mpm_send<LISTED>(w, r, chosen, least, -1);
            turns++;
        } while (r.turn < (unsigned)slice);
    }
    if (!first_thread()) return;
    w.state->done = !more;
    w.state->phases += phases, w.state->turns += turns;
}
