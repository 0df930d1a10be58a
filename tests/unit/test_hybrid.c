/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_hybrid.c - the solver on two devices, with a device simulated in software (software_hybrid.h), for 4, 8 and 6
 * neighbours. test_hybrid_decide.c tests its decisions.
 */
#include <stdlib.h>
#include <string.h>

#include "build_grid.h"
#include "random_graph.h"
#include "run_suite.h"
#include "hybrid.h"
#include "hybrid_case.h"
#include "software_hybrid.h"
#include "walled.h"

/* ---- solving with it --------------------------------------------------------------------------- */

/* Solves the case on two devices. The answer must be certified and equal that of `bk`. */
static void compare(hybrid_case *c, const tc_costs *costs, software *s, tc_solve_stats *stats, uint64_t seed)
{
    const tc_solve_params params = {.threads = 1};
    tc_grid grid = {0};
    ck_assert(hybrid_case_grid(c, &grid));
    *stats = (tc_solve_stats){0};
    ck_assert_msg(tc_hybrid(&soft_device, s, costs, &grid, &params, stats) == TILECUT_OK, "seed %llu",
                  (unsigned long long)seed);
    const char *const wrong = hybrid_case_wrong(c, &grid);
    ck_assert_msg(!wrong, "seed %llu: %s", (unsigned long long)seed, wrong);
    ck_assert_int_ge(stats->decisions, 1);
    tc_grid_free(&grid);
    hybrid_case_free(c);
}

static void agrees(const random_graph *graph, const tc_costs *costs, software *s, tc_solve_stats *stats, uint64_t seed)
{
    tilecut_graph *g;
    hybrid_case c;
    ck_assert_int_eq(tilecut_graph_create(&g, &graph->arrays), TILECUT_OK);
    ck_assert(hybrid_case_init(&c, g, NULL));
    compare(&c, costs, s, stats, seed);
    tilecut_graph_destroy(g);
}

static void agrees_in_space(const walled_volume *v, const tc_costs *costs, software *s, tc_solve_stats *stats,
                            uint64_t seed)
{
    hybrid_case c;
    ck_assert(hybrid_case_init(&c, NULL, &v->arrays));
    compare(&c, costs, s, stats, seed);
}

/* Returns costs with which the GPU begins, however small the grid is. It soon hands over to the CPU, because there is
 * no patience and the CPU seems to cost nothing. */
static tc_costs eager(void)
{
    tc_costs costs = tc_costs_default(4);
    costs.tiny = costs.local = 0;
    costs.patience = 0;
    costs.cpu_ns = 1e-9;
    costs.latency_ms = 0;
    costs.bytes_per_ms = 1e12;
    return costs;
}

/* Counts how often agrees_whatever() did a part of the work on the CPU, and how often all of it. */
typedef struct visits {
    int parts, wholes;
} visits;

/* Returns a device of random speed and search depth. One in four never gives up. */
static software any_device(uint64_t seed, tc_costs *costs)
{
    software s = {.pushes = seed % 3 ? (int)(seed % 7) * 40 : 100000, .depth = seed % 2 ? 3 : 1 << 30};
    *costs = eager();
    if (seed % 4 == 0) costs->margin = 0;
    if (s.pushes == 0) s.pushes = 1;
    if (costs->margin == 0) s.pushes = 100000;
    return s;
}

static void count_visits(visits *v, const software *s, const tc_costs *costs, const tc_solve_stats *stats)
{
    v->parts += s->gathers > 0;
    for (int i = 0; i < stats->decisions; i++)
        v->wholes += !strcmp(stats->decision[i].next, "cpu") && s->gathers == 0;
    if (costs->margin == 0) ck_assert_int_eq(s->gathers, 0);
}

static void agrees_whatever(int connectivity, uint64_t cases)
{
    visits v = {0, 0};
    for (uint64_t seed = 1; seed <= cases; seed++) {
        tc_costs costs;
        random_graph graph;
        tc_solve_stats stats;
        software s = any_device(seed, &costs);
        random_graph_init(&graph, seed, 40 + (int)(seed * 7 % 250), 30 + (int)(seed * 13 % 260), connectivity);
        if (seed % 5) walled_graph_close(&graph, seed, seed % 2);
        agrees(&graph, &costs, &s, &stats, seed);
        count_visits(&v, &s, &costs, &stats);
        random_graph_free(&graph);
        soft_free(&s);
    }
    ck_assert_msg(v.parts >= (int)cases / 15, "only %d had a part on the CPU", v.parts);
    ck_assert_msg(v.wholes >= (int)cases / 15, "only %d had all of it there", v.wholes);
}

TEST(agrees_whatever_the_device_is_like)
{
    agrees_whatever(4, RANDOM_CASES(150));
}

TEST(agrees_with_diagonals)
{
    agrees_whatever(8, RANDOM_CASES(110));
}

