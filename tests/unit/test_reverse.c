/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_reverse.c - the reverse of a grid equals the grid of the reverse graph, and a solver that reverses a grid gives
 * the same answer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_grid.h"
#include "graph.h"
#include "random_graph.h"
#include "reverse.h"
#include "run_suite.h"
#include "solver.h"

enum { CASES = 4 + RANDOM_CASES(150), W = 120, H = 100 };

static void build(const tilecut_arrays *arrays, tc_grid *grid)
{
    tilecut_graph *graph;
    ck_assert_int_eq(tilecut_graph_create(&graph, arrays), TILECUT_OK);
    ck_assert_int_eq(tc_grid_init(grid, arrays->width, arrays->height, arrays->to[2] ? 8 : 4), TILECUT_OK);
    ck_assert_int_eq(tc_grid_build(grid, graph, 1), TILECUT_OK);
    tilecut_graph_destroy(graph);
}

/* True if two grids are equal bit for bit, with padding and surrounding nodes. */
static bool same(const tc_grid *a, const tc_grid *b)
{
    const size_t guard = ((size_t)a->tiles_x + 1) * TC_TILE_NODES, all = a->nodes + 2 * guard;
    if (a->diagonal && memcmp(a->diagonal - guard, b->diagonal - guard, all * sizeof *a->diagonal) != 0) return false;
    return memcmp(a->excess - guard, b->excess - guard, all * sizeof *a->excess) == 0 &&
           memcmp(a->residual - guard, b->residual - guard, all * sizeof *a->residual) == 0;
}

TEST(a_reversed_grid_is_that_of_the_reverse_graph)
{
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        random_graph random;
        uint64_t state = seed;
        tc_grid before, turned, expected;
        random_graph_init(&random, seed, 1 + random_below(&state, W), 1 + random_below(&state, H),
                          seed % 2 ? 4 : 8);
        tilecut_arrays reverse = random.arrays;
        reverse.source = random.arrays.sink, reverse.sink = random.arrays.source;
        for (int k = 0; k < TILECUT_LINKS && random.arrays.from[k]; k++)
            reverse.to[k] = random.arrays.from[k], reverse.from[k] = random.arrays.to[k];
        build(&random.arrays, &before);
        build(&random.arrays, &turned);
        build(&reverse, &expected);
        tc_grid_reverse(&turned, 1 + (int)(seed % 3));
        tc_grid_arrange(&expected, turned.by_rows, 1);
        ck_assert_msg(same(&turned, &expected), "seed %llu", (unsigned long long)seed);
        tc_grid_reverse(&turned, 1 + (int)(seed % 3));
        tc_grid_arrange(&before, turned.by_rows, 1);
        ck_assert_msg(same(&turned, &before), "seed %llu: twice", (unsigned long long)seed);
        tc_grid_free(&before);
        tc_grid_free(&turned);
        tc_grid_free(&expected);
        random_graph_free(&random);
    }
}

static bool is_turned_round(const random_graph *random)
{
    tc_grid grid;
    build(&random->arrays, &grid);
    const tc_survey seen = tc_survey_grid(&grid);
    tc_grid_free(&grid);
    return tc_reverse_pays(&seen);
}

/* Checks that mask and flow equal those of `bk`, which never reverses a graph. */
static void check_solvers(const tilecut_graph *graph, size_t pixels, uint64_t seed)
{
    uint8_t *const expected = malloc(pixels), *const mask = malloc(pixels);
    tilecut_params params = tilecut_params_default();
    tilecut_report first = {0}, report = {0};
    params.solver = "bk";
    ck_assert_int_eq(tilecut_graph_solve(graph, &params, expected, &first), TILECUT_OK);
    for (const tc_solver *row = tc_solvers; row->name; row++) {
        if (!(row->can & TC_REVERSIBLE)) continue;
        params.solver = row->name;
        params.threads = 1 + (int)(seed % 3);
        ck_assert_msg(tilecut_graph_solve(graph, &params, mask, &report) == TILECUT_OK, "%s: seed %llu: %s", row->name,
                      (unsigned long long)seed, tilecut_error_detail());
        ck_assert_msg(report.flow == first.flow && memcmp(mask, expected, pixels) == 0, "%s: seed %llu", row->name,
                      (unsigned long long)seed);
    }
    free(expected);
    free(mask);
}

TEST(a_graph_turned_round_has_the_same_answer)
{
    int turned = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        random_graph random;
        tilecut_graph *graph;
        const int height = 30 + (int)(seed * 7 % 300);
        random_graph_few_sinks(&random, seed, W, height, seed % 2 ? 8 : 4);
        turned += is_turned_round(&random);
        ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
        check_solvers(graph, (size_t)W * (size_t)height, seed);
        tilecut_graph_destroy(graph);
        random_graph_free(&random);
    }
    ck_assert_int_gt(2 * turned, CASES);
}

/* A reversed graph has changed the residual capacities, and the next solve continues from them. */
TEST(sessions_go_on_from_a_graph_turned_round)
{
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        static uint8_t warm_mask[W * H], cold_mask[W * H];
        random_graph random;
        tilecut_graph *graph;
        tilecut_session *session;
        tilecut_report warm = {0}, cold = {0};
        uint64_t state = seed;
        random_graph_few_sinks(&random, seed, W, H, seed % 2 ? 8 : 4);
        int32_t *const source = (int32_t *)(uintptr_t)random.arrays.source;
        int32_t *const sink = (int32_t *)(uintptr_t)random.arrays.sink;
        ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_create(&session, graph), TILECUT_OK);
        ck_assert_int_eq(tilecut_session_solve(session, NULL, warm_mask, NULL), TILECUT_OK);
        for (int edits = 1 + random_below(&state, 3) * 1000; edits > 0; edits--) {
            const int p = random_below(&state, W * H), was = source[p];
            source[p] = sink[p], sink[p] = was;
        }
        ck_assert_int_eq(tilecut_session_solve(session, NULL, warm_mask, &warm), TILECUT_OK);
        ck_assert_int_eq(tilecut_graph_solve(graph, NULL, cold_mask, &cold), TILECUT_OK);
        ck_assert(warm.warm && !cold.warm);
        ck_assert_msg(warm.flow == cold.flow && memcmp(warm_mask, cold_mask, sizeof cold_mask) == 0, "seed %llu",
                      (unsigned long long)seed);
        tilecut_session_destroy(session);
        tilecut_graph_destroy(graph);
        random_graph_free(&random);
    }
}

int main(void) { return run_suite((test_suite){.name = "reverse", .seconds = 300}); }
