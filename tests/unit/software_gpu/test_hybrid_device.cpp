// SPDX-License-Identifier: MIT
//
// test_hybrid_device.cpp - the device's part of `hybrid` on a GPU made of software: with figures that make the solve
// move to and fro, graphs with 4 and 8 neighbours, volumes and pictures have flow and mask of `bk`; and what inspect()
// says of tiles is compared with the grid, node by node.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "random_graph.h"
#include "soft_stand_ins.h"
#include "walled.h"

extern "C" {
#include "build_grid.h"
#include "cuda_backend.h"
#include "cut.h"
#include "hybrid.h"
#include "volume.h"
}

struct tally {
    int tried = 0, failed = 0, parts = 0, wholes = 0, words = 0, crossings[8] = {};
};

static tally all;

/* No patience, a CPU that seems to cost nothing, and a look after every few rounds. */
static tc_costs eager(int slice)
{
    tc_costs costs = tc_costs_default(4);
    costs.tiny = costs.local = 0;
    costs.patience = costs.latency_ms = 0;
    costs.cpu_ns = 1e-9;
    costs.bytes_per_ms = 1e15;
    costs.slice = slice;
    costs.rounds_most = 1 << 30;
    return costs;
}

static void count_moves(const tc_solve_stats &stats, const tc_grid &grid)
{
    for (int i = 0; i < stats.decisions; i++) {
        const tilecut_decision &d = stats.decision[i];
        if (strcmp(d.next, "cpu")) continue;
        if (d.bytes == (int64_t)tc_grid_bytes(&grid)) all.wholes++;
        else all.parts++;
    }
}

/* ---- What inspect() says --------------------------------------------------------------------------- */

/* The tile to which the link from node p in direction d leads, as a direction; -1: its own. */
static int tile_over(const tc_grid &grid, size_t p, int d)
{
    static const int step_x[8] = {1, -1, 0, 0, 1, -1, -1, 1}, step_y[8] = {0, 0, 1, -1, 1, -1, 1, -1};
    static const int way[3][3] = {{TC_UP_LEFT, TC_UP, TC_UP_RIGHT}, {TC_LEFT, -1, TC_RIGHT},
                                  {TC_DOWN_LEFT, TC_DOWN, TC_DOWN_RIGHT}};
    if (grid.slice_rows && d >= 4) return d;
    const int x = (int)(p % TC_TILE) + step_x[d], y = (int)(p / TC_TILE % TC_TILE) + step_y[d];
    return way[1 + (y >= TC_TILE) - (y < 0)][1 + (x >= TC_TILE) - (x < 0)];
}

static size_t node_over(const tc_grid &grid, size_t p, int d)
{
    const ptrdiff_t slice = (ptrdiff_t)grid.tiles_x * grid.slice_rows * TC_TILE_NODES, at = (ptrdiff_t)p;
    if (grid.slice_rows && d >= 4) return (size_t)(at + (d == TC_BEHIND ? slice : -slice));
    return (size_t)tc_neighbour8(grid.tiles_x, at, d);
}

/* By node: whether it reaches a sink. */
static std::vector<bool> reach_in(const tc_grid &grid)
{
    std::vector<bool> reach(grid.nodes);
    std::vector<size_t> todo;
    for (size_t p = 0; p < grid.nodes; p++)
        if (grid.excess[p] < 0) reach[p] = true, todo.push_back(p);
    while (!todo.empty()) {
        const size_t p = todo.back();
        todo.pop_back();
        for (int d = 0; d < grid.connectivity; d++) {
            const size_t q = node_over(grid, p, d);
            if (q >= grid.nodes || reach[q] || !(*tc_residual(&grid, (ptrdiff_t)q, d ^ 1) > 0)) continue;
            reach[q] = true;
            todo.push_back(q);
        }
    }
    return reach;
}

/* Asks the device after its work, which ends with a search of everything, and reads the same from the grid. */
static const char *try_words(tc_grid &grid)
{
    const tc_hybrid_device *const device = &tc_cuda_hybrid;
    std::vector<uint32_t> words(grid.nodes / TC_TILE_NODES), expected(words.size());
    void *self = NULL;
    const char *wrong = "the device failed";
    bool done = false;
    int rounds = 0;
    if (tc_cuda_hybrid_open(0, &self) == TILECUT_OK && device->upload(self, &grid) == TILECUT_OK &&
        device->work(self, 4096, &rounds, &done) == TILECUT_OK && device->inspect(self, words.data()) == TILECUT_OK &&
        device->download(self, &grid) == TILECUT_OK)
        wrong = NULL;
    tc_cuda_hybrid_close(self);
    if (wrong) return wrong;
    if (!done) return "no end in 4096 rounds";
    const std::vector<bool> reach = reach_in(grid);
    for (size_t p = 0; p < grid.nodes; p++) {
        uint32_t &word = expected[p / TC_TILE_NODES];
        if (!reach[p]) continue;
        word += grid.excess[p] > 0;
        for (int d = 0; d < grid.connectivity; d++) {
            const int over = tile_over(grid, p, d);
            if (over >= 0 && *tc_residual(&grid, (ptrdiff_t)p, d) > 0 && reach[node_over(grid, p, d)])
                word |= 1u << (TC_TILE_CROSSES + over);
        }
    }
    for (size_t i = 0; i < words.size(); i++) {
        all.words++;
        for (int d = 0; d < 8; d++) all.crossings[d] += expected[i] >> (TC_TILE_CROSSES + d) & 1;
        if (words[i] != expected[i]) return "a tile is told otherwise";
    }
    return NULL;
}

