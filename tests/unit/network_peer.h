/* SPDX-License-Identifier: MIT
 *
 * network_peer.h - independent answers for random networks: flows by libmaxflow (Boykov & Kolmogorov's own code, under
 * the GPL, linked into these test programs only), and costs by trying all choices. C++.
 */
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <maxflow/graph.h>
#include <maxflow/graph.cpp>

#include "random_network.h"

typedef __int128 wide; // a type wide enough for sums of 64-bit capacities
typedef maxflow::Graph<wide, wide, wide> peer;

// Returns the maximum flow, or -1 if it is infinite. side[v] is 0 for nodes on the sink side.
inline wide peer_flow(const tilecut_network_arcs &arcs, std::vector<uint8_t> &side)
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

// Edges between rows and columns, in owned arrays.
struct Edges {
    std::vector<int32_t> row, column;
    std::vector<int64_t> cost;
    int rows = 0, columns = 0;

    // The edges as an argument for the library; valid as long as these arrays are.
    tilecut_network_edges given() const
    {
        tilecut_network_edges edges;
        std::memset(&edges, 0, sizeof edges);
        edges.rows = rows;
        edges.columns = columns;
        edges.edges = (int64_t)row.size();
        edges.row = row.data();
        edges.column = column.data();
        edges.cost = cost.data();
        return edges;
    }
};

// Draws up to `most` rows and columns. Edges are arbitrary, repeat often, or lie mostly in a few rows.
inline void draw_edges(Edges &e, unsigned long long seed, int most, int most_edges)
{
    uint64_t state = seed * 31 + 7;
    e.rows = 1 + random_below(&state, most);
    e.columns = 1 + random_below(&state, most);
    const int edges = random_below(&state, most_edges + 1), span = random_below(&state, 2) ? 4 : 100000;
    const bool hubs = random_below(&state, 3) == 0;
    for (int k = 0; k < edges; k++) {
        e.row.push_back(hubs ? random_below(&state, 1 + random_below(&state, e.rows)) : random_below(&state, e.rows));
        e.column.push_back(random_below(&state, e.columns));
        e.cost.push_back(random_below(&state, span) - span / 4);
    }
}

inline wide peer_pairs(const Edges &e)
{
    const int nodes = e.rows + e.columns;
    peer graph(nodes, (int)e.row.size() + 1);
    graph.add_node(nodes);
    for (int v = 0; v < nodes; v++) graph.add_tweights(v, v < e.rows, v >= e.rows);
    for (size_t k = 0; k < e.row.size(); k++) graph.add_edge(e.row[k], e.rows + e.column[k], 1, 0);
    return graph.maxflow();
}

// Returns the least cost of assigning a different column to each row, over all assignments; INT64_MAX if there is none.
inline int64_t cheapest(const Edges &e)
{
    const size_t sets = (size_t)1 << e.columns;
    std::vector<int64_t> cost(sets, INT64_MAX), next;
    cost[0] = 0;
    for (int r = 0; r < e.rows; r++) {
        next.assign(sets, INT64_MAX);
        for (size_t k = 0; k < e.row.size(); k++)
            for (size_t set = 0; e.row[k] == r && set < sets; set++) {
                const size_t more = set | (size_t)1 << e.column[k];
                if (more == set || cost[set] == INT64_MAX || cost[set] + e.cost[k] >= next[more]) continue;
                next[more] = cost[set] + e.cost[k];
            }
        cost = next;
    }
    int64_t best = INT64_MAX;
    for (int64_t c : cost) best = c < best ? c : best;
    return best;
}

// True if a row of a table can run on this machine: rows for CUDA need a device.
inline bool runs_here(const char *device)
{
    return !device || strcmp(device, "cuda") || tilecut_cuda_device(0, nullptr, 0) == TILECUT_OK;
}
