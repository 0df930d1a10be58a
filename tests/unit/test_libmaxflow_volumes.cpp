// SPDX-License-Identifier: MIT
//
// Threads: run under the thread sanitizer, too.
//
// test_libmaxflow_volumes.cpp - compares every solver for volumes with libmaxflow (GPL, linked into test programs
// only), with 1 to 4 threads: the same flow and the same mask, for volumes with tiny sides or sides around that of a
// tile; and for volumes with 26 neighbours, in one part and in several. Arguments: number of volumes, first seed.
// RANDOM_CELLS is the most voxels that a volume has.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <maxflow/graph.h>
#include <maxflow/graph.cpp>

#include "random_graph.h"
#include "tilecut_volume.h"
#include "wide_scene.h"

typedef maxflow::Graph<int, int, long long> peer;

struct drawn {
    int size[3];
    std::vector<int32_t> source, sink, to[3], from[3];
    size_t voxels() const { return (size_t)size[0] * (size_t)size[1] * (size_t)size[2]; }
};

static void draw_size(uint64_t *state, drawn &d)
{
    static const int sides[] = {31, 32, 33, 65};
    for (int &side : d.size) side = 1 + random_below(state, random_below(state, 2) ? 5 : 33);
    if (random_below(state, 2)) d.size[random_below(state, 3)] = sides[random_below(state, 4)];
    static const uint64_t most = number_from("RANDOM_CELLS", 12000);
    while (d.voxels() > most)
        for (int &side : d.size)
            if (side > 3 && random_below(state, 2)) side = 1 + side / 2;
}

static void draw(drawn &d, uint64_t seed)
{
    uint64_t state = seed;
    draw_size(&state, d);
    const int most = 1 + random_below(&state, 60), rare = 1 + random_below(&state, 20), shut = random_below(&state, 4);
    const bool symmetric = random_below(&state, 2);
    const auto draw_plane = [&](std::vector<int32_t> &plane, int chances, int below) {
        plane.resize(d.voxels());
        for (int32_t &c : plane) c = random_below(&state, chances) ? 0 : random_below(&state, below);
    };
    draw_plane(d.source, rare, 6 * most);
    draw_plane(d.sink, rare, 6 * most);
    for (int k = 0; k < 3; k++) {
        draw_plane(d.to[k], 1 + shut, most + 1);
        draw_plane(d.from[k], 1 + shut, most + 1);
        if (symmetric) d.from[k] = d.to[k];
    }
}

static long long peer_solve(const drawn &d, std::vector<uint8_t> &mask)
{
    const size_t w = (size_t)d.size[0], h = (size_t)d.size[1], step[3] = {1, w, w * h};
    const int n = (int)d.voxels();
    peer graph(n, 3 * n);
    graph.add_node(n);
    for (size_t i = 0; i < d.voxels(); i++) {
        const size_t at[3] = {i % w, i / w % h, i / w / h};
        graph.add_tweights((int)i, d.source[i], d.sink[i]);
        for (int k = 0; k < 3; k++)
            if (at[k] + 1 < (size_t)d.size[k])
                graph.add_edge((int)i, (int)(i + step[k]), d.to[k][i], d.from[k][i]);
    }
    const long long flow = graph.maxflow();
    for (size_t i = 0; i < mask.size(); i++) mask[i] = graph.what_segment((int)i) == peer::SOURCE ? 255 : 0;
    return flow;
}

static bool agrees(const drawn &d, const char *solver, int threads, long long flow,
                   const std::vector<uint8_t> &expected)
{
    tilecut_volume_arrays arrays = {};
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {};
    std::vector<uint8_t> mask(d.voxels());
    arrays.width = d.size[0], arrays.height = d.size[1], arrays.depth = d.size[2];
    arrays.source = d.source.data(), arrays.sink = d.sink.data();
    for (int k = 0; k < 3; k++) arrays.to[k] = d.to[k].data(), arrays.from[k] = d.from[k].data();
    params.solver = solver, params.threads = threads;
    const tilecut_status status = tilecut_volume_solve(&arrays, &params, mask.data(), &report);
    if (status == TILECUT_OK && report.certified && report.flow == flow && mask == expected) return true;
    printf("%s, %d threads, %dx%dx%d: %s\n", solver, threads, d.size[0], d.size[1], d.size[2],
           status != TILECUT_OK ? tilecut_error_detail() : report.flow != flow ? "another flow" : "another mask");
    return false;
}

// Solves a volume with 26 neighbours by libmaxflow.
static long long peer_solve_wide(const wide_scene &s, std::vector<uint8_t> &mask)
{
    const size_t voxels = wide_scene_voxels(&s);
    peer graph((int)voxels, WIDE_SCENE_LINKS * (int)voxels);
    graph.add_node((int)voxels);
    for (size_t i = 0; i < voxels; i++) {
        graph.add_tweights((int)i, s.source[i], s.sink[i]);
        for (int k = 0; k < WIDE_SCENE_LINKS; k++) {
            const int64_t j = wide_scene_end(&s, i, k);
            if (j >= 0) graph.add_edge((int)i, (int)j, s.link[k][i], s.link[k][i]);
        }
    }
    const long long flow = graph.maxflow();
    for (size_t i = 0; i < voxels; i++) mask[i] = graph.what_segment((int)i) == peer::SOURCE ? 255 : 0;
    return flow;
}

// Cuts in one part and in several. 0 means one part without an exchange.
static bool agrees_wide(uint64_t seed)
{
    uint64_t state = seed;
    drawn size;
    wide_scene s;
    draw_size(&state, size);
    wide_scene_draw(&s, seed, size.size[0], size.size[1], size.size[2]);
    std::vector<uint8_t> expected(wide_scene_voxels(&s)), mask(expected.size());
    const long long flow = peer_solve_wide(s, expected);
    bool good = true;
    for (const int parts : {0, 2, 3, 7}) {
        piece pieces[MOST_PIECES];
        if (parts > s.depth) break;
        if (parts) wide_scene_cut_in_parts(&s, parts, pieces, mask.data());
        else pieces[0].status = wide_scene_cut(&s, 2, mask.data(), &pieces[0].report);
        const tilecut_report &report = pieces[0].report;
        if (pieces[0].status == TILECUT_OK && report.certified && report.flow == flow && mask == expected) continue;
        printf("26 neighbours, %dx%dx%d, %d parts, seed %llu: another answer\n", s.width, s.height, s.depth, parts,
               (unsigned long long)seed);
        good = false;
    }
    wide_scene_free(&s);
    return good;
}

int main(int argc, char **argv)
{
    static const char *const solvers[] = {"auto", "bk", "cascade", "push"};
    const uint64_t count = argc > 1 ? strtoull(argv[1], nullptr, 10) : RANDOM_CASES(300);
    const uint64_t first = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1;
    long long cases = 0, failed = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        drawn d;
        draw(d, seed);
        std::vector<uint8_t> expected(d.voxels());
        const long long flow = peer_solve(d, expected);
        for (int i = 0; i < 4; i++) {
            cases++;
            if (agrees(d, solvers[i], 1 + (int)((seed + (uint64_t)i) % 4), flow, expected)) continue;
            failed++;
            printf("seed %llu\n", (unsigned long long)seed);
        }
        if (seed % 3) continue;
        cases++;
        failed += !agrees_wide(seed);
    }
    printf("libmaxflow, volumes: %lld passed, %lld failed\n", cases - failed, failed);
    return failed != 0;
}
