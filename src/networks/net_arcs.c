/* SPDX-License-Identifier: MIT */
#include "net_arcs.h"

#include <stdlib.h>

#include "parallel.h"
#include "rows.h"
#include "sized.h"
#include "status.h"

tc_net_walk tc_net_walk_from(const tilecut_network *network, int64_t a)
{
    tc_net_walk walk = {.arcs = &network->arcs};
    int64_t low = 0, high = network->arcs.nodes - 1;
    if (network->arcs.tail || !network->arcs.arcs) return walk; /* `first` may be NULL if there are no arcs */
    while (low < high) { /* finds the last node whose arcs begin at or before `a` */
        const int64_t middle = (low + high + 1) / 2;
        if (network->arcs.first[middle] <= a) low = middle;
        else high = middle - 1;
    }
    walk.node = (int32_t)low;
    return walk;
}

/* Checks the number of threads; 0 stands for 1. */
static tilecut_status settle_threads(int64_t *threads)
{
    if (*threads < 0 || *threads > TC_MAX_THREADS)
        return tc_fail(TILECUT_EINVAL, "threads is %lld; it is 1 to %d, or 0", (long long)*threads, TC_MAX_THREADS);
    if (!*threads) *threads = 1;
    return TILECUT_OK;
}

tilecut_status tc_net_params(const tilecut_network_params *own_params, tilecut_network_params *params)
{
    if (own_params) NEED(tc_sized_read(params, sizeof *params, sizeof *params, own_params, "tilecut_network_params"));
    return settle_threads(&params->threads);
}

static tilecut_status check_counts(tilecut_network_arcs *arcs)
{
    if (arcs->nodes < 2 || arcs->nodes > TILECUT_NETWORK_NODES)
        return tc_fail(TILECUT_EINVAL, "a network of %lld nodes; it has 2 to %d", (long long)arcs->nodes,
                       TILECUT_NETWORK_NODES);
    if (arcs->arcs < 0 || arcs->arcs > TILECUT_NETWORK_ARCS)
        return tc_fail(TILECUT_EINVAL, "a network of %lld arcs; it has 0 to %d", (long long)arcs->arcs,
                       TILECUT_NETWORK_ARCS);
    if (arcs->arcs && (!arcs->head || (!arcs->tail && !arcs->first)))
        return tc_fail(TILECUT_EINVAL, "the array of %s is NULL", arcs->head ? "tails" : "heads");
    NEED(tc_address_check(arcs->tail, 0, sizeof *arcs->tail, "the array of tails"));
    NEED(tc_address_check(arcs->tail ? NULL : arcs->first, 0, sizeof *arcs->first, "the array of first arcs"));
    NEED(tc_address_check(arcs->head, 0, sizeof *arcs->head, "the array of heads"));
    NEED(tc_address_check(arcs->capacity, 0, sizeof *arcs->capacity, "the array of capacities"));
    NEED(tc_address_check(arcs->sources, 0, sizeof *arcs->sources, "the array of sources"));
    NEED(tc_address_check(arcs->sinks, 0, sizeof *arcs->sinks, "the array of sinks"));
    NEED(settle_threads(&arcs->threads));
    if (arcs->source_count < 1 || arcs->sink_count < 1 || !arcs->sources || !arcs->sinks)
        return tc_fail(TILECUT_EINVAL, "a network needs a source and a sink");
    if (arcs->source_count > TILECUT_NETWORK_NODES || arcs->sink_count > TILECUT_NETWORK_NODES)
        return tc_fail(TILECUT_EINVAL, "a network of %lld sources and %lld sinks; it has 1 to %d of each",
                       (long long)arcs->source_count, (long long)arcs->sink_count, TILECUT_NETWORK_NODES);
    return TILECUT_OK;
}

static tilecut_status check_terminals(tilecut_network *network, const int32_t *node, int64_t count, uint8_t role)
{
    for (int64_t i = 0; i < count; i++) {
        const int32_t v = node[i];
        if (v < 0 || v >= network->arcs.nodes)
            return tc_fail(TILECUT_EINVAL, "terminal %d is not there; nodes are 0 to %lld", (int)v,
                           (long long)network->arcs.nodes - 1);
        if (network->role[v] != TC_NET_INNER && network->role[v] != role)
            return tc_fail(TILECUT_EINVAL, "node %d is source and sink", (int)v);
        network->role[v] = role;
    }
    return TILECUT_OK;
}

static tilecut_status check_rows(const tilecut_network_arcs *arcs)
{
    if (arcs->tail || !arcs->first) return TILECUT_OK;
    if (arcs->first[0] != 0 || arcs->first[arcs->nodes] != arcs->arcs)
        return tc_fail(TILECUT_EINVAL, "first[] goes from %d to %d; it is to go from 0 to %lld", (int)arcs->first[0],
                       (int)arcs->first[arcs->nodes], (long long)arcs->arcs);
    for (int64_t v = 0; v < arcs->nodes; v++)
        if (arcs->first[v] > arcs->first[v + 1])
            return tc_fail(TILECUT_EINVAL, "first[%lld] is less than the one before it", (long long)v + 1);
    return TILECUT_OK;
}

/* A sum that records when it exceeds every possible flow. */
typedef struct supply {
    int64_t sum;
    bool endless;
} supply;

static void add_supply(supply *to, int64_t capacity)
{
    if (capacity == TILECUT_INFINITE || __builtin_add_overflow(to->sum, capacity, &to->sum)) to->endless = true;
}