/* ---- Solving ---------------------------------------------------------------------------------------- */

static const char *try_graph(const tilecut_graph *graph, int slice)
{
    const tc_solve_params how = {1, 0, NULL, false};
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    std::vector<uint8_t> mask(pixels), expected(pixels);
    tilecut_params params = tilecut_params_default();
    const tc_costs costs = eager(slice);
    tc_solve_stats stats = {};
    tilecut_report report = {};
    tc_labels labels = {};
    tc_grid grid = {}, words = {};
    int64_t flow = 0, cut = 0;
    const char *why = NULL;

    params.solver = "bk";
    const bool solved = tilecut_graph_solve(graph, &params, expected.data(), &report) == TILECUT_OK &&
                        tc_grid_init(&grid, graph->width, graph->height, graph->connectivity) == TILECUT_OK &&
                        tc_grid_build(&grid, graph, 1) == TILECUT_OK &&
                        tc_solver_hybrid_at(&grid, &costs, &how, &stats) == TILECUT_OK &&
                        tc_cut(&grid, 1, &labels) == TILECUT_OK &&
                        tc_certify(&grid, graph, &labels, 1, &flow, &cut) == TILECUT_OK;
    if (solved) tc_labels_mask(&grid, &labels, mask.data());
    if (!solved) why = tilecut_error_detail();
    else if (flow != report.flow || mask != expected) why = "another flow or mask";
    count_moves(stats, grid);
    tc_labels_free(&labels);
    tc_grid_free(&grid);
    if (!why && tc_grid_init(&words, graph->width, graph->height, graph->connectivity) == TILECUT_OK &&
        tc_grid_build(&words, graph, 1) == TILECUT_OK)
        why = try_words(words);
    tc_grid_free(&words);
    return why;
}

static const char *try_volume(const tilecut_volume_arrays &arrays, int slice)
{
    const tc_solve_params how = {1, 0, NULL, false};
    std::vector<uint8_t> mask(tc_volume_voxels(&arrays)), expected(mask.size());
    tilecut_params params = tilecut_params_default();
    const tc_costs costs = eager(slice);
    tc_solve_stats stats = {};
    tilecut_report report = {};
    tc_labels labels = {};
    tc_grid grid = {}, words = {};
    int64_t flow = 0, cut = 0;
    const char *why = NULL;

    params.solver = "bk";
    bool solved = tilecut_volume_solve(&arrays, &params, expected.data(), &report) == TILECUT_OK &&
                  tc_grid_init_volume(&grid, arrays.width, arrays.height, arrays.depth) == TILECUT_OK;
    if (solved) tc_volume_build(&grid, &arrays, 1), tc_grid_arrange(&grid, false, 1);
    solved = solved && tc_solver_hybrid_at(&grid, &costs, &how, &stats) == TILECUT_OK &&
             tc_cut(&grid, 1, &labels) == TILECUT_OK &&
             tc_volume_certify(&grid, &arrays, &labels, 1, &flow, &cut) == TILECUT_OK;
    if (solved) tc_volume_mask(&grid, &arrays, &labels, mask.data());
    if (!solved) why = tilecut_error_detail();
    else if (flow != report.flow || mask != expected) why = "another flow or mask";
    count_moves(stats, grid);
    tc_labels_free(&labels);
    tc_grid_free(&grid);
    if (!why && tc_grid_init_volume(&words, arrays.width, arrays.height, arrays.depth) == TILECUT_OK) {
        tc_volume_build(&words, &arrays, 1), tc_grid_arrange(&words, false, 1);
        why = try_words(words);
    }
    tc_grid_free(&words);
    return why;
}

