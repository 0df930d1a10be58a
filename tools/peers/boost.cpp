// SPDX-License-Identifier: MIT
//
// boost.cpp - boykov_kolmogorov_max_flow of the Boost Graph Library (Debian package libboost-graph-dev) on a
// compressed sparse row graph with properties in arrays: its fastest form. The library wants the two terminals
// as vertices.
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/property_map/property_map.hpp>

#include <vector>

#include "peer.h"

typedef boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                           boost::no_property, std::uint32_t, std::uint32_t>
    Graph;
typedef boost::graph_traits<Graph>::edge_descriptor Edge;
typedef boost::graph_traits<Graph>::vertex_descriptor Vertex;

struct Network {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    std::vector<long> capacity;
    std::vector<std::uint32_t> reverse; // number of the opposite arc
};

// Builds the network: the number of arcs out of each vertex, then the arcs in that order, each with the number of its
// opposite.
static Network make_network(const peer_grid &g)
{
    const std::uint32_t pixels = static_cast<std::uint32_t>(g.pixels);
    const std::uint32_t source = pixels, sink = pixels + 1;
    std::vector<std::uint32_t> first(pixels + 3, 0);
    auto each = [&](auto &&link) {
        for (int y = 0, p = 0; y < g.rows; y++)
            for (int x = 0; x < g.width; x++, p++) {
                const std::uint32_t u = static_cast<std::uint32_t>(p);
                if (g.source[p]) link(source, u, g.source[p], 0);
                if (g.sink[p]) link(u, sink, g.sink[p], 0);
                for (int k = 0; k < g.links; k++)
                    if (peer_inside(&g, x, y, k))
                        link(u, static_cast<std::uint32_t>(p + peer_step(&g, k)), g.to[k][p],
                             g.from[k][p]);
            }
    };
    each([&](std::uint32_t u, std::uint32_t v, int, int) { first[u + 1]++, first[v + 1]++; });
    for (std::size_t i = 1; i < first.size(); i++) first[i] += first[i - 1];
    Network n;
    const std::size_t arcs = first.back();
    n.ends.resize(arcs);
    n.capacity.resize(arcs);
    n.reverse.resize(arcs);
    std::vector<std::uint32_t> next(first);
    each([&](std::uint32_t u, std::uint32_t v, int there, int back) {
        const std::uint32_t a = next[u]++, b = next[v]++;
        n.ends[a] = {u, v};
        n.ends[b] = {v, u};
        n.capacity[a] = there;
        n.capacity[b] = back;
        n.reverse[a] = b;
        n.reverse[b] = a;
    });
    return n;
}

static void once(const peer_grid &g, const char *mask_path, bool counts)
{
    const std::size_t pixels = g.pixels;
    const double before = peer_baseline(), start = peer_ms();
    const Network n = make_network(g);
    const Graph graph(boost::edges_are_sorted, n.ends.begin(), n.ends.end(), pixels + 2);
    std::vector<long> residual(n.capacity.size());
    std::vector<Edge> reverse(n.capacity.size()); // the opposite edges, named by source and number as in the graph
    for (std::size_t i = 0; i < reverse.size(); i++) reverse[i] = Edge(n.ends[i].second, n.reverse[i]);
    const auto index = get(boost::edge_index, graph);
    std::vector<Edge> predecessor(pixels + 2);
    std::vector<boost::default_color_type> color(pixels + 2);
    std::vector<long> distance(pixels + 2);
    const auto vertex = get(boost::vertex_index, graph);
    const double built = peer_ms();
    const long flow = boost::boykov_kolmogorov_max_flow(
        graph, boost::make_iterator_property_map(n.capacity.begin(), index),
        boost::make_iterator_property_map(residual.begin(), index),
        boost::make_iterator_property_map(reverse.begin(), index),
        boost::make_iterator_property_map(predecessor.begin(), vertex),
        boost::make_iterator_property_map(color.begin(), vertex),
        boost::make_iterator_property_map(distance.begin(), vertex), vertex, static_cast<Vertex>(pixels),
        static_cast<Vertex>(pixels + 1));
    const double solved = peer_ms();
    if (!counts) return;
    peer_report("boost", built - start, solved - built, peer_peak() - before, flow);
    if (mask_path) {
        // White vertices are the tree of the sink. Grey ones are in neither tree and cannot reach the sink.
        std::vector<unsigned char> mask(pixels);
        for (std::size_t p = 0; p < pixels; p++) mask[p] = color[p] == boost::white_color ? 0 : 255;
        peer_write_mask(mask_path, mask.data(), mask.size());
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) peer_refuse(argv[0], "usage: boost GRAPH [MASK]");
    const peer_grid g = peer_read(argv[1]);
    for (int round = peer_rounds(&g); round > 0; round--) once(g, argc > 2 ? argv[2] : nullptr, round == 1);
    return 0;
}
