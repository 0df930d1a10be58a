// SPDX-License-Identifier: MIT
//
// test_device_slabs.cpp - volumes in parts on devices, which are of software (host_calls.h): random capacities and
// scans in 1, 2, 3 and 5 parts have mask, flow and energy of `bk` in one part. Kernels, the host around them and
// src/parts are as they are on a GPU.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "part_pieces.h"
#include "random_graph.h"
#include "soft_stand_ins.h"

/* ---- A problem, and what one part says about it --------------------------------------------------- */

struct problem {
    int width = 0, height = 0, depth = 0;
    bool scan = false;
    std::vector<int32_t> capacity; /* [8][voxels]: source, sink, to, from */
    std::vector<char> voxels;
    int type = 0;
    size_t one = 1;                /* bytes of a voxel */
    std::vector<uint8_t> seeds, mask;
    tilecut_params params = tilecut_params_default();
    tilecut_report report = {};

    size_t slice() const { return (size_t)width * (size_t)height; }
    size_t count() const { return slice() * (size_t)depth; }
};

static tilecut_volume scan_of(const problem &p, const char *voxels, int depth)
{
    tilecut_volume v = {};
    v.width = p.width, v.height = p.height, v.depth = depth, v.type = p.type, v.voxels = voxels;
    v.spacing[0] = 1, v.spacing[1] = 1, v.spacing[2] = 1.5;
    return v;
}

static tilecut_volume_arrays arrays_of(const problem &p, const int32_t *capacity, int depth)
{
    const size_t n = p.slice() * (size_t)depth;
    tilecut_volume_arrays a = {};
    a.width = p.width, a.height = p.height, a.depth = depth, a.source = capacity, a.sink = capacity + n;
    for (size_t k = 0; k < 3; k++) a.to[k] = capacity + (2 + k) * n, a.from[k] = capacity + (5 + k) * n;
    return a;
}

static tilecut_status solve_whole(problem &p)
{
    tilecut_params params = p.params;
    params.solver = "bk";
    p.mask.resize(p.count());
    if (p.scan) {
        const tilecut_volume v = scan_of(p, p.voxels.data(), p.depth);
        return tilecut_volume_segment(&v, p.seeds.data(), &params, p.mask.data(), &p.report);
    }
    const tilecut_volume_arrays a = arrays_of(p, p.capacity.data(), p.depth);
    return tilecut_volume_solve(&a, &params, p.mask.data(), &p.report);
}

/* ---- The same in parts ---------------------------------------------------------------------------- */

/* Each part has a device of its own, or all have the same. */
struct cut_of {
    const problem *whole;
    int devices;
};

/* Capacities of some slices, copied: so reading beyond them is an error that sanitizers see. Links out of the rim are
 * nobody's here, but for those into own slices. */
static std::vector<int32_t> some_capacities(const problem &p, const tilecut_part &part, int from, int slices)
{
    std::vector<int32_t> some;
    const size_t slice = p.slice();
    for (size_t k = 0; k < 8; k++)
        for (int z = from; z < from + slices; z++) {
            const bool behind = z >= part.first + part.rows, beside = behind || (z < part.first && k != 4 && k != 7);
            const int32_t *const here = &p.capacity[k * p.count() + (size_t)z * slice];
            for (size_t i = 0; i < slice; i++) some.push_back(beside && k >= 2 ? -5 : here[i]);
        }
    return some;
}

static void cut_piece(piece *p)
{
    const cut_of &job = *(const cut_of *)p->of;
    const problem &whole = *job.whole;
    const size_t above = (size_t)(p->part.first - p->from) * p->row, own = (size_t)p->part.rows * p->row;
    const size_t n = (size_t)p->rows * p->row, first = (size_t)p->from * p->row;
    tilecut_params params = whole.params;
    params.solver = "cuda", params.device = p->number % job.devices;
    if (whole.scan) {
        const char *const at = &whole.voxels[first * whole.one];
        const std::vector<char> voxels(at, at + n * whole.one);
        std::vector<uint8_t> seeds(n, 77); /* in the rim no labels at all */
        std::copy_n(&whole.seeds[first + above], own, &seeds[above]);
        const tilecut_volume v = scan_of(whole, voxels.data(), p->rows);
        p->status = tilecut_part_volume_segment(&p->part, &v, seeds.data(), &params, p->mask, &p->report, &p->more);
    } else {
        const std::vector<int32_t> some = some_capacities(whole, p->part, p->from, p->rows);
        const tilecut_volume_arrays a = arrays_of(whole, some.data(), p->rows);
        p->status = tilecut_part_volume_solve(&p->part, &a, &params, p->mask, &p->report, &p->more);
    }
}

