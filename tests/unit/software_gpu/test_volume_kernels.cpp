// SPDX-License-Identifier: MIT
//
// test_volume_kernels.cpp - volumes on a simulated GPU (cuda_runtime.h in this folder), from the host's tables or
// arrays of capacities to the certified mask. Grid, labels and flow equal those of the host, bit for bit. Capacities
// that the host refuses are refused, and the proof fails if anything is wrong.
#define TC_NEIGHBOURS 6
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "lattice_kernels.cuh"
#include "soft_tiles.h"

extern "C" {
#include "build_grid.h"
#include "random_graph.h"
#include "solve.h"
#include "volume.h"
}

static unsigned over(size_t n, unsigned by)
{
    return (unsigned)((n + by - 1) / by);
}

static int below(uint64_t *state, int n)
{
    return random_below(state, n);
}

/* ---- Scans -------------------------------------------------------------------------------------- */

struct scan {
    tilecut_volume volume = {};
    std::vector<char> memory; /* the bytes of the voxels, with gaps between rows and slices */
    std::vector<uint8_t> seeds;
    tc_setup setup = {};
    size_t count = 0;
};

static void put_value(char *at, int type, int value)
{
    if (type == TILECUT_VOXEL_U8) *(uint8_t *)at = (uint8_t)value;
    if (type == TILECUT_VOXEL_U16) *(uint16_t *)at = (uint16_t)(value * 7);
    if (type == TILECUT_VOXEL_I16) *(int16_t *)at = (int16_t)(value * 9 - 1000);
    if (type == TILECUT_VOXEL_F32) *(float *)at = (float)value * 0.37f - 40;
}

static scan draw_scan(uint64_t seed)
{
    static const int thin[][3] = {{1, 1, 7}, {1, 40, 3}, {40, 1, 5}, {33, 31, 2}, {32, 32, 4}, {5, 6, 9}, {31, 33, 1}};
    static const size_t bytes[] = {1, 2, 2, 4};
    static const char *const colors[] = {"gmm", "hist", "none"};
    uint64_t state = seed;
    const int *size = thin[seed / 2 % (sizeof thin / sizeof *thin)];
    const int drawn[3] = {2 + below(&state, 45), 2 + below(&state, 45), 1 + below(&state, 5)};
    scan s;
    tilecut_volume &v = s.volume;
    if (seed % 2) size = drawn;
    v.width = size[0], v.height = size[1], v.depth = size[2], v.type = (int)(seed % 4);
    v.size = sizeof v, v.channels = v.type <= TILECUT_VOXEL_U16 && seed / 4 % 2 ? 3 : 1;
    const size_t sample = bytes[v.type], one = sample * (size_t)v.channels;
    const size_t width = (size_t)v.width, height = (size_t)v.height;
    const size_t row = one * (width + (seed % 3 == 1 ? 3 : 0)), slice = row * (height + (seed % 3 == 1 ? 2 : 0));
    if (seed % 3 == 1) v.row_stride = row, v.slice_stride = slice;
    if (seed % 5 == 2) v.spacing[0] = 0.7, v.spacing[1] = 1, v.spacing[2] = 2.5;
    if (seed % 4 != 3 && seed % 7 < 3) v.low = 20, v.high = 200;
    s.count = width * height * (size_t)v.depth;
    s.memory.assign(slice * (size_t)v.depth, 0x33);
    s.seeds.assign(s.count, TILECUT_UNKNOWN);
    v.voxels = s.memory.data();
    for (size_t i = 0; i < s.count; i++) {
        const size_t x = i % width, y = i / width % height, z = i / width / height;
        const int value = (int)((x / 7 + y / 5 + z / 2) % 3) * 50 + below(&state, 20 + (int)(seed % 60));
        for (size_t c = 0; c < (size_t)v.channels; c++)
            put_value(s.memory.data() + z * slice + y * row + x * one + c * sample, v.type, value + 9 * (int)c);
        const int mark = below(&state, 30);
        if (mark < 4) s.seeds[i] = (uint8_t)mark; /* the seed may get any label, including TILECUT_OUTSIDE */
    }
    s.seeds[0] = TILECUT_FOREGROUND, s.seeds[s.count - 1] = TILECUT_BACKGROUND;
    s.setup.colors = colors[seed / 3 % 3], s.setup.lambda = 1 + below(&state, 100), s.setup.data_weight = 1;
    s.setup.sigma = seed % 6 ? 0 : 9, s.setup.threads = 1, s.setup.soft_seeds = seed % 8 == 5;
    s.setup.spatial = seed % 4 == 2 ? 10 : 0, s.setup.connectivity = 6, s.setup.solver = "bk";
    return s;
}

