// SPDX-License-Identifier: MIT
//
// network-boost.cpp - push_relabel_max_flow of the Boost Graph Library (Debian package libboost-graph-dev) on a
// compressed sparse row graph with properties in arrays. It always computes a full flow; it cannot stop at a preflow.
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <boost/property_map/property_map.hpp>

#include <vector>

#include "peer_network.h"

typedef boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                           boost::no_property, uint32_t, uint32_t>
    Graph;
typedef boost::graph_traits<Graph>::edge_descriptor Edge;
typedef boost::graph_traits<Graph>::vertex_descriptor Vertex;

struct Network {
    std::vector<std::pair<uint32_t, uint32_t>> ends;
    std::vector<long long> capacity;
    std::vector<uint32_t> reverse; // number of the opposite arc
    std::vector<uint32_t> place;   // position of each arc of the file
};

static Network make_network(const peer_network &p)
{
    std::vector<uint32_t> next(static_cast<std::size_t>(p.nodes) + 1, 0);
    for (int64_t a = 0; a < p.arcs; a++) next[p.tail[a] + 1]++, next[p.head[a] + 1]++;
    for (std::size_t i = 1; i < next.size(); i++) next[i] += next[i - 1];
    Network n;
    n.ends.resize(next.back());
    n.capacity.resize(n.ends.size());
    n.reverse.resize(n.ends.size());
    n.place.resize(static_cast<std::size_t>(p.arcs));
    for (int64_t k = 0; k < p.arcs; k++) {
        const uint32_t u = p.tail[k], v = p.head[k], a = next[u]++, b = next[v]++;
        n.ends[a] = {u, v};
        n.ends[b] = {v, u};
        n.capacity[a] = p.value[k];
        n.capacity[b] = 0;
        n.reverse[a] = b;
        n.reverse[b] = a;
        n.place[k] = a;
    }
    return n;
}

static void once(const peer_network &p, const char *mask_path, bool counts)
{
    const double before = peer_baseline(), start = peer_ms();
    const Network n = make_network(p);
    Graph graph(boost::edges_are_sorted, n.ends.begin(), n.ends.end(), static_cast<std::size_t>(p.nodes));
    std::vector<long long> residual(n.capacity.size());
    std::vector<Edge> reverse(n.capacity.size()); // the opposite edges, named by source and number as in the graph
    for (std::size_t i = 0; i < reverse.size(); i++) reverse[i] = Edge(n.ends[i].second, n.reverse[i]);
    const auto index = get(boost::edge_index, graph);
    const double built = peer_ms();
    const long long flow = boost::push_relabel_max_flow(
        graph, static_cast<Vertex>(p.source), static_cast<Vertex>(p.sink),
        boost::make_iterator_property_map(n.capacity.begin(), index),
        boost::make_iterator_property_map(residual.begin(), index),
        boost::make_iterator_property_map(reverse.begin(), index), get(boost::vertex_index, graph));
    const double solved = peer_ms();
    if (!counts) return;
    peer_report("boost", built - start, solved - built, peer_peak() - before, flow);
    if (mask_path) {
        std::vector<int64_t> carried(static_cast<std::size_t>(p.arcs));
        for (std::size_t k = 0; k < carried.size(); k++) carried[k] = p.value[k] - residual[n.place[k]];
        peer_network_mask(&p, carried.data(), mask_path);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) peer_refuse(argv[0], "usage: network-boost NETWORK [MASK]");
    const peer_network p = peer_network_read(argv[1]);
    if (p.problem != PEER_FLOW) peer_no("has no pairs in bipartite graphs");
    if (!peer_network_below(&p, INT64_MAX / 2)) peer_no("capacities whose sum does not fit 64 bits");
    for (int round = peer_network_rounds(&p); round > 0; round--) once(p, argc > 2 ? argv[2] : nullptr, round == 1);
    return 0;
}
