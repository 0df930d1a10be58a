/* SPDX-License-Identifier: MIT */
#include "match_side.h"

/* The number of free nodes that have edges. */
static int32_t count_open(const tc_side *side)
{
    int32_t open = 0;
    for (int32_t v = 0; v < side->nodes; v++) open += side->partner[v] < 0 && side->first[v + 1] > side->first[v];
    return open;
}

tc_side tc_match_side(const tc_bipartite *graph, tc_matching *matching)
{
    const tc_side rows = {.nodes = graph->rows, .others = graph->columns, .first = graph->first,
                          .other = graph->column, .other_first = graph->edge_first, .other_node = graph->edge_row,
                          .partner = matching->column_of, .partner_of_other = matching->row_of};
    const tc_side columns = {.nodes = graph->columns, .others = graph->rows, .first = graph->edge_first,
                             .other = graph->edge_row, .other_first = graph->first, .other_node = graph->column,
                             .partner = matching->row_of, .partner_of_other = matching->column_of};
    return count_open(&rows) <= count_open(&columns) ? rows : columns;
}

int tc_match_useful(const tc_side *side, int threads)
{
    enum { EDGES = 1 << 16 };
    const int most = 1 + side->first[side->nodes] / EDGES;
    return threads < most ? threads : most;
}

static int32_t most_edges(const int32_t *first, int32_t nodes)
{
    int32_t most = 0;
    for (int32_t v = 0; v < nodes; v++)
        if (first[v + 1] - first[v] > most) most = first[v + 1] - first[v];
    return most;
}

bool tc_match_has_hubs(const tc_bipartite *graph)
{
    enum { HUB = 16 }; /* a hub has this many times the average number of edges */
    const int64_t edges = graph->first[graph->rows];
    return most_edges(graph->first, graph->rows) > HUB * (1 + edges / (graph->rows + 1)) ||
           most_edges(graph->edge_first, graph->columns) > HUB * (1 + edges / (graph->columns + 1));
}
