/* SPDX-License-Identifier: MIT
 *
 * net_merge.c - see net_merge.h.
 *
 * The ceiling is a limit of all flows, but often a poor one. So the largest capacity that a pair has in both directions
 * is tried as well: if a cut of the network merged by it costs less, no flow is larger, and merging was right.
 */
#include "net_merge.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

/* What a look at the slots of one node needs to find pairs. */
typedef struct glance {
    int32_t *slot;  /* [nodes] the widest slot from the node looked at, if `stamp` says so */
    int32_t *stamp; /* [nodes] the last node looked at that has an arc to this one          */
} glance;

static bool glance_alloc(glance *g, int32_t nodes)
{
    g->slot = malloc((size_t)nodes * sizeof *g->slot);
    g->stamp = malloc((size_t)nodes * sizeof *g->stamp);
    if (!g->slot || !g->stamp) return false;
    memset(g->stamp, 255, (size_t)nodes * sizeof *g->stamp);
    return true;
}

static void glance_free(glance *g)
{
    free(g->slot);
    free(g->stamp);
}

static int64_t less(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Called for each arc into v whose tail has an arc from v: slots of the arc from v, and of the one into v at its tail.
 * `width` is the lesser of their capacities. */
typedef void pair_function(void *context, int32_t v, int32_t there, int32_t back, int64_t width);

/* Before solving, arcs have room and reverses have none. */
static void each_pair(const tc_net *net, glance *g, int32_t v, pair_function *tell, void *context)
{
    const int32_t end = net->first[v + 1];
    for (int32_t i = net->first[v]; i < end; i++) {
        const tc_slot *slot = &net->slot[i];
        if (!slot->room) {
            const int32_t u = slot->head;
            if (g->stamp[u] != v) continue;
            tell(context, v, g->slot[u], slot->mate, less(net->slot[g->slot[u]].room, net->slot[slot->mate].room));
        } else if (g->stamp[slot->head] != v || slot->room > net->slot[g->slot[slot->head]].room) {
            g->stamp[slot->head] = v; /* arcs of a node come before its reverses */
            g->slot[slot->head] = i;
        }
    }
}

static void widest(void *context, int32_t v, int32_t there, int32_t back, int64_t width)
{
    int64_t *const most = context;
    (void)v;
    (void)there;
    (void)back;
    if (width > *most) *most = width;
}

/* The widest pair; 0 if a sample of nodes has few pairs. */
static int64_t widest_pair(const tc_net *net, glance *g)
{
    enum { SAMPLE = 256, FEW = 16 };
    const int32_t step = net->nodes / SAMPLE + 1;
    int32_t with = 0;
    int64_t most = 0;
    for (int32_t v = 0; v < net->nodes; v += step) {
        int64_t own = 0;
        each_pair(net, g, v, widest, &own);
        with += own > 0;
    }
    if (with < FEW && with < net->nodes / FEW) return 0;
    memset(g->stamp, 255, (size_t)net->nodes * sizeof *g->stamp);
    for (int32_t v = 0; v < net->nodes; v++) each_pair(net, g, v, widest, &most);
    return most;
}

/* ---- merging ---------------------------------------------------------------------------------- */

typedef struct joiner {
    tc_net_merge *merge;
    const tc_net *net;
    int32_t *parent; /* [nodes] of a union-find forest */
} joiner;

static int32_t root_of(int32_t *parent, int32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static void join(void *context, int32_t v, int32_t there, int32_t back, int64_t width)
{
    joiner *const j = context;
    const int32_t u = j->net->slot[there].head;
    if (width < j->merge->limit || v == j->net->source || u == j->net->sink) return;
    const int32_t a = root_of(j->parent, v), b = root_of(j->parent, u);
    if (a == b) return;
    j->parent[a > b ? a : b] = less(a, b) == a ? a : b;
    j->merge->pair[j->merge->pairs++] = (tc_net_pair){v, u, there, back};
}

/* Numbers the nodes that are left in their old order. */
static void number(tc_net_merge *merge, int32_t *parent, int32_t nodes)
{
    merge->kept = 0;
    for (int32_t v = 0; v < nodes; v++) { /* a root is the least of its nodes */
        const int32_t root = root_of(parent, v);
        merge->into[v] = root == v ? merge->kept++ : merge->into[root];
    }
}

/* Slots of pairs become arcs of the caller. */
static bool name_arcs(tc_net_merge *merge, const tc_net *net)
{
    int32_t *arc = malloc(((size_t)net->first[net->nodes] + 1) * sizeof *arc);
    for (int64_t a = 0; arc && a < net->arcs; a++)
        if (net->where[a] >= 0) arc[net->where[a]] = (int32_t)a;
    for (int32_t k = 0; arc && k < merge->pairs; k++) {
        merge->pair[k].there = arc[merge->pair[k].there];
        merge->pair[k].back = arc[merge->pair[k].back];
    }
    free(arc);
    return arc != NULL;
}

static bool merge_alloc(tc_net_merge *merge, int32_t nodes)
{
    merge->into = malloc((size_t)nodes * sizeof *merge->into);
    merge->pair = malloc((size_t)nodes * sizeof *merge->pair);
    return merge->into && merge->pair;
}

tilecut_status tc_net_merge_find(tc_net_merge *merge, const tc_net *net, const tilecut_network *network)
{
    enum { WORTH = 8 }; /* less than one of so many nodes is not worth it */
    glance g = {0};
    int32_t *parent = NULL;
    bool held = glance_alloc(&g, net->nodes);
    *merge = (tc_net_merge){0};
    const int64_t width = held ? widest_pair(net, &g) : 0;
    if (width) {
        merge->limit = less(width, network->ceiling + 1);
        parent = malloc((size_t)net->nodes * sizeof *parent);
        held = parent && merge_alloc(merge, net->nodes);
    }
    if (held && width) {
        joiner j = {merge, net, parent};
        for (int32_t v = 0; v < net->nodes; v++) parent[v] = v;
        memset(g.stamp, 255, (size_t)net->nodes * sizeof *g.stamp);
        for (int32_t v = 0; v < net->nodes; v++) each_pair(net, &g, v, join, &j);
        number(merge, parent, net->nodes);
        const bool worth = merge->pairs && merge->pairs >= net->nodes / WORTH;
        if (worth) held = name_arcs(merge, net);
        if (!worth || !held) tc_net_merge_free(merge);
    }
    glance_free(&g);
    free(parent);
    return held ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for merging %d nodes", (int)net->nodes);
}

void tc_net_merge_free(tc_net_merge *merge)
{
    free(merge->into);
    free(merge->pair);
    free(merge->inner);
    *merge = (tc_net_merge){0};
}

/* ---- the proof -------------------------------------------------------------------------------- */

static int64_t least_level(const tc_net *net, const int32_t *label, int64_t *cost)
{
    int64_t least = INT64_MAX;
    for (int32_t v = 0; v < net->nodes; v++)
        for (int32_t i = net->first[v]; i < net->first[v + 1] && label[v] >= 0; i++) {
            const tc_slot *slot = &net->slot[i];
            if (label[slot->head] < 0 || label[slot->head] >= label[v]) continue;
            if (__builtin_add_overflow(cost[label[v]], slot->room, &cost[label[v]])) cost[label[v]] = INT64_MAX;
        }
    for (int32_t k = 1; k <= label[net->source]; k++) least = less(least, cost[k]);
    return label[net->source] < 0 ? 0 : least;
}

int64_t tc_net_level_cut(const tc_net *net)
{
    const size_t nodes = (size_t)net->nodes;
    int32_t *label = malloc(nodes * sizeof *label), *queue = malloc(nodes * sizeof *queue), ends = 0;
    int64_t *cost = calloc(nodes, sizeof *cost), least = -1;
    if (label && queue && cost) {
        memset(label, 255, nodes * sizeof *label);
        label[net->sink] = 0;
        queue[ends++] = net->sink;
        for (int32_t at = 0; at < ends; at++)
            for (int32_t i = net->first[queue[at]]; i < net->first[queue[at] + 1]; i++) {
                const int32_t u = net->slot[i].head;
                if (label[u] >= 0 || !net->slot[net->slot[i].mate].room) continue;
                label[u] = label[queue[at]] + 1;
                queue[ends++] = u;
            }
        least = least_level(net, label, cost);
    }
    free(label);
    free(queue);
    free(cost);
    return least;
}

/* ---- the flow inside -------------------------------------------------------------------------- */

/* The trees of the pairs: each node's pairs, from an array of counts. */
typedef struct forest {
    int32_t *first, *pair; /* [nodes + 1], [2 * pairs]                   */
    int32_t *order, *up;   /* [nodes] parents first; the pair to the parent, -1: a root */
    int64_t *excess;       /* [nodes] */
} forest;

static bool forest_alloc(forest *f, size_t nodes, size_t pairs)
{
    f->first = calloc(nodes + 2, sizeof *f->first);
    f->pair = malloc((2 * pairs + 1) * sizeof *f->pair);
    f->order = malloc(nodes * sizeof *f->order);
    f->up = malloc(nodes * sizeof *f->up);
    f->excess = calloc(nodes, sizeof *f->excess);
    return f->first && f->pair && f->order && f->up && f->excess;
}

static void forest_free(forest *f)
{
    free(f->first);
    free(f->pair);
    free(f->order);
    free(f->up);
    free(f->excess);
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

/* From the leaves on, each node gives what it has to its parent, or takes what it lacks. What does not fit on the way
 * up stays where it is, as excess. */
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
        const bool forth = pair->from == v;
        const int64_t amount = less(f->excess[v], most);
        if (amount < -most) return false;
        if (amount > 0) merge->inner[forth ? pair->there : pair->back] += amount;
        else merge->inner[forth ? pair->back : pair->there] -= amount;
        f->excess[v] -= amount;
        f->excess[forth ? pair->to : pair->from] += amount;
    }
    return true;
}

tilecut_status tc_net_merge_spread(tc_net_merge *merge, const tc_net *net, const tilecut_network *network, bool *held)
{
    const int32_t nodes = (int32_t)network->arcs.nodes;
    forest f = {0};
    tc_net_walk walk = tc_net_walk_from(network, 0);
    merge->inner = calloc((size_t)net->arcs + 1, sizeof *merge->inner);
    const bool room = merge->inner && forest_alloc(&f, (size_t)nodes, (size_t)merge->pairs);
    for (int64_t a = 0; room && a < net->arcs; a++) {
        const int32_t tail = tc_net_tail(&walk, a);
        if (net->where[a] < 0) continue;
        const int64_t flow = net->slot[net->slot[net->where[a]].mate].room;
        f.excess[network->arcs.head[a]] += flow;
        f.excess[tail] -= flow;
    }
    for (int32_t v = 0; room && v < nodes; v++)
        if (network->role[v] != TC_NET_INNER) f.excess[v] = 0;
    if (room) plant(&f, merge, nodes);
    *held = room && lead(&f, merge, nodes);
    forest_free(&f);
    return room ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for the flow of %d nodes", (int)nodes);
}
