/* SPDX-License-Identifier: MIT
 *
 * net.c - see net.h. Building is a counting sort. With several threads, each owns a range of nodes: it reads all arcs
 * in order, and places only the slots of its own nodes. So the order is that of one thread, nobody waits, and the
 * random access is divided among the threads.
 */
#include "net.h"

#include <stdlib.h>
#include <string.h>

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
    int32_t *cursor; /* [nodes] the next free slot for an arc         */
    int32_t *behind; /* [nodes] behind the last free one, for reverses */
    int parts;
} builder;

static int32_t part_begin(const builder *b, int part)
{
    return (int32_t)((int64_t)b->net->nodes * part / b->parts);
}

/* Counts the slots of the nodes of one part, in first[v + 1]. */
static void count_part(void *context, int part, int worker)
{
    const builder *b = context;
    const tilecut_network *network = b->network;
    const int32_t low = part_begin(b, part), high = part_begin(b, part + 1);
    tc_net_walk walk = tc_net_walk_from(network, 0);
    int32_t *count = b->net->first + 1;
    (void)worker;
    for (int64_t a = 0; a < b->net->arcs; a++) {
        const int32_t from = tc_net_tail(&walk, a), to = network->arcs.head[a];
        if (!tc_net_counts(network, from, to) || !tc_net_capacity(network, a)) continue;
        const int32_t tail = tc_net_node(network, from), head = tc_net_node(network, to);
        if (tail >= low && tail < high) count[tail]++;
        if (head >= low && head < high) count[head]++;
    }
}

/* Places the slots of the nodes of one part. Until both ends are placed, a slot's mate holds the number of its arc. */
static void place_part(void *context, int part, int worker)
{
    builder *b = context;
    const tilecut_network *network = b->network;
    const int32_t low = part_begin(b, part), high = part_begin(b, part + 1);
    tc_net_walk walk = tc_net_walk_from(network, 0);
    tc_slot *slot = b->net->slot;
    (void)worker;
    for (int64_t a = 0; a < b->net->arcs; a++) {
        const int32_t from = tc_net_tail(&walk, a), to = network->arcs.head[a];
        const int32_t tail = tc_net_node(network, from), head = tc_net_node(network, to);
        const bool counts = tc_net_counts(network, from, to) && tc_net_capacity(network, a);
        if (tail >= low && tail < high) {
            b->net->where[a] = counts ? b->cursor[tail]++ : -1;
            if (counts) slot[b->net->where[a]] = (tc_slot){tc_net_bounded(network, a), head, (int32_t)a};
        }
        if (counts && head >= low && head < high) slot[--b->behind[head]] = (tc_slot){0, tail, (int32_t)a};
    }
}

/* Links each reverse slot of one part with the slot of its arc: they become each other's mates. A reverse slot has no
 * room yet, but an arc's slot has. A thread that writes to a slot of another part is the only one to write there. */
static void join_part(void *context, int part, int worker)
{
    builder *b = context;
    tc_net *net = b->net;
    const int32_t end = net->first[part_begin(b, part + 1)];
    (void)worker;
    for (int32_t i = net->first[part_begin(b, part)]; i < end; i++) {
        if (net->slot[i].room) continue;
        const int32_t other = net->where[net->slot[i].mate];
        net->slot[i].mate = other;
        net->slot[other].mate = i;
    }
}

static void build(builder *b)
{
    tc_net *net = b->net;
    tc_parallel(b->parts, b->parts, count_part, b);
    for (int32_t v = 0; v < net->nodes; v++) net->first[v + 1] += net->first[v];
    memcpy(b->cursor, net->first, (size_t)net->nodes * sizeof *b->cursor);
    memcpy(b->behind, net->first + 1, (size_t)net->nodes * sizeof *b->behind);
}

tilecut_status tc_net_init(tc_net *net, const tilecut_network *network, int threads)
{
    tilecut_status status = TILECUT_ENOMEM;
    enum { FEW = 1 << 16 }; /* fewer arcs are not worth a thread */
    const tilecut_network_arcs *arcs = &network->arcs;
    const int64_t useful = 1 + arcs->arcs / FEW;
    *net = (tc_net){.nodes = network->into ? network->kept : (int32_t)arcs->nodes,
                    .source = tc_net_node(network, arcs->sources[0]), .sink = tc_net_node(network, arcs->sinks[0]),
                    .arcs = arcs->arcs};
    builder b = {.net = net, .network = network, .parts = threads < useful ? threads : (int)useful};
    const size_t nodes = (size_t)net->nodes;
    net->first = calloc(nodes + 1, sizeof *net->first);
    net->where = malloc(((size_t)net->arcs + 1) * sizeof *net->where);
    b.cursor = malloc(nodes * sizeof *b.cursor);
    b.behind = malloc(nodes * sizeof *b.behind);
    if (!net->first || !net->where || !b.cursor || !b.behind) goto done;
    build(&b);
    net->slot = malloc(((size_t)net->first[nodes] + 1) * sizeof *net->slot);
    if (!net->slot) goto done;
    tc_parallel(b.parts, b.parts, place_part, &b);
    tc_parallel(b.parts, b.parts, join_part, &b);
    status = TILECUT_OK;
done:
    free(b.cursor);
    free(b.behind);
    if (status != TILECUT_OK) {
        tc_net_free(net);
        tc_fail(status, "no memory for a network of %lld nodes and %lld arcs", (long long)arcs->nodes,
                (long long)arcs->arcs);
    }
    return status;
}
