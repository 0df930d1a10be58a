/* SPDX-License-Identifier: MIT
 *
 * test_levels.c - breadth-first search with every method and several threads, compared with distances by Bellman and
 * Ford.
 * Threads: run under the thread sanitizer, too.
 */
#include <stdlib.h>
#include <string.h>

#include "levels.h"
#include "random_graph.h"
#include "run_suite.h"

enum { NODES = 60, ARCS = 200 };

/* Computes distances by relaxing all arcs until nothing changes. */
static void distances(const tilecut_network_edges *edges, int32_t from, int32_t *level)
{
    for (int64_t v = 0; v < edges->rows; v++) level[v] = v == from ? 0 : -1;
    for (bool changed = true; changed;) {
        changed = false;
        for (int64_t e = 0; e < edges->edges; e++) {
            const int32_t u = edges->row[e], v = edges->column[e];
            if (level[u] < 0 || (level[v] >= 0 && level[v] <= level[u] + 1)) continue;
            level[v] = level[u] + 1;
            changed = true;
        }
    }
}

/* Sorts arcs by their tails into the rows of a sparse matrix: first [nodes + 1], column [arcs]. */
static tilecut_network_edges by_rows(const tilecut_network_edges *arcs, int32_t *first, int32_t *column)
{
    int32_t at = 0;
    for (int32_t v = 0; v < arcs->rows; v++) {
        first[v] = at;
        for (int64_t e = 0; e < arcs->edges; e++)
            if (arcs->row[e] == v) column[at++] = arcs->column[e];
    }
    first[arcs->rows] = at;
    return (tilecut_network_edges){.rows = arcs->rows, .columns = arcs->columns, .edges = arcs->edges, .first = first,
                                   .column = column};
}

/* False for a method that needs a device if there is none; the device tests cover it. */
static bool runs_here(int way)
{
    return strcmp(tilecut_network_levels_device(way), "cuda") || tilecut_cuda_device(0, NULL, 0) == TILECUT_OK;
}

static int levels_ways(void)
{
    int count = 0;
    while (tilecut_network_levels_way(count)) count++;
    return count;
}

LOOP_TEST(levels_are_distances, 0, levels_ways())
{
    const char *const way = tilecut_network_levels_way(_i);
    int64_t deep = 0;
    if (!runs_here(_i)) return;
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(2000); seed++) {
        int32_t row[ARCS], column[ARCS], level[NODES], truth[NODES], first[NODES + 1], sorted[ARCS];
        uint64_t state = seed;
        const int nodes = 1 + random_below(&state, NODES), arcs = random_below(&state, ARCS);
        const int reach = 1 + random_below(&state, nodes), from = random_below(&state, nodes);
        for (int e = 0; e < arcs; e++) { /* draws only short arcs, or any */
            row[e] = random_below(&state, nodes);
            column[e] = (row[e] + random_below(&state, reach + 1)) % nodes;
        }
        const tilecut_network_edges edges = {.rows = nodes, .columns = nodes, .edges = arcs, .row = row,
                                             .column = column};
        const tilecut_network_params params = {.solver = way, .threads = 1 + (int)(seed % 3)};
        const tilecut_network_edges rows = by_rows(&edges, first, sorted);
        tilecut_network_levels_report report = {0};
        distances(&edges, from, truth);
        ck_assert_msg(tilecut_network_levels(seed % 2 ? &edges : &rows, from, &params, level, &report) == TILECUT_OK,
                      "%s: seed %llu: %s", way, (unsigned long long)seed, tilecut_error_detail());
        ck_assert_msg(!memcmp(level, truth, (size_t)nodes * sizeof *level), "%s: seed %llu", way,
                      (unsigned long long)seed);
        int64_t reached = 0, deepest = 0;
        for (int v = 0; v < nodes; v++) {
            reached += truth[v] >= 0;
            if (truth[v] > deepest) deepest = truth[v];
        }
        ck_assert(report.reached == reached && report.deepest == deepest && report.certified == 1);
        ck_assert_int_eq(report.downs + report.ups, deepest + 1); /* the last step finds nothing */
        deep += deepest > 3;
    }
    ck_assert_int_gt(deep, RANDOM_CASES(2000) / 10);
}

