// SPDX-License-Identifier: MIT
//
// lemon.cpp - Preflow of the LEMON library (Debian package liblemon-dev; not linked by tilecut) on its static,
// compact digraph. The first phase is enough for the flow and the cut.
#include <lemon/preflow.h>
#include <lemon/static_graph.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "peer.h"

typedef lemon::StaticDigraph Graph;
typedef Graph::ArcMap<long long> Capacity;

struct Arc {
    int from, to;
    int capacity;
    bool operator<(const Arc &other) const { return from < other.from; }
};

static std::vector<Arc> make_arcs(const peer_grid &g, int source, int sink)
{
    std::vector<Arc> arcs;
    auto put = [&](int u, int v, int c) {
        if (c) arcs.push_back({u, v, c});
    };
    for (int y = 0, p = 0; y < g.rows; y++)
        for (int x = 0; x < g.width; x++, p++) {
            put(source, p, g.source[p]);
            put(p, sink, g.sink[p]);
            for (int k = 0; k < g.links; k++) {
                if (!peer_inside(&g, x, y, k)) continue;
                const int q = p + peer_step(&g, k);
                put(p, q, g.to[k][p]);
                put(q, p, g.from[k][p]);
            }
        }
    std::stable_sort(arcs.begin(), arcs.end());
    return arcs;
}

// A pixel is background if it still reaches the sink. After the first phase LEMON's own minCut() is in general another
// minimum cut, so the mask is computed from the residual graph, outside of the measured time.
static std::vector<unsigned char> find_mask(const peer_grid &g, const Graph &graph, const Capacity &capacity,
                                            lemon::Preflow<Graph, Capacity> &preflow, int sink)
{
    std::vector<unsigned char> mask(g.pixels, 255);
    std::vector<std::vector<int>> into(mask.size() + 2); // residual arcs by their heads
    for (Graph::ArcIt a(graph); a != lemon::INVALID; ++a) {
        const int u = graph.id(graph.source(a)), v = graph.id(graph.target(a));
        if (preflow.flow(a) < capacity[a]) into[static_cast<std::size_t>(v)].push_back(u);
        if (preflow.flow(a) > 0) into[static_cast<std::size_t>(u)].push_back(v);
    }
    std::vector<int> stack(1, sink);
    while (!stack.empty()) {
        const int v = stack.back();
        stack.pop_back();
        for (int u : into[static_cast<std::size_t>(v)])
            if (u < static_cast<int>(mask.size()) && mask[static_cast<std::size_t>(u)]) {
                mask[static_cast<std::size_t>(u)] = 0;
                stack.push_back(u);
            }
    }
    return mask;
}

static void once(const peer_grid &g, const char *mask_path, bool counts)
{
    const int source = (int)g.pixels, sink = source + 1;
    const double before = peer_baseline(), start = peer_ms();
    std::vector<Arc> arcs = make_arcs(g, source, sink);
    std::vector<std::pair<int, int>> ends;
    ends.reserve(arcs.size());
    for (const Arc &a : arcs) ends.push_back({a.from, a.to});
    Graph graph;
    graph.build(sink + 1, ends.begin(), ends.end());
    Capacity capacity(graph);
    for (std::size_t i = 0; i < arcs.size(); i++) capacity[graph.arc(static_cast<int>(i))] = arcs[i].capacity;
    std::vector<Arc>().swap(arcs);
    std::vector<std::pair<int, int>>().swap(ends);
    lemon::Preflow<Graph, Capacity> preflow(graph, capacity, graph.node(source), graph.node(sink));
    const double built = peer_ms();
    preflow.init();
    preflow.startFirstPhase();
    const double solved = peer_ms();
    if (!counts) return;
    peer_report("lemon", built - start, solved - built, peer_peak() - before, preflow.flowValue());
    if (mask_path) {
        const std::vector<unsigned char> mask = find_mask(g, graph, capacity, preflow, sink);
        peer_write_mask(mask_path, mask.data(), mask.size());
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) peer_refuse(argv[0], "usage: lemon GRAPH [MASK]");
    const peer_grid g = peer_read(argv[1]);
    for (int round = peer_rounds(&g); round > 0; round--) once(g, argc > 2 ? argv[2] : nullptr, round == 1);
    return 0;
}