/* ---- A volume there ----------------------------------------------------------------------------- */

/* The data that device_graph.cu keeps, and its grid. */
struct soft_volume {
    grid_view view = {};
    std::vector<float4> residual;
    std::vector<float> excess;
    std::vector<float2> slices;
    std::vector<uint8_t> mask;
    proof_sums sums = {};

    soft_volume(int width, int height, int depth)
    {
        view.width = width, view.height = height;
        view.tiles_x = (width + TC_TILE - 1) / TC_TILE, view.slice_rows = (height + TC_TILE - 1) / TC_TILE;
        view.tiles_y = view.slice_rows * depth;
        const size_t guard = (size_t)view_guard(view), nodes = (size_t)view_nodes(view);
        residual.assign(nodes + 2 * guard, {0, 0, 0, 0}), excess.assign(nodes + 2 * guard, 0);
        std::fill_n(&residual[guard], nodes, float4{NAN, NAN, NAN, NAN});
        std::fill_n(&excess[guard], nodes, NAN);
        slices.assign(nodes + 1, {NAN, NAN});
        view.residual = &residual[guard], view.excess = &excess[guard], view.slices = &slices[0];
        if ((uintptr_t)view.slices % 16) view.slices++;
        mask.assign((size_t)width * (size_t)height * (size_t)depth, 7);
    }

    template <class Source> bool build(const Source &s, const int *same = NULL)
    {
        int bad = 0;
        soft_launch({over((size_t)view_nodes(view), LATTICE_BLOCK)}, {LATTICE_BLOCK}, false,
                    [&] { build_kernel(s, view, {NULL, 0}, {NULL, 0}, &bad, same); });
        return !bad;
    }

    bool solve(soft_scratch &s, unsigned blocks)
    {
        for (int launch = 0; !s.state.done && launch < 8; launch++) {
            memset((void *)&s.state.launch, 0, sizeof s.state.launch);
            soft_launch(blocks, [&] {
                tiles_kernel(s.view, tiles_schedule_default(), &s.state, launch == 0);
            });
        }
        return s.state.done;
    }

    template <class Source> void certify(const Source &s, const soft_scratch &scratch)
    {
        sums = {};
        soft_launch({over((size_t)view_nodes(view), LATTICE_BLOCK)}, {LATTICE_BLOCK}, false, [&] {
            certify_kernel(s, view, {scratch.view.levels + (size_t)LEVELS_SET * TC_TILE, (size_t)LEVELS * TC_TILE, 0,
                                     s.size[1] * s.size[2], NULL, &sums, mask.data(), NULL, NULL});
        });
    }

    /* True if the grid equals the one that the host builds of this graph. */
    bool is_grid_of(const tilecut_graph &g) const
    {
        tc_grid grid;
        bool same = tc_grid_init_volume(&grid, g.width, g.height, g.depth, 6) == TILECUT_OK &&
                    tc_grid_build(&grid, &g, 1) == TILECUT_OK && grid.nodes == (size_t)view_nodes(view);
        for (int p = 0; same && p < view_nodes(view); p++) {
            same = view.excess[p] == grid.excess[p];
            for (int d = 0; same && d < 6; d++) same = residual_of<6>(view, p, d) == *tc_residual(&grid, p, d);
        }
        tc_grid_free(&grid);
        return same;
    }
};

