/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_hybrid.c - the solver on two devices, with a device simulated in software that is as slow and as short-sighted
 * as a test needs. How it decides is in test_hybrid_decide.c.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "build_grid.h"
#include "cut.h"
#include "random_graph.h"
#include "run_suite.h"
#include "hybrid.h"

/* ---- a device --------------------------------------------------------------------------------- */

typedef struct software {
    tc_grid grid;
    int32_t *level;      /* [nodes] distance to a sink, -1: none, as far as was looked */
    int32_t *queue;
    int rounds, pushes;  /* pushes: in one slice              */
    int depth;           /* how far inspect() knows the levels */
    int gathers, uploads;
    int64_t travelled;   /* bytes packed and put back         */
    int64_t sliced;      /* rounds that were asked for        */
    bool endless;        /* work() says they were done        */
    bool fails;          /* gather() does                     */
} software;

static void find_levels(software *s)
{
    int32_t found = 0;
    for (size_t p = 0; p < s->grid.nodes; p++) {
        s->level[p] = s->grid.excess[p] < 0 ? 0 : -1;
        if (!s->level[p]) s->queue[found++] = (int32_t)p;
    }
    for (int32_t i = 0; i < found; i++)
        for (int d = 0; d < 4; d++) {
            const ptrdiff_t p = s->queue[i], q = tc_neighbour(s->grid.tiles_x, p, d);
            if (q < 0 || (size_t)q >= s->grid.nodes || s->level[q] >= 0) continue;
            if (!(s->grid.residual[q].to[d ^ 1] > 0)) continue;
            s->level[q] = s->level[p] + 1;
            s->queue[found++] = (int32_t)q;
        }
}

static tilecut_status soft_upload(void *self, const tc_grid *grid)
{
    software *const s = self;
    s->uploads++;
    ck_assert_int_eq(tc_grid_init(&s->grid, grid->width, grid->height, 4), TILECUT_OK);
    memcpy(s->grid.residual, grid->residual, grid->nodes * sizeof *grid->residual);
    memcpy(s->grid.excess, grid->excess, grid->nodes * sizeof *grid->excess);
    s->level = calloc(grid->nodes, sizeof *s->level);
    s->queue = calloc(grid->nodes, sizeof *s->queue);
    return TILECUT_OK;
}

/* Pushes downhill, one link at a time; exact levels before each slice. */
static tilecut_status soft_work(void *self, int slice, int *rounds, bool *done)
{
    software *const s = self;
    int left = s->pushes;
    ck_assert_int_ge(slice, tc_costs_default().slice);
    s->sliced += slice;
    find_levels(s);
    *rounds = s->endless ? (int)s->sliced : ++s->rounds;
    *done = true;
    for (size_t p = 0; p < s->grid.nodes; p++) {
        float *const excess = &s->grid.excess[p];
        if (!(*excess > 0) || s->level[p] < 0) continue;
        *done = false;
        for (int d = 0; d < 4 && left > 0 && *excess > 0; d++) {
            float *const link = &s->grid.residual[p].to[d];
            if (!(*link > 0)) continue;
            const ptrdiff_t q = tc_neighbour(s->grid.tiles_x, (ptrdiff_t)p, d);
            if (s->level[q] != s->level[p] - 1) continue;
            const float flow = *excess < *link ? *excess : *link;
            *excess -= flow;
            *link -= flow;
            s->grid.excess[q] += flow;
            s->grid.residual[q].to[d ^ 1] += flow;
            left--;
        }
    }
    return TILECUT_OK;
}

static bool reaches(const software *s, ptrdiff_t p)
{
    return s->level[p] >= 0 && s->level[p] <= s->depth;
}

static tilecut_status soft_inspect(void *self, uint32_t *words)
{
    software *const s = self;
    find_levels(s);
    memset(words, 0, s->grid.nodes / TC_TILE_NODES * sizeof *words);
    for (size_t p = 0; p < s->grid.nodes; p++) {
        uint32_t *const word = &words[p / TC_TILE_NODES];
        if (!reaches(s, (ptrdiff_t)p)) continue;
        *word += s->grid.excess[p] > 0;
        for (int d = 0; d < 4; d++) {
            if (!(s->grid.residual[p].to[d] > 0)) continue;
            const ptrdiff_t q = tc_neighbour(s->grid.tiles_x, (ptrdiff_t)p, d);
            if ((size_t)q / TC_TILE_NODES != p / TC_TILE_NODES && reaches(s, q)) *word |= 1u << (TC_TILE_CROSSES + d);
        }
    }
    return TILECUT_OK;
}

