/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_grid.c - building a grid: every capacity of a graph is where grid.h says, in both layouts of links (by node and
 * by row), and the rest of the tiles is zero. This also holds on a machine with a tiny cache, where large grids are
 * written past the cache.
 */
#include <unistd.h>

#include "build_grid.h"
#include "random_graph.h"
#include "run_suite.h"

/* A copy of build_grid.c, compiled for a machine with a tiny cache. */
tilecut_status small_grid_build(tc_grid *grid, const tilecut_graph *graph, int threads);
#define sysconf(name) 4096L
#define tc_grid_build small_grid_build
#include "../../src/graph/build_grid.c"
#undef tc_grid_build

enum { CASES = 150 };

/* Returns the capacity of the link of pixel (x, y) in direction d, straight from the arrays. */
static int32_t capacity(const tilecut_arrays *a, int d, int x, int y)
{
    static const int step_x[8] = {1, -1, 0, 0, 1, -1, -1, 1}, step_y[8] = {0, 0, 1, -1, 1, -1, 1, -1};
    const int dx = step_x[d], dy = step_y[d], k = d / 2;
    const bool forward = d % 2 == 0;
    if (x >= a->width || y >= a->height) return 0;
    if (x + dx < 0 || y + dy < 0 || x + dx >= a->width || y + dy >= a->height) return 0;
    if (forward) return a->to[k][(size_t)y * (size_t)a->width + (size_t)x];
    const int32_t *const from = a->from[k] ? a->from[k] : a->to[k];
    return from[(size_t)(y + dy) * (size_t)a->width + (size_t)(x + dx)];
}

/* Counts the numbers of the grid that differ from the arrays. */
static int wrong_in(const tc_grid *grid, const tilecut_arrays *a)
{
    int wrong = 0;
    for (int y = 0; y < grid->tiles_y * TC_TILE; y++)
        for (int x = 0; x < grid->tiles_x * TC_TILE; x++) {
            const size_t p = tc_grid_at(grid, x, y), i = (size_t)y * (size_t)a->width + (size_t)x;
            const bool inside = x < a->width && y < a->height;
            for (int d = 0; d < grid->connectivity; d++)
                wrong += *tc_residual(grid, (ptrdiff_t)p, d) != (float)capacity(a, d, x, y);
            wrong += grid->excess[p] != (inside ? (float)(a->source[i] - a->sink[i]) : 0);
        }
    return wrong;
}

/* Fills the grid's memory with other values, as if it had been used before. */
static void soil(tc_grid *grid)
{
    for (size_t p = 0; p < grid->nodes; p++) {
        grid->excess[p] = -7;
        for (int d = 0; d < 4; d++) grid->residual[p].to[d] = 7;
        for (int d = 0; d < 4 && grid->diagonal; d++) grid->diagonal[p].to[d] = 7;
    }
}

static void build_of(int seed)
{
    random_graph random;
    tilecut_graph *graph;
    tc_grid grid;
    uint64_t state = (uint64_t)seed;
    const int width = 1 + random_below(&state, 140), height = 1 + random_below(&state, 140);
    const int neighbours = seed % 2 ? 4 : 8;
    random_graph_init(&random, (uint64_t)seed, width, height, neighbours);
    ck_assert_int_eq(tilecut_graph_create(&graph, &random.arrays), TILECUT_OK);
    ck_assert_int_eq(tc_grid_init(&grid, width, height, neighbours), TILECUT_OK);
    for (int way = 0; way < 4; way++) {
        const bool past = way & 1;
        soil(&grid);
        grid.by_rows = way & 2;
        if (past) ck_assert_int_eq(small_grid_build(&grid, graph, 1 + seed % 3), TILECUT_OK);
        else ck_assert_int_eq(tc_grid_build(&grid, graph, 1), TILECUT_OK);
        ck_assert_msg(wrong_in(&grid, &random.arrays) == 0, "seed %d: %d x %d, %s the cache, by %s: %d wrong", seed,
                      width, height, past ? "past" : "through", grid.by_rows ? "row" : "node",
                      wrong_in(&grid, &random.arrays));
        tc_grid_arrange(&grid, !grid.by_rows, 1 + seed % 3);
        ck_assert_msg(wrong_in(&grid, &random.arrays) == 0, "seed %d: arranged by %s: %d wrong", seed,
                      grid.by_rows ? "row" : "node", wrong_in(&grid, &random.arrays));
    }
    tc_grid_free(&grid);
    tilecut_graph_destroy(graph);
    random_graph_free(&random);
}

TEST(every_capacity_is_in_its_place)
{
    for (int seed = 1; seed <= RANDOM_CASES(CASES); seed++) build_of(seed);
}

int main(void) { return run_suite((test_suite){.name = "grid"}); }