/* Draws two corridors in opposite corners of a large empty grid, one of them through several tiles. */
static void corridors(random_graph *graph, int size)
{
    const size_t pixels = (size_t)size * (size_t)size, width = (size_t)size;
    random_graph_init(graph, 5, size, size, 4);
    memset(graph->memory, 0, 10 * pixels * sizeof *graph->memory);
    for (int k = 0; k < 2; k++) graph->arrays.from[k] = NULL;
    int32_t *const source = graph->memory, *const sink = source + pixels, *const right = source + 2 * pixels;
    for (int x = 0; x < 100; x++) right[x] = 9;
    source[0] = 20, sink[100] = 5;
    for (size_t x = width - 10; x + 1 < width; x++) right[pixels - width + x] = 3;
    source[pixels - 10] = 8, sink[pixels - 1] = 8;
}

TEST(only_what_matters_travels)
{
    enum { SIZE = 320, LIVE = 4 + 1 };
    tc_costs costs = eager();
    random_graph graph;
    tc_solve_stats stats;
    software s = {.pushes = 1, .depth = 1 << 30};
    corridors(&graph, SIZE);
    agrees(&graph, &costs, &s, &stats, 0);
    /* Nearly all links are closed and there are few terminals, so the CPU begins. */
    ck_assert_int_eq(stats.decisions, 1);
    ck_assert_str_eq(stats.decision[0].next, "cpu");
    ck_assert_int_eq(s.uploads, 0);
    soft_free(&s);

    /* All links are open and lead to no sink. Walls are not visible, but still only the corridors matter. */
    int32_t *const right = graph.memory + 2 * SIZE * SIZE;
    for (int y = 40; y < SIZE - 40; y++)
        for (int x = 0; x < SIZE; x++) right[y * SIZE + x] = right[SIZE * SIZE + y * SIZE + x] = 4;
    for (int y = 40; y < SIZE - 40; y++)
        for (int x = 0; x < SIZE; x += 2) graph.memory[y * SIZE + x] = 1; /* adds excess that can never move */
    s = (software){.pushes = 1, .depth = 1 << 30};
    agrees(&graph, &costs, &s, &stats, 0);
    ck_assert_int_eq(s.gathers, 1);
    ck_assert(s.travelled == 2 * LIVE * TC_TILE_NODES * 20);
    ck_assert_str_eq(stats.decision[0].next, "cuda");
    ck_assert_str_eq(stats.decision[1].next, "cpu");
    ck_assert_int_eq(stats.decision[1].rounds, 1);
    ck_assert_int_eq(stats.decision[1].active, 2);
    ck_assert(stats.decision[1].bytes == s.travelled);
    ck_assert_int_eq(stats.decisions, 2); /* after that nothing was left to decide */
    ck_assert_int_eq(s.rounds, 2);
    random_graph_free(&graph);
    soft_free(&s);
}

/* Adds sources along some rows whose links lead to no sink. There are then so many terminals that the solver does not
 * begin on the CPU, but none of the new excess has to move. */
static void add_stuck(random_graph *graph, int size, int from, int to)
{
    int32_t *const right = graph->memory + 2 * size * size;
    for (int p = from * size; p < to * size; p++) graph->memory[p] = 1, right[p] = right[size * size + p] = 4;
}

/* A corridor leads inwards from each corner of a large grid, along a diagonal through corners of tiles. */
TEST(tiles_at_corners_travel)
{
    enum { SIZE = 320, LONG = 70, LIVE = 4 * 3, PIXELS = SIZE * SIZE };
    const tc_costs costs = eager();
    random_graph graph;
    tc_solve_stats stats;
    software s = {.pushes = 1, .depth = 1 << 30};
    random_graph_init(&graph, 5, SIZE, SIZE, 8);
    memset(graph.memory, 0, sizeof(int32_t) * 10 * PIXELS);
    for (int k = 0; k < TILECUT_LINKS; k++) graph.arrays.from[k] = graph.memory + (6 + k) * PIXELS;
    for (int corner = 0; corner < 4; corner++) {
        const bool right = corner & 1, low = corner & 2;
        const int kind = right == low ? 2 : 3; /* the diagonal leads down-right or down-left */
        int p = (low ? (SIZE - 1) * SIZE : 0) + (right ? SIZE - 1 : 0);
        const int step = (low ? -SIZE : SIZE) + (right ? -1 : 1);
        graph.memory[p] = 7;
        for (int k = 0; k < LONG; k++, p += step) {
            /* sets the reverse of the link from the pixel above */
            if (low) graph.memory[(6 + kind) * PIXELS + p + step] = 5;
            else graph.memory[(2 + kind) * PIXELS + p] = 5;
        }
        graph.memory[PIXELS + p] = 6;
    }
    add_stuck(&graph, SIZE, 100, 220);
    agrees(&graph, &costs, &s, &stats, 0);
    ck_assert_int_eq(s.gathers, 1);
    ck_assert_int_eq(s.travelled, 2 * LIVE * TC_TILE_NODES * 36);
    ck_assert_int_eq(stats.decisions, 2);
    ck_assert_int_eq(stats.decision[1].active, 4);
    ck_assert(stats.decision[1].bytes == s.travelled);
    random_graph_free(&graph);
    soft_free(&s);
}

/* The device sees no active pixel and moves nothing. It gets longer slices of work, and finally the CPU does the
 * work. */
