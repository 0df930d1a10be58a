/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_solvers.c - checks every row of the solver table against brute force, the reference solver and its own
 * certificate. A new solver is tested without any change here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"
#include "solver.h"

/* Solves `graph` into `mask`. The caller checks the status. */
static tilecut_status solve(const random_graph *graph, const char *solver, int threads, uint8_t *mask,
                            tilecut_report *report)
{
    tilecut_params params = tilecut_params_default();
    tilecut_graph *g = NULL;
    tilecut_status status = tilecut_graph_create(&g, &graph->arrays);
    params.solver = solver;
    params.threads = threads;
    if (status == TILECUT_OK) status = tilecut_graph_solve(g, &params, mask, report);
    tilecut_graph_destroy(g);
    return status;
}

/* True if row `i` can be tried on this machine with that graph. A missing device is named once, and is a failure if the
 * environment requires it. */
static bool runs(int i, int connectivity)
{
    const tc_solver *solver = &tc_solvers[i];
    if (connectivity == 8 && !(solver->can & TC_SOLVES_8)) return false;
    if (!(solver->can & TC_ON_CUDA)) return true;
    static int usable = -1;
    if (usable < 0) {
        random_graph graph;
        uint8_t mask[4];
        tilecut_report report = {0};
        random_graph_init(&graph, 1, 2, 2, 4);
        usable = solve(&graph, solver->name, 1, mask, &report) != TILECUT_ENODEVICE;
        random_graph_free(&graph);
        if (!usable) printf("skipped: %s and the like, no CUDA device here\n", solver->name);
        ck_assert_msg(usable || !getenv("TILECUT_REQUIRE_CUDA"), "TILECUT_REQUIRE_CUDA is set: %s",
                      tilecut_error_detail());
    }
    return usable;
}

static int count_solvers(void)
{
    int count = 0;
    while (tc_solvers[count].name) count++;
    return count;
}

LOOP_TEST(solver_equals_brute_force, 0, count_solvers())
{
    for (uint64_t seed = 1; seed <= RANDOM_CASES(600); seed++) {
        random_graph graph;
        uint8_t mask[20], best[20];
        tilecut_report report = {0};
        random_graph_draw(&graph, seed, 4, 4);
        const size_t n = (size_t)graph.arrays.width * (size_t)graph.arrays.height;
        if (runs(_i, graph.connectivity)) {
            ck_assert_msg(solve(&graph, tc_solvers[_i].name, 1, mask, &report) == TILECUT_OK,
                          "%s: seed %llu: %s", tc_solvers[_i].name, (unsigned long long)seed,
                          tilecut_error_detail());
            const int64_t cost = brute_force(&graph, best);
            ck_assert_msg(report.flow == cost, "%s: seed %llu: flow %lld, minimum cut %lld",
                          tc_solvers[_i].name, (unsigned long long)seed, (long long)report.flow,
                          (long long)cost);
            ck_assert_msg(memcmp(mask, best, n) == 0, "%s: seed %llu: not the canonical cut",
                          tc_solvers[_i].name, (unsigned long long)seed);
        }
        random_graph_free(&graph);
    }
}

/* Checks flow and mask against those of `bk` on one thread. */
static void agrees(const random_graph *graph, int solver, int threads, uint64_t seed)
{
    const size_t n = (size_t)graph->arrays.width * (size_t)graph->arrays.height;
    const char *name = tc_solvers[solver].name;
    uint8_t *mask = malloc(n), *expected = malloc(n);
    tilecut_report report = {0}, reference = {0};

    ck_assert(mask && expected);
    ck_assert_msg(solve(graph, "bk", 1, expected, &reference) == TILECUT_OK, "bk: seed %llu: %s",
                  (unsigned long long)seed, tilecut_error_detail());
    ck_assert_msg(solve(graph, name, threads, mask, &report) == TILECUT_OK, "%s: seed %llu: %s", name,
                  (unsigned long long)seed, tilecut_error_detail());
    ck_assert_msg(report.flow == reference.flow && memcmp(mask, expected, n) == 0,
                  "%s with %d threads differs from bk: seed %llu, %dx%d, %d neighbours", name, threads,
                  (unsigned long long)seed, graph->arrays.width, graph->arrays.height, graph->connectivity);
    ck_assert_int_eq(report.flow, mask_cost(&graph->arrays, graph->connectivity, mask));
    free(mask);
    free(expected);
}

LOOP_TEST(solver_agrees_on_all_sizes, 0, count_solvers())
{
    for (uint64_t seed = 1; seed <= RANDOM_CASES(400); seed++) {
        random_graph graph;
        random_graph_draw(&graph, seed, 70, 50);
        if (runs(_i, graph.connectivity)) agrees(&graph, _i, 1 + (int)(seed % 3), seed);
        random_graph_free(&graph);
    }
}

