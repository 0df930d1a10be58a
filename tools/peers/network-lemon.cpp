// SPDX-License-Identifier: MIT
//
// network-lemon.cpp - Preflow (first phase), MaxMatching and CostScaling of the LEMON library (Debian package
// liblemon-dev; not linked by tilecut).
#include <lemon/cost_scaling.h>
#include <lemon/matching.h>
#include <lemon/preflow.h>
#include <lemon/smart_graph.h>
#include <lemon/static_graph.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "peer_network.h"

typedef lemon::StaticDigraph Graph;
typedef Graph::ArcMap<long long> Values;

// Returns the order of the file's arcs by their tails, as StaticDigraph requires.
static std::vector<int64_t> order_of(const peer_network &n)
{
    std::vector<int64_t> order(static_cast<std::size_t>(n.arcs));
    for (std::size_t a = 0; a < order.size(); a++) order[a] = static_cast<int64_t>(a);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return n.tail[a] < n.tail[b]; });
    return order;
}

static void build(const peer_network &n, const std::vector<int64_t> &order, int shift, Graph &graph)
{
    std::vector<std::pair<int, int>> ends;
    ends.reserve(order.size());
    for (int64_t a : order) ends.push_back({n.tail[a], n.head[a] + shift});
    graph.build(static_cast<int>(n.nodes), ends.begin(), ends.end());
}

static void flow(const peer_network &n, const char *mask_path, bool counts)
{
    const double before = peer_baseline(), start = peer_ms();
    const std::vector<int64_t> order = order_of(n);
    Graph graph;
    build(n, order, 0, graph);
    Values capacity(graph);
    for (std::size_t i = 0; i < order.size(); i++) capacity[graph.arc(static_cast<int>(i))] = n.value[order[i]];
    lemon::Preflow<Graph, Values> preflow(graph, capacity, graph.node(static_cast<int>(n.source)),
                                          graph.node(static_cast<int>(n.sink)));
    const double built = peer_ms();
    preflow.init();
    preflow.startFirstPhase();
    const double solved = peer_ms();
    if (!counts) return;
    peer_report("lemon", built - start, solved - built, peer_peak() - before, preflow.flowValue());
    if (mask_path) {
        std::vector<int64_t> carried(order.size());
        for (std::size_t i = 0; i < order.size(); i++)
            carried[static_cast<std::size_t>(order[i])] = preflow.flow(graph.arc(static_cast<int>(i)));
        peer_network_mask(&n, carried.data(), mask_path);
    }
}

static void match(const peer_network &n, bool counts)
{
    const double before = peer_baseline(), start = peer_ms();
    lemon::SmartGraph graph;
    graph.reserveNode(static_cast<int>(n.nodes));
    graph.reserveEdge(static_cast<int>(n.arcs));
    for (int64_t v = 0; v < n.nodes; v++) graph.addNode();
    for (int64_t a = 0; a < n.arcs; a++)
        graph.addEdge(graph.nodeFromId(n.tail[a]), graph.nodeFromId(static_cast<int>(n.rows) + n.head[a]));
    const double built = peer_ms();
    lemon::MaxMatching<lemon::SmartGraph> matching(graph);
    matching.run();
    const double solved = peer_ms();
    if (counts) peer_report("lemon", built - start, solved - built, peer_peak() - before, matching.matchingSize());
}

static void assign(const peer_network &n, bool counts)
{
    const double before = peer_baseline(), start = peer_ms();
    const std::vector<int64_t> order = order_of(n);
    Graph graph;
    build(n, order, static_cast<int>(n.rows), graph);
    Values cost(graph), one(graph, 1);
    Graph::NodeMap<long long> supply(graph);
    for (std::size_t i = 0; i < order.size(); i++) cost[graph.arc(static_cast<int>(i))] = n.value[order[i]];
    for (int v = 0; v < static_cast<int>(n.nodes); v++) supply[graph.node(v)] = v < n.rows ? 1 : -1;
    const double built = peer_ms();
    lemon::CostScaling<Graph, long long, long long> scaling(graph);
    scaling.upperMap(one).costMap(cost).supplyMap(supply);
    const bool found = scaling.run() == scaling.OPTIMAL;
    const double solved = peer_ms();
    if (!found) peer_no("found no assignment");
    if (counts) peer_report("lemon", built - start, solved - built, peer_peak() - before, scaling.totalCost());
}

int main(int argc, char **argv)
{
    if (argc < 2) peer_refuse(argv[0], "usage: network-lemon NETWORK [MASK]");
    const peer_network n = peer_network_read(argv[1]);
    if (n.problem == PEER_FLOW && !peer_network_below(&n, INT64_MAX / 2))
        peer_no("capacities whose sum does not fit 64 bits");
    if (n.problem == PEER_ASSIGN && n.rows != n.columns) peer_no("more columns than rows");
    for (int round = peer_network_rounds(&n); round > 0; round--) {
        if (n.problem == PEER_FLOW) flow(n, argc > 2 ? argv[2] : nullptr, round == 1);
        else if (n.problem == PEER_MATCH) match(n, round == 1);
        else assign(n, round == 1);
    }
    return 0;
}