TEST(a_device_that_comes_to_no_end)
{
    const tc_costs costs = eager();
    random_graph graph;
    tc_solve_stats stats;
    software s = {.pushes = 0, .depth = -1, .endless = true};
    random_graph_init(&graph, 2, 200, 100, 4);
    agrees(&graph, &costs, &s, &stats, 2);
    ck_assert_int_ge(s.sliced, costs.rounds_most);
    ck_assert_int_lt(s.sliced, 3 * (int64_t)costs.rounds_most);
    ck_assert_int_eq(s.gathers, 0);
    ck_assert_str_eq(stats.decision[stats.decisions - 1].next, "cpu");
    random_graph_free(&graph);
    soft_free(&s);
}

TEST(failures_travel_up)
{
    const tc_costs costs = eager();
    const tc_solve_params params = {.threads = 1};
    random_graph graph;
    tilecut_graph *g;
    tc_grid grid;
    tc_solve_stats stats = {0};
    software s = {.pushes = 1, .depth = 2, .fails = true};
    corridors(&graph, 320);
    int32_t *const right = graph.memory + 2 * 320 * 320;
    for (int p = 0; p < 320 * 320; p++) right[p] = right[320 * 320 + p] = 4, graph.memory[p] = p & 1;
    ck_assert_int_eq(tilecut_graph_create(&g, &graph.arrays), TILECUT_OK);
    ck_assert_int_eq(tc_grid_init(&grid, 320, 320, 4), TILECUT_OK);
    ck_assert_int_eq(tc_grid_build(&grid, g, 1), TILECUT_OK);
    ck_assert_int_eq(tc_hybrid(&soft_device, &s, &costs, &grid, &params, &stats), TILECUT_EDEVICE);
    const tilecut_flag raised = {1};
    const tc_solve_params cancelled = {.threads = 1, .cancel = &raised};
    soft_free(&s);
    s = (software){.pushes = 1, .depth = 2};
    ck_assert_int_eq(tc_hybrid(&soft_device, &s, &costs, &grid, &cancelled, &stats), TILECUT_ECANCELLED);
    soft_free(&s);
    tc_grid_free(&grid);
    tilecut_graph_destroy(g);
    random_graph_free(&graph);
}

/* ---- in space ---------------------------------------------------------------------------------- */

TEST(agrees_in_volumes)
{
    const int cases = RANDOM_CASES(60);
    visits v = {0, 0};
    for (uint64_t seed = 1; seed <= (uint64_t)cases; seed++) {
        tc_costs costs;
        tc_solve_stats stats;
        software s = any_device(seed, &costs);
        walled_volume volume;
        walled_volume_draw(&volume, seed, 110, 110, 11);
        agrees_in_space(&volume, &costs, &s, &stats, seed);
        count_visits(&v, &s, &costs, &stats);
        walled_volume_free(&volume);
        soft_free(&s);
    }
    ck_assert_msg(v.parts > cases / 15, "only %d had a part on the CPU", v.parts);
    ck_assert_msg(v.wholes > cases / 15, "only %d had all of it there", v.wholes);
}

/* One corridor leads forwards through the slices, one backwards, and one along a slice. */
TEST(tiles_of_other_slices_travel)
{
    enum { SIDE = 96, DEPTH = 12, SLICE = SIDE * SIDE, VOXELS = SLICE * DEPTH, LIVE = 7 + 5 + 2 };
    const tc_costs costs = eager();
    tc_solve_stats stats;
    software s = {.pushes = 1, .depth = 1 << 30};
    walled_volume v;
    walled_volume_init(&v, SIDE, SIDE, DEPTH);
    const int there = 40 * SIDE + 40, back = 80 * SIDE + 5, along = SLICE + 5 * SIDE + 70;
    v.memory[there + SLICE] = 9, v.memory[VOXELS + there + 7 * SLICE] = 8;
    for (int z = 1; z < 7; z++) v.memory[4 * VOXELS + there + z * SLICE] = 7;
    v.memory[back + 6 * SLICE] = 9, v.memory[VOXELS + back + 2 * SLICE] = 8;
    for (int z = 2; z < 6; z++) v.memory[7 * VOXELS + back + z * SLICE] = 7;
    v.memory[along] = 4, v.memory[VOXELS + along + 27 * SIDE] = 9;
    for (int y = 0; y < 27; y++) v.memory[3 * VOXELS + along + y * SIDE] = 3;
    for (int p = 8 * SLICE; p < VOXELS; p++) v.memory[p] = 1, v.memory[2 * VOXELS + p] = v.memory[3 * VOXELS + p] = 4;
    agrees_in_space(&v, &costs, &s, &stats, 0);
    ck_assert_int_eq(s.gathers, 1);
    ck_assert_int_eq(s.travelled, 2 * LIVE * TC_TILE_NODES * 28);
    ck_assert_int_eq(stats.decision[1].active, 3);
    ck_assert(stats.decision[1].bytes == s.travelled);
    walled_volume_free(&v);
    soft_free(&s);
}

int main(void) { return run_suite((test_suite){.name = "hybrid", .seconds = 120}); }
