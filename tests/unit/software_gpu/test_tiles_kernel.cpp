// SPDX-License-Identifier: MIT
//
// test_tiles_kernel.cpp - the kernel of the solver `cuda` on a GPU made of software (cuda_runtime.h beside this): flow
// and mask of random graphs are those of `bk`, and what it leaves is a residual grid of the one it was given.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tiles_kernel.cuh"
#include "random_graph.h"

/* A grid of capacities with guards around, as device_grid has it. */
struct soft_grid {
    grid_view view;
    std::vector<float4> residual;
    std::vector<float> excess;
};

static soft_grid grid_of(const tilecut_arrays &a)
{
    soft_grid g;
    g.view.width = a.width, g.view.height = a.height;
    g.view.tiles_x = (a.width + TC_TILE - 1) / TC_TILE, g.view.tiles_y = (a.height + TC_TILE - 1) / TC_TILE;
    const size_t guard = (size_t)view_guard(g.view), nodes = (size_t)view_nodes(g.view);
    g.residual.assign(nodes + 2 * guard, {0, 0, 0, 0});
    g.excess.assign(nodes + 2 * guard, 0);
    g.view.residual = &g.residual[guard], g.view.excess = &g.excess[guard];
    for (int y = 0; y < a.height; y++)
        for (int x = 0; x < a.width; x++) {
            const int i = y * a.width + x, p = node_at(g.view, x, y);
            g.view.excess[p] = (float)(a.source[i] - a.sink[i]);
            for (int k = 0; k < 2; k++) {
                if (k == 0 ? x + 1 == a.width : y + 1 == a.height) continue;
                const int q = neighbour(g.view, p, k ? TC_DOWN : TC_RIGHT);
                (&g.view.residual[p].x)[k ? TC_DOWN : TC_RIGHT] = (float)a.to[k][i];
                (&g.view.residual[q].x)[k ? TC_UP : TC_LEFT] = (float)(a.from[k] ? a.from[k] : a.to[k])[i];
            }
        }
    return g;
}

/* Memory of a solve, full of what must not matter. */
struct soft_scratch {
    std::vector<float> height, inbox;
    std::vector<uint32_t> bits, levels, relabelled, todo, to_label;
    std::vector<int> border;
    progress state;
    tiles_view view;

    explicit soft_scratch(const grid_view &g)
    {
        const size_t tiles = (size_t)view_tiles(g);
        view.grid = g;
        view.words = list_words((int)tiles);
        height.assign(tiles * TC_TILE_NODES, NAN), inbox.assign(2 * tiles * 4 * TC_TILE, NAN);
        bits.assign(tiles * BITS * TC_TILE, 0xdeadbeef), levels.assign(tiles * LEVELS * TC_TILE, 0xdeadbeef);
        relabelled.assign(tiles, 7), border.assign(tiles * 4 * TC_TILE, 12345);
        todo.assign(3 * (size_t)view.words, 0), to_label.assign(3 * (size_t)view.words, 0);
        view.height = height.data(), view.inbox = inbox.data(), view.border = border.data();
        view.bits = bits.data(), view.levels = levels.data(), view.relabelled = relabelled.data();
        view.todo = todo.data(), view.to_label = to_label.data();
        memset(&state, 0, sizeof state);
    }
};

static int levels_set(const soft_scratch &s, int p)
{
    const int inside = p % TC_TILE_NODES;
    return levels_at(s.view, p / TC_TILE_NODES, LEVELS_SET)[inside / TC_TILE] >> inside % TC_TILE & 1;
}

/* What is wrong with the grid that the kernel left, given that it began with `before`; NULL if nothing is. */
static const char *wrong_with(const soft_grid &before, const soft_grid &after)
{
    const grid_view &g = after.view;
    for (int y = 0; y < g.height; y++)
        for (int x = 0; x < g.width; x++) {
            const int p = node_at(g, x, y);
            float in = 0;
            for (int d = 0; d < 4; d++) {
                const int qx = x + (d == TC_RIGHT) - (d == TC_LEFT), qy = y + (d == TC_DOWN) - (d == TC_UP);
                const bool inside = qx >= 0 && qx < g.width && qy >= 0 && qy < g.height;
                const int q = inside ? node_at(g, qx, qy) : p;
                const float here = (&g.residual[p].x)[d], back = (&g.residual[q].x)[d ^ 1];
                const float was = (&before.view.residual[p].x)[d], back_was = (&before.view.residual[q].x)[d ^ 1];
                if (here < 0) return "a residual capacity below 0";
                if (!inside && here > 0) return "a link out of the image";
                if (inside && here + back != was + back_was) return "two ends of a link that do not add up";
                in += here - was;
            }
            if (g.excess[p] != before.view.excess[p] + in) return "excess that is not what came in";
        }
    return NULL;
}

