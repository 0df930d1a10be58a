/* SPDX-License-Identifier: MIT */
#include "bipartite.h"

#include <stdlib.h>
#include <string.h>

#include "edge_sort.h"
#include "large.h"
#include "parallel.h"
#include "rows.h"
#include "simd.h"
#include "status.h"

static tilecut_status check_sizes(const tilecut_network_edges *arrays, bool costs)
{
    if (arrays->rows < 1 || arrays->columns < 1 || arrays->rows > TILECUT_NETWORK_ARCS ||
        arrays->columns > TILECUT_NETWORK_ARCS)
        return tc_fail(TILECUT_EINVAL, "%lld rows and %lld columns; there are 1 to %d of each", (long long)arrays->rows,
                       (long long)arrays->columns, TILECUT_NETWORK_ARCS);
    if (arrays->edges < 0 || arrays->edges > TILECUT_NETWORK_ARCS)
        return tc_fail(TILECUT_EINVAL, "%lld edges; there are 0 to %d", (long long)arrays->edges, TILECUT_NETWORK_ARCS);
    if (!arrays->column && arrays->edges &&
        (arrays->row || arrays->first || arrays->edges != arrays->rows * arrays->columns))
        return tc_fail(TILECUT_EINVAL, "column is NULL, which is for full matrices: rows * columns edges in order");
    if (arrays->column && arrays->edges && !arrays->row && !arrays->first)
        return tc_fail(TILECUT_EINVAL, "the array of rows is NULL");
    if (costs && arrays->edges && !arrays->cost) return tc_fail(TILECUT_EINVAL, "the array of costs is NULL");
    return TILECUT_OK;
}

static tilecut_status check_first(const tilecut_network_edges *arrays)
{
    if (!arrays->column || arrays->row || !arrays->first) return TILECUT_OK;
    if (arrays->first[0] != 0 || arrays->first[arrays->rows] != arrays->edges)
        return tc_fail(TILECUT_EINVAL, "first[] is to go from 0 to %lld", (long long)arrays->edges);
    for (int64_t r = 0; r < arrays->rows; r++)
        if (arrays->first[r] > arrays->first[r + 1])
            return tc_fail(TILECUT_EINVAL, "first[%lld] is less than the one before it", (long long)r + 1);
    return TILECUT_OK;
}

enum { STRETCH = 1 << 16 }; /* edges per iteration */

typedef struct checker {
    const tilecut_network_edges *edges;
    int64_t bad; /* the first invalid edge; atomic */
} checker;

/* True if all numbers are 0 .. end - 1. */
TC_VECTOR_LOOP static bool all_below(const int32_t *number, int64_t count, int64_t end)
{
    uint32_t most = 0;
    for (int64_t i = 0; i < count; i++) most = (uint32_t)number[i] > most ? (uint32_t)number[i] : most;
    return count < 1 || most < end;
}

/* Checks some edges. If rows are given by `first`, which has been checked, they are in range. */
static void check_stretch(void *context, int turn)
{
    checker *const c = context;
    const tilecut_network_edges *const arrays = c->edges;
    const int64_t begin = (int64_t)turn * STRETCH, rest = arrays->edges - begin;
    const int64_t count = rest < STRETCH ? rest : STRETCH;
    if (all_below(arrays->column + begin, count, arrays->columns) &&
        (!arrays->row || all_below(arrays->row + begin, count, arrays->rows)))
        return;
    for (int64_t e = begin; e < begin + count; e++) {
        const int32_t row = arrays->row ? arrays->row[e] : 0, column = arrays->column[e];
        if (row >= 0 && row < arrays->rows && column >= 0 && column < arrays->columns) continue;
        tc_note_least(&c->bad, e);
        return;
    }
}

static tilecut_status check_edges(const tilecut_network_edges *arrays, int threads)
{
    checker c = {arrays, INT64_MAX};
    int32_t row = 0;
    const tilecut_status status = check_first(arrays);
    if (status != TILECUT_OK || !arrays->column) return status;
    tc_parallel(threads, (int)(arrays->edges / STRETCH) + 1, check_stretch, &c);
    if (c.bad == INT64_MAX) return TILECUT_OK;
    row = tc_edge_row(arrays, c.bad, &row);
    return tc_fail(TILECUT_EINVAL, "edge %lld joins row %d and column %d; there are %lld and %lld", (long long)c.bad,
                   (int)row, (int)arrays->column[c.bad], (long long)arrays->rows, (long long)arrays->columns);
}

