/* SPDX-License-Identifier: MIT
 *
 * net_rcsr.c - see net_rcsr.h. Each thread fills in the rows of some nodes. Before there is any flow, an arc has
 * residual capacity and a reverse has none, and the arcs of a node come first. So each node can find its own rows, and
 * the arcs to which its reverses belong, without reading other rows.
 */
#include "net_rcsr.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "status.h"

typedef struct converter {
    tc_rcsr *rows;
    tc_net *net;
    int parts;
} converter;

enum { SLOTS_A_THREAD = 1 << 15 };

static int parts_of(const tc_net *net, int threads)
{
    return tc_threads_for(threads, net->first[net->nodes], SLOTS_A_THREAD);
}

static int32_t part_begin(const converter *c, int part)
{
    return (int32_t)((int64_t)c->net->nodes * part / c->parts);
}

static void count_part(void *context, int part)
{
    const converter *c = context;
    const tc_net *net = c->net;
    const int32_t end = part_begin(c, part + 1);
    for (int32_t v = part_begin(c, part); v < end; v++) {
        int32_t i = net->first[v];
        while (i < net->first[v + 1] && net->slot[i].room) i++;
        c->rows->first[v + 1] = i - net->first[v];
    }
}

static void place_part(void *context, int part)
{
    const converter *c = context;
    const tc_net *net = c->net;
    tc_rcsr *const rows = c->rows;
    const int32_t end = part_begin(c, part + 1);
    for (int32_t v = part_begin(c, part); v < end; v++) {
        int32_t i = net->first[v];
        for (int32_t a = rows->first[v]; a < rows->first[v + 1]; a++, i++) {
            rows->head[a] = net->slot[i].head;
            rows->room[a] = net->slot[i].room;
            rows->used[a] = 0;
        }
        for (int32_t k = rows->back[v]; k < rows->back[v + 1]; k++, i++) {
            const int32_t u = rows->tail[k] = net->slot[i].head;
            rows->arc[k] = rows->first[u] + net->slot[i].mate - net->first[u];
        }
    }
}

tilecut_status tc_rcsr_init(tc_rcsr *rows, const tc_net *net, int threads)
{
    /* The network is only read; the type is shared with tc_rcsr_hand_back(). */
    converter c = {.rows = rows, .net = (tc_net *)net, .parts = parts_of(net, threads)};
    const size_t arcs = (size_t)net->first[net->nodes] / 2, nodes = (size_t)net->nodes;
    *rows = (tc_rcsr){.nodes = net->nodes, .source = net->source, .sink = net->sink, .arcs = (int32_t)arcs};
    rows->first = tc_own(&rows->held, calloc(nodes + 1, sizeof *rows->first));
    rows->back = tc_own(&rows->held, calloc(nodes + 1, sizeof *rows->back));
    rows->head = tc_own(&rows->held, malloc((arcs + 1) * sizeof *rows->head));
    rows->tail = tc_own(&rows->held, malloc((arcs + 1) * sizeof *rows->tail));
    rows->arc = tc_own(&rows->held, malloc((arcs + 1) * sizeof *rows->arc));
    rows->room = tc_own(&rows->held, malloc((arcs + 1) * sizeof *rows->room));
    rows->used = tc_own(&rows->held, malloc((arcs + 1) * sizeof *rows->used));
    if (rows->held.lacks) {
        tc_rcsr_free(rows);
        return tc_fail(TILECUT_ENOMEM, "no memory for the rows of %d nodes and %d arcs", (int)nodes, (int)arcs);
    }
    tc_parallel(c.parts, c.parts, count_part, &c);
    for (size_t v = 0; v < nodes; v++) {
        rows->first[v + 1] += rows->first[v];
        rows->back[v + 1] = net->first[v + 1] - rows->first[v + 1];
    }
    tc_parallel(c.parts, c.parts, place_part, &c);
    return TILECUT_OK;
}

/* Writes the residual capacities of a part back to the network. Each arc has two slots; the part with its tail writes
 * both. */
static void hand_back_part(void *context, int part)
{
    const converter *c = context;
    tc_net *const net = c->net;
    const tc_rcsr *const rows = c->rows;
    const int32_t end = part_begin(c, part + 1);
    for (int32_t v = part_begin(c, part); v < end; v++)
        for (int32_t a = rows->first[v]; a < rows->first[v + 1]; a++) {
            tc_slot *const slot = &net->slot[net->first[v] + a - rows->first[v]];
            slot->room = rows->room[a];
            net->slot[slot->mate].room = rows->used[a];
        }
}

void tc_rcsr_hand_back(const tc_rcsr *rows, tc_net *net, int threads)
{
    converter c = {.rows = (tc_rcsr *)rows, .net = net, .parts = parts_of(net, threads)};
    tc_parallel(c.parts, c.parts, hand_back_part, &c);
}

void tc_rcsr_free(tc_rcsr *rows)
{
    tc_alloc_list_free(&rows->held);
    memset(rows, 0, sizeof *rows);
}

size_t tc_rcsr_bytes(const tc_rcsr *rows)
{
    const size_t row = sizeof *rows->first + sizeof *rows->back;
    const size_t arc = sizeof *rows->head + sizeof *rows->tail + sizeof *rows->arc + 2 * sizeof *rows->room;
    return ((size_t)rows->nodes + 1) * row + (size_t)rows->arcs * arc;
}
