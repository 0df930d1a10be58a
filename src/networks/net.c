/* SPDX-License-Identifier: MIT
 *
 * net.c - see net.h. Building is a counting sort over the nodes. One thread reads the arcs in their order. With several
 * threads, the ends of the arcs are first sorted into parts by node (net_buckets.h), and each thread fills in its own
 * nodes. Either way the slots of a node have the same order.
 */
#include "net.h"

#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "net_buckets.h"
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

/* Where the next slots of a node are written: arcs from the front, reverses from the back. */
typedef struct gap {
    int32_t front, back;
} gap;

typedef struct builder {
    tc_net *net;
    const tilecut_network *network;
    gap *gap;         /* [nodes] */
    int32_t *number;  /* [nodes of the caller] the numbers that solvers use; NULL: unchanged */
    tc_net_buckets ends; /* empty if one thread does everything */
    int threads;
} builder;

/* ---- one thread ------------------------------------------------------------------------------- */

/* How many arcs are read at a time. Their slots are prefetched together, because most are far away in memory. */
enum { BATCH = 64 };

/* An arc that has slots, between nodes with the numbers that solvers use. */
typedef struct link {
    int32_t tail, head, arc;
} link;

/* Reads the next arcs and lists those that have slots. */
static int read_batch(const builder *b, tc_net_walk *walk, int64_t begin, int64_t end, link list[BATCH])
{
    const int32_t *const heads = b->network->arcs.head, *const number = b->number;
    const int32_t source = b->net->source, sink = b->net->sink;
    const int64_t *const capacity = b->network->arcs.capacity;
    int count = 0;
    for (int64_t a = begin; a < end; a++) {
        const int32_t from = tc_net_tail(walk, a), to = heads[a];
        const int32_t tail = number ? number[from] : from, head = number ? number[to] : to;
        list[count] = (link){tail, head, (int32_t)a};
        count += (head != source) & (tail != sink) & (tail != head) & (!capacity || capacity[a]);
    }
    return count;
}

/* Numbers the nodes for the solvers: the sources become one node, so do the sinks, and some other nodes may be
 * merged. */
static bool number_nodes(builder *b)
{
    const tilecut_network_arcs *const arcs = &b->network->arcs;
    if (!b->network->into && arcs->source_count == 1 && arcs->sink_count == 1) return true;
    b->number = malloc((size_t)arcs->nodes * sizeof *b->number);
    for (int32_t v = 0; b->number && v < arcs->nodes; v++) b->number[v] = tc_net_node(b->network, v);
    return b->number != NULL;
}

static int64_t batch_end(const builder *b, int64_t begin)
{
    return b->net->arcs - begin < BATCH ? b->net->arcs : begin + BATCH;
}

static void count_all(const builder *b)
{
    tc_net_walk walk = tc_net_walk_from(b->network, 0);
    int32_t *const count = b->net->first + 1;
    link list[BATCH];
    for (int64_t a = 0; a < b->net->arcs; a += BATCH) {
        const int links = read_batch(b, &walk, a, batch_end(b, a), list);
        for (int k = 0; k < links; k++) {
            count[list[k].tail]++;
            count[list[k].head]++;
        }
    }
}

static void place_all(const builder *b)
{
    tc_net *const net = b->net;
    tc_net_walk walk = tc_net_walk_from(b->network, 0);
    link list[BATCH];
    int32_t there[BATCH], back[BATCH];
    for (int64_t a = 0; a < net->arcs; a += BATCH) {
        const int64_t end = batch_end(b, a);
        const int links = read_batch(b, &walk, a, end, list);
        for (int64_t k = a; k < end; k++) net->where[k] = -1;
        for (int k = 0; k < links; k++) {
            there[k] = b->gap[list[k].tail].front++;
            back[k] = --b->gap[list[k].head].back;
            __builtin_prefetch(&net->slot[there[k]], 1);
            __builtin_prefetch(&net->slot[back[k]], 1);
        }
        for (int k = 0; k < links; k++) {
            net->where[list[k].arc] = there[k];
            net->slot[there[k]] = (tc_slot){tc_net_bounded(b->network, list[k].arc), list[k].head, back[k]};
            net->slot[back[k]] = (tc_slot){0, list[k].tail, there[k]};
        }
    }
}

/* ---- several threads -------------------------------------------------------------------------- */

static void count_part(void *context, int part)
{
    const builder *b = context;
    for (int64_t k = b->ends.begin[part]; k < b->ends.begin[part + 1]; k++) b->net->first[b->ends.end[k].node + 1]++;
}

/* Until both ends are placed, a slot's mate holds the number of its arc. */
static void place_tail(const builder *b, int64_t a, int32_t tail, int32_t head)
{
    const int32_t i = b->net->where[a] = b->gap[tail].front++;
    b->net->slot[i] = (tc_slot){tc_net_bounded(b->network, a), head, (int32_t)a};
}

static void place_head(const builder *b, int64_t a, int32_t tail, int32_t head)
{
    b->net->slot[--b->gap[head].back] = (tc_slot){0, tail, (int32_t)a};
}

static void place_part(void *context, int part)
{
    const builder *b = context;
    for (int64_t k = b->ends.begin[part]; k < b->ends.begin[part + 1]; k++) {
        const tc_net_end *end = &b->ends.end[k];
        if (end->arc >= 0) place_tail(b, end->arc, end->node, end->other);
        else place_head(b, ~end->arc, end->other, end->node);
    }
}

/* Number of slots in one iteration of a loop over all slots. */
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

/* Links each reverse slot of one stretch with the slot of its arc: each becomes the other's mate. A reverse slot has no
 * residual capacity yet, but an arc's slot has. A thread that writes to a slot of another stretch is the only one to
 * write there. */
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
    if (b->ends.end) tc_parallel(b->threads, b->ends.parts, count_part, b);
    else count_all(b);
    for (int32_t v = 0; v < net->nodes; v++) net->first[v + 1] += net->first[v];
    for (int32_t v = 0; v < net->nodes; v++) b->gap[v] = (gap){net->first[v], net->first[v + 1]};
}

static void place(builder *b)
{
    if (!b->ends.end) {
        place_all(b);
        return;
    }
    tc_parallel(b->threads, b->ends.parts, place_part, b);
    tc_net_buckets_free(&b->ends);
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
    b.gap = malloc(nodes * sizeof *b.gap);
    if (!net->first || !net->where || !b.gap) goto done;
    if (b.threads > 1 && !tc_net_buckets_init(&b.ends, network, net->nodes, b.threads, net->where)) goto done;
    if (b.threads == 1 && !number_nodes(&b)) goto done;
    count_slots(&b);
    net->slot = tc_large_alloc(((size_t)net->first[nodes] + 1) * sizeof *net->slot);
    if (!net->slot) goto done;
    place(&b);
    status = TILECUT_OK;
done:
    tc_net_buckets_free(&b.ends);
    free(b.gap);
    free(b.number);
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
