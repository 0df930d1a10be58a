// SPDX-License-Identifier: MIT
//
// test_tiles_kernel.cpp - the kernel of the solver `cuda` on a simulated GPU (cuda_runtime.h in this folder). Flow and
// mask of random graphs equal those of `bk`, and the kernel leaves a residual grid of its input. This file tests 4
// neighbours; test_tiles_kernel_6.cpp and test_tiles_kernel_8.cpp compile it again for 6 and 8.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "soft_tiles.h"
#include "random_graph.h"
#include "tilecut_volume.h"

/* A random graph: that of an image, or a volume. */
struct random_case {
    int width = 0, height = 0, depth = 1;
    const int32_t *source = NULL, *sink = NULL, *to[4] = {}, *from[4] = {};
    std::vector<uint8_t> mask; /* mask by `bk` */
    int64_t flow = 0;
    const char *why = "not a graph";

    size_t count() const { return (size_t)width * (size_t)height * (size_t)depth; }
};

/* For each kind of link, its direction and its step in pixels along x, y and z. */
static const int link_direction[4] = {TC_RIGHT, TC_DOWN, TC_SLICES ? (int)TC_BEHIND : (int)TC_DOWN_RIGHT, TC_DOWN_LEFT};
static const int link_step[4][3] = {{1, 0, 0}, {0, 1, 0}, {!TC_SLICES, !TC_SLICES, TC_SLICES}, {-1, 1, 0}};

/* A grid of capacities surrounded by guard nodes, like that of device_grid. */
struct soft_grid {
    grid_view view;
    std::vector<float4> residual, diagonal;
    std::vector<float2> slices;
    std::vector<float> excess;
};

static int soft_node(const grid_view &g, int x, int y, int z)
{
    return node_at(g, x, y) + z * g.tiles_x * g.slice_rows * TC_TILE_NODES;
}

static float &soft_link(const grid_view &g, int p, int d)
{
    if (d < 4) return (&g.residual[p].x)[d];
    return TC_SLICES ? (&g.slices[p].x)[d - 4] : (&g.diagonal[p].x)[d - 4];
}

static soft_grid grid_of(const random_case &a)
{
    soft_grid g;
    memset(&g.view, 0, sizeof g.view);
    g.view.width = a.width, g.view.height = a.height;
    const int rows = (a.height + TC_TILE - 1) / TC_TILE;
    g.view.tiles_x = (a.width + TC_TILE - 1) / TC_TILE, g.view.tiles_y = rows * a.depth;
    g.view.slice_rows = TC_SLICES ? rows : 0;
    const size_t guard = (size_t)view_guard(g.view), nodes = (size_t)view_nodes(g.view);
    g.residual.assign(nodes + 2 * guard, {0, 0, 0, 0});
    g.excess.assign(nodes + 2 * guard, 0);
    g.view.residual = &g.residual[guard], g.view.excess = &g.excess[guard];
    if (TC_DIAGONALS) g.diagonal = g.residual, g.view.diagonal = &g.diagonal[guard];
    if (TC_SLICES) g.slices.assign(nodes + 1, {0, 0}), g.view.slices = &g.slices[0];
    if ((uintptr_t)g.view.slices % 16) g.view.slices++;
    size_t i = 0;
    for (int z = 0; z < a.depth; z++)
        for (int y = 0; y < a.height; y++)
            for (int x = 0; x < a.width; x++, i++) {
                const int p = soft_node(g.view, x, y, z);
                g.view.excess[p] = (float)(a.source[i] - a.sink[i]);
                for (int k = 0; k < LINKS / 2; k++) {
                    const int nx = x + link_step[k][0], ny = y + link_step[k][1], nz = z + link_step[k][2];
                    if (nx < 0 || nx >= a.width || ny >= a.height || nz >= a.depth) continue;
                    const int q = soft_node(g.view, nx, ny, nz), d = link_direction[k];
                    soft_link(g.view, p, d) = (float)a.to[k][i];
                    soft_link(g.view, q, d ^ 1) = (float)(a.from[k] ? a.from[k] : a.to[k])[i];
                }
            }
    return g;
}

/* Compares the grid that the kernel left with `before`, the grid it was given. Returns what is wrong, or NULL. */
static const char *wrong_with(const random_case &a, const soft_grid &before, const soft_grid &after)
{
    const grid_view &g = after.view;
    for (int z = 0; z < a.depth; z++)
        for (int y = 0; y < a.height; y++)
            for (int x = 0; x < a.width; x++) {
                const int p = soft_node(g, x, y, z);
                float in = 0;
                for (int d = 0; d < LINKS; d++) {
                    const int *step = link_step[d / 2], sign = d & 1 ? -1 : 1;
                    const int qx = x + sign * step[0], qy = y + sign * step[1], qz = z + sign * step[2];
                    const bool inside = qx >= 0 && qx < a.width && qy >= 0 && qy < a.height && qz >= 0 && qz < a.depth;
                    const int q = inside ? soft_node(g, qx, qy, qz) : p;
                    const float here = soft_link(g, p, d), back = soft_link(g, q, d ^ 1);
                    const float was = soft_link(before.view, p, d), back_was = soft_link(before.view, q, d ^ 1);
                    if (here < 0) return "a residual capacity below 0";
                    if (!inside && here > 0) return "a link out of the image";
                    if (inside && here + back != was + back_was) return "two ends of a link that do not add up";
                    in += here - was;
                }
                if (g.excess[p] != before.view.excess[p] + in) return "excess that is not what came in";
            }
    return NULL;
}

enum { ROUNDS = 1024 * SLICE_TURNS }; /* limit of rounds; graphs of this size take about a hundred */

