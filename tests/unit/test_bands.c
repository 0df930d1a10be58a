/* SPDX-License-Identifier: MIT
 *
 * test_bands.c - solving some rows of tiles of a part's grid, or some slices of a volume's grid, changes nothing
 * outside of them, and gives a valid flow inside.
 */
#include <stdlib.h>
#include <string.h>

#include "bands.h"
#include "build_grid.h"
#include "graph.h"
#include "random_graph.h"
#include "run_suite.h"
#include "solver.h"
#include "volume.h"

enum { CASES = 4 + RANDOM_CASES(60), W = 90, TILES = 6 };

typedef struct copy {
    tc_float4 *residual, *diagonal;
    float *excess;
} copy;

static void *copied(const void *from, size_t bytes)
{
    void *const to = from ? malloc(bytes) : NULL;
    if (from) memcpy(to, from, bytes);
    return to;
}

static copy copy_of(const tc_grid *g)
{
    return (copy){copied(g->residual, g->nodes * sizeof *g->residual),
                  copied(g->diagonal, g->nodes * sizeof *g->diagonal), copied(g->excess, g->nodes * sizeof *g->excess)};
}

static bool same(const tc_grid *g, const copy *was, size_t first, size_t end)
{
    const size_t n = end - first;
    return !memcmp(g->residual + first, was->residual + first, n * sizeof *g->residual) &&
           !memcmp(g->excess + first, was->excess + first, n * sizeof *g->excess) &&
           (!g->diagonal || !memcmp(g->diagonal + first, was->diagonal + first, n * sizeof *g->diagonal));
}

/* Checks for each pixel of the band that its excess has fallen by its outflow minus its inflow. */
static void check_flow(const tc_grid *g, const copy *was, size_t first, size_t end, unsigned long seed)
{
    const tc_grid before = {.by_rows = g->by_rows, .residual = was->residual, .diagonal = was->diagonal};
    double kept = 0, had = 0;
    for (ptrdiff_t p = (ptrdiff_t)first; p < (ptrdiff_t)end; p++) {
        double out = 0;
        for (int d = 0; d < g->connectivity; d++) {
            ck_assert_msg(*tc_residual(g, p, d) >= 0, "seed %lu: a link of node %td is negative", seed, p);
            out += (double)*tc_residual(&before, p, d) - (double)*tc_residual(g, p, d);
        }
        ck_assert_msg((double)was->excess[p] - (double)g->excess[p] == out, "seed %lu: node %td", seed, p);
        kept += (double)g->excess[p];
        had += (double)was->excess[p];
    }
    ck_assert_msg(kept == had, "seed %lu: the band had %.0f and has %.0f", seed, had, kept);
}

/* Solves some rows of tiles, or some slices, of the part's grid. `tiles` is the number of rows of tiles. */
static void check_band(const tc_part *part, int tiles, unsigned long seed, const tc_solver *solver)
{
    uint64_t state = seed;
    tc_grid *const grid = part->grid;
    const int first = random_below(&state, tiles);
    const tc_band band = {first, first + 1 + random_below(&state, tiles - first)};
    const tc_solve_params params = {.threads = 1 + (int)(seed % 2)};
    tc_solve_stats stats = {0};
    tc_grid_arrange(grid, solver->can & TC_BY_ROWS, 1);
    memset(grid->node, 0xff, grid->nodes * sizeof *grid->node);
    const copy was = copy_of(grid);
    ck_assert_int_eq(tc_band_solve(part, band, solver, &params, &stats), TILECUT_OK);
    const size_t step = grid->nodes / (size_t)tiles, from = (size_t)band.first * step, to = (size_t)band.end * step;
    ck_assert_msg(same(grid, &was, 0, from) && same(grid, &was, to, grid->nodes), "seed %lu: beside the band", seed);
    check_flow(grid, &was, from, to, seed);
    free(was.residual), free(was.diagonal), free(was.excess);
}

static void check_rows(unsigned long seed, const tc_solver *solver)
{
    uint64_t state = seed;
    const int height = TILES * TC_TILE - random_below(&state, TC_TILE);
    tilecut_graph *graph;
    random_graph r;
    tc_grid grid;
    random_graph_init(&r, seed, 1 + random_below(&state, W), height, seed % 4 ? 4 : 8);
    ck_assert_int_eq(tilecut_graph_create(&graph, &r.arrays), TILECUT_OK);
    ck_assert_int_eq(tc_grid_init(&grid, r.arrays.width, height, r.arrays.to[2] ? 8 : 4), TILECUT_OK);
    ck_assert_int_eq(tc_grid_build(&grid, graph, 1), TILECUT_OK);
    const tc_part part = {.grid = &grid, .width = grid.width, .lines = 1, .kinds = grid.diagonal ? 3 : 1};
    check_band(&part, TILES, seed, solver);
    tc_grid_free(&grid);
    tilecut_graph_destroy(graph);
    random_graph_free(&r);
}

