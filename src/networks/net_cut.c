/* SPDX-License-Identifier: MIT
 *
 * net_cut.c - see net_cut.h.
 *
 * A maximum preflow is enough for the smallest sink side. No node that reaches the sink holds excess, or the preflow
 * would not be maximum. So when excess is returned to the source, none of it crosses from the other side, and the arcs
 * into the sink side stay saturated.
 */
#include "net_cut.h"

#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "net_reach.h"
#include "parallel.h"
#include "simd.h"
#include "status.h"

typedef struct cutter {
    const tc_net *net;
    const tilecut_network *network;
    const int32_t *label;
    uint8_t *side;
} cutter;

enum { STRETCH = 1 << 15 }; /* nodes per iteration */

static int stretches(const tilecut_network *network)
{
    return (int)(network->arcs.nodes / STRETCH) + 1;
}

static int64_t stretch_end(const tilecut_network *network, int turn)
{
    const int64_t end = ((int64_t)turn + 1) * STRETCH;
    return end < network->arcs.nodes ? end : network->arcs.nodes;
}

static void cut_stretch(void *context, int turn)
{
    const cutter *const c = context;
    const int64_t end = stretch_end(c->network, turn);
    for (int64_t v = (int64_t)turn * STRETCH; v < end; v++)
        c->side[v] = c->label[tc_net_node(c->network, (int32_t)v)] == c->net->nodes ? 255 : 0;
}

void tc_net_cut_by(const tc_net *net, const tilecut_network *network, const int32_t *label, uint8_t *side, int threads)
{
    cutter c = {net, network, label, side};
    tc_parallel(threads, stretches(network), cut_stretch, &c);
}

tilecut_status tc_net_cut(const tc_net *net, const tilecut_network *network, uint8_t *side, int threads)
{
    const size_t bytes = ((size_t)net->nodes + 1) * sizeof(int32_t);
    const tc_net_reach reach = {.target = net->sink, .closed = -1, .most = net->nodes, .label = tc_large_alloc(bytes),
                                .queue = tc_large_alloc(bytes)};
    const bool held = reach.label && reach.queue;
    if (held) {
        tc_net_find_reach(net, &reach, threads);
        tc_net_cut_by(net, network, reach.label, side, threads);
    }
    free(reach.label);
    free(reach.queue);
    return held ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for the cut of %d nodes", (int)net->nodes);
}

static int64_t flow_of(const tc_net *net, const tilecut_network *network, int64_t a)
{
    const int32_t i = net->where[a];
    if (i < 0) return network->inner ? network->inner[a] : 0;
    return tc_net_bounded(network, a) - net->slot[i].room;
}

void tc_net_hand_out(const tc_net *net, const tilecut_network *network, int64_t *flow)
{
    for (int64_t a = 0; a < net->arcs; a++) flow[a] = flow_of(net, network, a);
}

/* True if both ends of an arc agree on its flow. Then the cut was found from the same flow that the arcs carry. */
static bool mates(const tc_net *net, int64_t a, int64_t flow)
{
    const int32_t i = net->where[a];
    return i < 0 || net->slot[net->slot[i].mate].room == flow;
}

/* The excess of a node, in two halves: sums of the lower 32 bits of flows, and sums of the upper bits. There are fewer
 * than 2^30 arcs, so neither can overflow, whatever the flows are. Threads add to both at the same time. */
typedef struct tally {
    int64_t low, high;
} tally;

typedef struct adder {
    const tc_net *net;
    const tilecut_network *network;
    const uint8_t *side;
    tally *excess;                /* [nodes] */
    int64_t cut[TC_MAX_THREADS];  /* the cost of the cut arcs, for each stretch of arcs */
    bool sound[TC_MAX_THREADS];
    int threads;
} adder;

static void add_tally(tally *to, int64_t flow, int64_t sign, bool alone)
{
    enum { HALF = 32 };
    const int64_t low = flow & ((INT64_C(1) << HALF) - 1), high = flow >> HALF;
    if (alone) { /* plain additions, because atomic ones take several times as long */
        to->low += sign * low;
        to->high += sign * high;
        return;
    }
    __atomic_fetch_add(&to->low, sign * low, __ATOMIC_RELAXED);
    if (high) __atomic_fetch_add(&to->high, sign * high, __ATOMIC_RELAXED);
}

/* The sums of a thread for its stretch of the arcs. */
typedef struct sum {
    int64_t cut;
    bool sound, alone;
} sum;

/* Checks that the arc carries a legal flow on which both its ends agree; adds up excess and cut. */
static void add_arc(const adder *it, sum *to, int64_t a, int32_t tail)
{
    const int32_t head = it->network->arcs.head[a];
    const int64_t capacity = tc_net_capacity(it->network, a), flow = flow_of(it->net, it->network, a);
    if (flow < 0 || flow > capacity || !mates(it->net, a, flow)) to->sound = false;
    if (flow > 0) {
        add_tally(&it->excess[head], flow, 1, to->alone);
        add_tally(&it->excess[tail], flow, -1, to->alone);
    }
    if (it->side[tail] && !it->side[head] && __builtin_add_overflow(to->cut, capacity, &to->cut)) to->sound = false;
}