static void cut_all(const problem &p, int parts, int devices, bool by_host, uint8_t *mask, piece *pieces)
{
    const cut_of job = {&p, devices};
    pieces_cut(pieces, parts, p.depth, p.slice(), cut_piece, &job, mask, by_host);
}

static long waves = 0;

/* What is wrong with the answer of `parts` parts; NULL if nothing is. Rows go from device to device, or by the host. */
static const char *try_parts(const problem &p, int parts, int devices, bool by_host)
{
    static piece pieces[MOST_PIECES];
    std::vector<uint8_t> mask(p.count());
    cut_all(p, parts, devices, by_host, mask.data(), pieces);
    const char *const why = pieces_differ_on_device(pieces, parts, &p.report);
    if (why) return why;
    for (int i = 0; i < parts; i++) {
        if (strcmp(pieces[i].report.solver, "cuda")) return "another solver";
        if ((pieces[i].more.direct > 0) != (parts > 1 && !by_host)) return "rows went another way";
    }
    waves += pieces[0].more.waves;
    return mask == p.mask ? NULL : "another mask";
}

/* ---- Drawn -------------------------------------------------------------------------------------- */

/* Up to two tiles across, or down. */
static void draw_size(problem &p, uint64_t *state, uint64_t seed)
{
    const int wide = 3 + random_below(state, 45), narrow = 3 + random_below(state, 20);
    p.width = seed % 2 ? wide : narrow, p.height = seed % 2 ? narrow : wide, p.depth = 5 + random_below(state, 4);
}

/* Few terminals and weak links here and there, so that flow has to cross borders. */
static void draw_capacities(problem &p, uint64_t seed)
{
    uint64_t state = seed;
    draw_size(p, &state, seed);
    const int rare = 1 + random_below(&state, seed % 3 ? 400 : 9), shut = random_below(&state, 3);
    const int most = 1 + random_below(&state, 40);
    for (size_t i = 0; i < 8 * p.count(); i++) {
        const bool terminal = i < 2 * p.count();
        const bool none = random_below(&state, terminal ? rare : 1 + shut) != 0;
        p.capacity.push_back(none ? 0 : random_below(&state, (terminal ? rare + 1 : 1) * most));
    }
    /* Foreground in the first slice alone and background in the last one: all flow crosses all borders. */
    for (size_t i = 0; seed % 4 == 1 && i < 2 * p.count(); i++) {
        const size_t at = i % p.count();
        const bool source = i < p.count(), ends = source ? at < p.slice() : at >= p.count() - p.slice();
        p.capacity[i] = ends ? p.capacity[i] + most : 0;
    }
}

static void put_value(char *at, int type, int value)
{
    const uint8_t byte = (uint8_t)value;
    const int16_t word = (int16_t)(value * 9 - 1000);
    const uint16_t plus = (uint16_t)(value * 7);
    const float real = (float)value * 0.37f - 40;
    if (type == TILECUT_VOXEL_U8) memcpy(at, &byte, 1);
    if (type == TILECUT_VOXEL_U16) memcpy(at, &plus, 2);
    if (type == TILECUT_VOXEL_I16) memcpy(at, &word, 2);
    if (type == TILECUT_VOXEL_F32) memcpy(at, &real, 4);
}