/* A picture whose graph the device makes. It may end there, or in a grid here. */
static const char *try_picture(uint64_t seed, int connectivity)
{
    uint64_t state = seed;
    const int width = 40 + random_below(&state, 120), height = 40 + random_below(&state, 120);
    const size_t pixels = (size_t)width * (size_t)height;
    std::vector<uint8_t> grey(pixels), seeds(pixels), mask(pixels), expected(pixels);
    const tc_solve_params how = {1, 0, NULL, false};
    const tc_costs costs = eager(2 + (int)(seed % 4) * 6);
    tilecut_params params = tilecut_params_default();
    tilecut_image image = {};
    tilecut_graph *graph = NULL;
    tilecut_report report = {};
    tc_solve_stats stats = {};
    tc_grid grid = {};
    void *self = NULL;
    bool kept = false;
    const char *why = NULL;

    for (size_t p = 0; p < pixels; p++) grey[p] = (uint8_t)((p / 9 % 7 < 4 ? 60 : 120) + random_below(&state, 70));
    for (int i = 0; i < 12; i++) seeds[(size_t)random_below(&state, (int)pixels)] = (uint8_t)(1 + i % 2);
    seeds[0] = TILECUT_BACKGROUND, seeds[pixels - 1] = TILECUT_FOREGROUND;
    image.width = width, image.height = height, image.channels = 1, image.depth = 8, image.pixels = grey.data();
    params.connectivity = connectivity, params.solver = "bk", params.colors = seed % 2 ? "gmm" : "hist";
    if (tilecut_graph_from_image(&graph, &image, seeds.data(), &params) != TILECUT_OK ||
        tilecut_graph_solve(graph, &params, expected.data(), &report) != TILECUT_OK ||
        tc_grid_init(&grid, width, height, connectivity) != TILECUT_OK ||
        tc_cuda_hybrid_graph_open(&graph->energy, 0, &self) != TILECUT_OK ||
        tc_hybrid_go_on(&tc_cuda_hybrid_graph, self, &costs, &grid, &how, &stats, &kept) != TILECUT_OK)
        why = tilecut_error_detail();
    tc_cuda_graph *there = NULL;
    (void)tc_cuda_hybrid_graph_close(self, &there);
    count_moves(stats, grid);
    if (!why && kept) {
        tc_cuda_answer answer = {};
        if (tc_cuda_graph_answer(there, false, mask.data(), &answer) != TILECUT_OK || answer.violations ||
            answer.flow != answer.cut)
            why = "not proven there";
        else if (answer.flow != report.flow || mask != expected) why = "another flow or mask there";
    } else if (!why) {
        tc_labels labels = {};
        int64_t flow = 0, cut = 0;
        if (tc_cut(&grid, 1, &labels) != TILECUT_OK ||
            tc_certify(&grid, graph, &labels, 1, &flow, &cut) != TILECUT_OK)
            why = "not proven here";
        else tc_labels_mask(&grid, &labels, mask.data());
        if (!why && (flow != report.flow || mask != expected)) why = "another flow or mask here";
        tc_labels_free(&labels);
    }
    tc_cuda_graph_destroy(there);
    tilecut_graph_destroy(graph);
    tc_grid_free(&grid);
    return why;
}

static void note(const char *why, const char *what, uint64_t seed)
{
    all.tried++;
    if (!why) return;
    all.failed++;
    printf("%s, seed %llu: %s\n", what, (unsigned long long)seed, why);
}

static void try_image(uint64_t seed, int connectivity)
{
    uint64_t state = seed;
    tilecut_graph *graph = NULL;
    random_graph random;
    random_graph_init(&random, seed, 30 + random_below(&state, 150), 30 + random_below(&state, 150), connectivity);
    if (seed % 4) walled_graph_close(&random, seed, seed % 2);
    const bool made = tilecut_graph_create(&graph, &random.arrays) == TILECUT_OK;
    note(made ? try_graph(graph, 2 + (int)(seed % 3) * 9) : "not a graph",
         connectivity == 8 ? "8 neighbours" : "4 neighbours", seed);
    tilecut_graph_destroy(graph);
    random_graph_free(&random);
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 6;
    for (uint64_t seed = 1; seed <= count; seed++) {
        walled_volume v;
        try_image(seed, 4);
        try_image(seed, 8);
        walled_volume_draw(&v, seed, 90, 90, 8);
        note(try_volume(v.arrays, 4 + (int)(seed % 3) * 9), "volume", seed);
        walled_volume_free(&v);
        note(try_picture(seed, seed % 3 ? 8 : 4), "picture", seed);
    }
    printf("%d solves on two devices, one of software: %d parts and %d wholes moved, %d tiles told, %d wrong\n",
           all.tried, all.parts, all.wholes, all.words, all.failed);
    bool seen = all.parts > 0 && all.wholes > 0;
    for (int d = 0; d < 8; d++) seen = seen && all.crossings[d] > 0;
    if (!seen) printf("not everything came up\n");
    return all.failed || !seen ? 1 : 0;
}