tilecut_status tc_edges_check(const tilecut_network_edges *edges, bool costs, int threads)
{
    NEED(check_sizes(edges, costs));
    NEED(tc_address_check(edges->row, 0, sizeof *edges->row, "the array of rows"));
    NEED(tc_address_check(edges->row ? NULL : edges->first, 0, sizeof *edges->first, "the array of first edges"));
    NEED(tc_address_check(edges->column, 0, sizeof *edges->column, "the array of columns"));
    if (costs) NEED(tc_address_check(edges->cost, 0, sizeof *edges->cost, "the array of costs"));
    return check_edges(edges, threads);
}

/* A counting sort by rows. Also finds whether the result is a full matrix in order. */
static void sort_rows(tc_bipartite *graph, const tilecut_network_edges *arrays, bool costs, int32_t *cursor)
{
    int32_t at = 0;
    for (int64_t e = 0; e < arrays->edges; e++) graph->first[tc_edge_row(arrays, e, &at) + 1]++;
    for (int32_t r = 0; r < graph->rows; r++) graph->first[r + 1] += graph->first[r];
    memcpy(cursor, graph->first, (size_t)graph->rows * sizeof *cursor);
    graph->full = arrays->edges == arrays->rows * arrays->columns;
    at = 0;
    for (int64_t e = 0; e < arrays->edges; e++) {
        const int32_t row = tc_edge_row(arrays, e, &at), column = tc_edge_column(arrays, e), to = cursor[row]++;
        graph->column[to] = column;
        if (costs) graph->cost[to] = arrays->cost[e];
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
        for (int32_t e = graph->first[r]; e < graph->first[r + 1]; e++) graph->edge_row[cursor[graph->column[e]]++] = r;
}

/* ---- full matrices ---------------------------------------------------------------------------- */

typedef struct copier {
    tc_bipartite *graph;
    const tilecut_network_edges *edges;
    int32_t rows; /* rows per iteration */
    bool other;   /* true: an edge is out of order; atomic */
} copier;

/* Copies row r. Returns false if it is not the r-th row of a full matrix in order. */
static bool copy_row(const copier *c, int32_t r)
{
    const tilecut_network_edges *const edges = c->edges;
    const int64_t columns = edges->columns, begin = r * columns;
    if (!edges->row && edges->first && edges->first[r] != begin) return false;
    for (int64_t k = 0; k < columns; k++) {
        const int64_t e = begin + k;
        if ((edges->row && edges->row[e] != r) || (edges->column && edges->column[e] != k)) return false;
        c->graph->column[e] = (int32_t)k;
        c->graph->cost[e] = edges->cost[e];
    }
    c->graph->first[r + 1] = (int32_t)(begin + columns);
    return true;
}

static void copy_rows(void *context, int turn)
{
    copier *const c = context;
    const int32_t begin = turn * c->rows, rest = c->graph->rows - begin;
    const int32_t end = begin + (rest < c->rows ? rest : c->rows);
    for (int32_t r = begin; r < end && !__atomic_load_n(&c->other, __ATOMIC_RELAXED); r++)
        if (!copy_row(c, r)) __atomic_store_n(&c->other, true, __ATOMIC_RELAXED);
}

static void fill_columns(void *context, int turn)
{
    const copier *const c = context;
    tc_bipartite *const g = c->graph;
    for (int32_t r = 0; r < g->rows; r++) g->edge_row[(int64_t)turn * g->rows + r] = r;
    g->edge_first[turn + 1] = (turn + 1) * g->rows;
}

/* Copies the edges with several threads if they are a full matrix in order, so that nothing has to be sorted. Returns
 * false if they are not. */
static bool copy_full(tc_bipartite *graph, const tilecut_network_edges *arrays, bool columns, int threads)
{
    copier c = {.graph = graph, .edges = arrays, .rows = (int32_t)(STRETCH / arrays->columns) + 1};
    if (arrays->edges != arrays->rows * arrays->columns) return false;
    tc_parallel(threads, (graph->rows - 1) / c.rows + 1, copy_rows, &c);
    graph->full = !c.other;
    if (graph->full && columns) tc_parallel(threads, graph->columns, fill_columns, &c);
    if (!graph->full) memset(graph->first, 0, ((size_t)graph->rows + 1) * sizeof *graph->first);
    return graph->full;
}

/* Sorts edges by rows and, if requested, by columns, with several threads. Does not test whether the graph is full. */
static bool sort_both(tc_bipartite *graph, const tilecut_network_edges *arrays, bool columns, int threads)
{
    const tc_edge_sort rows = {.edges = arrays->edges, .key = arrays->row, .other = arrays->column, .keys = graph->rows,
                               .first = graph->first, .sorted = graph->column};
    const tc_edge_sort others = {.edges = arrays->edges, .key = graph->column, .begin = graph->first,
                                 .keys = graph->columns, .others = graph->rows, .first = graph->edge_first,
                                 .sorted = graph->edge_row};
    return tc_sort_edges(&rows, threads) && (!columns || tc_sort_edges(&others, threads));
}

static bool alloc(tc_bipartite *graph, const tilecut_network_edges *arrays, bool costs, bool columns)
{
    const size_t edges = (size_t)arrays->edges + 1;
    graph->rows = (int32_t)arrays->rows;
    graph->columns = (int32_t)arrays->columns;
    graph->first = calloc((size_t)graph->rows + 1, sizeof *graph->first);
    graph->column = tc_large_alloc(edges * sizeof *graph->column);
    if (costs) graph->cost = tc_large_alloc(edges * sizeof *graph->cost);
    if (columns) graph->edge_first = calloc((size_t)graph->columns + 1, sizeof *graph->edge_first);
    if (columns) graph->edge_row = tc_large_alloc(edges * sizeof *graph->edge_row);
    return graph->first && graph->column && (!costs || graph->cost) &&
           (!columns || (graph->edge_first && graph->edge_row));
}

tilecut_status tc_bipartite_init(tc_bipartite *graph, const tilecut_network_edges *arrays, bool costs, bool columns,
                                 int threads)
{
    enum { EDGES_A_THREAD = 1 << 16 };
    tilecut_status status = TILECUT_OK;
    const int useful = tc_threads_for(threads, arrays->edges, EDGES_A_THREAD);
    int32_t *cursor = NULL;
    memset(graph, 0, sizeof *graph);
    TRY(tc_edges_check(arrays, costs, useful));
    const bool together = useful > 1 && arrays->row && arrays->column && !costs;
    const size_t longest = (size_t)(arrays->rows > arrays->columns ? arrays->rows : arrays->columns);
    if (!together) cursor = malloc(longest * sizeof *cursor);
    bool held = alloc(graph, arrays, costs, columns) && (together || cursor);
    if (held && together) held = sort_both(graph, arrays, columns, useful);
    if (held && !together && !(costs && copy_full(graph, arrays, columns, useful))) {
        sort_rows(graph, arrays, costs, cursor);
        if (columns) sort_columns(graph, cursor);
    }
    if (!held) status = tc_fail(TILECUT_ENOMEM, "no memory for %lld edges", (long long)arrays->edges);
done:
    free(cursor);
    if (status != TILECUT_OK) tc_bipartite_free(graph);
    return status;
}

bool tc_bipartite_borrow(tc_bipartite *graph, const tilecut_network_edges *edges)
{
    *graph = (tc_bipartite){0};
    if (edges->row || !edges->first || !edges->column) return false;
    *graph = (tc_bipartite){.rows = (int32_t)edges->rows, .columns = (int32_t)edges->columns, .borrowed = true};
    memcpy(&graph->first, &edges->first, sizeof graph->first);
    memcpy(&graph->column, &edges->column, sizeof graph->column);
    return true;
}

void tc_bipartite_free(tc_bipartite *graph)
{
    if (!graph->borrowed) {
        free(graph->first);
        free(graph->column);
    }
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
