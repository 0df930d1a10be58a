// SPDX-License-Identifier: MIT
//
// test_device_parts.cpp - images in parts on devices, which are of software (host_calls.h): random graphs and pictures
// in 1, 2, 3 and 5 parts have mask, flow and energy of `bk` in one part. The part's kernels, their host's side, and all
// of src/parts are as they are on a GPU.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "part_pieces.h"
#include "random_graph.h"
#include "soft_stand_ins.h"

/* ---- A problem, and what one part says about it --------------------------------------------------- */

struct problem {
    int width = 0, height = 0, channels = 0; /* channels: 0 for a graph */
    random_graph graph = {};
    std::vector<uint8_t> pixels, seeds, mask;
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {};
};

static tilecut_image image_of(const problem &p, int first, int rows)
{
    tilecut_image image = {};
    image.width = p.width, image.height = rows, image.channels = p.channels, image.depth = 8;
    image.pixels = p.pixels.data() + (size_t)first * (size_t)(p.width * p.channels);
    return image;
}

static tilecut_status solve_whole(problem &p)
{
    tilecut_params params = p.params;
    params.solver = "bk";
    p.mask.resize((size_t)p.width * (size_t)p.height);
    if (p.channels) {
        const tilecut_image image = image_of(p, 0, p.height);
        return tilecut_segment(&image, p.seeds.data(), &params, p.mask.data(), &p.report);
    }
    tilecut_graph *graph = NULL;
    tilecut_status status = tilecut_graph_create(&graph, &p.graph.arrays);
    if (status == TILECUT_OK) status = tilecut_graph_solve(graph, &params, p.mask.data(), &p.report);
    tilecut_graph_destroy(graph);
    return status;
}

/* ---- The same in parts ---------------------------------------------------------------------------- */

/* Each part has a device of its own, or all have the same. */
struct cut_of {
    const problem *whole;
    int devices;
};

static void cut_piece(piece *p)
{
    const cut_of &job = *(const cut_of *)p->of;
    const problem &whole = *job.whole;
    tilecut_params params = whole.params;
    params.solver = "cuda", params.device = p->number % job.devices;
    if (whole.channels) {
        const tilecut_image image = image_of(whole, p->from, p->rows);
        p->status = tilecut_part_segment(&p->part, &image, whole.seeds.data() + (size_t)p->from * p->row, &params,
                                         p->mask, &p->report, &p->more);
    } else {
        const tilecut_arrays some = rows_of_arrays(&whole.graph.arrays, p->from, p->rows);
        p->status = tilecut_part_solve(&p->part, &some, &params, p->mask, &p->report, &p->more);
    }
}

static long waves = 0;

/* What is wrong with the answer of `parts` parts; NULL if nothing is. Rows go from device to device, or by the host. */
static const char *try_parts(const problem &p, int parts, int devices, bool by_host)
{
    static piece pieces[MOST_PIECES];
    const cut_of job = {&p, devices};
    std::vector<uint8_t> mask(p.mask.size());
    pieces_cut(pieces, parts, p.height, (size_t)p.width, cut_piece, &job, mask.data(), by_host);
    const char *const why = pieces_differ_on_device(pieces, parts, &p.report);
    if (why) return why;
    for (int i = 0; i < parts; i++)
        if ((pieces[i].more.direct > 0) != (parts > 1 && !by_host)) return "rows went another way";
    waves += pieces[0].more.waves;
    return mask == p.mask ? NULL : "another mask";
}

static void draw_graph(problem &p, uint64_t seed)
{
    random_graph_draw(&p.graph, seed, 70, seed % 8 ? 90 : 12);
    p.width = p.graph.arrays.width, p.height = p.graph.arrays.height;
}

/* Blobs with noise, a stroke on one of them, background along one edge, so that searches go all ways. */
static void draw_picture(problem &p, uint64_t seed)
{
    static const char *const models[] = {"gmm", "none", "hist", "gmm"};
    uint64_t state = seed;
    p.width = 30 + random_below(&state, 50), p.height = 40 + random_below(&state, 60), p.channels = seed % 2 ? 3 : 1;
    p.params.colors = models[seed % 4], p.params.connectivity = seed % 3 ? 4 : 8;
    p.params.iterations = seed % 5 ? 0 : 1, p.params.lambda = seed % 3 ? 50 : 8, p.params.soft_seeds = seed % 7 == 0;
    const int x0 = random_below(&state, p.width), y0 = random_below(&state, p.height), radius = 5 + p.width / 4;
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++) {
            const int dx = (x - x0) % (3 * radius), dy = (y - y0) % (4 * radius);
            const bool in = dx * dx + dy * dy < radius * radius, near = abs(x - x0) + abs(y - y0) < 6;
            for (int c = 0; c < p.channels; c++)
                p.pixels.push_back((uint8_t)((in ? 150 - 20 * c : 80 + 30 * c) + random_below(&state, 60)));
            const bool at[] = {x == 0, y == 0, y + 1 == p.height}, edge = at[seed % 3];
            p.seeds.push_back(near ? TILECUT_FOREGROUND : edge ? TILECUT_BACKGROUND : TILECUT_UNKNOWN);
        }
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 2, 3, 5};
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 4;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int tried = 0, failed = 0;
    for (uint64_t seed = first; seed < first + count; seed++)
        for (int picture = 0; picture < 2; picture++) {
            problem p;
            if (picture) draw_picture(p, seed);
            else draw_graph(p, seed);
            const bool solved = solve_whole(p) == TILECUT_OK;
            if (!solved) failed++, printf("seed %d, picture %d: %s\n", (int)seed, picture, tilecut_error_detail());
            for (int parts : counts) {
                if (!solved || parts > p.height) continue;
                const char *const why = try_parts(p, parts, seed % 2 ? parts : 2, (seed + (uint64_t)parts) % 2);
                tried++;
                failed += why != NULL;
                if (why)
                    printf("seed %llu, %s of %dx%d in %d parts: %s\n", (unsigned long long)seed,
                           picture ? "picture" : "graph", p.width, p.height, parts, why);
            }
            random_graph_free(&p.graph);
        }
    printf("%d cuts in parts on devices in software, in %ld waves, %d wrong\n", tried, waves, failed);
    return failed || !waves ? 1 : 0;
}
