/* SPDX-License-Identifier: MIT
 *
 * network-igraph.c - igraph_maxflow_value() and igraph_maximum_bipartite_matching(), both push-relabel, of the igraph
 * library (Debian package libigraph-dev; GPL: only here). Its capacities are doubles; capacities that doubles cannot
 * hold exactly are refused.
 */
#include <igraph.h>

#include "peer_network.h"

static void flow(const peer_network *n, int counts)
{
    const double before = peer_baseline(), start = peer_ms();
    igraph_vector_int_t ends;
    igraph_vector_t capacity;
    igraph_t graph;
    igraph_real_t value = 0;
    igraph_maxflow_stats_t stats;
    igraph_vector_int_init(&ends, 2 * n->arcs);
    igraph_vector_init(&capacity, n->arcs);
    for (int64_t a = 0; a < n->arcs; a++) {
        VECTOR(ends)[2 * a] = n->tail[a];
        VECTOR(ends)[2 * a + 1] = n->head[a];
        VECTOR(capacity)[a] = (double)n->value[a];
    }
    igraph_create(&graph, &ends, n->nodes, IGRAPH_DIRECTED);
    igraph_vector_int_destroy(&ends);
    const double built = peer_ms();
    igraph_maxflow_value(&graph, &value, n->source, n->sink, &capacity, &stats);
    const double solved = peer_ms();
    if (counts) peer_report("igraph", built - start, solved - built, peer_peak() - before, (long long)value);
    igraph_destroy(&graph);
    igraph_vector_destroy(&capacity);
}

static void match(const peer_network *n, int counts)
{
    const double before = peer_baseline(), start = peer_ms();
    igraph_vector_int_t ends;
    igraph_vector_bool_t types;
    igraph_t graph;
    igraph_integer_t pairs = 0;
    igraph_vector_int_init(&ends, 2 * n->arcs);
    igraph_vector_bool_init(&types, n->nodes);
    for (int64_t a = 0; a < n->arcs; a++) {
        VECTOR(ends)[2 * a] = n->tail[a];
        VECTOR(ends)[2 * a + 1] = n->rows + n->head[a];
    }
    for (int64_t v = n->rows; v < n->nodes; v++) VECTOR(types)[v] = 1;
    igraph_create(&graph, &ends, n->nodes, IGRAPH_UNDIRECTED);
    igraph_vector_int_destroy(&ends);
    const double built = peer_ms();
    igraph_maximum_bipartite_matching(&graph, &types, &pairs, NULL, NULL, NULL, 0);
    const double solved = peer_ms();
    if (counts) peer_report("igraph", built - start, solved - built, peer_peak() - before, (long long)pairs);
    igraph_destroy(&graph);
    igraph_vector_bool_destroy(&types);
}

int main(int argc, char **argv)
{
    if (argc < 2) peer_refuse(argv[0], "usage: network-igraph NETWORK");
    const peer_network n = peer_network_read(argv[1]);
    if (n.problem == PEER_ASSIGN) peer_no("has no assignment");
    if (n.problem == PEER_FLOW && !peer_network_below(&n, INT64_C(1) << 53)) peer_no("capacities beyond 2^53");
    for (int round = peer_network_rounds(&n); round > 0; round--)
        (n.problem == PEER_FLOW ? flow : match)(&n, round == 1);
    return 0;
}
