/* SPDX-License-Identifier: MIT
 *
 * ladder_slabs.c - random volumes, from capacities and from voxels, in 1, 2, 3, 5 and 8 parts on all devices there are,
 * and on one: mask, flow, energy and model are those of `bk` in one part.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder.h"
#include "part_pieces.h"
#include "random_graph.h"

typedef struct problem {
    int width, height, depth;
    int32_t *capacity;        /* [8][voxels]; NULL: there are voxels */
    uint8_t *voxels;          /* of 8 bits, or of 16 */
    int type;
    uint8_t *seeds, *expected, *mask;
    tilecut_params params;
    tilecut_report report;    /* of one part */
    int devices;              /* to use      */
    bool by_host;             /* rows do not go from device to device */
} problem;

static size_t slice_of(const problem *p)
{
    return (size_t)p->width * (size_t)p->height;
}

static tilecut_volume_arrays arrays_of(const problem *p, int first, int slices)
{
    const size_t n = slice_of(p) * (size_t)p->depth, at = slice_of(p) * (size_t)first;
    tilecut_volume_arrays a = {.width = p->width, .height = p->height, .depth = slices, .source = p->capacity + at,
                               .sink = p->capacity + n + at};
    for (size_t k = 0; k < 3; k++) {
        a.to[k] = p->capacity + (2 + k) * n + at;
        a.from[k] = p->capacity + (5 + k) * n + at;
    }
    return a;
}

static tilecut_volume scan_of(const problem *p, int first, int slices)
{
    const size_t bytes = p->type == TILECUT_VOXEL_U8 ? 1 : 2;
    return (tilecut_volume){.width = p->width, .height = p->height, .depth = slices, .type = p->type,
                            .voxels = p->voxels + slice_of(p) * (size_t)first * bytes, .spacing = {1, 1, 1.5}};
}

/* ---- Parts -------------------------------------------------------------------------------------- */

static void cut_piece(piece *p)
{
    const problem *const whole = p->of;
    tilecut_params params = whole->params;
    params.solver = "cuda";
    params.device = p->number % whole->devices;
    if (whole->capacity) {
        const tilecut_volume_arrays some = arrays_of(whole, p->from, p->rows);
        p->status = tilecut_part_volume_solve(&p->part, &some, &params, p->mask, &p->report, &p->more);
    } else {
        const tilecut_volume some = scan_of(whole, p->from, p->rows);
        p->status = tilecut_part_volume_segment(&p->part, &some, whole->seeds + (size_t)p->from * p->row, &params,
                                                p->mask, &p->report, &p->more);
    }
}

/* What is wrong with the answer of so many parts; NULL: nothing. */
static const char *try_parts(const problem *p, int parts, int *waves)
{
    static piece pieces[MOST_PIECES];
    pieces_cut(pieces, parts, p->depth, slice_of(p), cut_piece, p, p->mask, p->by_host);
    const char *const why = pieces_differ_on_device(pieces, parts, &p->report);
    *waves += pieces[0].more.waves;
    if (why) return why;
    return memcmp(p->mask, p->expected, slice_of(p) * (size_t)p->depth) ? "another mask" : NULL;
}

static bool solve_whole(problem *p)
{
    tilecut_params params = p->params;
    params.solver = "bk";
    if (p->capacity) {
        const tilecut_volume_arrays a = arrays_of(p, 0, p->depth);
        return tilecut_volume_solve(&a, &params, p->expected, &p->report) == TILECUT_OK;
    }
    const tilecut_volume scan = scan_of(p, 0, p->depth);
    return tilecut_volume_segment(&scan, p->seeds, &params, p->expected, &p->report) == TILECUT_OK;
}

/* ---- Drawn -------------------------------------------------------------------------------------- */

/* Of each fourth one, sources are in the first slices and sinks in the last: all flow crosses all borders. */
static void draw_capacities(problem *p, uint64_t *state, uint64_t seed)
{
    const size_t n = slice_of(p) * (size_t)p->depth;
    const int rare = 1 + random_below(state, seed % 3 ? 400 : 9), shut = random_below(state, 3);
    const int most = 1 + random_below(state, 40);
    for (size_t i = 0; i < 8 * n; i++) {
        const size_t z = i % n / slice_of(p), depth = (size_t)p->depth;
        const bool terminal = i < 2 * n, ends = i < n ? z < depth / 8 + 1 : z + depth / 8 + 1 >= depth;
        const bool none = random_below(state, terminal ? rare : 1 + shut) != 0 || (terminal && seed % 4 == 1 && !ends);
        p->capacity[i] = none ? 0 : random_below(state, (terminal ? rare + 1 : 1) * most);
    }
}