static bool has_soft_source(const tilecut_arrays &a, const soft_grid &g)
{
    for (int y = 0; y < a.height; y++)
        for (int x = 0; x < a.width; x++) {
            const int p = node_at(g.view, x, y);
            const float4 links = g.view.residual[p];
            const float e = g.view.excess[p];
            if (e > 0 && e <= links.x + links.y + links.z + links.w) return true;
        }
    return false;
}

/* A launch that looks whether there is a soft source. Without one it has to leave the grid alone, as here; with one it
 * goes on. Returns what is wrong. */
static const char *try_look(const soft_grid &grid, unsigned blocks)
{
    soft_scratch s(grid.view);
    const soft_grid before = grid;
    soft_launch(blocks, [&] { tiles_kernel(s.view, tiles_schedule_default(), &s.state, TILES_LOOK); });
    if (s.state.soft || s.state.done || s.state.run.rounds > 0) return "hard sources alone, and it went on";
    const size_t links = grid.residual.size() * sizeof(float4), rest = grid.excess.size() * sizeof(float);
    if (memcmp(grid.residual.data(), before.residual.data(), links) ||
        memcmp(grid.excess.data(), before.excess.data(), rest))
        return "hard sources alone, and it touched the grid";
    return NULL;
}

enum { ROUNDS = 1024 }; /* a hundred are what graphs of this size take */

/* Solves it, at most `slice` rounds in a launch. Returns what is wrong. */
static const char *try_graph(const tilecut_arrays &a, unsigned blocks, int slice, const uint8_t *mask, int64_t flow)
{
    soft_grid grid = grid_of(a);
    const soft_grid before = grid_of(a);
    soft_scratch s(grid.view);
    tiles_schedule plan = tiles_schedule_default();
    const bool soft = has_soft_source(a, grid);
    const char *const wrong = soft ? NULL : try_look(grid, blocks);
    int64_t found = 0;
    plan.slice = slice;
    if (wrong) return wrong;
    for (int launch = 0; !s.state.done; launch++) {
        if (s.state.run.rounds + s.state.run.relabel_rounds >= ROUNDS) return "no end";
        memset(&s.state.launch, 0, sizeof s.state.launch);
        soft_launch(blocks, [&] {
            tiles_kernel(s.view, plan, &s.state, launch ? TILES_ON : soft ? TILES_LOOK : TILES_FRESH);
        });
    }
    for (int y = 0; y < a.height; y++)
        for (int x = 0; x < a.width; x++) {
            const int i = y * a.width + x, p = node_at(grid.view, x, y);
            const float was = before.view.excess[p], is = grid.view.excess[p];
            if (levels_set(s, p) != (mask[i] == 0)) return "another mask";
            if (was >= 0 && is < 0) return "room at a sink that was not there";
            found += std::min(a.source[i], a.sink[i]);
            if (was < 0) found += (int64_t)(std::min(is, 0.0f) - was);
        }
    if (found != flow) return "another flow";
    return wrong_with(before, grid);
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 12;
    static const int thin[][2] = {{1, 1}, {1, 70}, {70, 1}, {31, 33}, {32, 32}, {33, 31}, {65, 97}, {5, 100}};
    int tried = 0, failed = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        const int *size = thin[seed / 2 % (sizeof thin / sizeof *thin)];
        random_graph random;
        if (seed % 4 == 3) random_graph_regions(&random, seed, 70, 50);
        else if (seed % 2) random_graph_init(&random, seed, 90, 70, 4);
        else random_graph_init(&random, seed, size[0], size[1], 4);
        const tilecut_arrays &a = random.arrays;
        std::vector<uint8_t> mask((size_t)a.width * (size_t)a.height);
        tilecut_params params = tilecut_params_default();
        tilecut_report report = {};
        tilecut_graph *graph = NULL;
        params.solver = "bk";
        const char *why = "not a graph";
        if (tilecut_graph_create(&graph, &a) == TILECUT_OK &&
            tilecut_graph_solve(graph, &params, mask.data(), &report) == TILECUT_OK)
            why = try_graph(a, 1 + (unsigned)(seed % 3), seed % 5 ? ROUNDS / 2 : 7, mask.data(), report.flow);
        if (why) printf("seed %llu, %dx%d: %s\n", (unsigned long long)seed, a.width, a.height, why), failed++;
        tried++;
        tilecut_graph_destroy(graph);
        random_graph_free(&random);
    }
    printf("%d graphs solved by a GPU in software, %d wrong\n", tried, failed);
    return failed ? 1 : 0;
}
