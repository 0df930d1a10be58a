/* SPDX-License-Identifier: MIT
 *
 * match_flow.c - the largest matching as a maximum flow of unit capacities (as in Hsieh, Lin & Kuo 2024): from a source
 * to each row, along the edges, and from each column to a sink. On the CPU `levels` solves it, which then is the method
 * of Hopcroft and Karp; on a device `network-cuda` does. A preflow is enough: a row passes on at most the one unit that
 * it gets, and a column that has passed on its unit is matched with one of the rows that sent one.
 */
#include <stdlib.h>

#include "bipartite.h"
#include "net_solver.h"
#include "status.h"

/* The nodes are rows, columns, source, sink. The arcs are the edges, then one for each row, then one for each
 * column. */
typedef struct unit_network {
    tilecut_network network;
    tc_net net;
    int32_t *tail, *head;
    int32_t source, sink;
} unit_network;

static tilecut_status build_unit_network(unit_network *u, const tc_bipartite *g, int threads)
{
    const int64_t edges = g->first[g->rows], inner = (int64_t)g->rows + g->columns, arcs = edges + inner;
    int64_t at = 0;
    if (arcs > TILECUT_NETWORK_ARCS || inner + 2 > TILECUT_NETWORK_NODES)
        return tc_fail(TILECUT_EINVAL, "%lld edges, rows and columns are too many for a flow; there may be %d",
                       (long long)arcs, TILECUT_NETWORK_ARCS);
    u->tail = malloc((size_t)arcs * sizeof *u->tail);
    u->head = malloc((size_t)arcs * sizeof *u->head);
    if (!u->tail || !u->head) return tc_fail(TILECUT_ENOMEM, "no memory for %lld arcs", (long long)arcs);
    u->source = (int32_t)inner;
    u->sink = u->source + 1;
    for (int32_t r = 0; r < g->rows; r++)
        for (; at < g->first[r + 1]; at++) {
            u->tail[at] = r;
            u->head[at] = g->rows + g->column[at];
        }
    for (int32_t v = 0; v < u->source; v++, at++) {
        u->tail[at] = v < g->rows ? u->source : v;
        u->head[at] = v < g->rows ? v : u->sink;
    }
    u->network.arcs = (tilecut_network_arcs){.nodes = inner + 2, .arcs = arcs, .tail = u->tail, .head = u->head,
                                             .sources = &u->source, .sinks = &u->sink, .source_count = 1,
                                             .sink_count = 1};
    NEED(tc_net_check(&u->network));
    return tc_net_init(&u->net, &u->network, threads);
}

static void unbuild(unit_network *u)
{
    tc_net_free(&u->net);
    free(u->network.role);
    free(u->tail);
    free(u->head);
}

/* True if arc `arc` carries its unit. */
static bool carries(const unit_network *u, int64_t arc)
{
    return !u->net.slot[u->net.where[arc]].room;
}

static void read_pairs(const unit_network *u, const tc_bipartite *g, tc_matching *matching)
{
    const int64_t edges = g->first[g->rows], to_sink = edges + g->rows;
    matching->pairs = 0;
    for (int32_t r = 0; r < g->rows; r++)
        for (int32_t e = g->first[r]; e < g->first[r + 1]; e++) {
            const int32_t column = g->column[e];
            if (matching->column_of[r] >= 0 || matching->row_of[column] >= 0 || !carries(u, e) ||
                !carries(u, to_sink + column))
                continue;
            matching->column_of[r] = column;
            matching->row_of[column] = r;
            matching->pairs++;
        }
}

static tilecut_status match_by(const char *solver, const tc_bipartite *graph, tc_matching *matching, int threads,
                               const tilecut_flag *cancel)
{
    tilecut_status status = TILECUT_OK;
    tc_net_run run = {.threads = threads, .cancel = cancel};
    unit_network u = {0};
    TRY(build_unit_network(&u, graph, threads));
    TRY(tc_net_solver_find(solver)->solve(&u.net, &run));
    read_pairs(&u, graph, matching);
done:
    unbuild(&u);
    return status;
}

tilecut_status tc_match_flow(const tc_bipartite *graph, tc_matching *matching, int threads, const tilecut_flag *cancel)
{
    return match_by("levels", graph, matching, threads, cancel);
}

tilecut_status tc_match_flow_cuda(const tc_bipartite *graph, tc_matching *matching, int threads,
                                  const tilecut_flag *cancel)
{
    return match_by("network-cuda", graph, matching, threads, cancel);
}
