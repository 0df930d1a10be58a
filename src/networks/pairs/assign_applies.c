/* SPDX-License-Identifier: MIT
 *
 * assign_applies.c - decides whether cost scaling, on a CPU or on a device, suits a graph: it needs as many columns as
 * rows, an assignment, and costs for which prices fit into 64 bits.
 */
#include "bipartite.h"

/* Returns 1 + the largest difference between costs; 0 if they are so large that prices might not fit. */
static int64_t span_of(const tc_bipartite *graph)
{
    const int64_t most = (INT64_C(1) << 56) / ((int64_t)graph->rows + 1) / ((int64_t)graph->rows + 1);
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int32_t e = 0; e < graph->first[graph->rows]; e++) {
        if (graph->cost[e] < low) low = graph->cost[e];
        if (graph->cost[e] > high) high = graph->cost[e];
    }
    return low < -most || high > most ? 0 : high - low + 1;
}

void tc_matching_clear(tc_matching *matching, const tc_bipartite *graph)
{
    for (int32_t r = 0; r < graph->rows; r++) matching->column_of[r] = -1;
    for (int32_t c = 0; c < graph->columns; c++) matching->row_of[c] = -1;
    matching->pairs = 0;
}

tilecut_status tc_scaling_applies(const tc_bipartite *graph, tc_matching *matching, int threads,
                                  const tilecut_flag *cancel, int64_t *span)
{
    tilecut_status status = TILECUT_OK;
    *span = graph->rows == graph->columns && graph->first[graph->rows] ? span_of(graph) : 0;
    if (!*span || graph->full) return TILECUT_OK;
    status = tc_match_all(graph, matching, threads, cancel);
    if (matching->pairs < graph->rows) *span = 0;
    tc_matching_clear(matching, graph);
    return status;
}