static void check_slices(unsigned long seed, const tc_solver *solver)
{
    uint64_t state = seed;
    tilecut_volume_arrays a = {.width = 1 + random_below(&state, 70), .height = 1 + random_below(&state, 70),
                               .depth = 2 + random_below(&state, 9)};
    const size_t voxels = (size_t)a.width * (size_t)a.height * (size_t)a.depth;
    int32_t *const all = malloc(8 * voxels * sizeof *all);
    tilecut_graph graph;
    tc_grid grid;
    for (size_t i = 0; i < 8 * voxels; i++)
        all[i] = i < 2 * voxels && random_below(&state, 4) ? 0 : random_below(&state, 20);
    a.source = all, a.sink = all + voxels;
    for (size_t k = 0; k < 3; k++) a.to[k] = all + (2 + k) * voxels, a.from[k] = all + (5 + k) * voxels;
    ck_assert_int_eq(tc_grid_init_volume(&grid, a.width, a.height, a.depth, 6), TILECUT_OK);
    grid.by_rows = true;
    ck_assert_int_eq(tc_graph_of_volume(&graph, &a), TILECUT_OK);
    ck_assert_int_eq(tc_grid_build(&grid, &graph, 1), TILECUT_OK);
    const tc_part part = {.grid = &grid, .width = a.width * a.height, .lines = a.height, .kinds = 1, .volume = true};
    check_band(&part, a.depth, seed, solver);
    tc_grid_free(&grid);
    free(all);
}

/* Like look(), for a volume: checks the links out of the first and the last slice. */
static tilecut_status look_at_slices(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    (void)params, (void)stats;
    const ptrdiff_t slice = (ptrdiff_t)grid->slice_rows * grid->tiles_x * TC_TILE_NODES;
    for (int i = 0; i < 2 * grid->width * grid->height; i++) {
        const int x = i / 2 % grid->width, y = i / 2 / grid->width, out = i % 2 ? TC_BEHIND : TC_BEFORE;
        const ptrdiff_t inside = (ptrdiff_t)tc_grid_at(grid, x, y) + (i % 2 ? (ptrdiff_t)grid->nodes - slice : 0);
        const ptrdiff_t beside = inside + (i % 2 ? slice : -slice);
        const tc_node *const node = &grid->node[beside];
        ck_assert(*tc_residual(grid, inside, out) == 0 && *tc_residual(grid, beside, out ^ 1) == 0);
        ck_assert(node->height == 0 && node->mark == 0 && node->link == 0);
    }
    return TILECUT_OK;
}

/* A solver that only checks its grid: no link leads across the grid's edges in either direction, and the nodes beyond
 * the edges hold nothing from another solver. */
static tilecut_status look(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    (void)params, (void)stats;
    const int out[] = {TC_UP, TC_DOWN, TC_UP_LEFT, TC_UP_RIGHT, TC_DOWN_LEFT, TC_DOWN_RIGHT};
    for (int x = 0; x < grid->width; x++)
        for (int k = 0; k < (grid->diagonal ? 6 : 2); k++) {
            const bool up = out[k] == TC_UP || out[k] == TC_UP_LEFT || out[k] == TC_UP_RIGHT;
            const ptrdiff_t inside = (ptrdiff_t)tc_grid_at(grid, x, up ? 0 : grid->height - 1);
            const ptrdiff_t beside = tc_neighbour(grid->tiles_x, inside, up ? TC_UP : TC_DOWN);
            const tc_node *const node = &grid->node[beside];
            ck_assert(*tc_residual(grid, inside, out[k]) == 0 && *tc_residual(grid, beside, out[k] ^ 1) == 0);
            ck_assert(node->height == 0 && node->mark == 0 && node->link == 0);
        }
    return TILECUT_OK;
}

TEST(nothing_leads_out_of_a_band_or_into_it)
{
    const tc_solver looks = {.name = "looks", .solve = look};
    const tc_solver slices = {.name = "looks at slices", .can = TC_BY_ROWS, .solve = look_at_slices};
    for (unsigned long seed = 1; seed <= 8; seed++) check_rows(seed, &looks);
    for (unsigned long seed = 1; seed <= 8; seed++) check_slices(seed, &slices);
}

TEST(a_band_is_solved_and_nothing_else)
{
    static const char *const solvers[] = {"push", "cascade", "bk"};
    for (unsigned long seed = 1; seed <= CASES; seed++) check_rows(seed, tc_solver_find(solvers[seed % 3]));
    for (unsigned long seed = 1; seed <= CASES; seed++) check_slices(seed, tc_solver_find(solvers[seed % 3]));
}

int main(void) { return run_suite((test_suite){.name = "bands", .seconds = 120}); }
