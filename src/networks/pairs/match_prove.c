/* SPDX-License-Identifier: MIT
 *
 * match_prove.c - a matching and a cover of the same size prove each other (Koenig 1931): every edge needs a node of
 * the cover, and no node covers two edges of the matching. Levels of the search and stretches of edges are divided
 * among the threads.
 */
#include <stdlib.h>
#include <string.h>

#include "bipartite.h"
#include "edge_sort.h"
#include "append_buffer.h"
#include "parallel.h"
#include "status.h"

enum { ROWS = 256, EDGES = 1 << 15 }; /* items per iteration */

typedef struct prover {
    const tc_bipartite *graph;
    const tc_matching *matching;
    const tilecut_network_edges *edges;
    uint8_t *row_out, *column_in; /* rows that are not reached, columns that are: the cover; atomic      */
    uint8_t *seen;                /* [rows] 1 if the row's edge of the matching is one of the caller's; atomic */
    int32_t *queue;               /* [rows] rows reached                                                 */
    int32_t begin, end, ends;     /* the last level in the queue; length of the queue, atomic            */
    int64_t size, pairs;          /* size of the cover; number of edges in the matching; atomic          */
    bool bare;                    /* true: there is an edge that is not covered, or a pair that is no edge; atomic */
} prover;

static int turns(int64_t count, int64_t a_turn)
{
    return (int)((count + a_turn - 1) / a_turn);
}

static int64_t min_count(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Goes from a row over any edge to a column, and from there over an edge of the matching to another row. */
static void look_from(prover *p, tc_append_buffer *h, int32_t row)
{
    for (int32_t e = p->graph->first[row]; e < p->graph->first[row + 1]; e++) {
        const int32_t column = p->graph->column[e], next = p->matching->row_of[column];
        if (__atomic_load_n(&p->column_in[column], __ATOMIC_RELAXED) ||
            __atomic_exchange_n(&p->column_in[column], 1, __ATOMIC_RELAXED))
            continue;
        if (next >= 0 && __atomic_exchange_n(&p->row_out[next], 0, __ATOMIC_RELAXED)) tc_append_node(h, next);
    }
}

static void look_from_some(void *context, int turn)
{
    prover *const p = context;
    tc_append_buffer h = {.list = p->queue, .ends = &p->ends};
    const int32_t begin = p->begin + turn * ROWS, end = (int32_t)min_count(p->end, (int64_t)begin + ROWS);
    for (int32_t k = begin; k < end; k++) look_from(p, &h, p->queue[k]);
    tc_append_flush(&h);
}

/* Marks everything that a path from a free row reaches. */
static void mark_reached(prover *p, int threads)
{
    memset(p->row_out, 1, (size_t)p->graph->rows);
    memset(p->column_in, 0, (size_t)p->graph->columns);
    for (int32_t r = 0; r < p->graph->rows; r++) {
        if (p->matching->column_of[r] >= 0) continue;
        p->row_out[r] = 0;
        p->queue[p->ends++] = r;
    }
    while (p->end < p->ends) {
        p->begin = p->end;
        p->end = p->ends;
        tc_parallel(threads, turns(p->end - p->begin, ROWS), look_from_some, p);
    }
}

/* Checks for some of the caller's edges that the cover contains one of their ends. Counts how many of them are in the
 * matching. */
static void check_edges(void *context, int turn)
{
    prover *const p = context;
    const tilecut_network_edges *const arrays = p->edges;
    const int64_t begin = (int64_t)turn * EDGES, end = min_count(arrays->edges, begin + EDGES);
    int64_t pairs = 0;
    int32_t at = !arrays->row && arrays->first ? tc_owner_of_edge(arrays->first, p->graph->rows, begin) : 0;
    for (int64_t e = begin; e < end; e++) {
        const int32_t row = tc_edge_row(arrays, e, &at), column = tc_edge_column(arrays, e);
        if (!p->row_out[row] && !p->column_in[column]) __atomic_store_n(&p->bare, true, __ATOMIC_RELAXED);
        if (p->matching->column_of[row] != column || p->matching->row_of[column] != row) continue;
        pairs += !__atomic_exchange_n(&p->seen[row], 1, __ATOMIC_RELAXED);
    }
    __atomic_fetch_add(&p->pairs, pairs, __ATOMIC_RELAXED);
}

/* Adds up the rows in the cover. Checks that every row with a partner has an edge to it. */
static void check_rows(void *context, int turn)
{
    prover *const p = context;
    const int64_t begin = (int64_t)turn * EDGES, end = min_count(p->graph->rows, begin + EDGES);
    int64_t size = 0;
    for (int64_t r = begin; r < end; r++) {
        size += p->row_out[r];
        if (p->matching->column_of[r] >= 0 && !p->seen[r]) __atomic_store_n(&p->bare, true, __ATOMIC_RELAXED);
    }
    __atomic_fetch_add(&p->size, size, __ATOMIC_RELAXED);
}

static void check_columns(void *context, int turn)
{
    prover *const p = context;
    const int64_t begin = (int64_t)turn * EDGES, end = min_count(p->graph->columns, begin + EDGES);
    int64_t size = 0;
    for (int64_t c = begin; c < end; c++) size += p->column_in[c];
    __atomic_fetch_add(&p->size, size, __ATOMIC_RELAXED);
}

tilecut_status tc_match_prove(const tc_bipartite *graph, const tc_matching *matching,
                              const tilecut_network_edges *arrays, uint8_t *cover, int threads)
{
    tilecut_status status = TILECUT_OK;
    prover p = {.graph = graph, .matching = matching, .edges = arrays, .row_out = cover,
                .column_in = cover + graph->rows, .seen = calloc((size_t)graph->rows, 1),
                .queue = malloc((size_t)graph->rows * sizeof *p.queue)};
    if (!p.seen || !p.queue) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for the cover of %d rows", (int)graph->rows);
    } else {
        mark_reached(&p, threads);
        tc_parallel(threads, turns(arrays->edges, EDGES), check_edges, &p);
        tc_parallel(threads, turns(graph->rows, EDGES), check_rows, &p);
        tc_parallel(threads, turns(graph->columns, EDGES), check_columns, &p);
        if (p.bare || p.pairs != matching->pairs || p.size != p.pairs)
            status = tc_fail(TILECUT_EUNPROVEN, "%lld pairs and their cover do not prove each other",
                             (long long)matching->pairs);
    }
    free(p.seen);
    free(p.queue);
    return status;
}