/* Solves and certifies. Then changes each input of the proof, which must fail. Returns what is wrong, or NULL. */
template <class Source>
static const char *try_cut(soft_volume &d, Source &s, const std::vector<uint8_t> &mask, int64_t flow, uint64_t seed)
{
    soft_scratch scratch(d.view);
    const int at[3] = {s.size[0] / 2, s.size[1] / 2, s.size[2] / 2};
    const int p = lattice_node(d.view, {{at[0], at[1], at[2]}});
    if (!d.solve(scratch, 1 + (unsigned)(seed % 3))) return "no end of solving";
    d.certify(s, scratch);
    if (d.sums.violations) return "a flow that is none";
    if ((int64_t)d.sums.flow != flow) return "another flow";
    if (d.sums.flow != d.sums.cut) return "a cut that costs something else";
    if (d.mask != mask) return "another mask";
    size_t foreground = 0;
    for (const uint8_t voxel : mask) foreground += voxel != 0;
    if (d.sums.foreground != foreground) return "another number of voxels";
    for (int k = 0; k < 8; k++) {
        float *const what = k < 4 ? &d.view.residual[p].x + k : k < 6 ? &d.view.slices[p].x + k - 4 : &d.view.excess[p];
        const float before = *what;
        *what = k == 7 ? before + 0.5f : before + 1;
        d.certify(s, scratch);
        if (d.sums.violations == 0) return "a broken flow that was proven";
        *what = before;
    }
    uint32_t *const row = scratch.view.levels + (size_t)(p / TC_TILE_NODES * LEVELS + LEVELS_SET) * TC_TILE +
                          (size_t)(p / TC_TILE % TC_TILE);
    *row = ~*row;
    d.certify(s, scratch);
    *row = ~*row;
    return (int64_t)d.sums.cut < flow ? "a cut that costs less than the least one" : NULL;
}

/* ---- From voxels -------------------------------------------------------------------------------- */

/* The device's copy of the host's tables, as device_graph.cu makes it. */
struct soft_energy {
    std::vector<int32_t> links;
    device_energy e = {};

    soft_energy(const tc_energy &from)
    {
        for (int k = 0; k < 3; k++) links.insert(links.end(), from.link[k], from.link[k] + from.keys);
        e.width = from.image.width, e.height = from.image.height;
        e.channels = from.image.channels, e.depth = from.image.depth;
        e.stride = tc_image_row_bytes(&from.image), e.pixels = (const uint8_t *)from.image.pixels;
        e.seeds = from.seeds, e.straight = links.data(), e.last = from.keys - 1, e.color_bits = from.color_bits;
        e.source_cost = from.source_cost, e.sink_cost = from.sink_cost;
        e.nearness = from.nearness, e.near_cost = &from.near_cost[0][0];
        e.seed_capacity = &from.seed_capacity, e.soft_seeds = from.soft_seeds;
    }
};

static const char *try_scan(const scan &s, uint64_t seed)
{
    soft_volume d(s.volume.width, s.volume.height, s.volume.depth);
    tc_volume here = {};
    tilecut_report report = {};
    std::vector<uint8_t> mask(s.count);
    if (tc_volume_open(&here, &s.volume, s.seeds.data(), &s.setup) != TILECUT_OK ||
        tc_solve(here.graph, &s.setup, NULL, mask.data(), NULL, &report) != TILECUT_OK)
        return tilecut_error_detail();
    const soft_energy there(here.graph->energy);
    energy_source<6> source = {there.e, {s.volume.width, s.volume.height, s.volume.depth}};
    const char *why = NULL;
    d.build(source);
    if (!d.is_grid_of(*here.graph)) why = "another grid";
    else why = try_cut(d, source, mask, report.flow, seed);
    if (!why && !s.setup.soft_seeds) { /* the proof must read the seeds again */
        soft_scratch none(d.view);
        std::vector<uint8_t> other = s.seeds;
        other[0] = TILECUT_BACKGROUND, source.e.seeds = other.data();
        d.certify(source, none);
        if (!d.sums.violations) why = "seeds that the proof does not read again";
    }
    tc_volume_close(&here);
    return why;
}

