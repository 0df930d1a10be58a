/* SPDX-License-Identifier: MIT
 *
 * match_prove.c - a matching and a cover of the same size prove each other (Koenig 1931): every edge needs a node of
 * the cover, and no node covers two edges of the matching.
 */
#include <stdlib.h>
#include <string.h>

#include "bipartite.h"
#include "status.h"

/* Marks the rows that a path from a free row reaches: over any edge to a column, then over a matching edge back. */
static bool reach(const tc_bipartite *graph, const tc_matching *matching, uint8_t *cover)
{
    uint8_t *const row_out = cover, *const column_in = cover + graph->rows;
    int32_t *queue = malloc((size_t)graph->rows * sizeof *queue), ends = 0;
    if (!queue) return false;
    memset(row_out, 1, (size_t)graph->rows);
    memset(column_in, 0, (size_t)graph->columns);
    for (int32_t r = 0; r < graph->rows; r++) {
        if (matching->column_of[r] >= 0) continue;
        row_out[r] = 0;
        queue[ends++] = r;
    }
    for (int32_t at = 0; at < ends; at++) {
        const int32_t row = queue[at];
        for (int32_t e = graph->first[row]; e < graph->first[row + 1]; e++) {
            const int32_t column = graph->column[e], next = matching->row_of[column];
            if (column_in[column]) continue;
            column_in[column] = 1;
            if (next < 0 || !row_out[next]) continue;
            row_out[next] = 0;
            queue[ends++] = next;
        }
    }
    free(queue);
    return true;
}

/* Whether every edge is covered, and every pair of the matching is an edge. */
static bool holds(const tc_matching *matching, const tilecut_network_edges *given, const uint8_t *cover, uint8_t *seen)
{
    int64_t pairs = 0, size = 0;
    int32_t at = 0;
    for (int64_t e = 0; e < given->edges; e++) {
        const int32_t row = tc_edge_row(given, e, &at), column = tc_edge_column(given, e);
        if (!cover[row] && !cover[given->rows + column]) return false;
        if (matching->column_of[row] != column || matching->row_of[column] != row || seen[row]) continue;
        seen[row] = 1;
        pairs++;
    }
    for (int64_t v = 0; v < given->rows + given->columns; v++) size += cover[v];
    for (int64_t r = 0; r < given->rows; r++)
        if (matching->column_of[r] >= 0 && !seen[r]) return false;
    return pairs == matching->pairs && size == pairs;
}

tilecut_status tc_match_prove(const tc_bipartite *graph, const tc_matching *matching,
                              const tilecut_network_edges *given, uint8_t *cover)
{
    tilecut_status status = TILECUT_OK;
    uint8_t *seen = calloc((size_t)graph->rows, 1);
    if (!seen || !reach(graph, matching, cover))
        status = tc_fail(TILECUT_ENOMEM, "no memory for the cover of %d rows", (int)graph->rows);
    else if (!holds(matching, given, cover, seen))
        status = tc_fail(TILECUT_EUNPROVEN, "%lld pairs and their cover do not prove each other",
                         (long long)matching->pairs);
    free(seen);
    return status;
}
