/* SPDX-License-Identifier: MIT
 *
 * pairs_door.c - the calls of tilecut_network.h for matching and assignment.
 */
#include <stdlib.h>
#include <string.h>

#include "bipartite.h"
#include "match_side.h"
#include "net_arcs.h"
#include "parallel.h"
#include "sized.h"
#include "status.h"
#include "table.h"

/* Ways to match: how they start, and how they go on. */
typedef struct matcher {
    const char *name, *summary, *device;
    bool first; /* begins with tc_match_first() */
    tilecut_status (*enlarge)(const tc_bipartite *graph, tc_matching *matching, int threads,
                              const tilecut_flag *cancel);
} matcher;

static const matcher matchers[] = {
#define MATCHER(name, device, first, enlarge, summary) {name, summary, device, first, enlarge},
#include "matchers.def"
#undef MATCHER
};

TC_TEXT_OF_ROW(tilecut_network_matcher_name, matchers, name)
TC_TEXT_OF_ROW(tilecut_network_matcher_summary, matchers, summary)
TC_TEXT_OF_ROW(tilecut_network_matcher_device, matchers, device)

/* Ways to assign. */
typedef struct assigner {
    const char *name, *summary, *device;
    bool columns; /* needs the edges by columns, too */
    tilecut_status (*solve)(tc_bipartite *graph, tc_matching *matching, int64_t *price, int64_t *first_pairs,
                            int threads, const tilecut_flag *cancel, bool *held);
} assigner;

static const assigner assigners[] = {
#define ASSIGNER(name, device, solve, columns, summary) {name, summary, device, columns, solve},
#include "assigners.def"
#undef ASSIGNER
};

TC_TEXT_OF_ROW(tilecut_network_assigner_name, assigners, name)
TC_TEXT_OF_ROW(tilecut_network_assigner_summary, assigners, summary)
TC_TEXT_OF_ROW(tilecut_network_assigner_device, assigners, device)

static const assigner *find_assigner(const char *name)
{
    if (!name || !strcmp(name, "auto")) return &assigners[0];
    for (int i = 0; i < TC_ROWS(assigners); i++)
        if (!strcmp(name, assigners[i].name)) return &assigners[i];
    return NULL;
}

static const matcher *find_matcher(const char *name)
{
    for (int i = 0; i < TC_ROWS(matchers); i++)
        if (!strcmp(name, matchers[i].name)) return &matchers[i];
    return NULL;
}

static bool is_auto(const char *name)
{
    return !name || !strcmp(name, "auto");
}

/* Trees of all free nodes at once are best where edges are spread evenly; hubs make them wide. Their lists do not pay
 * in small graphs. */
static const matcher *choose_matcher(const tc_bipartite *graph)
{
    enum { MANY_EDGES = 1 << 19 };
    const bool spread = graph->first[graph->rows] >= MANY_EDGES && !tc_match_has_hubs(graph);
    return find_matcher(spread ? "graft" : "pothen-fan");
}

typedef struct visit {
    tilecut_network_edges edges;
    tilecut_network_params params;
    tilecut_network_pairs_report told;
    tc_bipartite graph;
    tc_matching matching;
    int threads;
    tc_thread_pool *pool;
    double clock;
} visit;

static tilecut_status enter(visit *v, const tilecut_network_edges *edges, const tilecut_network_params *params,
                            const tilecut_network_pairs_report *report)
{
    if (!edges) return tc_fail(TILECUT_EINVAL, "edges is NULL");
    NEED(tc_sized_check(report, "tilecut_network_pairs_report"));
    NEED(tc_sized_read(&v->edges, sizeof v->edges, sizeof v->edges, edges, "tilecut_network_edges"));
    NEED(tc_net_params(params, &v->params));
    v->threads = (int)v->params.threads;
    v->pool = tc_thread_pool_open(v->threads);
    v->clock = tc_now_ms();
    return TILECUT_OK;
}

static void leave(visit *v)
{
    tc_thread_pool_close(v->pool);
    tc_bipartite_free(&v->graph);
    tc_matching_free(&v->matching);
}

static void hand_out(const visit *v, int32_t *column_of, tilecut_network_pairs_report *report)
{
    if (column_of) memcpy(column_of, v->matching.column_of, (size_t)v->graph.rows * sizeof *column_of);
    tc_sized_write(report, sizeof *report, &v->told, sizeof v->told);
}