/* Solves the graph with at most `slice` rounds in a launch. Returns what is wrong, or NULL. */
static const char *try_graph(const random_case &a, unsigned blocks, int slice)
{
    soft_grid grid = grid_of(a);
    const soft_grid before = grid_of(a);
    soft_scratch s(grid.view);
    tiles_schedule plan = tiles_schedule_default();
    int64_t found = 0;
    size_t i = 0;
    plan.slice = slice;
    for (int launch = 0; !s.state.done; launch++) {
        if (s.state.run.rounds + s.state.run.relabel_rounds >= ROUNDS) return "no end";
        memset(&s.state.launch, 0, sizeof s.state.launch);
        soft_launch(blocks, [&] { tiles_kernel(s.view, plan, &s.state, launch == 0); });
    }
    for (int z = 0; z < a.depth; z++)
        for (int y = 0; y < a.height; y++)
            for (int x = 0; x < a.width; x++, i++) {
                const int p = soft_node(grid.view, x, y, z);
                const float was = before.view.excess[p], is = grid.view.excess[p];
                if (levels_set(s, p) != (a.mask[i] == 0)) return "another mask";
                if (was >= 0 && is < 0) return "room at a sink that was not there";
                found += std::min(a.source[i], a.sink[i]);
                if (was < 0) found += (int64_t)(std::min(is, 0.0f) - was);
            }
    if (found != a.flow) return "another flow";
    return wrong_with(a, before, grid);
}

#if TC_NEIGHBOURS == 6
typedef std::vector<int32_t> case_memory;
static void drop(case_memory &) {}

/* Draws and solves a volume. `memory` holds its arrays. */
static random_case draw_case(uint64_t seed, case_memory &memory)
{
    static const int thin[][3] = {{1, 1, 1}, {1, 40, 3}, {40, 1, 5}, {33, 31, 2}, {32, 32, 4}, {5, 6, 9}, {31, 33, 1}};
    uint64_t state = seed;
    const int *size = thin[seed / 2 % (sizeof thin / sizeof *thin)];
    const int most = 1 + random_below(&state, 40), rare = 1 + random_below(&state, 12), shut = random_below(&state, 4);
    random_case c;
    if (seed % 2) c.width = size[0], c.height = size[1], c.depth = size[2];
    else c.width = 1 + random_below(&state, 45), c.height = 1 + random_below(&state, 45),
         c.depth = 1 + random_below(&state, 6);
    const size_t n = c.count();
    memory.resize(8 * n);
    for (size_t i = 0; i < 8 * n; i++) {
        const bool terminal = i < 2 * n;
        memory[i] = random_below(&state, terminal ? rare : 1 + shut) ? 0
                                                                     : random_below(&state, (terminal ? 4 : 1) * most);
    }
    tilecut_volume_arrays a = {};
    a.width = c.width, a.height = c.height, a.depth = c.depth;
    a.source = c.source = &memory[0], a.sink = c.sink = &memory[n];
    for (int k = 0; k < 3; k++) {
        a.to[k] = c.to[k] = &memory[(size_t)(2 + k) * n];
        a.from[k] = c.from[k] = seed % 3 ? &memory[(size_t)(5 + k) * n] : NULL;
    }
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {};
    params.solver = "bk";
    c.mask.resize(n);
    if (tilecut_volume_solve(&a, &params, c.mask.data(), &report) == TILECUT_OK) c.why = NULL;
    c.flow = report.flow;
    return c;
}
#else
typedef random_graph case_memory;
static void drop(case_memory &memory) { random_graph_free(&memory); }

/* Draws and solves the graph of an image. `memory` holds its arrays. */
static random_case draw_case(uint64_t seed, case_memory &memory)
{
    static const int thin[][2] = {{1, 1}, {1, 70}, {70, 1}, {31, 33}, {32, 32}, {33, 31}, {65, 97}, {5, 100}};
    const int *size = thin[seed / 2 % (sizeof thin / sizeof *thin)];
    random_case c;
    if (seed % 4 == 3 && LINKS == 4) random_graph_regions(&memory, seed, 70, 50);
    else if (seed % 2) random_graph_init(&memory, seed, TC_DIAGONALS ? 70 : 90, TC_DIAGONALS ? 45 : 70, LINKS);
    else random_graph_init(&memory, seed, size[0], size[1], LINKS);
    const tilecut_arrays &a = memory.arrays;
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {};
    tilecut_graph *graph = NULL;
    c.width = a.width, c.height = a.height, c.source = a.source, c.sink = a.sink;
    for (int k = 0; k < LINKS / 2; k++) c.to[k] = a.to[k], c.from[k] = a.from[k];
    c.mask.resize(c.count());
    params.solver = "bk";
    if (tilecut_graph_create(&graph, &a) == TILECUT_OK &&
        tilecut_graph_solve(graph, &params, c.mask.data(), &report) == TILECUT_OK)
        c.why = NULL;
    c.flow = report.flow;
    tilecut_graph_destroy(graph);
    return c;
}
#endif

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : TC_DIAGONALS ? 6 : 12;
    int tried = 0, failed = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        case_memory memory;
        const random_case c = draw_case(seed, memory);
        /* rounds in a launch, enough for a search through all slices */
        const int slice = seed % 5 ? ROUNDS / 2 : TC_SLICES ? 60 : 7;
        const char *why = c.why ? c.why : try_graph(c, 1 + (unsigned)(seed % 3), slice);
        tried++;
        failed += why != NULL;
        if (why) printf("seed %llu, %dx%dx%d: %s\n", (unsigned long long)seed, c.width, c.height, c.depth, why);
        drop(memory);
    }
    printf("%d graphs of %d neighbours solved by a GPU in software, %d wrong\n", tried, LINKS, failed);
    return failed ? 1 : 0;
}
