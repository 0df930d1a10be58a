// SPDX-License-Identifier: MIT
//
// volumes.cpp - solves volumes with libmaxflow (GPL: only in separate programs) and with tilecut's solvers, one thread
// each, on the same capacities in one process. Prints milliseconds of processor time for building and solving, and the
// speed-up over libmaxflow.
//
//     volumes FAMILY SIZE [SOLVER ...]       FAMILY: ball, vessel, seeds, dense, sparse or weak
//     volumes raw GREY SEEDS WIDTH HEIGHT DEPTH [SOLVER ...]       bytes; seeds: 0 background, 128 none, 255 foreground
//
// Each of tilecut's solvers runs twice, and the second run counts, so that the system has large pages ready as after
// any other run. libmaxflow takes small pages; before it, as much memory is written and freed.
//
// LAMBDA=50 is the weight of links. The default SOLVER is auto. The exit status is 1 if an answer differs.
#define MAXFLOW_INCLUDE_TEMPLATE_IMPLEMENTATION
#include <maxflow.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <vector>

extern "C" {
#include "build_grid.h"
#include "cut.h"
#include "solver.h"
}

typedef maxflow::Graph<int, int, long long> Graph;

static const double quantum = 0.01; // unit of the integer weights

struct volume {
    int width = 0, height = 0, depth = 0;
    std::vector<int32_t> source, sink, to[3];
    size_t voxels() const { return (size_t)width * (size_t)height * (size_t)depth; }
};

static double now_ms()
{
    timespec t; // time of this process only, since others may keep the machine busy
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double lambda_wanted()
{
    const char *text = getenv("LAMBDA");
    return text ? atof(text) : 50;
}

static size_t step_along(const volume &v, int k)
{
    return k == 0 ? 1 : k == 1 ? (size_t)v.width : (size_t)v.width * (size_t)v.height;
}

static bool has_next(const volume &v, size_t i, int k)
{
    const size_t w = (size_t)v.width, h = (size_t)v.height;
    return k == 0 ? i % w + 1 < w : k == 1 ? i / w % h + 1 < h : i / w / h + 1 < (size_t)v.depth;
}

// Sets links by contrast, as GrabCut does: lambda * exp(-beta d^2), with beta from the mean of d^2.
static void link_by_contrast(volume &v, const std::vector<uint8_t> &grey)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < v.voxels(); i++)
        for (int k = 0; k < 3; k++) {
            if (!has_next(v, i, k)) continue;
            const double d = grey[i] - grey[i + step_along(v, k)];
            sum += d * d, count++;
        }
    const double beta = count / (2 * sum), lambda = lambda_wanted();
    for (int k = 0; k < 3; k++) {
        v.to[k].assign(v.voxels(), 0);
        for (size_t i = 0; i < v.voxels(); i++) {
            if (!has_next(v, i, k)) continue;
            const double d = grey[i] - grey[i + step_along(v, k)];
            v.to[k][i] = (int32_t)(lambda / quantum * exp(-beta * d * d) + 0.5);
        }
    }
}

// Sets terminals from histograms of the seeds with 64 grey values. The seeds themselves are hard.
static void learn(volume &v, const std::vector<uint8_t> &grey, const std::vector<uint8_t> &seeds, bool colors)
{
    double count[2][64], sum[2] = {64, 64};
    for (auto &side : count)
        for (double &bin : side) bin = 1;
    for (size_t i = 0; i < v.voxels(); i++)
        if (seeds[i] != 128) count[seeds[i] == 255][grey[i] / 4]++, sum[seeds[i] == 255]++;
    const int hard = (int)(6 * lambda_wanted() / quantum) + 1;
    v.source.assign(v.voxels(), 0), v.sink.assign(v.voxels(), 0);
    for (size_t i = 0; i < v.voxels(); i++) {
        const int bin = grey[i] / 4;
        const double gain = log(count[1][bin] / sum[1]) - log(count[0][bin] / sum[0]);
        if (seeds[i] == 255) v.source[i] = hard;
        else if (seeds[i] == 0) v.sink[i] = hard;
        else if (colors) (gain > 0 ? v.source : v.sink)[i] = (int32_t)(fabs(gain) / quantum + 0.5);
    }
}