static int64_t min_supply(const supply *a, int64_t b)
{
    return !a->endless && a->sum < b ? a->sum : b;
}

/* Returns the flow that leaves the source when its capacities have been limited to the ceiling. */
static supply pushed_at_first(const tilecut_network *network)
{
    supply pushed = {0};
    tc_net_walk walk = tc_net_walk_from(network, 0);
    for (int64_t a = 0; a < network->arcs.arcs; a++) {
        const int32_t tail = tc_net_tail(&walk, a);
        if (network->role[tail] == TC_NET_SOURCE && tc_net_counts(network, tail, network->arcs.head[a]))
            add_supply(&pushed, tc_net_bounded(network, a));
    }
    return pushed;
}

static bool is_node(const tilecut_network_arcs *arcs, int32_t v)
{
    return v >= 0 && v < arcs->nodes;
}

/* The result of a thread for a stretch of the arcs. */
typedef struct stretch {
    supply out, in, finite;
    int64_t widest;
    int64_t bad; /* the first invalid arc of the stretch, or the number of arcs */
} stretch;

typedef struct checker {
    const tilecut_network *network;
    int threads;
    stretch part[TC_MAX_THREADS];
} checker;

static void check_stretch(void *context, int turn)
{
    checker *const c = context;
    const tilecut_network *const network = c->network;
    const tilecut_network_arcs *const arcs = &network->arcs;
    const int64_t begin = arcs->arcs * turn / c->threads, end = arcs->arcs * (turn + 1) / c->threads;
    tc_net_walk walk = tc_net_walk_from(network, begin);
    stretch found = {.bad = arcs->arcs};
    for (int64_t a = begin; a < end; a++) {
        const int32_t tail = tc_net_tail(&walk, a), head = arcs->head[a];
        const int64_t capacity = tc_net_capacity(network, a);
        if (!is_node(arcs, tail) || !is_node(arcs, head) || capacity < 0) {
            found.bad = a;
            break;
        }
        if (!tc_net_counts(network, tail, head)) continue;
        if (capacity > found.widest) found.widest = capacity;
        if (network->role[tail] == TC_NET_SOURCE) add_supply(&found.out, capacity);
        if (network->role[head] == TC_NET_SINK) add_supply(&found.in, capacity);
        if (capacity != TILECUT_INFINITE) add_supply(&found.finite, capacity);
    }
    c->part[turn] = found;
}

static void add_all(supply *to, const supply *more)
{
    add_supply(to, more->endless ? TILECUT_INFINITE : more->sum);
}

static tilecut_status complain(const tilecut_network *network, int64_t a)
{
    tc_net_walk walk = tc_net_walk_from(network, a);
    const tilecut_network_arcs *const arcs = &network->arcs;
    const int32_t tail = tc_net_tail(&walk, a), head = arcs->head[a];
    if (!is_node(arcs, tail) || !is_node(arcs, head))
        return tc_fail(TILECUT_EINVAL, "arc %lld goes from %d to %d; nodes are 0 to %lld", (long long)a, (int)tail,
                       (int)head, (long long)arcs->nodes - 1);
    return tc_fail(TILECUT_EINVAL, "arc %lld has a capacity of %lld; it is to be 0 or more", (long long)a,
                   (long long)tc_net_capacity(network, a));
}

/* Checks that no sum can overflow. The excess of a node is at most the flow that leaves the source, and the residual
 * capacities of an arc add up to its capacity. If both are below 2^62, no sum overflows. */
static tilecut_status check_ceiling(tilecut_network *network)
{
    enum { ARCS_A_THREAD = 1 << 16 }; /* a further thread does not pay for fewer arcs than this */
    const int64_t most = INT64_C(1) << 62;
    const tilecut_network_arcs *const arcs = &network->arcs;
    checker c = {.network = network, .threads = tc_threads_for((int)arcs->threads, arcs->arcs, ARCS_A_THREAD)};
    supply out = {0}, in = {0}, finite = {0};
    tc_parallel(c.threads, c.threads, check_stretch, &c);
    for (int k = 0; k < c.threads; k++) {
        if (c.part[k].bad < network->arcs.arcs) return complain(network, c.part[k].bad);
        add_all(&out, &c.part[k].out);
        add_all(&in, &c.part[k].in);
        add_all(&finite, &c.part[k].finite);
        if (c.part[k].widest > network->widest) network->widest = c.part[k].widest;
    }
    network->ceiling = min_supply(&in, min_supply(&out, min_supply(&finite, most)));
    if (out.endless || out.sum > most) out = pushed_at_first(network);
    if (network->ceiling >= most || out.endless || out.sum > most)
        return tc_fail(TILECUT_ERANGE, "capacities are so large that sums of flow may not fit 64 bits");
    return TILECUT_OK;
}

tilecut_status tc_net_check(tilecut_network *network)
{
    const tilecut_network_arcs *arcs = &network->arcs;
    NEED(check_counts(&network->arcs));
    network->role = calloc((size_t)arcs->nodes, 1);
    if (!network->role) return tc_fail(TILECUT_ENOMEM, "no memory for %lld nodes", (long long)arcs->nodes);
    NEED(check_terminals(network, arcs->sources, arcs->source_count, TC_NET_SOURCE));
    NEED(check_terminals(network, arcs->sinks, arcs->sink_count, TC_NET_SINK));
    NEED(check_rows(arcs));
    return check_ceiling(network);
}
