// SPDX-License-Identifier: MIT
//
// test_hybrid_device.cpp - the device's part of `hybrid` on a simulated GPU. With costs that make the solve move to and
// fro, graphs with 4 and 8 neighbours, volumes and pictures have the flow and mask of `bk`. The report of inspect()
// about tiles is compared with the grid, node by node.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "random_graph.h"
#include "walled.h"

extern "C" {
#include "cuda_backend.h"
#include "hybrid.h"
#include "hybrid_case.h"
}

struct tally {
    int tried = 0, failed = 0, parts = 0, wholes = 0, words = 0, crossings[8] = {};
};

static tally all;

/* Returns costs with no patience, a CPU that seems to cost nothing, and a decision after every few rounds. */
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

/* Returns, for each node, whether it reaches a sink. */
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
            const ptrdiff_t there = node_over(&grid, p, d);
            const size_t q = (size_t)there;
            if (there < 0 || reach[q] || !(*tc_residual(&grid, (ptrdiff_t)q, d ^ 1) > 0)) continue;
            reach[q] = true;
            todo.push_back(q);
        }
    }
    return reach;
}

/* Compares the device's report about tiles with the grid. The device's work ends with a complete search, so both must
 * agree. */
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
            const int over = tile_over(&grid, p, d);
            if (over >= 0 && *tc_residual(&grid, (ptrdiff_t)p, d) > 0 && reach[(size_t)node_over(&grid, p, d)])
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

static const char *try_case(const tilecut_graph *graph, const tilecut_volume_arrays *volume, int slice)
{
    const tc_solve_params params = {1, 0, NULL, false, NULL};
    const tc_costs costs = eager(slice);
    tc_solve_stats stats = {};
    tc_grid grid = {}, other = {};
    hybrid_case c;
    const char *why = NULL;

    if (!hybrid_case_init(&c, graph, volume) || !hybrid_case_grid(&c, &grid) || !hybrid_case_grid(&c, &other) ||
        tc_solver_hybrid_at(&grid, &costs, &params, &stats) != TILECUT_OK)
        why = tilecut_error_detail();
    else why = hybrid_case_wrong(&c, &grid);
    count_moves(stats, grid);
    if (!why) why = try_words(other);
    tc_grid_free(&grid);
    tc_grid_free(&other);
    hybrid_case_free(&c);
    return why;
}

/* Solves a picture whose graph the device builds. The solve may end on the device or in a grid of the host. */
static const char *try_there(const tilecut_graph *graph, int slice)
{
    const tc_solve_params params = {1, 0, NULL, false, NULL};
    const tc_costs costs = eager(slice);
    tc_cuda_graph *there = NULL;
    tc_solve_stats stats = {};
    tc_grid grid = {};
    hybrid_case c;
    void *self = NULL;
    bool kept = false;
    const char *why = NULL;

    if (!hybrid_case_init(&c, graph, NULL) ||
        tc_grid_init(&grid, graph->width, graph->height, graph->connectivity) != TILECUT_OK ||
        tc_cuda_hybrid_graph_open(graph, 0, &self) != TILECUT_OK ||
        tc_hybrid_go_on(&tc_cuda_hybrid_graph, self, &costs, &grid, &params, &stats, &kept) != TILECUT_OK)
        why = tilecut_error_detail();
    (void)tc_cuda_hybrid_graph_close(self, &there);
    count_moves(stats, grid);
    if (!why && kept) {
        std::vector<uint8_t> mask(c.pixels);
        tc_cuda_answer answer = {};
        if (tc_cuda_graph_answer(there, false, mask.data(), &answer) != TILECUT_OK || answer.violations ||
            answer.flow != answer.cut)
            why = "not proven there";
        else if (answer.flow != c.flow || memcmp(mask.data(), c.mask, c.pixels)) why = "another flow or mask there";
    } else if (!why) {
        why = hybrid_case_wrong(&c, &grid);
    }
    tc_cuda_graph_destroy(there);
    tc_grid_free(&grid);
    hybrid_case_free(&c);
    return why;
}

/* Solves entirely on the device, as the library's backend does. The first solve gives the answer; the next ones start
 * from its flow. The last answer is asked for without a solve. */
static const char *try_backend(const tilecut_graph *graph)
{
    const tc_solve_params params = {1, 0, NULL, false, NULL};
    tc_cuda_graph *there = NULL;
    tc_cuda_origin origin;
    hybrid_case c;
    const char *why = NULL;

    if (!hybrid_case_init(&c, graph, NULL) || tc_cuda_graph_create(&there, graph, 0, 1, &origin) != TILECUT_OK)
        why = tilecut_error_detail();
    for (int turn = 0; turn < 4 && !why; turn++) {
        const bool islands_go = turn == 2; /* the call must drop islands, but the mask has none */
        std::vector<uint8_t> mask(c.pixels);
        tc_cuda_answer answer = {};
        if ((turn < 3 && tc_cuda_graph_solve(there, &params, islands_go, &answer) != TILECUT_OK) || answer.unfinished ||
            answer.learnt || tc_cuda_graph_answer(there, islands_go, mask.data(), &answer) != TILECUT_OK)
            why = "the device failed";
        else if (answer.violations || answer.flow != answer.cut) why = "not proven by the backend";
        else if (answer.flow != c.flow || memcmp(mask.data(), c.mask, c.pixels)) why = "another mask of the backend";
    }
    tc_cuda_graph_destroy(there);
    hybrid_case_free(&c);
    return why;
}

static const char *try_picture(uint64_t seed, int connectivity)
{
    uint64_t state = seed;
    const int width = 40 + random_below(&state, 120), height = 40 + random_below(&state, 120);
    const size_t pixels = (size_t)width * (size_t)height;
    std::vector<uint8_t> grey(pixels), seeds(pixels);
    tilecut_params params = tilecut_params_default();
    tilecut_image image = {};
    tilecut_graph *graph = NULL;

    for (size_t p = 0; p < pixels; p++) grey[p] = (uint8_t)((p / 9 % 7 < 4 ? 60 : 120) + random_below(&state, 70));
    for (int i = 0; i < 12; i++) seeds[(size_t)random_below(&state, (int)pixels)] = (uint8_t)(1 + i % 2);
    seeds[0] = TILECUT_BACKGROUND, seeds[pixels - 1] = TILECUT_FOREGROUND;
    image.width = width, image.height = height, image.channels = 1, image.depth = 8, image.pixels = grey.data();
    params.connectivity = connectivity, params.colors = seed % 2 ? "gmm" : "hist";
    const bool made = tilecut_graph_from_image(&graph, &image, seeds.data(), &params) == TILECUT_OK;
    const char *why = made ? try_there(graph, 2 + (int)(seed % 4) * 6) : "not a graph";
    if (!why) why = try_backend(graph);
    tilecut_graph_destroy(graph);
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
    note(made ? try_case(graph, NULL, 2 + (int)(seed % 3) * 9) : "not a graph",
         connectivity == 8 ? "8 neighbours" : "4 neighbours", seed);
    tilecut_graph_destroy(graph);
    random_graph_free(&random);
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : getenv("NIGHTLY") ? 6 : 3;
    for (uint64_t seed = 1; seed <= count; seed++) {
        walled_volume v;
        try_image(seed, 4);
        try_image(seed, 8);
        walled_volume_draw(&v, seed, 90, 90, 8);
        note(try_case(NULL, &v.arrays, 4 + (int)(seed % 3) * 9), "volume", seed);
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
