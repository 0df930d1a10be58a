// SPDX-License-Identifier: MIT
//
// bk.cpp - Boykov & Kolmogorov's own libmaxflow (Debian package libmaxflow-dev, GPL: only here) with
// 32-bit capacities, built the way its documentation shows: nodes, terminal weights, edges.
#define MAXFLOW_INCLUDE_TEMPLATE_IMPLEMENTATION
#include <maxflow.h>

#include <vector>

#include "peer.h"

// This instance has 64-bit flows, because the flow of a large photo exceeds 32 bits.
typedef maxflow::Graph<int, int, long long> Graph;

static void once(const peer_grid &g, const char *mask_path, bool counts)
{
    const int pixels = (int)g.pixels;
    const double before = peer_baseline(), start = peer_ms();
    Graph graph(pixels, pixels * g.links);
    graph.add_node(pixels);
    for (int y = 0, p = 0; y < g.rows; y++)
        for (int x = 0; x < g.width; x++, p++) {
            if (g.source[p] || g.sink[p]) graph.add_tweights(p, g.source[p], g.sink[p]);
            for (int k = 0; k < g.links; k++)
                if (peer_inside(&g, x, y, k))
                    graph.add_edge(p, p + peer_step(&g, k), g.to[k][p], g.from[k][p]);
        }
    const double built = peer_ms();
    const long long flow = graph.maxflow();
    const double solved = peer_ms();
    if (!counts) return;
    peer_report("bk", built - start, solved - built, peer_peak() - before, flow);
    if (mask_path) {
        std::vector<unsigned char> mask(pixels);
        for (int p = 0; p < pixels; p++) mask[p] = graph.what_segment(p) == Graph::SOURCE ? 255 : 0;
        peer_write_mask(mask_path, mask.data(), mask.size());
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) peer_refuse(argv[0], "usage: bk GRAPH [MASK]");
    const peer_grid g = peer_read(argv[1]);
    for (int round = peer_rounds(&g); round > 0; round--) once(g, argc > 2 ? argv[2] : nullptr, round == 1);
    return 0;
}
