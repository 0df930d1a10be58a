/* SPDX-License-Identifier: MIT
 *
 * net_merge.c - see net_merge.h.
 *
 * Two nodes may be merged if their arcs have more capacity than any flow. The flow is not known yet, and its upper
 * bound from the terminals (the ceiling) is often poor. So the largest capacity that a pair has in both directions is
 * tried as a limit: if the network merged by it has a cut that costs less, no flow reaches the limit, and merging was
 * right.
 */
#include "net_merge.h"

#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "parallel.h"
#include "status.h"

/* Nodes are examined in blocks, by several threads. The number of blocks does not depend on the number of threads, so
 * the result does not either: pairs within a block are joined in their order. Pairs across blocks, and pairs of nodes
 * with many slots, come last. */
enum { BLOCKS = 64, FEW_SLOTS = 64 };

/* The data that are needed to find pairs among the slots of a node with many slots. */
typedef struct pair_finder {
    int32_t *slot;  /* [nodes] the widest slot from the current node, valid if `stamp` equals `look` */
    int32_t *stamp; /* [nodes] the number (`look`) of the last pass that found an arc to this node */
    int32_t look;
} pair_finder;

static bool pair_finder_alloc(pair_finder *g, int32_t nodes)
{
    g->slot = malloc((size_t)nodes * sizeof *g->slot);
    g->stamp = calloc((size_t)nodes, sizeof *g->stamp);
    return g->slot && g->stamp;
}

static void pair_finder_free(pair_finder *g)
{
    free(g->slot);
    free(g->stamp);
}

