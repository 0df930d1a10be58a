/* SPDX-License-Identifier: MIT
 *
 * net_cut.c - see net_cut.h.
 *
 * A maximum preflow is enough for the smallest sink side. No node that reaches the sink holds excess, or the preflow
 * would not be maximum. So when excess is led back to the source, none of it crosses from the other side, and the
 * residual arcs into the sink side stay full.
 */
#include "net_cut.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

/* Marks the nodes of the solvers that reach the sink with 0, the others with 255. */
static void search_back(const tc_net *net, uint8_t *side, int32_t *queue)
{
    int32_t ends = 0;
    memset(side, 255, (size_t)net->nodes);
    side[net->sink] = 0;
    queue[ends++] = net->sink;
    for (int32_t at = 0; at < ends; at++) {
        const int32_t v = queue[at];
        for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
            const int32_t u = net->slot[i].head;
            if (!side[u] || !net->slot[net->slot[i].mate].room) continue;
            side[u] = 0;
            queue[ends++] = u;
        }
    }
}

tilecut_status tc_net_cut(const tc_net *net, const tilecut_network *network, uint8_t *side)
{
    int32_t *queue = malloc((size_t)net->nodes * sizeof *queue);
    uint8_t *merged = malloc((size_t)net->nodes);
    const bool held = queue && merged;
    if (held) search_back(net, merged, queue);
    for (int64_t v = 0; held && v < network->arcs.nodes; v++) side[v] = merged[tc_net_node(network, (int32_t)v)];
    free(queue);
    free(merged);
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

/* Whether both ends of an arc agree on its flow. Then the cut was found from the same flow that the arcs carry. */
static bool mates(const tc_net *net, int64_t a, int64_t flow)
{
    const int32_t i = net->where[a];
    return i < 0 || net->slot[net->slot[i].mate].room == flow;
}

/* Walks over the caller's arcs, checks that each carries a legal flow, and computes the `excess` of each node. */
static bool add_up(const tc_net *net, const tilecut_network *network, const uint8_t *side, int64_t *excess,
                   tc_net_proof *proof)
{
    tc_net_walk walk = tc_net_walk_from(network, 0);
    bool endless = false, sound = true;
    for (int64_t a = 0; a < net->arcs; a++) {
        const int32_t tail = tc_net_tail(&walk, a), head = network->arcs.head[a];
        const int64_t capacity = tc_net_capacity(network, a), flow = flow_of(net, network, a);
        if (flow < 0 || flow > capacity || !mates(net, a, flow)) sound = false;
        if (__builtin_add_overflow(excess[head], flow, &excess[head])) sound = false;
        if (__builtin_sub_overflow(excess[tail], flow, &excess[tail])) sound = false;
        if (!side[tail] || side[head]) continue;
        if (__builtin_add_overflow(proof->cut, capacity, &proof->cut)) endless = true;
    }
    return sound && !endless;
}

/* Whether no inner node lacks flow: excess is allowed. (In the middle of the walk a node may have either.) */
static bool is_preflow(const tilecut_network *network, const uint8_t *side, const int64_t *excess,
                       tc_net_proof *proof)
{
    bool sound = true;
    proof->conserved = true;
    for (int64_t v = 0; v < network->arcs.nodes; v++) {
        const uint8_t role = network->role[v];
        if (role == TC_NET_SINK) proof->flow += excess[v];
        if (role == TC_NET_INNER && excess[v]) proof->conserved = false;
        if (role == TC_NET_INNER && excess[v] < 0) sound = false;
        if (role != TC_NET_INNER && !side[v] != (role == TC_NET_SINK)) sound = false;
        proof->sink_side += !side[v];
    }
    return sound;
}

tilecut_status tc_net_certify(const tc_net *net, const tilecut_network *network, const uint8_t *side,
                              tc_net_proof *proof)
{
    int64_t *excess = calloc((size_t)network->arcs.nodes, sizeof *excess);
    if (!excess)
        return tc_fail(TILECUT_ENOMEM, "no memory for the certificate of %lld nodes", (long long)network->arcs.nodes);
    *proof = (tc_net_proof){0};
    const bool carries = add_up(net, network, side, excess, proof);
    const bool sound = is_preflow(network, side, excess, proof) && carries;
    free(excess);
    if (proof->flow > network->ceiling)
        return tc_fail(TILECUT_ERANGE, "the flow has no limit: infinite capacities lead from a source to a sink");
    if (!sound || proof->flow != proof->cut)
        return tc_fail(TILECUT_EUNPROVEN, "flow %lld and cut %lld of %d nodes do not prove each other",
                       (long long)proof->flow, (long long)proof->cut, (int)network->arcs.nodes);
    return TILECUT_OK;
}