tilecut_status tilecut_network_match(const tilecut_network_edges *edges, const tilecut_network_params *params,
                                     int32_t *column_of, uint8_t *cover, tilecut_network_pairs_report *report)
{
    tilecut_status status = TILECUT_OK;
    visit v = {0};
    uint8_t *covered = NULL;
    const matcher *how = NULL;
    TRY(enter(&v, edges, params, report));
    if (!is_auto(v.params.solver)) how = find_matcher(v.params.solver);
    if (!how && !is_auto(v.params.solver))
        TRY(tc_fail(TILECUT_EINVAL, "no way to match is called '%s'", v.params.solver));
    TRY(tc_bipartite_init(&v.graph, &v.edges, false, true, v.threads));
    TRY(tc_matching_init(&v.matching, &v.graph));
    covered = malloc((size_t)(v.edges.rows + v.edges.columns));
    if (!covered) TRY(tc_fail(TILECUT_ENOMEM, "no memory for the cover"));
    v.told.build_ms = tc_lap_ms(&v.clock);
    if (!how) how = choose_matcher(&v.graph);
    if (how->first) TRY(tc_match_first(&v.graph, &v.matching));
    v.told.first_pairs = v.matching.pairs;
    TRY(how->enlarge(&v.graph, &v.matching, v.threads, v.params.cancel));
    v.told.solve_ms = tc_lap_ms(&v.clock);
    TRY(tc_match_prove(&v.graph, &v.matching, &v.edges, covered, v.threads));
    v.told.certify_ms = tc_lap_ms(&v.clock);
    v.told.pairs = v.matching.pairs;
    v.told.solver = how->name;
    v.told.certified = 1;
    if (cover) memcpy(cover, covered, (size_t)(v.edges.rows + v.edges.columns));
    hand_out(&v, column_of, report);
done:
    free(covered);
    leave(&v);
    return status;
}

enum { STRETCH = 1 << 16 }; /* edges a turn */

typedef struct costs {
    const tilecut_network_edges *edges;
    int64_t most;
    int64_t bad; /* the first edge that costs more; atomic */
} costs;

static void check_stretch(void *context, int turn)
{
    costs *const c = context;
    const int64_t begin = (int64_t)turn * STRETCH, rest = c->edges->edges - begin;
    const int64_t *const cost = c->edges->cost;
    for (int64_t e = begin; e < begin + (rest < STRETCH ? rest : STRETCH); e++) {
        if (cost[e] <= c->most && cost[e] >= -c->most) continue;
        tc_note_least(&c->bad, e);
        return;
    }
}

/* Distances are sums of reduced costs along a path, each at most three times the largest cost. */
static tilecut_status check_costs(const tilecut_network_edges *edges, int threads)
{
    const int64_t most = (INT64_C(1) << 60) / (edges->rows + edges->columns) / 4;
    if (edges->columns < edges->rows)
        return tc_fail(TILECUT_EINVAL, "%lld rows but %lld columns; every row needs one of its own",
                       (long long)edges->rows, (long long)edges->columns);
    costs c = {edges, most, INT64_MAX};
    tc_parallel(threads, (int)(edges->edges / STRETCH) + 1, check_stretch, &c);
    if (c.bad < INT64_MAX)
        return tc_fail(TILECUT_ERANGE, "edge %lld costs %lld; with so many rows at most %lld is exact",
                       (long long)c.bad, (long long)edges->cost[c.bad], (long long)most);
    return TILECUT_OK;
}

tilecut_status tilecut_network_assign(const tilecut_network_edges *edges, const tilecut_network_params *params,
                                      int32_t *column_of, int64_t *price, tilecut_network_pairs_report *report)
{
    tilecut_status status = TILECUT_OK;
    visit v = {0};
    int64_t *prices = NULL;
    const assigner *how = NULL;
    bool held = true;
    TRY(enter(&v, edges, params, report));
    how = find_assigner(v.params.solver);
    if (!how) TRY(tc_fail(TILECUT_EINVAL, "no way to assign is called '%s'", v.params.solver));
    TRY(tc_bipartite_init(&v.graph, &v.edges, true, how->columns, v.threads));
    TRY(check_costs(&v.edges, v.threads));
    TRY(tc_matching_init(&v.matching, &v.graph));
    prices = malloc((size_t)(v.edges.rows + v.edges.columns) * sizeof *prices);
    if (!prices) TRY(tc_fail(TILECUT_ENOMEM, "no memory for the prices"));
    v.told.build_ms = tc_lap_ms(&v.clock);
    TRY(how->solve(&v.graph, &v.matching, prices, &v.told.first_pairs, v.threads, v.params.cancel, &held));
    if (!held) {
        how = &assigners[0];
        TRY(how->solve(&v.graph, &v.matching, prices, &v.told.first_pairs, v.threads, v.params.cancel, &held));
    }
    v.told.solve_ms = tc_lap_ms(&v.clock);
    TRY(tc_assign_prove(&v.matching, &v.edges, prices, v.threads, &v.told.cost));
    v.told.certify_ms = tc_lap_ms(&v.clock);
    v.told.pairs = v.matching.pairs;
    v.told.solver = how->name;
    v.told.certified = 1;
    if (price) memcpy(price, prices, (size_t)(v.edges.rows + v.edges.columns) * sizeof *prices);
    hand_out(&v, column_of, report);
done:
    free(prices);
    leave(&v);
    return status;
}
