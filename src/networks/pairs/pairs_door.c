/* SPDX-License-Identifier: MIT
 *
 * pairs_door.c - the functions of tilecut_network.h for matching and assignment.
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

/* A method of matching: how it starts, and how it continues. */
typedef struct matcher {
    const char *name, *summary, *device;
    bool first; /* true: starts with tc_match_first() */
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

/* A method of assignment. */
typedef struct assigner {
    const char *name, *summary, *device;
    bool columns; /* true: the method also needs the edges ordered by columns */
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

/* Chooses a method of matching by the shape of the graph. Growing trees from all free nodes at once is best if edges
 * are spread evenly; hubs make the trees too wide. In small graphs the lists of that method cost more than they
 * gain. */
static const matcher *choose_matcher(const tc_bipartite *graph)
{
    enum { MANY_EDGES = 1 << 19 };
    const bool spread = graph->first[graph->rows] >= MANY_EDGES && !tc_match_has_hubs(graph);
    return find_matcher(spread ? "graft" : "pothen-fan");
}

typedef struct visit {
    tilecut_network_edges edges;
    tilecut_network_params params;
    tilecut_network_pairs_report report;
    tc_bipartite graph;
    tc_matching matching;
    bool turned; /* true: rows and columns are exchanged: see turn() */
    int threads;
    tc_thread_pool *pool;
    double clock;
} visit;

static tilecut_status enter_pairs(visit *v, const tilecut_network_edges *edges, const tilecut_network_params *params,
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

static void leave_pairs(visit *v)
{
    tc_thread_pool_close(v->pool);
    tc_bipartite_free(&v->graph);
    tc_matching_free(&v->matching);
}

static void hand_out(const visit *v, int32_t *column_of, tilecut_network_pairs_report *report)
{
    const int32_t *const found = v->turned ? v->matching.row_of : v->matching.column_of;
    const int32_t rows = v->turned ? v->graph.columns : v->graph.rows;
    if (column_of) memcpy(column_of, found, (size_t)rows * sizeof *column_of);
    tc_sized_write(report, sizeof *report, &v->report, sizeof v->report);
}

tilecut_status tilecut_network_match(const tilecut_network_edges *edges, const tilecut_network_params *params,
                                     int32_t *column_of, uint8_t *cover, tilecut_network_pairs_report *report)
{
    tilecut_status status = TILECUT_OK;
    visit v = {0};
    uint8_t *covered = NULL;
    const matcher *matcher_row = NULL;
    TRY(enter_pairs(&v, edges, params, report));
    if (!is_auto(v.params.solver)) matcher_row = find_matcher(v.params.solver);
    if (!matcher_row && !is_auto(v.params.solver))
        TRY(tc_fail(TILECUT_EINVAL, "no way to match is called '%s'", v.params.solver));
    TRY(tc_bipartite_init(&v.graph, &v.edges, false, true, v.threads));
    TRY(tc_matching_init(&v.matching, &v.graph));
    covered = malloc((size_t)(v.edges.rows + v.edges.columns));
    if (!covered) TRY(tc_fail(TILECUT_ENOMEM, "no memory for the cover"));
    v.report.build_ms = tc_lap_ms(&v.clock);
    if (!matcher_row) matcher_row = choose_matcher(&v.graph);
    if (matcher_row->first) TRY(tc_match_first(&v.graph, &v.matching));
    v.report.first_pairs = v.matching.pairs;
    TRY(matcher_row->enlarge(&v.graph, &v.matching, v.threads, v.params.cancel));
    v.report.solve_ms = tc_lap_ms(&v.clock);
    TRY(tc_match_prove(&v.graph, &v.matching, &v.edges, covered, v.threads));
    v.report.certify_ms = tc_lap_ms(&v.clock);
    v.report.pairs = v.matching.pairs;
    v.report.solver = matcher_row->name;
    v.report.certified = 1;
    if (cover) memcpy(cover, covered, (size_t)(v.edges.rows + v.edges.columns));
    hand_out(&v, column_of, report);
done:
    free(covered);
    leave_pairs(&v);
    return status;
}

enum { STRETCH = 1 << 16 }; /* edges per iteration */

typedef struct costs {
    const tilecut_network_edges *edges;
    int64_t most;
    int64_t bad; /* the first edge that costs too much; atomic */
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

/* Checks the costs: distances are sums of reduced costs along a path, each at most three times the largest cost. */
static tilecut_status check_costs(const tilecut_network_edges *edges, int threads)
{
    const int64_t most = (INT64_C(1) << 60) / (edges->rows + edges->columns) / 4;
    costs c = {edges, most, INT64_MAX};
    tc_parallel(threads, (int)(edges->edges / STRETCH) + 1, check_stretch, &c);
    if (c.bad < INT64_MAX)
        return tc_fail(TILECUT_ERANGE, "edge %lld costs %lld; with so many rows at most %lld is exact",
                       (long long)c.bad, (long long)edges->cost[c.bad], (long long)most);
    return TILECUT_OK;
}

/* Exchanges rows and columns if there are more rows than columns, so that each column gets a row. *row and *cost are
 * arrays that this allocates if it needs them, or NULL; the caller frees them. */
static tilecut_status turn(visit *v, int32_t **row, int64_t **cost)
{
    const tilecut_network_edges arrays = v->edges;
    tilecut_network_edges *const e = &v->edges;
    NEED(tc_edges_check(&arrays, true, v->threads));
    NEED(check_costs(&arrays, v->threads));
    *e = (tilecut_network_edges){.rows = arrays.columns, .columns = arrays.rows, .edges = arrays.edges,
                                 .row = arrays.column, .column = arrays.row, .cost = arrays.cost};
    if (!arrays.column) {
        *cost = malloc(((size_t)arrays.edges + 1) * sizeof **cost);
        if (!*cost) return tc_fail(TILECUT_ENOMEM, "no memory for %lld costs", (long long)arrays.edges);
        for (int64_t k = 0; k < arrays.edges; k++)
            (*cost)[k % arrays.columns * arrays.rows + k / arrays.columns] = arrays.cost[k];
        e->row = NULL;
        e->cost = *cost;
    } else if (!arrays.row) {
        int32_t at = 0;
        *row = malloc(((size_t)arrays.edges + 1) * sizeof **row);
        if (!*row) return tc_fail(TILECUT_ENOMEM, "no memory for %lld edges", (long long)arrays.edges);
        for (int64_t k = 0; k < arrays.edges; k++) (*row)[k] = tc_edge_row(&arrays, k, &at);
        e->column = *row;
    }
    v->turned = true;
    return TILECUT_OK;
}

/* Writes the prices in the order of the caller's rows and columns. */
static void hand_out_prices(const visit *v, int64_t *price, const int64_t *found)
{
    const size_t rows = (size_t)v->edges.rows, columns = (size_t)v->edges.columns, size = sizeof *price;
    if (!price) return;
    memcpy(price, found + (v->turned ? rows : 0), (v->turned ? columns : rows + columns) * size);
    if (v->turned) memcpy(price + columns, found, rows * size);
}

tilecut_status tilecut_network_assign(const tilecut_network_edges *edges, const tilecut_network_params *params,
                                      int32_t *column_of, int64_t *price, tilecut_network_pairs_report *report)
{
    tilecut_status status = TILECUT_OK;
    visit v = {0};
    int64_t *prices = NULL, *cost = NULL;
    int32_t *row = NULL;
    const assigner *assigner_row = NULL;
    bool held = true;
    TRY(enter_pairs(&v, edges, params, report));
    assigner_row = find_assigner(v.params.solver);
    if (!assigner_row) TRY(tc_fail(TILECUT_EINVAL, "no way to assign is called '%s'", v.params.solver));
    if (v.edges.rows > v.edges.columns) TRY(turn(&v, &row, &cost));
    TRY(tc_bipartite_init(&v.graph, &v.edges, true, assigner_row->columns, v.threads));
    v.graph.turned = v.turned;
    TRY(check_costs(&v.edges, v.threads));
    TRY(tc_matching_init(&v.matching, &v.graph));
    prices = malloc((size_t)(v.edges.rows + v.edges.columns) * sizeof *prices);
    if (!prices) TRY(tc_fail(TILECUT_ENOMEM, "no memory for the prices"));
    v.report.build_ms = tc_lap_ms(&v.clock);
    TRY(assigner_row->solve(&v.graph, &v.matching, prices, &v.report.first_pairs, v.threads, v.params.cancel, &held));
    if (!held) {
        assigner_row = &assigners[0];
        TRY(assigner_row->solve(&v.graph, &v.matching, prices, &v.report.first_pairs, v.threads,
                                v.params.cancel, &held));
    }
    v.report.solve_ms = tc_lap_ms(&v.clock);
    TRY(tc_assign_prove(&v.matching, &v.edges, prices, v.threads, &v.report.cost));
    v.report.certify_ms = tc_lap_ms(&v.clock);
    v.report.pairs = v.matching.pairs;
    v.report.solver = assigner_row->name;
    v.report.certified = 1;
    hand_out_prices(&v, price, prices);
    hand_out(&v, column_of, report);
done:
    free(prices);
    free(cost);
    free(row);
    leave_pairs(&v);
    return status;
}
