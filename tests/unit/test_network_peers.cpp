// SPDX-License-Identifier: MIT
//
// Threads: run under the thread sanitizer, too.
//
// test_network_peers.cpp - all solvers of networks against libmaxflow (Boykov & Kolmogorov's own code, GPL: it runs
// only in this program), on random graphs with infinite and zero capacities, parallel arcs, several terminals and some
// out of reach: flow, canonical cut, and a flow that is one. Matchings against libmaxflow, too, assignments against
// all choices. Arguments: on how many graphs of each kind, from which seed on. A million take some minutes:
//
//     build/release/tests/unit/test_network_peers 1000000
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <maxflow/graph.h>
#include <maxflow/graph.cpp>

#include "random_network.h"

typedef __int128 wide; // sums of 64-bit capacities
typedef maxflow::Graph<wide, wide, wide> peer;

enum { NODES = 14, ARCS = 60, SIDE = 40, SMALL = 7 };

static int failures;

static void complain(const char *what, const char *who, unsigned long long seed)
{
    if (failures++ < 20) printf("seed %llu: %s: %s\n", seed, who, what);
}

// ---- flows ----

// The flow; -1: it has no limit. side[v] is 0 on the side of the sinks.
static wide peer_flow(const tilecut_network_arcs &arcs, std::vector<uint8_t> &side)
{
    wide finite = 0;
    for (int64_t a = 0; a < arcs.arcs; a++)
        if (!arcs.capacity || arcs.capacity[a] != TILECUT_INFINITE) finite += arcs.capacity ? arcs.capacity[a] : 1;
    const wide endless = finite + 1;
    peer graph((int)arcs.nodes, (int)arcs.arcs + 1);
    graph.add_node((int)arcs.nodes);
    for (int64_t i = 0; i < arcs.source_count; i++) graph.add_tweights(arcs.sources[i], 1000 * endless, 0);
    for (int64_t i = 0; i < arcs.sink_count; i++) graph.add_tweights(arcs.sinks[i], 0, 1000 * endless);
    for (int64_t a = 0; a < arcs.arcs; a++) {
        const bool limited = !arcs.capacity || arcs.capacity[a] != TILECUT_INFINITE;
        if (arcs.tail[a] == arcs.head[a]) continue;
        graph.add_edge(arcs.tail[a], arcs.head[a], !limited ? endless : arcs.capacity ? arcs.capacity[a] : 1, 0);
    }
    const wide flow = graph.maxflow();
    for (size_t v = 0; v < side.size(); v++) side[v] = graph.what_segment((int)v) == peer::SOURCE ? 255 : 0;
    return flow > finite ? -1 : flow;
}

static void try_flow(unsigned long long seed)
{
    random_network it;
    random_network_draw(&it, seed, NODES, ARCS);
    const size_t nodes = (size_t)it.arcs.nodes;
    std::vector<uint8_t> expected(nodes), side(nodes);
    std::vector<int64_t> flow((size_t)it.arcs.arcs + 1);
    const wide best = peer_flow(it.arcs, expected);
    tilecut_network *network = nullptr;
    if (tilecut_network_create(&network, &it.arcs) != TILECUT_OK) complain("is refused", "network", seed);
    for (int i = 0; network && i < network_cpu_solvers(); i++) {
        const char *const name = tilecut_network_solver_name(i);
        tilecut_network_params params = {};
        tilecut_network_report report = {};
        params.solver = name;
        params.threads = 1 + (int64_t)(seed % 4);
        const tilecut_status status = tilecut_network_solve(network, &params, side.data(), flow.data(), &report);
        if (best < 0) {
            if (status != TILECUT_ERANGE) complain("a flow without limit is not refused", name, seed);
        } else if (status != TILECUT_OK) {
            complain(tilecut_error_detail(), name, seed);
        } else if (report.flow != best || report.cut != best || !report.certified) {
            complain("another flow", name, seed);
        } else if (side != expected) {
            complain("another cut", name, seed);
        } else if (!network_is_flow(&it.arcs, flow.data(), report.flow)) {
            complain("no flow", name, seed);
        }
    }
    tilecut_network_destroy(network);
    random_network_free(&it);
}

// ---- pairs ----

struct Edges {
    std::vector<int32_t> row, column;
    std::vector<int64_t> cost;
    tilecut_network_edges given;
};