/* ---- From arrays -------------------------------------------------------------------------------- */

static const char *try_arrays(uint64_t seed)
{
    uint64_t state = seed;
    const int w = 1 + below(&state, 40), h = 1 + below(&state, 40), z = 1 + below(&state, 5);
    const int rare = 1 + below(&state, 12), shut = below(&state, 4), most = 1 + below(&state, 40);
    const size_t n = (size_t)w * (size_t)h * (size_t)z;
    std::vector<int32_t> all(8 * n);
    std::vector<uint8_t> mask(n);
    for (size_t i = 0; i < 8 * n; i++)
        all[i] = below(&state, i < 2 * n ? rare : 1 + shut) ? 0 : below(&state, (i < 2 * n ? 4 : 1) * most);
    tilecut_volume_arrays a = {};
    tilecut_graph here;
    array_source<6> source = {{&all[0], &all[n], {}, {}}, {w, h, z}};
    tilecut_report report = {};
    tc_setup setup = {};
    soft_volume d(w, h, z);
    setup.threads = 1, setup.solver = "bk";
    a.width = w, a.height = h, a.depth = z, a.source = source.a.source, a.sink = source.a.sink;
    for (size_t k = 0; k < 3; k++) {
        a.to[k] = source.a.to[k] = &all[(2 + k) * n];
        a.from[k] = source.a.from[k] = seed % 3 ? &all[(5 + k) * n] : a.to[k];
    }
    if (tc_graph_of_volume(&here, &a) != TILECUT_OK) return tilecut_error_detail();
    for (int k = 0; k < 6; k++) { /* the last turn keeps the capacities as they were drawn */
        const size_t where = (size_t)(k < 2 ? k : k < 4 ? 2 : 0) * n + (size_t)below(&state, (int)n);
        const int32_t before = all[where];
        if (k < 5) all[where] = k == 0 || k == 2 ? -1 : k == 3 ? 1 << 23 : 1 << 24;
        const bool refused = tc_graph_check(&here, 0, h * z, 0, 1) != TILECUT_OK;
        const bool taken = d.build(source);
        all[where] = before;
        if (taken == refused) return "capacities that one side refuses";
        if (k == 5 && refused) return "no capacities";
    }
    if (tc_solve(&here, &setup, NULL, mask.data(), NULL, &report) != TILECUT_OK)
        return tilecut_error_detail();
    d.build(source);
    if (!d.is_grid_of(here)) return "another grid of arrays";
    const char *why = try_cut(d, source, mask, report.flow, seed);
    /* other terminals, and the flow that is there: excesses are what it leaves of them */
    const std::vector<float4> flow = d.residual;
    const int same = 1;
    for (size_t i = 0; i < 2 * n; i++)
        if (!below(&state, 3)) all[i] = below(&state, 4 * most);
    d.build(source, &same);
    if (!why && memcmp(flow.data(), d.residual.data(), flow.size() * sizeof flow[0])) why = "no flow to go on from";
    if (!why && tc_solve(&here, &setup, NULL, mask.data(), NULL, &report) != TILECUT_OK) why = tilecut_error_detail();
    return why ? why : try_cut(d, source, mask, report.flow, seed);
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 9;
    int failed = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        const scan s = draw_scan(seed);
        const char *const why[2] = {try_scan(s, seed), try_arrays(seed)};
        for (int k = 0; k < 2; k++)
            if (why[k]) {
                printf("seed %llu, %s, %dx%dx%d: %s\n", (unsigned long long)seed, k ? "arrays" : s.setup.colors,
                       s.volume.width, s.volume.height, s.volume.depth, why[k]);
                failed++;
            }
    }
    printf("%llu volumes cut by a GPU in software, from tables and from arrays, %d wrong\n", (unsigned long long)count,
           failed);
    return failed ? 1 : 0;
}
