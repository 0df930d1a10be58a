/* SPDX-License-Identifier: MIT */
#include "random_network.h"

#include <stdlib.h>
#include <string.h>

enum { UNITS, TIES, SPARSE, WIDE, ENDLESS, KINDS };

static int64_t draw_capacity(uint64_t *state, int kind)
{
    switch (kind) {
    case UNITS: return 1;
    case TIES: return random_below(state, 4);
    case SPARSE: return random_below(state, 3) ? 0 : 1 + random_below(state, 9);
    case WIDE: return (int64_t)(random_next(state) >> (8 + random_below(state, 55)));
    default: return random_below(state, 3) ? random_below(state, 20) : TILECUT_INFINITE;
    }
}

/* Draws distinct terminals: the first nodes of a shuffled list. */
static void draw_terminals(random_network *it, uint64_t *state)
{
    const int nodes = (int)it->arcs.nodes, most = nodes / 2 < RANDOM_NETWORK_TERMINALS ? nodes / 2
                                                                                       : RANDOM_NETWORK_TERMINALS;
    const bool several = random_below(state, 3) == 0;
    const int sources = several ? 1 + random_below(state, most) : 1;
    const int sinks = several ? 1 + random_below(state, most) : 1;
    for (int i = 0; i < sources + sinks; i++) {
        bool again = true;
        while (again) {
            it->terminal[i] = random_below(state, nodes);
            again = false;
            for (int k = 0; k < i; k++) again |= it->terminal[k] == it->terminal[i];
        }
    }
    it->arcs.sources = it->terminal;
    it->arcs.source_count = sources;
    it->arcs.sinks = it->terminal + sources;
    it->arcs.sink_count = sinks;
}

static void draw_arcs(random_network *it, uint64_t *state, int kind)
{
    const int nodes = (int)it->arcs.nodes, count = (int)it->arcs.arcs;
    int32_t *tail = it->ends, *head = it->ends + count;
    const bool level = random_below(state, 4) == 0; /* only short arcs, so that paths become long */
    for (int a = 0; a < count; a++) {
        tail[a] = random_below(state, nodes);
        head[a] = level ? (tail[a] + 1 + random_below(state, 2)) % nodes : random_below(state, nodes);
        if (a && random_below(state, 6) == 0) { /* repeats an earlier arc, or reverses it */
            const int b = random_below(state, a), turned = random_below(state, 2);
            const int32_t from = turned ? head[b] : tail[b], to = turned ? tail[b] : head[b];
            tail[a] = from;
            head[a] = to;
        }
        it->capacity[a] = draw_capacity(state, kind);
    }
}

/* Sorts the arcs by their tails. */
static void sort_into_rows(random_network *it)
{
    const size_t count = (size_t)it->arcs.arcs, nodes = (size_t)it->arcs.nodes;
    int32_t *head = it->ends + 2 * count, *first = it->ends + 3 * count;
    int64_t *capacity = it->capacity + count;
    size_t at = 0;
    for (size_t v = 0; v < nodes; v++) {
        first[v] = (int32_t)at;
        for (size_t a = 0; a < count; a++) {
            if ((size_t)it->ends[a] != v) continue;
            head[at] = it->ends[count + a];
            capacity[at++] = it->capacity[a];
        }
    }
    first[nodes] = (int32_t)at;
    it->rows = it->arcs;
    it->rows.tail = NULL;
    it->rows.first = first;
    it->rows.head = head;
    it->rows.capacity = capacity;
}

void random_network_draw(random_network *it, uint64_t seed, int max_nodes, int max_arcs)
{
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 7;
    memset(it, 0, sizeof *it);
    const int kind = random_below(&state, KINDS);
    it->arcs.nodes = 2 + random_below(&state, max_nodes - 1);
    it->arcs.arcs = random_below(&state, max_arcs + 1);
    const size_t count = (size_t)it->arcs.arcs;
    it->ends = malloc((3 * count + (size_t)it->arcs.nodes + 1) * sizeof *it->ends);
    it->capacity = malloc((2 * count + 1) * sizeof *it->capacity);
    if (!it->ends || !it->capacity) abort();
    draw_terminals(it, &state);
    draw_arcs(it, &state, kind);
    it->arcs.tail = it->ends;
    it->arcs.head = it->ends + count;
    it->arcs.capacity = kind == UNITS && random_below(&state, 2) ? NULL : it->capacity;
    sort_into_rows(it);
    if (!it->arcs.capacity) it->rows.capacity = NULL;
}

void random_network_free(random_network *it)
{
    free(it->ends);
    free(it->capacity);
    memset(it, 0, sizeof *it);
}

/* ---- answers ---------------------------------------------------------------------------------- */

/* Returns the cost of the cut whose sink side is the set `inside`, or -1 if it is infinite. */
static int64_t cost_of(const tilecut_network_arcs *arcs, uint32_t inside)
{
    int64_t cost = 0;
    for (int64_t a = 0; a < arcs->arcs; a++) {
        if (inside >> arcs->tail[a] & 1 || !(inside >> arcs->head[a] & 1)) continue;
        const int64_t capacity = arcs->capacity ? arcs->capacity[a] : 1;
        if (capacity == TILECUT_INFINITE) return -1;
        cost += capacity;
    }
    return cost;
}

int64_t network_brute_force(const tilecut_network_arcs *arcs, uint8_t *side)
{
    uint32_t sources = 0, sinks = 0, best_set = 0;
    int64_t best = -1;
    int fewest = 0;
    for (int64_t i = 0; i < arcs->source_count; i++) sources |= 1u << arcs->sources[i];
    for (int64_t i = 0; i < arcs->sink_count; i++) sinks |= 1u << arcs->sinks[i];
    for (uint32_t set = 0; set < 1u << arcs->nodes; set++) {
        if (set & sources || (set & sinks) != sinks) continue;
        const int64_t cost = cost_of(arcs, set);
        const int size = __builtin_popcount(set);
        if (cost < 0 || (best >= 0 && (cost > best || (cost == best && size >= fewest)))) continue;
        best = cost;
        best_set = set;
        fewest = size;
    }
    for (int64_t v = 0; v < arcs->nodes; v++) side[v] = best_set >> v & 1 ? 0 : 255;
    return best;
}

bool network_is_flow(const tilecut_network_arcs *arcs, const int64_t *flow, int64_t value)
{
    int64_t *net = calloc((size_t)arcs->nodes, sizeof *net), arrives = 0;
    bool good = net != NULL;
    for (int64_t a = 0; good && a < arcs->arcs; a++) {
        if (flow[a] < 0 || flow[a] > (arcs->capacity ? arcs->capacity[a] : 1)) good = false;
        net[arcs->tail[a]] -= flow[a];
        net[arcs->head[a]] += flow[a];
    }
    for (int64_t i = 0; good && i < arcs->sink_count; i++) {
        arrives += net[arcs->sinks[i]];
        net[arcs->sinks[i]] = 0;
    }
    for (int64_t i = 0; good && i < arcs->source_count; i++) net[arcs->sources[i]] = 0;
    for (int64_t v = 0; good && v < arcs->nodes; v++) good = !net[v];
    free(net);
    return good && arrives == value;
}

int network_cpu_solvers(void)
{
    int rows = 0;
    while (tilecut_network_solver_name(rows) && !strcmp(tilecut_network_solver_device(rows), "cpu")) rows++;
    return rows;
}
