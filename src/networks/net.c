/* SPDX-License-Identifier: MIT
 *
 * net.c - see net.h. Building is a counting sort over the nodes. One thread reads the arcs in their order. With several
 * threads, the ends of the arcs are first dealt out by node (net_deal.h), and each thread fills in its own nodes.
 * Either way the slots of a node have the same order.
 */
#include "net.h"

#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "net_deal.h"
#include "parallel.h"
#include "status.h"

void tc_net_free(tc_net *net)
{
    free(net->first);
    free(net->slot);
    free(net->where);
    memset(net, 0, sizeof *net);
}

size_t tc_net_bytes(const tc_net *net)
{
    return ((size_t)net->nodes + 1) * sizeof *net->first + (size_t)net->first[net->nodes] * sizeof *net->slot +
           (size_t)net->arcs * sizeof *net->where;
}

typedef struct builder {
    tc_net *net;
    const tilecut_network *network;
    int32_t *cursor; /* [nodes] the first free slot, which the next arc takes           */
    int32_t *behind; /* [nodes] end of the free slots; the next reverse takes the last  */
    tc_net_deal deal; /* no ends: one thread does it all */
    int threads;
} builder;

/* ---- one thread ------------------------------------------------------------------------------- */

static void count_all(const builder *b)
{
    const tilecut_network *network = b->network;
    tc_net_walk walk = tc_net_walk_from(network, 0);
    int32_t *count = b->net->first + 1;
    for (int64_t a = 0; a < b->net->arcs; a++) {
        const int32_t from = tc_net_tail(&walk, a), to = network->arcs.head[a];
        b->net->where[a] = -1;
        if (!tc_net_counts(network, from, to) || !tc_net_capacity(network, a)) continue;
        count[tc_net_node(network, from)]++;
        count[tc_net_node(network, to)]++;
    }
}

/* Until both ends are placed, a slot's mate holds the number of its arc. */
static void place_tail(const builder *b, int64_t a, int32_t tail, int32_t head)
{
    const int32_t i = b->net->where[a] = b->cursor[tail]++;
    b->net->slot[i] = (tc_slot){tc_net_bounded(b->network, a), head, (int32_t)a};
}

static void place_head(const builder *b, int64_t a, int32_t tail, int32_t head)
{
    b->net->slot[--b->behind[head]] = (tc_slot){0, tail, (int32_t)a};
}

static void place_all(const builder *b)
{
    const tilecut_network *network = b->network;
    tc_net_walk walk = tc_net_walk_from(network, 0);
    for (int64_t a = 0; a < b->net->arcs; a++) {
        const int32_t from = tc_net_tail(&walk, a), to = network->arcs.head[a];
        if (!tc_net_counts(network, from, to) || !tc_net_capacity(network, a)) continue;
        const int32_t tail = tc_net_node(network, from), head = tc_net_node(network, to);
        place_tail(b, a, tail, head);
        place_head(b, a, tail, head);
    }
}

/* ---- several threads -------------------------------------------------------------------------- */

static void count_part(void *context, int part)
{
    const builder *b = context;
    for (int64_t k = b->deal.begin[part]; k < b->deal.begin[part + 1]; k++) b->net->first[b->deal.end[k].node + 1]++;
}

static void place_part(void *context, int part)
{
    const builder *b = context;
    for (int64_t k = b->deal.begin[part]; k < b->deal.begin[part + 1]; k++) {
        const tc_net_end *end = &b->deal.end[k];
        if (end->arc >= 0) place_tail(b, end->arc, end->node, end->other);
        else place_head(b, ~end->arc, end->other, end->node);
    }
}

/* Slots a turn, when all have the same to do. */
enum { STRETCH = 1 << 16 };

static int stretches(const tc_net *net)
{
    return net->first[net->nodes] / STRETCH + 1;
}