static bool in_shape(const std::string &family, double x, double y, double z)
{
    if (family != "vessel") return x * x + y * y + z * z < 0.36;
    const double dx = x - 0.5 * cos(7 * z), dy = y - 0.5 * sin(7 * z), branch = fabs(x - y) + fabs(x + y - z);
    return dx * dx + dy * dy < 0.012 || branch < 0.12;
}

// Draws a shape in noise, with strokes in its middle and all around.
static void draw_shape(volume &v, const std::string &family)
{
    std::mt19937 chance(7);
    std::normal_distribution<double> noise(0, 30);
    std::vector<uint8_t> grey(v.voxels()), seeds(v.voxels(), 128);
    size_t i = 0;
    for (int z = 0; z < v.depth; z++)
        for (int y = 0; y < v.height; y++)
            for (int x = 0; x < v.width; x++, i++) {
                const double rx = 2.0 * x / v.width - 1, ry = 2.0 * y / v.height - 1, rz = 2.0 * z / v.depth - 1;
                const bool in = in_shape(family, rx, ry, rz), rim = fmax(fabs(rx), fmax(fabs(ry), fabs(rz))) > 0.94;
                const double g = (in ? 150 : 100) + noise(chance);
                grey[i] = (uint8_t)(g < 0 ? 0 : g > 255 ? 255 : g);
                if (in && fabs(rz) < 0.1 && fabs(ry) < 0.6) seeds[i] = 255;
                if (rim && !in) seeds[i] = 0;
            }
    link_by_contrast(v, grey);
    learn(v, grey, seeds, family != "seeds");
}

// Draws random links, and terminals everywhere, at one voxel in twenty, or everywhere but weak.
static void draw_random(volume &v, const std::string &family)
{
    std::mt19937 chance(11);
    const auto below = [&](int n) { return (int32_t)(chance() % (unsigned)n); };
    v.source.assign(v.voxels(), 0), v.sink.assign(v.voxels(), 0);
    for (auto &links : v.to) {
        links.resize(v.voxels());
        for (int32_t &c : links) c = below(101);
    }
    for (size_t i = 0; i < v.voxels(); i++) {
        if (family == "sparse" && below(20)) continue;
        const int32_t c = below(family == "weak" ? 51 : family == "sparse" ? 1001 : 301);
        (below(2) ? v.source : v.sink)[i] = c;
    }
}

static std::vector<uint8_t> read_bytes(const char *path, size_t count)
{
    std::vector<uint8_t> bytes(count);
    FILE *file = fopen(path, "rb");
    if (!file || fread(bytes.data(), 1, count, file) != count) {
        fprintf(stderr, "%s: has not %zu bytes\n", path, count);
        exit(3);
    }
    fclose(file);
    return bytes;
}

struct answer {
    double build, solve;
    long long flow;
    std::vector<uint8_t> mask;
};

// Writes to this many bytes and frees them, so that the system has large pages available.
static void make_ready(size_t bytes)
{
    void *const block = malloc(bytes);
    if (block) memset(block, 1, bytes);
    free(block);
}

static answer by_libmaxflow(const volume &v)
{
    answer a;
    make_ready(v.voxels() * 250);
    const double start = now_ms();
    Graph graph((int)v.voxels(), (int)(3 * v.voxels()));
    graph.add_node((int)v.voxels());
    for (size_t i = 0; i < v.voxels(); i++) {
        if (v.source[i] || v.sink[i]) graph.add_tweights((int)i, v.source[i], v.sink[i]);
        for (int k = 0; k < 3; k++)
            if (has_next(v, i, k))
                graph.add_edge((int)i, (int)(i + step_along(v, k)), v.to[k][i], v.to[k][i]);
    }
    const double built = now_ms();
    a.flow = graph.maxflow();
    a.build = built - start, a.solve = now_ms() - built;
    a.mask.resize(v.voxels());
    for (size_t i = 0; i < v.voxels(); i++) a.mask[i] = graph.what_segment((int)i) == Graph::SOURCE ? 255 : 0;
    return a;
}