/* Prefetches the slots of arcs and their mates, most of which are far away in a large network. */
TC_FETCHES void fetch_slots(const tc_net *net, int64_t begin, int64_t end)
{
    enum { MANY = 1 << 18 }; /* number of slots; a network with fewer fits into a cache */
    if (net->first[net->nodes] < MANY) return;
    for (int64_t a = begin; a < end; a++)
        if (net->where[a] >= 0) __builtin_prefetch(&net->slot[net->where[a]]);
    for (int64_t a = begin; a < end; a++)
        if (net->where[a] >= 0) __builtin_prefetch(&net->slot[net->slot[net->where[a]].mate]);
}

/* Processes some of the caller's arcs. */
static void add_stretch(void *context, int stretch)
{
    enum { BATCH = 64 }; /* number of arcs whose slots are prefetched together */
    adder *const it = context;
    const tc_net *const net = it->net;
    const int64_t begin = net->arcs * stretch / it->threads, end = net->arcs * (stretch + 1) / it->threads;
    tc_net_walk walk = tc_net_walk_from(it->network, begin);
    sum to = {.sound = true, .alone = it->threads == 1};
    for (int64_t first = begin; first < end; first += BATCH) {
        const int64_t last = end - first < BATCH ? end : first + BATCH;
        fetch_slots(net, first, last);
        for (int64_t a = first; a < last; a++) add_arc(it, &to, a, tc_net_tail(&walk, a));
    }
    it->cut[stretch] = to.cut;
    it->sound[stretch] = to.sound;
}

static bool add_up(adder *it, tc_net_proof *proof)
{
    bool sound = true;
    tc_parallel(it->threads, it->threads, add_stretch, it);
    for (int k = 0; k < it->threads; k++)
        if (!it->sound[k] || __builtin_add_overflow(proof->cut, it->cut[k], &proof->cut)) sound = false;
    return sound;
}

/* Adds the two halves together; returns false if the sum does not fit into 64 bits. */
static bool whole(tally halves, int64_t *excess)
{
    return !__builtin_mul_overflow(halves.high, INT64_C(1) << 32, excess) &&
           !__builtin_add_overflow(*excess, halves.low, excess);
}

typedef struct balance {
    const adder *it;
    tc_net_proof *part; /* [stretches] */
    bool *sound;        /* [stretches] */
} balance;

/* Checks that no inner node of a stretch lacks flow; excess is allowed. */
static void balance_stretch(void *context, int turn)
{
    const balance *const b = context;
    const tilecut_network *const network = b->it->network;
    const int64_t end = stretch_end(network, turn);
    tc_net_proof proof = {.conserved = true};
    bool sound = true;
    for (int64_t v = (int64_t)turn * STRETCH; v < end; v++) {
        const uint8_t role = network->role[v];
        int64_t excess = 0;
        if (!whole(b->it->excess[v], &excess)) sound = false;
        if (role == TC_NET_SINK && __builtin_add_overflow(proof.flow, excess, &proof.flow)) sound = false;
        if (role == TC_NET_INNER && excess) proof.conserved = false;
        if (role == TC_NET_INNER && excess < 0) sound = false;
        if (role != TC_NET_INNER && !b->it->side[v] != (role == TC_NET_SINK)) sound = false;
        proof.sink_side += !b->it->side[v];
    }
    b->part[turn] = proof;
    b->sound[turn] = sound;
}

static bool is_preflow(balance *b, tc_net_proof *proof)
{
    const int turns = stretches(b->it->network);
    bool sound = true;
    tc_parallel(b->it->threads, turns, balance_stretch, b);
    proof->conserved = true;
    for (int k = 0; k < turns; k++) {
        if (!b->sound[k] || __builtin_add_overflow(proof->flow, b->part[k].flow, &proof->flow)) sound = false;
        if (!b->part[k].conserved) proof->conserved = false;
        proof->sink_side += b->part[k].sink_side;
    }
    return sound;
}

static void clear_stretch(void *context, int turn)
{
    const adder *const it = context;
    const int64_t begin = (int64_t)turn * STRETCH;
    memset(it->excess + begin, 0, (size_t)(stretch_end(it->network, turn) - begin) * sizeof *it->excess);
}

tilecut_status tc_net_certify(const tc_net *net, const tilecut_network *network, const uint8_t *side, int threads,
                              tc_net_proof *proof)
{
    enum { ARCS_A_THREAD = 1 << 16 };
    const size_t turns = (size_t)stretches(network), nodes = (size_t)network->arcs.nodes;
    adder it = {.net = net, .network = network, .side = side, .excess = tc_large_alloc(nodes * sizeof *it.excess),
                .threads = tc_threads_for(threads, net->arcs, ARCS_A_THREAD)};
    balance b = {&it, malloc(turns * sizeof *b.part), malloc(turns * sizeof *b.sound)};
    const bool held = it.excess && b.part && b.sound;
    bool sound = false;
    *proof = (tc_net_proof){0};
    if (held) {
        tc_parallel(it.threads, (int)turns, clear_stretch, &it);
        const bool carries = add_up(&it, proof);
        sound = is_preflow(&b, proof) && carries;
    }
    free(it.excess);
    free(b.part);
    free(b.sound);
    if (!held) return tc_fail(TILECUT_ENOMEM, "no memory for the certificate of %zu nodes", nodes);
    if (proof->flow > network->ceiling)
        return tc_fail(TILECUT_ERANGE, "the flow has no limit: infinite capacities lead from a source to a sink");
    if (!sound || proof->flow != proof->cut)
        return tc_fail(TILECUT_EUNPROVEN, "flow %lld and cut %lld of %d nodes do not prove each other",
                       (long long)proof->flow, (long long)proof->cut, (int)network->arcs.nodes);
    return TILECUT_OK;
}