static int32_t stretch_end(const tc_net *net, int turn)
{
    const int32_t all = net->first[net->nodes];
    return all - turn * STRETCH < STRETCH ? all : (turn + 1) * STRETCH;
}

/* Links each reverse slot of one stretch with the slot of its arc: they become each other's mates. A reverse slot has
 * no room yet, but an arc's slot has. A thread that writes to a slot of another stretch is the only one to write
 * there. */
static void join_stretch(void *context, int turn)
{
    tc_net *const net = ((builder *)context)->net;
    const int32_t end = stretch_end(net, turn);
    for (int32_t i = turn * STRETCH; i < end; i++) {
        if (net->slot[i].room) continue;
        const int32_t other = net->where[net->slot[i].mate];
        net->slot[i].mate = other;
        net->slot[other].mate = i;
    }
}

static void count_slots(builder *b)
{
    tc_net *net = b->net;
    if (b->deal.end) tc_parallel(b->threads, b->deal.parts, count_part, b);
    else count_all(b);
    for (int32_t v = 0; v < net->nodes; v++) net->first[v + 1] += net->first[v];
    memcpy(b->cursor, net->first, (size_t)net->nodes * sizeof *b->cursor);
    memcpy(b->behind, net->first + 1, (size_t)net->nodes * sizeof *b->behind);
}

static void place(builder *b)
{
    if (b->deal.end) tc_parallel(b->threads, b->deal.parts, place_part, b);
    else place_all(b);
    tc_net_deal_free(&b->deal);
    tc_parallel(b->threads, stretches(b->net), join_stretch, b);
}

tilecut_status tc_net_init(tc_net *net, const tilecut_network *network, int threads)
{
    tilecut_status status = TILECUT_ENOMEM;
    enum { ARCS_A_THREAD = 1 << 16 };
    const tilecut_network_arcs *arcs = &network->arcs;
    *net = (tc_net){.nodes = network->into ? network->kept : (int32_t)arcs->nodes,
                    .source = tc_net_node(network, arcs->sources[0]), .sink = tc_net_node(network, arcs->sinks[0]),
                    .arcs = arcs->arcs};
    builder b = {.net = net, .network = network, .threads = tc_threads_for(threads, arcs->arcs, ARCS_A_THREAD)};
    const size_t nodes = (size_t)net->nodes;
    net->first = calloc(nodes + 1, sizeof *net->first);
    net->where = tc_large_alloc(((size_t)net->arcs + 1) * sizeof *net->where);
    b.cursor = malloc(nodes * sizeof *b.cursor);
    b.behind = malloc(nodes * sizeof *b.behind);
    if (!net->first || !net->where || !b.cursor || !b.behind) goto done;
    if (b.threads > 1 && !tc_net_deal_init(&b.deal, network, net->nodes, b.threads, net->where)) goto done;
    count_slots(&b);
    net->slot = tc_large_alloc(((size_t)net->first[nodes] + 1) * sizeof *net->slot);
    if (!net->slot) goto done;
    place(&b);
    status = TILECUT_OK;
done:
    tc_net_deal_free(&b.deal);
    free(b.cursor);
    free(b.behind);
    if (status != TILECUT_OK) {
        tc_net_free(net);
        tc_fail(status, "no memory for a network of %lld nodes and %lld arcs", (long long)arcs->nodes,
                (long long)arcs->arcs);
    }
    return status;
}

typedef struct lowering {
    tc_net *net;
    int64_t most;
} lowering;

static void lower_stretch(void *context, int turn)
{
    const lowering *const l = context;
    const int32_t end = stretch_end(l->net, turn);
    for (int32_t i = turn * STRETCH; i < end; i++)
        if (l->net->slot[i].room > l->most) l->net->slot[i].room = l->most;
}

void tc_net_lower(tc_net *net, int64_t ceiling, int threads)
{
    lowering l = {net, ceiling + 1};
    tc_parallel(threads, stretches(net), lower_stretch, &l);
}