// Solves with one of our solvers, by default the chosen one, and compares. Prints the result if it counts.
static bool compare(const tilecut_volume_arrays &arrays, const char *name, const answer &expected, bool counts)
{
    const tc_solver *solver = name && strcmp(name, "auto") ? tc_solver_find(name) : nullptr;
    std::vector<uint8_t> mask(expected.mask.size());
    tc_solve_params how = {};
    tc_solve_stats stats = {};
    tc_labels labels = {};
    tilecut_graph graph = {};
    tc_grid grid;
    int64_t flow = 0, cut = 0;
    how.threads = 1;
    const double start = now_ms();
    if (tc_grid_init_volume(&grid, arrays.width, arrays.height, arrays.depth, 6) != TILECUT_OK) return false;
    if (tc_graph_of_volume(&graph, &arrays) != TILECUT_OK) return false;
    grid.by_rows = true;
    if (tc_grid_build(&grid, &graph, 1) != TILECUT_OK) return false;
    const double built = now_ms();
    if (tc_solver_run(&solver, &grid, &how, &stats) != TILECUT_OK) return false;
    const double solved = now_ms();
    const bool proved = tc_cut(&grid, 1, &labels) == TILECUT_OK &&
                        tc_certify(&grid, &graph, &labels, 1, &flow, &cut) == TILECUT_OK;
    const double proof = now_ms() - solved;
    tc_labels_mask(&grid, &labels, 1, mask.data());
    const bool right = proved && flow == expected.flow && mask == expected.mask;
    if (counts)
        printf("    %-8s %.0f + %.0f ms (proof %.0f), %.2f times as fast, %.1f bytes a voxel, %s\n", solver->name,
               built - start, solved - built, proof, (expected.build + expected.solve) / (solved - start),
               (double)(tc_grid_bytes(&grid) + stats.bytes) / (double)mask.size(),
               right ? "the same" : "ANOTHER ANSWER");
    fflush(stdout);
    tc_labels_free(&labels);
    tc_grid_free(&grid);
    return right;
}

int main(int argc, char **argv)
{
    const std::string family = argc > 2 ? argv[1] : "";
    volume v;
    int next = 3;
    if (family == "raw" && argc > 6) {
        v.width = atoi(argv[4]), v.height = atoi(argv[5]), v.depth = atoi(argv[6]), next = 7;
        const std::vector<uint8_t> grey = read_bytes(argv[2], v.voxels());
        link_by_contrast(v, grey);
        learn(v, grey, read_bytes(argv[3], v.voxels()), true);
    } else if (family == "ball" || family == "vessel" || family == "seeds") {
        v.width = v.height = v.depth = atoi(argv[2]);
        draw_shape(v, family);
    } else if (family == "dense" || family == "sparse" || family == "weak") {
        v.width = v.height = v.depth = atoi(argv[2]);
        draw_random(v, family);
    } else {
        fprintf(stderr, "usage: volumes FAMILY SIZE [SOLVER ...], or: volumes raw GREY SEEDS WIDTH HEIGHT DEPTH\n");
        return 2;
    }
    const answer expected = by_libmaxflow(v);
    const char *name = family == "raw" ? argv[2] : argv[1];
    printf("%s %dx%dx%d libmaxflow %.0f + %.0f ms\n", name, v.width, v.height, v.depth, expected.build, expected.solve);
    tilecut_volume_arrays arrays = {};
    arrays.width = v.width, arrays.height = v.height, arrays.depth = v.depth;
    arrays.source = v.source.data(), arrays.sink = v.sink.data();
    for (int k = 0; k < 3; k++) arrays.to[k] = arrays.from[k] = v.to[k].data();
    bool same = true;
    for (int i = next; i < argc || i == next; i++)
        for (int round = 0; round < 2; round++)
            same = compare(arrays, i < argc ? argv[i] : nullptr, expected, round == 1) && same;
    return same ? 0 : 1;
}
