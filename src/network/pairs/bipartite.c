/* SPDX-License-Identifier: MIT
 *
 * bipartite.c - see bipartite.h.
 */
#include "bipartite.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

static tilecut_status check_sizes(const tilecut_network_edges *given, bool costs)
{
    if (given->rows < 1 || given->columns < 1 || given->rows > TILECUT_NETWORK_ARCS ||
        given->columns > TILECUT_NETWORK_ARCS)
        return tc_fail(TILECUT_EINVAL, "%lld rows and %lld columns; there are 1 to %d of each", (long long)given->rows,
                       (long long)given->columns, TILECUT_NETWORK_ARCS);
    if (given->edges < 0 || given->edges > TILECUT_NETWORK_ARCS)
        return tc_fail(TILECUT_EINVAL, "%lld edges; there are 0 to %d", (long long)given->edges, TILECUT_NETWORK_ARCS);
    if (!given->column && given->edges &&
        (given->row || given->first || given->edges != given->rows * given->columns))
        return tc_fail(TILECUT_EINVAL, "column is NULL, which is for full matrices: rows * columns edges in order");
    if (given->column && given->edges && !given->row && !given->first)
        return tc_fail(TILECUT_EINVAL, "the array of rows is NULL");
    if (costs && given->edges && !given->cost) return tc_fail(TILECUT_EINVAL, "the array of costs is NULL");
    return TILECUT_OK;
}

static tilecut_status check_edges(const tilecut_network_edges *given)
{
    int32_t at = 0;
    if (given->column && !given->row && given->first) {
        if (given->first[0] != 0 || given->first[given->rows] != given->edges)
            return tc_fail(TILECUT_EINVAL, "first[] is to go from 0 to %lld", (long long)given->edges);
        for (int64_t r = 0; r < given->rows; r++)
            if (given->first[r] > given->first[r + 1])
                return tc_fail(TILECUT_EINVAL, "first[%lld] is less than the one before it", (long long)r + 1);
    }
    for (int64_t e = 0; given->column && e < given->edges; e++) {
        const int32_t row = tc_edge_row(given, e, &at), column = given->column[e];
        if (row < 0 || row >= given->rows || column < 0 || column >= given->columns)
            return tc_fail(TILECUT_EINVAL, "edge %lld joins row %d and column %d; there are %lld and %lld",
                           (long long)e, (int)row, (int)column, (long long)given->rows, (long long)given->columns);
    }
    return TILECUT_OK;
}

/* A counting sort by rows. Notes whether the result is a full matrix in order. */
static void sort_rows(tc_bipartite *graph, const tilecut_network_edges *given, bool costs, int32_t *cursor)
{
    int32_t at = 0;
    for (int64_t e = 0; e < given->edges; e++) graph->first[tc_edge_row(given, e, &at) + 1]++;
    for (int32_t r = 0; r < graph->rows; r++) graph->first[r + 1] += graph->first[r];
    memcpy(cursor, graph->first, (size_t)graph->rows * sizeof *cursor);
    graph->full = given->edges == given->rows * given->columns;
    at = 0;
    for (int64_t e = 0; e < given->edges; e++) {
        const int32_t row = tc_edge_row(given, e, &at), column = tc_edge_column(given, e), to = cursor[row]++;
        graph->column[to] = column;
        if (costs) graph->cost[to] = given->cost[e];
        if (to - graph->first[row] != column) graph->full = false;
    }
}

static void sort_columns(tc_bipartite *graph, int32_t *cursor)
{
    const int32_t edges = graph->first[graph->rows];
    for (int32_t e = 0; e < edges; e++) graph->edge_first[graph->column[e] + 1]++;
    for (int32_t c = 0; c < graph->columns; c++) graph->edge_first[c + 1] += graph->edge_first[c];
    memcpy(cursor, graph->edge_first, (size_t)graph->columns * sizeof *cursor);
    for (int32_t r = 0; r < graph->rows; r++)
        for (int32_t e = graph->first[r]; e < graph->first[r + 1]; e++)
            graph->edge_row[cursor[graph->column[e]]++] = r;
}

tilecut_status tc_bipartite_init(tc_bipartite *graph, const tilecut_network_edges *given, bool costs, bool columns)
{
    tilecut_status status = TILECUT_OK;
    int32_t *cursor = NULL;
    memset(graph, 0, sizeof *graph);
    TRY(check_sizes(given, costs));
    TRY(check_edges(given));
    const size_t edges = (size_t)given->edges + 1, longest = (size_t)(given->rows > given->columns ? given->rows
                                                                                                 : given->columns);
    graph->rows = (int32_t)given->rows;
    graph->columns = (int32_t)given->columns;
    cursor = malloc(longest * sizeof *cursor);
    graph->first = calloc((size_t)graph->rows + 1, sizeof *graph->first);
    graph->column = malloc(edges * sizeof *graph->column);
    if (costs) graph->cost = malloc(edges * sizeof *graph->cost);
    if (columns) graph->edge_first = calloc((size_t)graph->columns + 1, sizeof *graph->edge_first);
    if (columns) graph->edge_row = malloc(edges * sizeof *graph->edge_row);
    if (!cursor || !graph->first || !graph->column || (costs && !graph->cost) ||
        (columns && (!graph->edge_first || !graph->edge_row)))
        status = tc_fail(TILECUT_ENOMEM, "no memory for %lld edges", (long long)given->edges);
    if (status == TILECUT_OK) sort_rows(graph, given, costs, cursor);
    if (status == TILECUT_OK && columns) sort_columns(graph, cursor);
done:
    free(cursor);
    if (status != TILECUT_OK) tc_bipartite_free(graph);
    return status;
}

void tc_bipartite_free(tc_bipartite *graph)
{
    free(graph->first);
    free(graph->column);
    free(graph->cost);
    free(graph->edge_first);
    free(graph->edge_row);
    memset(graph, 0, sizeof *graph);
}

tilecut_status tc_matching_init(tc_matching *matching, const tc_bipartite *graph)
{
    matching->pairs = 0;
    matching->column_of = malloc((size_t)graph->rows * sizeof *matching->column_of);
    matching->row_of = malloc((size_t)graph->columns * sizeof *matching->row_of);
    if (!matching->column_of || !matching->row_of)
        return tc_fail(TILECUT_ENOMEM, "no memory for %d rows and %d columns", (int)graph->rows, (int)graph->columns);
    for (int32_t r = 0; r < graph->rows; r++) matching->column_of[r] = -1;
    for (int32_t c = 0; c < graph->columns; c++) matching->row_of[c] = -1;
    return TILECUT_OK;
}

void tc_matching_free(tc_matching *matching)
{
    free(matching->column_of);
    free(matching->row_of);
    memset(matching, 0, sizeof *matching);
}