static tilecut_status soft_gather(void *self, const int32_t *tile, int count, tc_float4 *residual, float *excess)
{
    software *const s = self;
    s->gathers++;
    if (s->fails) return TILECUT_EDEVICE;
    for (int i = 0; i < count; i++) {
        const size_t there = (size_t)tile[i] * TC_TILE_NODES, here = (size_t)i * TC_TILE_NODES;
        ck_assert_msg(i == 0 || tile[i] > tile[i - 1], "tiles in order");
        memcpy(residual + here, s->grid.residual + there, TC_TILE_NODES * sizeof *residual);
        memcpy(excess + here, s->grid.excess + there, TC_TILE_NODES * sizeof *excess);
    }
    s->travelled += (int64_t)count * TC_TILE_NODES * 20;
    return TILECUT_OK;
}

static tilecut_status soft_scatter(void *self, const int32_t *tile, int count, const tc_float4 *residual,
                                   const float *excess)
{
    software *const s = self;
    for (int i = 0; i < count; i++) {
        const size_t there = (size_t)tile[i] * TC_TILE_NODES, here = (size_t)i * TC_TILE_NODES;
        memcpy(s->grid.residual + there, residual + here, TC_TILE_NODES * sizeof *residual);
        memcpy(s->grid.excess + there, excess + here, TC_TILE_NODES * sizeof *excess);
    }
    s->travelled += (int64_t)count * TC_TILE_NODES * 20;
    return TILECUT_OK;
}

static tilecut_status soft_download(void *self, tc_grid *grid)
{
    const software *const s = self;
    memcpy(grid->residual, s->grid.residual, grid->nodes * sizeof *grid->residual);
    memcpy(grid->excess, s->grid.excess, grid->nodes * sizeof *grid->excess);
    return TILECUT_OK;
}

static void soft_free(software *s)
{
    tc_grid_free(&s->grid);
    free(s->level);
    free(s->queue);
    *s = (software){0};
}

static const tc_hybrid_device soft_device = {soft_upload,  soft_work,    soft_inspect, soft_gather,
                                             soft_scatter, soft_download, false};

/* ---- solving with it --------------------------------------------------------------------------- */

/* Solves both ways and compares; certified too. */
static void agrees(const random_graph *graph, const tc_costs *costs, software *s, tc_solve_stats *stats, uint64_t seed)
{
    const tilecut_arrays *const a = &graph->arrays;
    const size_t pixels = (size_t)a->width * (size_t)a->height;
    const tc_solve_params how = {.threads = 1};
    tilecut_params params = tilecut_params_default();
    uint8_t *mask = malloc(pixels), *expected = malloc(pixels);
    tilecut_graph *g;
    tilecut_report report = {0};
    tc_labels labels;
    tc_grid grid;
    int64_t flow, cut;

    params.solver = "bk";
    ck_assert_int_eq(tilecut_graph_create(&g, a), TILECUT_OK);
    ck_assert_int_eq(tilecut_graph_solve(g, &params, expected, &report), TILECUT_OK);
    ck_assert_int_eq(tc_grid_init(&grid, a->width, a->height, 4), TILECUT_OK);
    ck_assert_int_eq(tc_grid_build(&grid, g, 1), TILECUT_OK);
    *stats = (tc_solve_stats){0};
    ck_assert_msg(tc_hybrid(&soft_device, s, costs, &grid, &how, stats) == TILECUT_OK, "seed %llu",
                  (unsigned long long)seed);
    ck_assert_int_eq(tc_cut(&grid, 1, &labels), TILECUT_OK);
    ck_assert_msg(tc_certify(&grid, g, &labels, 1, &flow, &cut) == TILECUT_OK, "seed %llu", (unsigned long long)seed);
    ck_assert_msg(flow == report.flow, "seed %llu", (unsigned long long)seed);
    tc_labels_mask(&grid, &labels, mask);
    ck_assert_msg(!memcmp(mask, expected, pixels), "seed %llu", (unsigned long long)seed);
    ck_assert_int_ge(stats->decisions, 1);
    tc_labels_free(&labels);
    tc_grid_free(&grid);
    tilecut_graph_destroy(g);
    free(mask);
    free(expected);
}

/* A CPU that costs nothing gets all there is; no patience, and the GPU is begun with however small the grid is. */
static tc_costs eager(void)
{
    tc_costs costs = tc_costs_default();
    costs.tiny = costs.local = 0;
    costs.patience = 0;
    costs.cpu_ns = 1e-9;
    costs.latency_ms = 0;
    costs.bytes_per_ms = 1e12;
    return costs;
}

/* Closes most of the borders between tiles and leaves sources in few, so that excess stays in some of them. */
static void wall_in(random_graph *graph, uint64_t seed)
{
    const int width = graph->arrays.width, height = graph->arrays.height;
    const size_t pixels = (size_t)width * (size_t)height;
    const uint8_t *const dice = (const uint8_t *)"\1\0\1\1\0\1\1\1\1\0\1\1\1";
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t p = (size_t)y * (size_t)width + (size_t)x;
            const uint64_t tile = (uint64_t)(y / TC_TILE * 31 + x / TC_TILE) + seed;
            int32_t *const link = graph->memory + p;
            if (tile % 5) link[0] = 0;
            if (x % TC_TILE == TC_TILE - 1 && dice[tile % 13]) link[2 * pixels] = link[6 * pixels] = 0;
            if (y % TC_TILE == TC_TILE - 1 && dice[tile * 5 % 13]) link[3 * pixels] = link[7 * pixels] = 0;
        }
}