/* A ball, brighter from slice to slice, so that parts have ranges and colours of their own. */
static void draw_scan(problem *p, uint64_t *state, uint64_t seed)
{
    static const char *const colors[] = {"gmm", "hist", "none"};
    const size_t n = slice_of(p) * (size_t)p->depth;
    const int in = 20 + random_below(state, 60), noise = 5 + random_below(state, 50);
    p->params.colors = colors[seed / 2 % 3], p->params.lambda = 1 + random_below(state, 60);
    p->params.sigma = seed % 5 ? 0 : 9, p->params.soft_seeds = seed % 7 == 3;
    for (size_t i = 0; i < n; i++) {
        const int x = (int)(i % (size_t)p->width) - p->width / 2;
        const int y = (int)(i / (size_t)p->width % (size_t)p->height) - p->height / 2;
        const int z = (int)(i / slice_of(p)), ball = x * x + y * y + 4 * (z - p->depth / 2) * (z - p->depth / 2);
        const bool inside = ball < p->width * p->height / 9;
        const int value = 40 + (inside ? in : 0) + random_below(state, noise) + z;
        if (p->type == TILECUT_VOXEL_U8) p->voxels[i] = (uint8_t)(value < 255 ? value : 255);
        else ((int16_t *)(void *)p->voxels)[i] = (int16_t)(value * 9 - 1000);
        if (inside && random_below(state, 9) == 0 && z > p->depth / 2) p->seeds[i] = TILECUT_FOREGROUND;
        if (!inside && random_below(state, 60) == 0 && z < 2) p->seeds[i] = TILECUT_BACKGROUND;
    }
    p->seeds[n - 1] = TILECUT_FOREGROUND, p->seeds[0] = TILECUT_BACKGROUND;
}

static bool draw(problem *p, uint64_t seed)
{
    uint64_t state = seed;
    p->params = tilecut_params_default();
    p->width = 1 + random_below(&state, 100), p->height = 1 + random_below(&state, 100);
    p->depth = 2 + random_below(&state, 40);
    const size_t n = slice_of(p) * (size_t)p->depth;
    if (seed % 2) p->capacity = malloc(8 * n * sizeof *p->capacity);
    p->type = seed % 4 ? TILECUT_VOXEL_I16 : TILECUT_VOXEL_U8;
    p->voxels = malloc(2 * n);
    p->seeds = calloc(3 * n, 1), p->expected = p->seeds + n, p->mask = p->expected + n;
    if (!p->voxels || !p->seeds || (seed % 2 && !p->capacity)) return false;
    if (p->capacity) draw_capacities(p, &state, seed);
    else draw_scan(p, &state, seed);
    return true;
}

int slab_answers(int count)
{
    static const int counts[] = {1, 2, 3, 5, 8};
    const size_t numbers = count < 10 ? 2 : sizeof counts / sizeof *counts; /* racecheck takes seconds for a cut */
    const int devices = tilecut_cuda_devices();
    int failures = 0, cuts = 0, waves = 0;
    for (int seed = 1; seed <= count; seed++) {
        problem p = {.devices = seed % 4 ? devices : 1, .by_host = seed % 5 == 0};
        const char *why = draw(&p, (uint64_t)seed) && solve_whole(&p) ? NULL : tilecut_error_detail();
        for (size_t k = 0; !why && k < numbers && counts[k] <= p.depth; k++) {
            why = try_parts(&p, counts[k], &waves);
            cuts++;
            if (why) printf("slabs: seed %d, %dx%dx%d in %d: %s\n", seed, p.width, p.height, p.depth, counts[k], why);
        }
        failures += why != NULL;
        free(p.capacity);
        free(p.voxels);
        free(p.seeds);
    }
    printf("slabs: %d cuts of volumes on %d device%s, %d waves, %d wrong\n", cuts, devices, devices == 1 ? "" : "s",
           waves, failures);
    return failures;
}
