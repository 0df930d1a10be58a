/* SPDX-License-Identifier: MIT
 *
 * levels_door.c - the function of tilecut_network.h for breadth-first search.
 */
#include <stdlib.h>
#include <string.h>

#include "cuda_pairs.h"
#include "levels.h"
#include "net_arcs.h"
#include "parallel.h"
#include "sized.h"
#include "status.h"
#include "table.h"

static const struct {
    const char *name, *device;
    tc_search_method method;
    const char *summary;
} ways[] = {
    {"both", "cpu", TC_SEARCH_BOTH, "down, and up while levels are large (Beamer, Asanovic & Patterson 2012)"},
    {"down", "cpu", TC_SEARCH_DOWN, "from the nodes of a level to those behind them (Moore 1959)"},
    {"up", "cpu", TC_SEARCH_UP, "from the nodes not yet reached to those before them (Beamer 2012)"},
    {"all-cuda", "cuda", TC_SEARCH_ALL_CUDA, "down on the GPU: a level looks at all nodes for those of the last"},
    {"list-cuda", "cuda", TC_SEARCH_LIST_CUDA, "down on the GPU, by a list of the level's nodes"},
};

TC_TEXT_OF_ROW(tilecut_network_levels_way, ways, name)
TC_TEXT_OF_ROW(tilecut_network_levels_summary, ways, summary)
TC_TEXT_OF_ROW(tilecut_network_levels_device, ways, device)

static bool on_device(tc_search_method method)
{
    return method == TC_SEARCH_ALL_CUDA || method == TC_SEARCH_LIST_CUDA;
}

static tilecut_status search_levels(const tc_bipartite *graph, int32_t from, tc_search_method method,
                             const tilecut_network_params *params, int32_t *level, tc_search_report *result)
{
    if (on_device(method)) return tc_levels_cuda(graph, from, method, params->cancel, level, result, NULL);
    return tc_levels(graph, from, method, (int)params->threads, params->cancel, level, result);
}

static tilecut_status read_params(const tilecut_network_params *own_params, tilecut_network_params *params,
                                  tc_search_method *method)
{
    int at = 0;
    NEED(tc_net_params(own_params, params));
    while (params->solver && strcmp(params->solver, "auto") && at < TC_ROWS(ways) &&
           strcmp(params->solver, ways[at].name))
        at++;
    if (at == TC_ROWS(ways)) return tc_fail(TILECUT_EINVAL, "no way to search is called '%s'", params->solver);
    *method = ways[at].method;
    return TILECUT_OK;
}

static tilecut_status check_start(const tilecut_network_edges *edges, int64_t from)
{
    if (edges->rows != edges->columns)
        return tc_fail(TILECUT_EINVAL, "%lld rows and %lld columns; they are the same nodes, so as many of both",
                       (long long)edges->rows, (long long)edges->columns);
    if (from < 0 || from >= edges->rows)
        return tc_fail(TILECUT_EINVAL, "node %lld is not there; nodes are 0 to %lld", (long long)from,
                       (long long)edges->rows - 1);
    return TILECUT_OK;
}

/* Sorts the arcs in the way that the search needs. Rows that the caller has sorted already are searched down, because
 * sorting the arcs by their heads, for going up, takes longer than the whole search. */
static tilecut_status build_rows(tc_bipartite *graph, const tilecut_network_edges *edges, int threads,
                            tc_search_method *method)
{
    if (*method == TC_SEARCH_BOTH || *method == TC_SEARCH_DOWN) {
        NEED(tc_edges_check(edges, false, threads));
        if (tc_bipartite_borrow(graph, edges)) {
            *method = TC_SEARCH_DOWN;
            return TILECUT_OK;
        }
    }
    return tc_bipartite_init(graph, edges, false, *method == TC_SEARCH_BOTH || *method == TC_SEARCH_UP, threads);
}

tilecut_status tilecut_network_levels(const tilecut_network_edges *arrays, int64_t from,
                                      const tilecut_network_params *params, int32_t *level,
                                      tilecut_network_levels_report *report)
{
    tilecut_status status = TILECUT_OK;
    tilecut_network_params own_params = {0};
    tilecut_network_edges edges = {0};
    tilecut_network_levels_report result = {0};
    tc_search_method method = TC_SEARCH_BOTH;
    tc_search_report found;
    tc_bipartite graph = {0};
    int32_t *own = NULL;
    double clock = tc_now_ms();
    if (!arrays) return tc_fail(TILECUT_EINVAL, "edges is NULL");
    TRY(tc_sized_check(report, "tilecut_network_levels_report"));
    TRY(tc_sized_read(&edges, sizeof edges, sizeof edges, arrays, "tilecut_network_edges"));
    TRY(read_params(params, &own_params, &method));
    TRY(build_rows(&graph, &edges, (int)own_params.threads, &method));
    TRY(check_start(&edges, from));
    own = malloc((size_t)edges.rows * sizeof *own);
    if (!own) TRY(tc_fail(TILECUT_ENOMEM, "no memory for %lld levels", (long long)edges.rows));
    result.build_ms = tc_lap_ms(&clock);
    TRY(search_levels(&graph, (int32_t)from, method, &own_params, own, &found));
    result.solve_ms = tc_lap_ms(&clock);
    TRY(tc_levels_prove(&edges, (int32_t)from, own));
    result.certify_ms = tc_lap_ms(&clock);
    result.reached = found.reached;
    result.deepest = found.deepest;
    result.downs = found.downs;
    result.ups = found.ups;
    result.certified = 1;
    if (level) memcpy(level, own, (size_t)edges.rows * sizeof *level);
    tc_sized_write(report, sizeof *report, &result, sizeof result);
done:
    free(own);
    tc_bipartite_free(&graph);
    return status;
}