LOOP_TEST(solver_agrees_on_thin_and_ragged, 0, count_solvers())
{
    static const int sizes[][2] = {{1, 1},  {1, 300}, {300, 1}, {2, 2},   {31, 33},  {32, 32}, {33, 31},
                                   {64, 1}, {1, 64},  {65, 97}, {128, 5}, {5, 128},  {96, 96}, {160, 130},
                                   {800, 60}}; /* this grid is long enough to be split into pieces */
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (uint64_t seed = 1; seed <= 2 + RANDOM_CASES(10); seed++) {
            random_graph graph;
            random_graph_init(&graph, seed, sizes[s][0], sizes[s][1], seed % 2 ? 4 : 8);
            if (runs(_i, graph.connectivity)) agrees(&graph, _i, 1 + (int)(seed % 3), seed);
            random_graph_free(&graph);
        }
    }
}

/* A connected region of hard sources, one of hard sinks, and nothing else. Solvers have special methods for such
 * grids. */
LOOP_TEST(solver_agrees_on_two_regions, 0, count_solvers())
{
    for (uint64_t seed = 1; seed <= RANDOM_CASES(120); seed++) {
        static const int sizes[][2] = {{1, 40}, {2, 2}, {33, 31}, {64, 64}, {65, 97}, {128, 96}};
        const int *size = sizes[seed % (sizeof sizes / sizeof *sizes)];
        random_graph graph;
        random_graph_regions(&graph, seed, size[0], size[1]);
        if (runs(_i, 4)) agrees(&graph, _i, 1 + (int)(seed % 3), seed);
        random_graph_free(&graph);
    }
}

/* Grids large enough that each thread has its own band and pieces of two sizes occur, with much flow between them. */
LOOP_TEST(solver_agrees_with_more_threads, 0, count_solvers())
{
    static const int threads[] = {2, 4, 7};
    if (!(tc_solvers[_i].can & TC_THREADED)) return;
    for (uint64_t seed = 1; seed <= 2 + RANDOM_CASES(4); seed++) {
        random_graph graph;
        random_graph_init(&graph, seed, seed % 2 ? 110 : 1040, seed % 2 ? 1040 : 110, 4);
        agrees(&graph, _i, threads[seed % 3], seed);
        random_graph_free(&graph);
    }
}

/* A corridor that winds through the whole grid is the longest possible path. It returns to each tile sixteen times, 300
 * steps later each time, over more levels than a tile's planes can count (push_strips.h). */
LOOP_TEST(solver_follows_a_long_corridor, 0, count_solvers())
{
    enum { W = 300, H = 67 };
    random_graph graph;
    if (!runs(_i, 4)) return;
    random_graph_init(&graph, 7, W, H, 4);
    int32_t *m = graph.memory;
    memset(m, 0, 10 * W * H * sizeof *m);
    for (int k = 0; k < 2; k++) graph.arrays.from[k] = NULL;
    for (int y = 0; y < H; y++) {
        for (int x = 0; x + 1 < W && y % 2 == 0; x++) m[2 * W * H + y * W + x] = 5;
        const int turn = y / 2 % 2 ? 0 : W - 1; /* each row has one link down, at alternate ends */
        m[3 * W * H + y * W + turn] = 4;
    }
    m[0] = 9;                                   /* the source is where the corridor begins */
    m[W * H + (H - 1) * W + ((H - 1) / 2 % 2 ? 0 : W - 1)] = 7; /* the sink is at its end */
    agrees(&graph, _i, 2, 0);
    random_graph_free(&graph);
}

LOOP_TEST(solver_stops_when_cancelled, 0, count_solvers())
{
    const tilecut_flag cancel = {1};
    tilecut_params params = tilecut_params_default();
    random_graph graph;
    tilecut_graph *g;
    uint8_t *mask = malloc(400 * 400);
    if (runs(_i, 4)) {
        random_graph_init(&graph, 5, 400, 400, 4);
        ck_assert_int_eq(tilecut_graph_create(&g, &graph.arrays), TILECUT_OK);
        memset(mask, 77, 400 * 400);
        params.solver = tc_solvers[_i].name;
        params.cancel = &cancel;
        ck_assert_int_eq(tilecut_graph_solve(g, &params, mask, NULL), TILECUT_ECANCELLED);
        for (int p = 0; p < 400 * 400; p++) ck_assert_int_eq(mask[p], 77);
        tilecut_graph_destroy(g);
        random_graph_free(&graph);
    }
    free(mask);
}

int main(void) { return run_suite((test_suite){.name = "solvers", .seconds = 300}); }