static void draw(Edges &e, unsigned long long seed, int most, int most_edges)
{
    uint64_t state = seed * 31 + 7;
    const int rows = 1 + random_below(&state, most), columns = 1 + random_below(&state, most);
    const int edges = random_below(&state, most_edges + 1), span = random_below(&state, 2) ? 4 : 100000;
    const bool hubs = random_below(&state, 3) == 0;
    for (int k = 0; k < edges; k++) {
        e.row.push_back(hubs ? random_below(&state, 1 + random_below(&state, rows)) : random_below(&state, rows));
        e.column.push_back(random_below(&state, columns));
        e.cost.push_back(random_below(&state, span) - span / 4);
    }
    std::memset(&e.given, 0, sizeof e.given);
    e.given.rows = rows;
    e.given.columns = columns;
    e.given.edges = edges;
    e.given.row = e.row.data();
    e.given.column = e.column.data();
    e.given.cost = e.cost.data();
}

static bool runs_here(const char *device)
{
    return strcmp(device, "cuda") || tilecut_cuda_device(0, nullptr, 0) == TILECUT_OK;
}

static void try_match(unsigned long long seed)
{
    Edges e;
    draw(e, seed, SIDE, 3 * SIDE);
    const int rows = (int)e.given.rows, nodes = rows + (int)e.given.columns;
    peer graph(nodes, (int)e.given.edges + 1);
    graph.add_node(nodes);
    for (int v = 0; v < nodes; v++) graph.add_tweights(v, v < rows, v >= rows);
    for (size_t k = 0; k < e.row.size(); k++) graph.add_edge(e.row[k], rows + e.column[k], 1, 0);
    const wide best = graph.maxflow();
    std::vector<uint8_t> cover((size_t)nodes), first;
    for (int i = 0; tilecut_network_matcher_name(i); i++) {
        const char *const name = tilecut_network_matcher_name(i);
        tilecut_network_params params = {};
        tilecut_network_pairs_report report = {};
        if (!runs_here(tilecut_network_matcher_device(i))) continue;
        params.solver = name;
        if (tilecut_network_match(&e.given, &params, nullptr, cover.data(), &report) != TILECUT_OK)
            complain(tilecut_error_detail(), name, seed);
        else if (report.pairs != best || !report.certified) complain("another number of pairs", name, seed);
        if (i && cover != first) complain("another cover", name, seed);
        first = cover;
    }
}

// The least cost over all ways to give the rows different columns; INT64_MAX: there is none.
static int64_t cheapest(const tilecut_network_edges &given)
{
    const size_t sets = (size_t)1 << given.columns;
    std::vector<int64_t> cost(sets, INT64_MAX), next;
    cost[0] = 0;
    for (int64_t r = 0; r < given.rows; r++) {
        next.assign(sets, INT64_MAX);
        for (int64_t k = 0; k < given.edges; k++)
            for (size_t set = 0; given.row[k] == r && set < sets; set++) {
                const size_t more = set | (size_t)1 << given.column[k];
                if (more == set || cost[set] == INT64_MAX || cost[set] + given.cost[k] >= next[more]) continue;
                next[more] = cost[set] + given.cost[k];
            }
        cost = next;
    }
    int64_t best = INT64_MAX;
    for (int64_t c : cost) best = c < best ? c : best;
    return best;
}

static void try_assign(unsigned long long seed)
{
    Edges e;
    draw(e, seed, SMALL, 5 * SMALL);
    if (e.given.rows > e.given.columns) return;
    const int64_t best = cheapest(e.given);
    for (int i = 0; tilecut_network_assigner_name(i); i++) {
        const char *const name = tilecut_network_assigner_name(i);
        tilecut_network_params params = {};
        tilecut_network_pairs_report report = {};
        if (!runs_here(tilecut_network_assigner_device(i))) continue;
        params.solver = name;
        const tilecut_status status = tilecut_network_assign(&e.given, &params, nullptr, nullptr, &report);
        if (status != (best == INT64_MAX ? TILECUT_EINVAL : TILECUT_OK)) complain(tilecut_error_detail(), name, seed);
        else if (status == TILECUT_OK && (report.cost != best || !report.certified))
            complain("another cost", name, seed);
    }
}

int main(int argc, char **argv)
{
    const unsigned long long last = argc > 1 ? strtoull(argv[1], nullptr, 10) : RANDOM_CASES(1000);
    const unsigned long long first = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1;
    for (unsigned long long seed = first; seed < first + last; seed++) {
        try_flow(seed);
        try_match(seed);
        try_assign(seed);
    }
    printf("networks against libmaxflow: seeds from %llu on, flows, pairs and costs of %llu, %d failed\n", first, last,
           failures);
    return failures != 0;
}
