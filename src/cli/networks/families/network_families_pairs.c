/* SPDX-License-Identifier: MIT
 *
 * network_families_pairs.c - families of bipartite graphs, and pairs of nodes that are far from each other.
 */
#include <stdlib.h>

#include "chance.h"
#include "network_families.h"

bool network_bipartite(const network_request *request, network_shape *shape, const arc_sink *sink)
{
    chance dice = chance_of(request->seed, 16);
    const int64_t left = request->size, right = request->depth;
    *shape = (network_shape){.nodes = left + right, .left = left, .arcs = left * request->degree};
    if (right > INT32_MAX) return false;
    for (int64_t v = 0; sink && v < left; v++)
        for (int64_t k = 0; k < request->degree; k++)
            if (!sink->put(sink->into, v, left + chance_below(&dice, (int)right), 1)) return false;
    return true;
}

/* Draws one of n numbers, number k with a probability of about 1 / k. 2^x for a uniform x has this distribution;
 * drawing uniformly between powers of two is close enough. */
static int64_t draw_zipf(chance *dice, int64_t n)
{
    int bits = 0;
    while (n >> (bits + 1)) bits++;
    for (;;) {
        const int power = chance_below(dice, bits + 1);
        const int64_t k = (INT64_C(1) << power) + (int64_t)(chance_draw(dice) & ((UINT64_C(1) << power) - 1));
        if (k <= n) return k - 1;
    }
}

bool network_skewed(const network_request *request, network_shape *shape, const arc_sink *sink)
{
    chance dice = chance_of(request->seed, 17);
    const int64_t left = request->size, right = request->depth;
    *shape = (network_shape){.nodes = left + right, .left = left, .arcs = left * request->degree};
    for (int64_t i = 0; sink && i < left * request->degree; i++)
        if (!sink->put(sink->into, draw_zipf(&dice, left), left + draw_zipf(&dice, right), 1)) return false;
    return true;
}

bool network_complete(const network_request *request, network_shape *shape, const arc_sink *sink)
{
    enum { MOST_COST = 10000 };
    chance dice = chance_of(request->seed, 18);
    const int64_t n = request->size;
    *shape = (network_shape){.nodes = 2 * n, .left = n, .arcs = n * n};
    for (int64_t v = 0; sink && v < n; v++)
        for (int64_t u = 0; u < n; u++)
            if (!sink->put(sink->into, v, n + u, chance_between(&dice, 0, MOST_COST))) return false;
    return true;
}

/* ---- far apart -------------------------------------------------------------------------------- */

/* The neighbours of each node, over arcs in both directions. */
typedef struct neighbours {
    int64_t *first; /* where each node's list of neighbours begins, and the end of the last list */
    int32_t *node;  /* the lists of neighbours, one after another                                */
    int32_t *queue; /* queue of the search, with room for all nodes                              */
    int32_t *seen;  /* for each node, the latest search that reached it; -1: it belongs to a pair */
} neighbours;

static bool gather(const arc_list *list, bool directed, neighbours *out)
{
    const size_t nodes = (size_t)list->nodes;
    out->first = calloc(nodes + 2, sizeof *out->first);
    out->node = malloc(((size_t)list->arcs * 2 + 1) * sizeof *out->node);
    out->queue = malloc(nodes * sizeof *out->queue);
    out->seen = calloc(nodes, sizeof *out->seen);
    if (!out->first || !out->node || !out->queue || !out->seen) return false;
    int64_t *const next = out->first + 1; /* shifted by one while the lists are filled in */
    for (int64_t a = 0; a < list->arcs; a++) {
        next[list->tail[a] + 1] += !directed || !list->value || list->value[a];
        if (!directed) next[list->head[a] + 1]++;
    }
    for (size_t v = 1; v <= nodes; v++) next[v] += next[v - 1];
    for (int64_t a = 0; a < list->arcs; a++) {
        if (!directed || !list->value || list->value[a]) out->node[next[list->tail[a]]++] = list->head[a];
        if (!directed) out->node[next[list->head[a]]++] = list->tail[a];
    }
    return true;
}

/* Returns the last node that a search from `from` reaches and that belongs to no pair; `from` itself if
 * there is none. */
static int32_t farthest(neighbours *n, int32_t from, int32_t search)
{
    int64_t ends = 0;
    int32_t last = from;
    n->queue[ends++] = from;
    if (n->seen[from] >= 0) n->seen[from] = search;
    for (int64_t at = 0; at < ends; at++) {
        const int32_t v = n->queue[at];
        if (n->seen[v] >= 0) last = v;
        for (int64_t i = n->first[v]; i < n->first[v + 1]; i++) {
            const int32_t u = n->node[i];
            if (n->seen[u] == search || n->seen[u] < 0) continue;
            n->seen[u] = search;
            n->queue[ends++] = u;
        }
    }
    return last;
}

/* Returns the node at which search number `search` begins: a random one for the first `random` searches, then
 * each in turn. */
static int32_t first_node(chance *dice, int64_t search, int64_t random, int64_t nodes)
{
    return search <= random ? chance_below(dice, (int)nodes) : (int32_t)(search - random - 1);
}

bool network_far_pairs(const arc_list *list, bool directed, int pairs, uint64_t seed, int32_t *from, int32_t *to,
                       int *found)
{
    enum { TRIES = 8 }; /* searches per pair: a node may be in use, or have no neighbours */
    chance dice = chance_of(seed, 19);
    neighbours n = {0};
    const bool held = gather(list, directed, &n);
    const int64_t random = (int64_t)TRIES * pairs, sum = random + list->nodes, all = sum < INT32_MAX ? sum : random;
    *found = 0;
    for (int64_t search = 1; held && list->nodes > 1 && *found < pairs; search++) {
        if (search > random && (!directed || *found || search > all)) break;
        const int32_t v = first_node(&dice, search, random, list->nodes);
        if (n.seen[v] < 0 || n.first[v] == n.first[v + 1]) continue;
        const int32_t u = farthest(&n, v, (int32_t)search);
        if (u == v) continue;
        from[*found] = v;
        to[(*found)++] = u;
        n.seen[v] = n.seen[u] = -1;
    }
    free(n.first);
    free(n.node);
    free(n.queue);
    free(n.seen);
    return held;
}
