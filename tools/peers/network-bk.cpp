// SPDX-License-Identifier: MIT
//
// network-bk.cpp - Boykov & Kolmogorov's libmaxflow (Debian package libmaxflow-dev, GPL: only here) on graphs of any
// shape, with 64-bit capacities. Arcs at the terminals become its terminal weights.
#define MAXFLOW_INCLUDE_TEMPLATE_IMPLEMENTATION
#include <maxflow.h>

#include <vector>

#include "peer_network.h"

typedef maxflow::Graph<long long, long long, long long> Graph;

static void once(const peer_network &n, const char *mask_path, bool counts)
{
    const double before = peer_baseline(), start = peer_ms();
    Graph graph(static_cast<int>(n.nodes), static_cast<int>(n.arcs));
    long long direct = 0;
    graph.add_node(static_cast<int>(n.nodes));
    for (int64_t a = 0; a < n.arcs; a++) {
        const int u = n.tail[a], v = n.head[a];
        if (u == v || v == n.source || u == n.sink) continue;
        if (u == n.source && v == n.sink) direct += n.value[a];
        else if (u == n.source) graph.add_tweights(v, n.value[a], 0);
        else if (v == n.sink) graph.add_tweights(u, 0, n.value[a]);
        else graph.add_edge(u, v, n.value[a], 0);
    }
    const double built = peer_ms();
    const long long flow = graph.maxflow() + direct;
    const double solved = peer_ms();
    if (!counts) return;
    peer_report("bk", built - start, solved - built, peer_peak() - before, flow);
    if (mask_path) {
        std::vector<unsigned char> mask(static_cast<std::size_t>(n.told));
        for (int64_t v = 0; v < n.told; v++)
            mask[static_cast<std::size_t>(v)] =
                v != n.sink && (v == n.source || graph.what_segment(static_cast<int>(v)) == Graph::SOURCE) ? 255 : 0;
        peer_write_mask(mask_path, mask.data(), mask.size());
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) peer_refuse(argv[0], "usage: network-bk NETWORK [MASK]");
    const peer_network n = peer_network_read(argv[1]);
    if (n.problem != PEER_FLOW) peer_no("has no pairs");
    if (!peer_network_below(&n, INT64_MAX / 2)) peer_no("capacities whose sum does not fit 64 bits");
    if (n.nodes >= INT32_MAX / 2 || n.arcs >= INT32_MAX / 2) peer_no("too many nodes or arcs for it");
    for (int round = peer_network_rounds(&n); round > 0; round--) once(n, argc > 2 ? argv[2] : nullptr, round == 1);
    return 0;
}