START_TEST(agrees_whatever_the_device_is_like)
{
    int parts = 0, wholes = 0;
    for (uint64_t seed = 1; seed <= RANDOM_CASES(300); seed++) {
        tc_costs costs = eager();
        random_graph graph;
        tc_solve_stats stats;
        software s = {.pushes = seed % 3 ? (int)(seed % 7) * 40 : 100000, .depth = seed % 2 ? 3 : 1 << 30};
        if (seed % 4 == 0) costs.margin = 0; /* never moves */
        if (s.pushes == 0) s.pushes = 1;
        if (costs.margin == 0) s.pushes = 100000;
        random_graph_init(&graph, seed, 40 + (int)(seed * 7 % 250), 30 + (int)(seed * 13 % 260), 4);
        if (seed % 5) wall_in(&graph, seed);
        agrees(&graph, &costs, &s, &stats, seed);
        parts += s.gathers > 0;
        for (int i = 0; i < stats.decisions; i++)
            wholes += !strcmp(stats.decision[i].next, "cpu") && s.gathers == 0;
        if (costs.margin == 0) ck_assert_int_eq(s.gathers, 0);
        random_graph_free(&graph);
        soft_free(&s);
    }
    ck_assert_msg(parts > RANDOM_CASES(20), "only %d had a part on the CPU", parts);
    ck_assert_msg(wholes > RANDOM_CASES(20), "only %d had all of it there", wholes);
}
END_TEST

/* Two corridors in opposite corners of a large empty grid, one through several tiles. */
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

START_TEST(only_what_matters_travels)
{
    enum { SIZE = 320, LIVE = 4 + 1 };
    tc_costs costs = eager();
    random_graph graph;
    tc_solve_stats stats;
    software s = {.pushes = 1, .depth = 1 << 30};
    corridors(&graph, SIZE);
    agrees(&graph, &costs, &s, &stats, 0);
    /* Nearly all links are closed and there are few terminals: the start is the CPU's. */
    ck_assert_int_eq(stats.decisions, 1);
    ck_assert_str_eq(stats.decision[0].next, "cpu");
    ck_assert_int_eq(s.uploads, 0);
    soft_free(&s);

    /* Links everywhere that lead to no sink: no walls to be seen, and still only the corridors matter. */
    int32_t *const right = graph.memory + 2 * SIZE * SIZE;
    for (int y = 40; y < SIZE - 40; y++)
        for (int x = 0; x < SIZE; x++) right[y * SIZE + x] = right[SIZE * SIZE + y * SIZE + x] = 4;
    for (int y = 40; y < SIZE - 40; y++)
        for (int x = 0; x < SIZE; x += 2) graph.memory[y * SIZE + x] = 1; /* stuck for good */
    s = (software){.pushes = 1, .depth = 1 << 30};
    agrees(&graph, &costs, &s, &stats, 0);
    ck_assert_int_eq(s.gathers, 1);
    ck_assert(s.travelled == 2 * LIVE * TC_TILE_NODES * 20);
    ck_assert_str_eq(stats.decision[0].next, "cuda");
    ck_assert_str_eq(stats.decision[1].next, "cpu");
    ck_assert_int_eq(stats.decision[1].rounds, 1);
    ck_assert_int_eq(stats.decision[1].active, 2);
    ck_assert(stats.decision[1].bytes == s.travelled);
    ck_assert_int_eq(stats.decisions, 2); /* and after it there was nothing left to decide */
    ck_assert_int_eq(s.rounds, 2);
    random_graph_free(&graph);
    soft_free(&s);
}
END_TEST

/* A device that sees no active pixel and moves nothing: it gets longer slices, and in the end the CPU does it. */
START_TEST(a_device_that_comes_to_no_end)
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
END_TEST

START_TEST(failures_travel_up)
{
    const tc_costs costs = eager();
    const tc_solve_params how = {.threads = 1};
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
    ck_assert_int_eq(tc_hybrid(&soft_device, &s, &costs, &grid, &how, &stats), TILECUT_EDEVICE);
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
END_TEST

int main(void)
{
    Suite *suite = suite_create("hybrid");
    TCase *solving = tcase_create("solving");
    tcase_set_timeout(solving, 120);
    tcase_add_test(solving, agrees_whatever_the_device_is_like);
    tcase_add_test(solving, only_what_matters_travels);
    tcase_add_test(solving, a_device_that_comes_to_no_end);
    tcase_add_test(solving, failures_travel_up);
    suite_add_tcase(suite, solving);
    return run_suite(suite);
}