/* There are enough arcs for all threads to take part, and levels large enough for `both` to search upwards. */
LOOP_TEST(threads_find_the_same_levels, 0, levels_ways())
{
    enum { MANY = 20000, LINKS = 8 * MANY };
    static int32_t row[LINKS], column[LINKS], level[2][MANY];
    uint64_t state = 3;
    tilecut_network_levels_report report = {0};
    if (!runs_here(_i)) return;
    for (int e = 0; e < LINKS; e++) {
        row[e] = random_below(&state, MANY);
        column[e] = random_below(&state, MANY);
    }
    const tilecut_network_edges edges = {.rows = MANY, .columns = MANY, .edges = LINKS, .row = row, .column = column};
    for (int k = 0; k < 2; k++) {
        const tilecut_network_params params = {.solver = k ? tilecut_network_levels_way(_i) : "down",
                                               .threads = k ? 4 : 1};
        ck_assert_int_eq(tilecut_network_levels(&edges, 7, &params, level[k], &report), TILECUT_OK);
    }
    ck_assert_mem_eq(level[0], level[1], sizeof level[0]);
    if (_i == 0) ck_assert(report.downs > 0 && report.ups > 0);
}

TEST(wrong_levels_are_not_certified)
{
    const int32_t row[] = {0, 1, 0}, column[] = {1, 2, 3};
    const tilecut_network_edges edges = {.rows = 5, .columns = 5, .edges = 3, .row = row, .column = column};
    const int32_t right[] = {0, 1, 2, 1, -1};
    static const int32_t wrong[][2] = {{1, 2}, {2, -1}, {2, 3}, {3, 0}, {4, 1}, {4, 0}, {0, 1}, {1, -1}};
    int32_t first[6], sorted[3];
    const tilecut_network_edges rows = by_rows(&edges, first, sorted);
    ck_assert_int_eq(tc_levels_prove(&edges, 0, right), TILECUT_OK);
    ck_assert_int_eq(tc_levels_prove(&rows, 0, right), TILECUT_OK);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        int32_t level[5];
        memcpy(level, right, sizeof level);
        level[wrong[k][0]] = wrong[k][1];
        ck_assert_int_eq(tc_levels_prove(&edges, 0, level), TILECUT_EUNPROVEN);
        ck_assert_int_eq(tc_levels_prove(&rows, 0, level), TILECUT_EUNPROVEN);
    }
}

TEST(broken_contracts_are_refused)
{
    const int32_t row[] = {0}, column[] = {1};
    tilecut_network_edges edges = {.rows = 2, .columns = 2, .edges = 1, .row = row, .column = column};
    ck_assert_int_eq(tilecut_network_levels(&edges, 0, NULL, NULL, NULL), TILECUT_OK);
    ck_assert_int_eq(tilecut_network_levels(&edges, 2, NULL, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_network_levels(&edges, -1, NULL, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_network_levels(&edges, 0, &(tilecut_network_params){.solver = "x"}, NULL, NULL),
                     TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_network_levels(&edges, 0, &(tilecut_network_params){.threads = 257}, NULL, NULL),
                     TILECUT_EINVAL);
    edges.columns = 3;
    ck_assert_int_eq(tilecut_network_levels(&edges, 0, NULL, NULL, NULL), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_network_levels(NULL, 0, NULL, NULL, NULL), TILECUT_EINVAL);
    edges.columns = 2;
    for (int i = 0; tilecut_network_levels_way(i); i++) {
        const tilecut_network_params params = {.solver = tilecut_network_levels_way(i)};
        ck_assert_int_eq(tilecut_network_levels(&edges, 0, &params, NULL, NULL),
                         runs_here(i) ? TILECUT_OK : TILECUT_ENODEVICE);
    }
    ck_assert_ptr_null(tilecut_network_levels_way(-1));
    ck_assert_ptr_null(tilecut_network_levels_summary(5));
    ck_assert_ptr_null(tilecut_network_levels_device(5));
}

int main(void) { return run_suite((test_suite){.name = "levels"}); }