/* A ball, brighter from slice to slice, so that parts have ranges and colours of their own. */
static void draw_scan(problem &p, uint64_t seed)
{
    static const size_t bytes[] = {1, 2, 2, 4};
    static const char *const colors[] = {"gmm", "hist", "none"};
    uint64_t state = seed;
    p.scan = true, p.type = (int)(seed % 4), p.one = bytes[p.type];
    draw_size(p, &state, seed);
    p.params.colors = colors[seed / 2 % 3], p.params.lambda = 1 + random_below(&state, 60);
    p.params.sigma = seed % 5 ? 0 : 9, p.params.soft_seeds = seed % 7 == 3;
    p.voxels.resize(p.count() * p.one), p.seeds.assign(p.count(), TILECUT_UNKNOWN);
    const int in = 20 + random_below(&state, 60), noise = 5 + random_below(&state, 50);
    for (size_t i = 0; i < p.count(); i++) {
        const int x = (int)(i % (size_t)p.width) - p.width / 2;
        const int y = (int)(i / (size_t)p.width) % p.height - p.height / 2;
        const int z = (int)(i / p.slice()), ball = x * x + y * y + 4 * (z - p.depth / 2) * (z - p.depth / 2);
        const bool inside = ball < p.width * p.height / 9;
        put_value(&p.voxels[i * p.one], p.type, 40 + 3 * z + (inside ? in : 0) + random_below(&state, noise));
        if (inside && random_below(&state, 9) == 0 && z > p.depth / 2) p.seeds[i] = TILECUT_FOREGROUND;
        if (!inside && random_below(&state, 60) == 0 && z < 2) p.seeds[i] = 2 + (uint8_t)random_below(&state, 2);
    }
    p.seeds[p.count() - 1] = TILECUT_FOREGROUND, p.seeds[0] = TILECUT_BACKGROUND;
}

/* ---- Refusals ----------------------------------------------------------------------------------- */

/* What one part of several refuses, as a host does: a voxel that is no number, seeds of one class alone. */
static const char *try_refusals(void)
{
    problem p;
    draw_scan(p, 3);
    for (int k = 0; k < 3; k++) {
        problem bad = p;
        const float none = NAN;
        const size_t at = p.count() - p.slice() - 1;
        if (k == 0) memcpy(&bad.voxels[at * p.one], &none, sizeof none);
        for (uint8_t &seed : bad.seeds)
            if (k == 1 && seed == TILECUT_FOREGROUND) seed = TILECUT_UNKNOWN;
        if (k == 2) bad.seeds[at] = 9;
        std::vector<uint8_t> mask(p.count());
        piece pieces[MOST_PIECES];
        if (solve_whole(bad) == TILECUT_OK) return "one part takes it";
        const std::string expected = tilecut_error_detail();
        bool said = false;
        cut_all(bad, 3, 3, false, mask.data(), pieces);
        for (int i = 0; i < 3; i++) {
            if (pieces[i].status == TILECUT_OK) return "a part takes what one part refuses";
            said |= expected == pieces[i].detail;
        }
        if (!said) return "it is refused for another reason";
    }
    return "";
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 2, 3, 5};
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 4;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int tried = 0, failed = 0;
    const char *const refused = try_refusals();
    if (*refused) failed++, printf("%s\n", refused);
    for (uint64_t seed = first; seed < first + count; seed++)
        for (int scan = 0; scan < 2; scan++) {
            problem p;
            if (scan) draw_scan(p, seed);
            else draw_capacities(p, seed);
            const bool solved = solve_whole(p) == TILECUT_OK;
            if (!solved) failed++, printf("seed %d, scan %d: %s\n", (int)seed, scan, tilecut_error_detail());
            for (int parts : counts) {
                const bool fits = scan && !strcmp(p.params.colors, "gmm"); /* which takes fibers seconds */
                if (!solved || parts > p.depth || (fits && parts != 3)) continue;
                const char *const why = try_parts(p, parts, seed % 2 ? parts : 2, (seed + (uint64_t)parts) % 2);
                tried++;
                failed += why != NULL;
                if (why)
                    printf("seed %llu, %s of %dx%dx%d in %d parts: %s\n", (unsigned long long)seed,
                           scan ? "scan" : "capacities", p.width, p.height, p.depth, parts, why);
            }
        }
    printf("%d volumes in parts on devices in software, in %ld waves, %d wrong\n", tried, waves, failed);
    return failed || !waves ? 1 : 0;
}
