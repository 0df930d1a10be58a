/* SPDX-License-Identifier: MIT
 *
 * igraph.c - igraph_maxflow(), push-relabel, of the igraph library (Debian package libigraph-dev; GPL: only
 * here). Its capacities are doubles; all of ours are whole numbers below 2^53, so its flow is exact too.
 */
#include <igraph.h>

#include "peer.h"

typedef struct network {
    igraph_vector_int_t ends;
    igraph_vector_t capacity;
} network;

static void put(network *n, igraph_integer_t from, igraph_integer_t to, int32_t capacity)
{
    if (!capacity) return;
    igraph_vector_int_push_back(&n->ends, from);
    igraph_vector_int_push_back(&n->ends, to);
    igraph_vector_push_back(&n->capacity, capacity);
}

static void put_pixel(network *n, const peer_grid *g, int x, int y)
{
    const igraph_integer_t pixels = (igraph_integer_t)g->pixels;
    const igraph_integer_t p = (igraph_integer_t)y * g->width + x;
    put(n, pixels, p, g->source[p]);
    put(n, p, pixels + 1, g->sink[p]);
    for (int k = 0; k < g->links; k++) {
        if (!peer_inside(g, x, y, k)) continue;
        const igraph_integer_t q = p + peer_step(g, k);
        put(n, p, q, g->to[k][p]);
        put(n, q, p, g->from[k][p]);
    }
}

static void once(const peer_grid *g, int counts)
{
    const igraph_integer_t pixels = (igraph_integer_t)g->pixels;
    const double before = peer_baseline(), start = peer_ms();
    network n;
    igraph_t graph;
    igraph_real_t flow = 0;
    igraph_maxflow_stats_t stats;
    igraph_vector_int_init(&n.ends, 0);
    igraph_vector_init(&n.capacity, 0);
    for (int y = 0; y < g->rows; y++)
        for (int x = 0; x < g->width; x++) put_pixel(&n, g, x, y);
    igraph_create(&graph, &n.ends, pixels + 2, IGRAPH_DIRECTED);
    igraph_vector_int_destroy(&n.ends);
    const double built = peer_ms();
    igraph_maxflow_value(&graph, &flow, pixels, pixels + 1, &n.capacity, &stats);
    const double solved = peer_ms();
    if (counts) peer_report("igraph", built - start, solved - built, peer_peak() - before, (long long)flow);
    igraph_destroy(&graph);
    igraph_vector_destroy(&n.capacity);
}

int main(int argc, char **argv)
{
    if (argc < 2) peer_refuse(argv[0], "usage: igraph GRAPH");
    const peer_grid g = peer_read(argv[1]);
    for (int round = peer_rounds(&g); round > 0; round--) once(&g, round == 1);
    return 0;
}