static int64_t less(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool has_few_slots(const tc_net *net, int32_t v)
{
    return net->first[v + 1] - net->first[v] <= FEW_SLOTS;
}

/* Called for each node that has arcs to v and from v. `there` is the slot of the arc that leaves v, and `back` the
 * slot, at its tail, of the arc into v. `width` is the smaller of their capacities. */
typedef void pair_function(void *context, int32_t v, int32_t there, int32_t back, int64_t width);

/* Finds the pairs of a node with few slots. Before solving, arcs have room and reverses have none, and the arcs of a
 * node come before its reverses. */
static void each_pair_of_few(const tc_net *net, int32_t v, pair_function *each, void *context)
{
    const int32_t begin = net->first[v], end = net->first[v + 1];
    int32_t arcs = begin;
    while (arcs < end && net->slot[arcs].room) arcs++;
    for (int32_t i = arcs; i < end; i++) {
        int32_t best = -1;
        for (int32_t k = begin; k < arcs; k++)
            if (net->slot[k].head == net->slot[i].head && (best < 0 || net->slot[k].room > net->slot[best].room))
                best = k;
        if (best < 0) continue;
        const int32_t back = net->slot[i].mate;
        each(context, v, best, back, less(net->slot[best].room, net->slot[back].room));
    }
}

static void each_pair_of_many(const tc_net *net, pair_finder *g, int32_t v, pair_function *each, void *context)
{
    const int32_t end = net->first[v + 1], look = ++g->look;
    for (int32_t i = net->first[v]; i < end; i++) {
        const tc_slot *slot = &net->slot[i];
        const int32_t u = slot->head;
        if (!slot->room) {
            if (g->stamp[u] != look) continue;
            each(context, v, g->slot[u], slot->mate, less(net->slot[g->slot[u]].room, net->slot[slot->mate].room));
        } else if (g->stamp[u] != look || slot->room > net->slot[g->slot[u]].room) {
            g->stamp[u] = look;
            g->slot[u] = i;
        }
    }
}

static void each_pair(const tc_net *net, pair_finder *g, int32_t v, pair_function *each, void *context)
{
    if (has_few_slots(net, v)) each_pair_of_few(net, v, each, context);
    else each_pair_of_many(net, g, v, each, context);
}

static void widest(void *context, int32_t v, int32_t there, int32_t back, int64_t width)
{
    int64_t *const most = context;
    (void)v;
    (void)there;
    (void)back;
    if (width > *most) *most = width;
}

typedef struct joiner {
    tc_net_merge *merge;
    const tc_net *net;
    pair_finder pair_finder;
    int32_t *parent; /* [nodes] parent in a union-find forest */
    uint8_t *late;   /* [nodes] 1 if the node has a pair that is joined after all blocks */
    struct block {
        int32_t begin, end;
        int32_t pairs; /* merge->pair[begin ...] */
        int64_t widest;
    } block[BLOCKS];
} joiner;

static void widest_of_block(void *context, int block)
{
    joiner *const j = context;
    int64_t most = 0;
    for (int32_t v = j->block[block].begin; v < j->block[block].end; v++)
        if (has_few_slots(j->net, v)) each_pair_of_few(j->net, v, widest, &most);
    j->block[block].widest = most;
}

/* True if merging is worth the time: enough nodes of a sample have a pair that will be merged. Those are the pairs of
 * at least the width of the widest pair of all nodes, or above `ceiling`, which no flow exceeds. Here the sample stands
 * for all nodes. Pairs of width 1 do not count: to merge them is right only if there is no flow at all. */
static bool has_pairs(joiner *j, int64_t ceiling)
{
    enum { SAMPLE = 256, ENOUGH = 16 };
    int64_t own[SAMPLE] = {0}, most = 0;
    const int32_t nodes = j->net->nodes, step = nodes / SAMPLE + 1;
    int32_t count = 0, with = 0;
    for (int32_t v = 0; v < nodes; v += step, count++) {
        each_pair(j->net, &j->pair_finder, v, widest, &own[count]);
        if (own[count] > most) most = own[count];
    }
    const int64_t wide = less(most, ceiling + 1);
    for (int32_t k = 0; k < count; k++) with += own[k] > 1 && own[k] >= wide;
    return with >= ENOUGH || with >= nodes / ENOUGH;
}

/* Returns the largest capacity that joins two nodes that may be merged; 0 if there are few such pairs. */
static int64_t widest_pair(joiner *j, int64_t ceiling, int threads)
{
    int64_t most = 0;
    if (!has_pairs(j, ceiling)) return 0;
    tc_parallel(threads, BLOCKS, widest_of_block, j);
    for (int b = 0; b < BLOCKS; b++)
        if (j->block[b].widest > most) most = j->block[b].widest;
    for (int32_t v = 0; v < j->net->nodes; v++)
        if (!has_few_slots(j->net, v)) each_pair_of_many(j->net, &j->pair_finder, v, widest, &most);
    return most;
}

/* ---- merging ---------------------------------------------------------------------------------- */

static int32_t root_of(int32_t *parent, int32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* Joins two trees. The root of the new tree is the node with the lowest number. */
static void join_nodes(joiner *j, int32_t v, int32_t there, int32_t back, tc_net_pair *pairs, int32_t *count)
{
    const int32_t u = j->net->slot[there].head;
    const int32_t a = root_of(j->parent, v), b = root_of(j->parent, u);
    if (a == b) return;
    j->parent[a > b ? a : b] = a > b ? b : a;
    pairs[(*count)++] = (tc_net_pair){v, u, there, back};
}

static bool is_wide(const joiner *j, int32_t v, int32_t u, int64_t width)
{
    return width >= j->merge->limit && v != j->net->source && u != j->net->sink;
}

typedef struct near_joiner {
    joiner *j;
    struct block *block;
} near_joiner;

static void join_near(void *context, int32_t v, int32_t there, int32_t back, int64_t width)
{
    near_joiner *const n = context;
    const int32_t u = n->j->net->slot[there].head;
    if (!is_wide(n->j, v, u, width)) return;
    if (u < n->block->begin || u >= n->block->end) n->j->late[v] = 1;
    else join_nodes(n->j, v, there, back, n->j->merge->pair + n->block->begin, &n->block->pairs);
}

static void join_late(void *context, int32_t v, int32_t there, int32_t back, int64_t width)
{
    joiner *const j = context;
    if (is_wide(j, v, j->net->slot[there].head, width)) join_nodes(j, v, there, back, j->merge->pair, &j->merge->pairs);
}

static void join_block(void *context, int block)
{
    joiner *const j = context;
    near_joiner n = {j, &j->block[block]};
    for (int32_t v = n.block->begin; v < n.block->end; v++) {
        j->parent[v] = v;
        j->late[v] = !has_few_slots(j->net, v);
    }
    for (int32_t v = n.block->begin; v < n.block->end; v++)
        if (!j->late[v]) each_pair_of_few(j->net, v, join_near, &n);
}

static void join_all(joiner *j, int threads)
{
    tc_net_merge *const merge = j->merge;
    tc_parallel(threads, BLOCKS, join_block, j);
    for (int b = 0; b < BLOCKS; b++) {
        const size_t pairs = (size_t)j->block[b].pairs;
        if (pairs) memmove(merge->pair + merge->pairs, merge->pair + j->block[b].begin, pairs * sizeof *merge->pair);
        merge->pairs += j->block[b].pairs;
    }
    for (int32_t v = 0; v < j->net->nodes; v++)
        if (j->late[v]) each_pair(j->net, &j->pair_finder, v, join_late, j);
}

/* Numbers the nodes that are left, in their old order. */
static void number(tc_net_merge *merge, int32_t *parent, int32_t nodes)
{
    merge->kept = 0;
    for (int32_t v = 0; v < nodes; v++) { /* a root has the smallest number of its tree */
        const int32_t root = root_of(parent, v);
        merge->into[v] = root == v ? merge->kept++ : merge->into[root];
    }
}

typedef struct naming {
    const tc_net *net;
    int32_t *arc; /* [slots] */
} naming;

enum { STRETCH = 1 << 16 };

static void name_stretch(void *context, int turn)
{
    const naming *const n = context;
    const int64_t begin = (int64_t)turn * STRETCH, rest = n->net->arcs - begin;
    for (int64_t a = begin; a < begin + (rest < STRETCH ? rest : STRETCH); a++)
        if (n->net->where[a] >= 0) n->arc[n->net->where[a]] = (int32_t)a;
}

/* Replaces the slots in all pairs by the caller's arcs. */
static bool name_arcs(tc_net_merge *merge, const tc_net *net, int threads)
{
    naming n = {net, tc_large_alloc(((size_t)net->first[net->nodes] + 1) * sizeof *n.arc)};
    if (n.arc) tc_parallel(threads, (int)(net->arcs / STRETCH) + 1, name_stretch, &n);
    for (int32_t k = 0; n.arc && k < merge->pairs; k++) {
        merge->pair[k].there = n.arc[merge->pair[k].there];
        merge->pair[k].back = n.arc[merge->pair[k].back];
    }
    free(n.arc);
    return n.arc != NULL;
}

static bool merge_alloc(joiner *j)
{
    const size_t nodes = (size_t)j->net->nodes;
    j->parent = malloc(nodes * sizeof *j->parent);
    j->late = malloc(nodes);
    j->merge->into = malloc(nodes * sizeof *j->merge->into);
    j->merge->pair = tc_large_alloc(nodes * sizeof *j->merge->pair);
    return j->parent && j->late && j->merge->into && j->merge->pair;
}

static void joiner_free(joiner *j)
{
    pair_finder_free(&j->pair_finder);
    free(j->parent);
    free(j->late);
}

tilecut_status tc_net_merge_find(tc_net_merge *merge, const tc_net *net, const tilecut_network *network, int threads)
{
    enum { WORTH = 8 }; /* if fewer than 1 / WORTH of the nodes can be merged, merging is not worth the time */
    joiner j = {.merge = merge, .net = net};
    bool held = pair_finder_alloc(&j.pair_finder, net->nodes);
    *merge = (tc_net_merge){0};
    for (int b = 0; b < BLOCKS; b++) {
        j.block[b].begin = (int32_t)((int64_t)net->nodes * b / BLOCKS);
        j.block[b].end = (int32_t)((int64_t)net->nodes * (b + 1) / BLOCKS);
    }
    const int64_t width = held && network->widest > 1 ? widest_pair(&j, network->ceiling, threads) : 0;
    if (width > 1) {
        merge->limit = less(width, network->ceiling + 1);
        held = merge_alloc(&j);
    }
    if (held && merge->limit) {
        join_all(&j, threads);
        number(merge, j.parent, net->nodes);
        const bool worth = merge->pairs && merge->pairs >= net->nodes / WORTH;
        if (worth) held = name_arcs(merge, net, threads);
        if (!worth || !held) tc_net_merge_free(merge);
    }
    joiner_free(&j);
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
