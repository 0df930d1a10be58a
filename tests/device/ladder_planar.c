/* SPDX-License-Identifier: MIT
 *
 * ladder_planar.c - grids with one hard source and one hard sink, for which the fastest solver computes an initial
 * flow (planar_start.cuh). A wrong initial flow would go unnoticed, because it is refused and the solver runs without
 * it. So the test checks how much was pushed afterwards. Mistakes are most likely at links between pixels of the same
 * terminal, and at ties.
 */
#include <stdio.h>
#include <stdlib.h>

#include "build_grid.h"
#include "cuda_solvers.h"
#include "graph.h"
#include "ladder.h"
#include "random_graph.h"

/* Rounds of pushing that `cuda` needs; -1 after saying what failed. */
static int rounds_needed(const tilecut_graph *graph)
{
    const tc_solve_params params = {.threads = 1};
    tc_solve_stats stats = {0};
    tc_grid grid;
    tilecut_status status = tc_grid_init(&grid, graph->width, graph->height, graph->connectivity);
    if (status == TILECUT_OK) status = tc_grid_build(&grid, graph, 1);
    if (status == TILECUT_OK) status = tc_cuda_tiles(&grid, &params, &stats);
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
        random_graph random;
        tilecut_graph *graph = NULL;
        tilecut_report report = {0};
        random_graph_regions(&random, (uint64_t)seed, size[0], size[1]);
        if (tilecut_graph_create(&graph, &random.arrays) == TILECUT_OK) {
            uint8_t *expected = ladder_solve(graph, "bk", pixels, &report);
            const bool same = expected && ladder_agrees(graph, "cuda", pixels, expected, report.flow, &report);
            const int rounds = rounds_needed(graph);
            good += same;
            at_once += same && rounds == 0;
            if (!same || rounds != 0) printf("  seed %d, %dx%d: %d rounds\n", seed, size[0], size[1], rounds);
            free(expected);
        }
        tilecut_graph_destroy(graph);
        random_graph_free(&random);
    }
    printf("%-14s two regions: %d of %d agree with bk, %d without a push\n", "cuda", good, count, at_once);
    return count - at_once;
}
