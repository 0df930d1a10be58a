/* SPDX-License-Identifier: MIT
 *
 * net_merge_flow.c - the flow inside merged nodes. Each merged node has a tree of pairs. The threads add up how much
 * more flow enters each original node than leaves it; then one thread moves that difference along the trees, from the
 * leaves to the root.
 */
#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "net_merge.h"
#include "alloc_list.h"
#include "parallel.h"
#include "status.h"

/* The trees of the pairs: the pairs of each node, in rows. */
typedef struct forest {
    int32_t *first, *pair; /* the pairs of node v are pair[first[v]] .. pair[first[v + 1] - 1] */
    int32_t *order, *up;   /* [nodes] parents before children; the pair that leads to the parent, -1 for a root */
    int64_t *excess;       /* [nodes] */
    tc_alloc_list held;
} forest;

static bool forest_alloc(forest *f, size_t nodes, size_t pairs)
{
    f->first = tc_own(&f->held, calloc(nodes + 2, sizeof *f->first));
    f->pair = tc_own(&f->held, malloc((2 * pairs + 1) * sizeof *f->pair));
    f->order = tc_own(&f->held, malloc(nodes * sizeof *f->order));
    f->up = tc_own(&f->held, malloc(nodes * sizeof *f->up));
    f->excess = tc_own(&f->held, calloc(nodes, sizeof *f->excess));
    return !f->held.lacks;
}

static void plant(forest *f, const tc_net_merge *merge, int32_t nodes)
{
    enum { UNSEEN = -2 };
    int32_t ends = 0;
    for (int32_t k = 0; k < merge->pairs; k++) {
        f->first[merge->pair[k].from + 2]++;
        f->first[merge->pair[k].to + 2]++;
    }
    for (int32_t v = 2; v < nodes + 2; v++) f->first[v] += f->first[v - 1];
    for (int32_t k = 0; k < merge->pairs; k++) {
        f->pair[f->first[merge->pair[k].from + 1]++] = k;
        f->pair[f->first[merge->pair[k].to + 1]++] = k;
    }
    for (int32_t v = 0; v < nodes; v++) f->up[v] = UNSEEN;
    for (int32_t root = 0, at = 0; root < nodes; root++) {
        if (f->up[root] != UNSEEN) continue;
        f->up[root] = -1;
        for (f->order[ends++] = root; at < ends; at++)
            for (int32_t i = f->first[f->order[at]]; i < f->first[f->order[at] + 1]; i++) {
                const tc_net_pair *pair = &merge->pair[f->pair[i]];
                const int32_t u = pair->from == f->order[at] ? pair->to : pair->from;
                if (f->up[u] != UNSEEN) continue;
                f->up[u] = f->pair[i];
                f->order[ends++] = u;
            }
    }
}

/* Beginning with the leaves, each node passes its excess to its parent, or takes flow from it to cover a deficit. Flow
 * that does not fit on the way up stays where it is, as excess. */
static bool lead(const forest *f, tc_net_merge *merge, int32_t nodes)
{
    const int64_t most = merge->limit;
    for (int32_t k = nodes; k-- > 0;) {
        const int32_t v = f->order[k];
        if (f->up[v] < 0) {
            if (f->excess[v] < 0 && merge->pairs) return false;
            continue;
        }
        const tc_net_pair *pair = &merge->pair[f->up[v]];
        const bool forward = pair->from == v;
        const int64_t amount = f->excess[v] < most ? f->excess[v] : most;
        if (amount < -most) return false;
        if (amount > 0) merge->inner[forward ? pair->there : pair->back] += amount;
        else merge->inner[forward ? pair->back : pair->there] -= amount;
        f->excess[v] -= amount;
        f->excess[forward ? pair->to : pair->from] += amount;
    }
    return true;
}

/* ---- excesses that the flow outside leaves ---------------------------------------------------- */

typedef struct tally {
    const tc_net *net;
    const tilecut_network *network;
    int64_t *excess; /* [nodes] inflow minus outflow, over arcs that are not inside merged nodes; atomic */
    int64_t *inner;  /* [arcs] flow of the arcs inside merged nodes; only set to zero here               */
} tally;

enum { STRETCH = 1 << 16 };

static void add_stretch(void *context, int turn)
{
    const tally *const t = context;
    const int64_t begin = (int64_t)turn * STRETCH, rest = t->net->arcs - begin, count = rest < STRETCH ? rest : STRETCH;
    tc_net_walk walk = tc_net_walk_from(t->network, begin);
    memset(t->inner + begin, 0, (size_t)count * sizeof *t->inner);
    for (int64_t a = begin; a < begin + count; a++) {
        const int32_t tail = tc_net_tail(&walk, a), i = t->net->where[a];
        const int64_t flow = i < 0 ? 0 : t->net->slot[t->net->slot[i].mate].room;
        if (!flow) continue;
        __atomic_fetch_add(&t->excess[t->network->arcs.head[a]], flow, __ATOMIC_RELAXED);
        __atomic_fetch_add(&t->excess[tail], -flow, __ATOMIC_RELAXED);
    }
}

tilecut_status tc_net_merge_spread(tc_net_merge *merge, const tc_net *net, const tilecut_network *network, int threads,
                                   bool *held)
{
    const int32_t nodes = (int32_t)network->arcs.nodes;
    forest f = {0};
    merge->inner = tc_large_alloc(((size_t)net->arcs + 1) * sizeof *merge->inner);
    const bool room = merge->inner && forest_alloc(&f, (size_t)nodes, (size_t)merge->pairs);
    tally t = {net, network, f.excess, merge->inner};
    if (room) tc_parallel(threads, (int)(net->arcs / STRETCH) + 1, add_stretch, &t);
    for (int32_t v = 0; room && v < nodes; v++)
        if (network->role[v] != TC_NET_INNER) f.excess[v] = 0;
    if (room) plant(&f, merge, nodes);
    *held = room && lead(&f, merge, nodes);
    tc_alloc_list_free(&f.held);
    return room ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for the flow of %d nodes", (int)nodes);
}
