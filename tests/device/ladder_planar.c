/* SPDX-License-Identifier: MIT
 *
 * ladder_planar.c - grids with one hard source and one hard sink, for which the fastest solver has a flow to begin with
 * (cuda/planar.cuh). A wrong one would go unnoticed, as it is refused and the solver does without: so it is asked how
 * much it had to push. Links between the same terminals' pixels and ties are where it could go wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "ladder.h"
#include "random_graph.h"
#include "tc_cuda.h"

/* Solves by name; false after saying what failed. */
static bool solve(const tilecut_graph *graph, const char *solver, uint8_t *mask, tilecut_report *report)
{
    tilecut_params params = tilecut_params_default();
    params.solver = solver;
    if (tilecut_graph_solve(graph, &params, mask, report) == TILECUT_OK) return true;
    printf("FAILED %s: %s\n", solver, tilecut_error_detail());
    return false;
}

/* Rounds of pushing that `cuda` needs; -1 after saying what failed. */
static int rounds_needed(const tilecut_graph *graph)
{
    const tc_solve_params params = {.threads = 1};
    tc_solve_stats stats = {0};
    tc_grid grid;
    tilecut_status status = tc_grid_init(&grid, graph->width, graph->height, graph->connectivity);
    if (status == TILECUT_OK) status = tc_grid_build(&grid, graph, 1);
    if (status == TILECUT_OK) status = tc_cuda_solve(&grid, &params, &stats);
    tc_grid_free(&grid);
    if (status == TILECUT_OK) return stats.rounds;
    printf("FAILED cuda: %s\n", tilecut_error_detail());
    return -1;
}

int planar_starts(int count)
{
    static const int sizes[][2] = {{1, 40}, {40, 1},   {2, 2},    {31, 33},  {32, 32}, {33, 31},
                                   {64, 64}, {65, 97}, {128, 96}, {200, 130}, {7, 300}, {300, 257}};
    int good = 0, at_once = 0;
    for (int seed = 1; seed <= count; seed++) {
        const int *size = sizes[seed % (int)(sizeof sizes / sizeof *sizes)];
        const size_t pixels = (size_t)size[0] * (size_t)size[1];
        uint8_t *mask = malloc(2 * pixels);
        random_graph random;
        tilecut_graph *graph = NULL;
        tilecut_report expected, report;
        random_graph_regions(&random, (uint64_t)seed, size[0], size[1]);
        if (mask && tilecut_graph_create(&graph, &random.arrays) == TILECUT_OK &&
            solve(graph, "bk", mask, &expected) && solve(graph, "cuda", mask + pixels, &report)) {
            const int rounds = rounds_needed(graph);
            const bool same = report.flow == expected.flow && memcmp(mask, mask + pixels, pixels) == 0;
            good += same;
            at_once += rounds == 0;
            if (!same || rounds != 0)
                printf("%s seed %d, %dx%d: flow %lld, expected %lld, %d rounds\n", same ? "SLOW" : "DIFFERS", seed,
                       size[0], size[1], (long long)report.flow, (long long)expected.flow, rounds);
        }
        tilecut_graph_destroy(graph);
        random_graph_free(&random);
        free(mask);
    }
    printf("%-14s two regions: %d of %d agree with bk, %d without a push\n", "cuda", good, count, at_once);
    return 2 * count - good - at_once;
}
