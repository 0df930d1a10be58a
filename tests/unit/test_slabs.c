/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_slabs.c - one volume cut by several threads, each with some of its slices. Mask, flow and energy must equal
 * those of `bk` in one part. SLABS_CASES is the number of random volumes, by default 24; SLABS_SEED is the first seed.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "part_scene.h"
#include "run_suite.h"
#include "tilecut_parts.h"

enum { ENOUGH = 8 }; /* among this many random cases, some must need waves */
static const int counts[] = {1, 2, 3, 5, 8};
static const char *const solvers[] = {NULL, "bk", "cascade", "push"};

/* The number of cuts in a test that needed waves, because flow crossed a border. */
static int waves_met;

/* Compares every number of parts that leaves each part a slice. */
static void check_scene(const part_scene *s, const uint8_t *mask, const tilecut_report *report, unsigned long seed)
{
    static piece pieces[MOST_PIECES];
    for (size_t i = 0; i < sizeof counts / sizeof *counts && counts[i] <= part_scene_rows(s); i++) {
        const char *const why = part_scene_try(s, counts[i], mask, report, pieces);
        ck_assert_msg(!why, "volume %lu in %d parts: %s", seed, counts[i], why);
        waves_met += pieces[0].more.waves > 0;
    }
}

/* Cuts the scene in one part with `bk` on one thread, and in several parts. */
static void check(part_scene *s, tilecut_report *report, unsigned long seed)
{
    uint8_t *const mask = malloc(part_scene_pixels(s));
    const int threads = s->params.threads;
    s->params.threads = 1;
    ck_assert_msg(part_scene_solve(s, "bk", mask, report) == TILECUT_OK, "volume %lu: %s", seed,
                  tilecut_error_detail());
    s->params.threads = threads;
    check_scene(s, mask, report, seed);
    free(mask);
}

/* ---- Capacities ------------------------------------------------------------------------------- */

/* Draws links along all axes, most of them open, and few terminals. These may lie in a few slices only, so that flow
 * has to cross many parts. */
static int32_t *draw_arrays(uint64_t *state, tilecut_volume_arrays *a)
{
    const size_t n = (size_t)a->width * (size_t)a->height * (size_t)a->depth;
    const int most = 1 + random_below(state, 60), rare = 1 + random_below(state, 20), shut = random_below(state, 4);
    const int apart = random_below(state, 3); /* if 0, sources lie only in front and sinks only behind */
    int32_t *const all = malloc(8 * n * sizeof *all);
    for (size_t i = 0; i < 8 * n; i++) {
        const bool terminal = i < 2 * n, in_front = i % n < n / 3;
        const int chances = terminal ? rare : 1 + shut, below = (terminal ? 5 : 1) * most + 1;
        all[i] = random_below(state, chances) ? 0 : random_below(state, below);
        if (terminal && !apart && (i < n) != in_front) all[i] = 0;
    }
    a->source = all, a->sink = all + n;
    const bool both = random_below(state, 2);
    for (size_t k = 0; k < 3; k++) {
        a->to[k] = all + (2 + k) * n;
        a->from[k] = both ? all + (5 + k) * n : NULL;
    }
    return all;
}

static void check_arrays(unsigned long seed)
{
    uint64_t state = seed;
    tilecut_volume_arrays a = {.width = random_side(&state), .height = random_side(&state),
                               .depth = 1 + random_below(&state, random_below(&state, 4) ? 12 : 80)};
    int32_t *const all = draw_arrays(&state, &a);
    part_scene scene = {.slices = &a, .params = {.solver = solvers[seed % 4], .threads = 1 + (int)(seed / 4 % 3)}};
    tilecut_report report = {0};
    check(&scene, &report, seed);
    free(all);
}

/* The first seed: SLABS_SEED, or else the clock. A failure names the seed of its case; with SLABS_SEED set to it, that
 * case is the first. */
static unsigned long first_seed(void) { return number_from("SLABS_SEED", (uint64_t)time(NULL)); }
static unsigned long cases(void) { return number_from("SLABS_CASES", RANDOM_CASES(24)); }

TEST(random_volumes_have_one_answer_in_any_number_of_parts)
{
    const unsigned long first = first_seed(), many = cases();
    printf("test_slabs: seed %lu\n", first);
    fflush(stdout);
    waves_met = 0;
    for (unsigned long i = 0; i < many; i++) check_arrays(first + i);
    ck_assert_msg(waves_met > 0 || many < ENOUGH, "no volume from %lu on had flow over a border", first);
}

/* ---- How it is cut ---------------------------------------------------------------------------- */

enum { TALL = 4, LONG = 32 }; /* rows and slices of the volumes below */

/* Cuts a volume with two groups of sources ("springs") in slice z0, at voxels x .. x + 7 of each row, with sinks beside
 * them in slice z1, and links of capacity 3. If `dry` is 0 or 1, that spring has little capacity and all of the sinks.
 * Cuts in `parts` parts and returns the flow. */
static int64_t cut_springs(int width, const int springs[2], int dry, int z0, int z1, int parts,
                           piece pieces[MOST_PIECES])
{
    const size_t slice = (size_t)width * TALL, n = slice * LONG;
    int32_t *const all = calloc(3 * n, sizeof *all);
    uint8_t *const mask = malloc(n);
    const tilecut_volume_arrays a = {.width = width, .height = TALL, .depth = LONG, .source = all, .sink = all + n,
                                     .to = {all + 2 * n, all + 2 * n, all + 2 * n}};
    const part_scene scene = {.slices = &a, .params = {.threads = 1}};
    tilecut_report report = {0};
    for (size_t i = 0; i < n; i++) all[2 * n + i] = 3;
    for (int i = 0; i < 2 * TALL * 8; i++) {
        const size_t at = (size_t)(i / 16) * (size_t)width + (size_t)(springs[i % 2] + i / 2 % 8);
        all[(size_t)z0 * slice + at] = i % 2 == dry ? 1 : 20;
        all[n + (size_t)z1 * slice + at] = dry < 0 ? 2 : i % 2 == dry ? 100 : 0;
    }
    ck_assert_int_eq(part_scene_solve(&scene, "bk", mask, &report), TILECUT_OK);
    ck_assert_ptr_null(part_scene_try(&scene, parts, mask, &report, pieces));
    free(all);
    free(mask);
    return report.flow;
}

/* Parts in memory are joined by strips: one strip along each border over which excess must move, and no wave. A strip
 * has only the columns of tiles near the springs. */
TEST(what_is_near_a_border_is_moved_in_a_strip)
{
    static piece pieces[MOST_PIECES];
    ck_assert_int_eq(cut_springs(1024, (int[]){100, 800}, -1, 9, 12, 3, pieces), 2 * 8 * TALL * 2);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(pieces[i].more.waves, 0);
        ck_assert_int_eq(pieces[i].more.solves, i == 0 ? 2 : 1); /* part 0 solves its own slices and the strip */
    }
    /* part 1 sends less than the slices would have without being cut to the columns of the springs */
    ck_assert(pieces[1].more.sent > 0 && pieces[1].more.sent < 28 * 1024 * TALL * 5);
}

/* Columns that are side by side in a strip need not be neighbours in the volume. */
TEST(columns_that_are_no_neighbours_do_not_touch)
{
    static piece pieces[MOST_PIECES];
    for (int dry = 0; dry < 2; dry++) ck_assert_int_gt(cut_springs(400, (int[]){40, 340}, dry, 9, 12, 3, pieces), 0);
}

/* With parts of one slice, excess from the middle would cross the borders many times on its way to both ends. After
 * some waves the first part solves the whole volume. */
TEST(what_is_flat_is_solved_in_one_part)
{
    enum { FAR = 800, SLICES = 5, ALL = FAR * SLICES };
    static piece pieces[MOST_PIECES];
    static int32_t source[ALL], sink[ALL], link[ALL];
    static uint8_t mask[ALL];
    const tilecut_volume_arrays a = {.width = FAR, .height = 1, .depth = SLICES, .source = source, .sink = sink,
                                     .to = {link, link, link}};
    const part_scene scene = {.slices = &a, .params = {.solver = "push"}};
    tilecut_report report = {0};
    uint64_t state = 3;
    for (int i = 0; i < ALL; i++) link[i] = 1 + (random_below(&state, 4096) >> random_below(&state, 10));
    source[ALL / 2] = 100000;
    sink[0] = sink[ALL - 1] = 100000;
    ck_assert_int_eq(part_scene_solve(&scene, "bk", mask, &report), TILECUT_OK);
    ck_assert_ptr_null(part_scene_try(&scene, SLICES, mask, &report, pieces));
    ck_assert_int_eq(pieces[0].more.waves, 16);
}

/* Parts kept in files have no strips. One wave carries flow through all parts, and each part learns that some has
 * arrived. */
TEST(one_wave_goes_through_all_parts)
{
    static piece pieces[MOST_PIECES];
    ck_assert_int_eq(cut_springs(40, (int[]){3, 25}, -1, 0, LONG - 1, 8, pieces), 2 * 8 * TALL * 2);
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(pieces[i].more.waves, 1);
        /* one solve for its own slices, one to send flow to the part behind it, and in the last part one to the
         * sinks */
        ck_assert_int_le(pieces[i].more.solves, 3);
    }
}

/* ---- Voxels ----------------------------------------------------------------------------------- */

/* Stores a voxel of slice z. Types wider than 8 bits become brighter from slice to slice, so that no part has both the
 * least and the greatest value. */
static void put_voxel(int type, void *voxels, int i, int grey, int z)
{
    if (type == TILECUT_VOXEL_U8) ((uint8_t *)voxels)[i] = (uint8_t)grey;
    else if (type == TILECUT_VOXEL_I16) ((int16_t *)voxels)[i] = (int16_t)(grey * 37 - 5000 + z);
    else if (type == TILECUT_VOXEL_U16) ((uint16_t *)voxels)[i] = (uint16_t)(grey * 201 + 7 * z);
    else ((float *)voxels)[i] = (float)grey * 0.37f + (float)z * 20.25f - 100;
}

/* Draws a bright ball with noise, in whole numbers or not. Foreground seeds lie in one slice; background seeds lie in
 * another slice or along an edge of the volume. Some volumes are in colour. `voxels` has room for six bytes each. */
static void draw_voxels(uint64_t *state, tilecut_volume *v, void *voxels, uint8_t *seeds)
{
    static const int types[] = {TILECUT_VOXEL_U8, TILECUT_VOXEL_I16, TILECUT_VOXEL_F32, TILECUT_VOXEL_U8,
                                TILECUT_VOXEL_U16};
    const int kind = random_below(state, 5);
    const int x0 = random_below(state, v->width), y0 = random_below(state, v->height);
    const int z0 = random_below(state, v->depth);
    const int radius = 2 + random_below(state, 12), noise = 1 + random_below(state, 90);
    const int slice = v->width * v->height, count = slice * v->depth, far = random_below(state, v->depth);
    const bool edge = random_below(state, 2);
    v->type = types[kind], v->channels = kind < 3 ? 1 : 3, v->size = sizeof *v;
    v->voxels = voxels;
    for (int i = 0; i < count; i++) {
        const int x = i % v->width - x0, y = i / v->width % v->height - y0, z = i / slice - z0;
        const bool in = x * x + y * y + z * z < radius * radius;
        for (int c = 0; c < v->channels; c++)
            put_voxel(v->type, voxels, i * v->channels + c, (in ? 140 - 20 * c : 80) + random_below(state, noise),
                      i / slice);
        seeds[i] = z == 0 && in && random_below(state, 2) ? TILECUT_FOREGROUND : TILECUT_UNKNOWN;
        if (edge ? i % v->width == 0 : i / slice == far && !in) seeds[i] = TILECUT_BACKGROUND;
    }
    seeds[(z0 * v->height + y0) * v->width + x0] = TILECUT_FOREGROUND;
    if (count > 1) seeds[x0 + y0 + z0 ? 0 : count - 1] = TILECUT_OUTSIDE;
    if (random_below(state, 3) == 0) v->spacing[0] = 1, v->spacing[1] = 1.5, v->spacing[2] = 2.5;
    if (random_below(state, 4) == 0) v->low = 10, v->high = 200;
}

static void check_voxels(unsigned long seed)
{
    static const char *const models[] = {NULL, "gmm", "hist", "none"};
    uint64_t state = seed;
    tilecut_volume v = {.width = 2 + random_below(&state, 40), .height = 1 + random_below(&state, 40),
                        .depth = 1 + random_below(&state, 20)};
    const size_t voxels = (size_t)v.width * (size_t)v.height * (size_t)v.depth;
    float *const numbers = malloc(voxels * 3 * sizeof(uint16_t));
    uint8_t *const seeds = malloc(voxels);
    const bool wide = random_below(&state, 2);
    const tilecut_params params = {.colors = models[seed % 4], .solver = solvers[seed / 4 % (wide ? 2 : 4)],
                                   .connectivity = wide ? 26 : 6, .threads = 1 + (int)(seed % 2),
                                   .lambda = seed % 3 ? 0 : 9, .sigma = seed % 5 ? 0 : 12, .soft_seeds = seed % 7 == 0};
    draw_voxels(&state, &v, numbers, seeds);
    part_scene scene = {.voxels = &v, .seeds = seeds, .params = params};
    tilecut_report report = {0};
    check(&scene, &report, seed);
    ck_assert_int_eq(report.connectivity, params.connectivity);
    free(numbers);
    free(seeds);
}

TEST(scans_have_one_answer_in_any_number_of_parts)
{
    const unsigned long first = first_seed(), many = cases();
    printf("test_slabs: scans from seed %lu\n", first);
    fflush(stdout);
    waves_met = 0;
    for (unsigned long i = 0; i < many; i++) check_voxels(first + i);
    ck_assert_msg(waves_met > 0 || many < ENOUGH, "no scan from %lu on had flow over a border", first);
}

/* The first part is dark, and each part is brighter than the one before, so no part has the range of the whole volume.
 * The call does not say which values are black and white. */
TEST(floats_whose_range_differs_from_part_to_part)
{
    enum { SIDE = 12, DEPTH = 15, SLICE = SIDE * SIDE, VOXELS = SLICE * DEPTH };
    static float grey[VOXELS];
    static uint8_t seeds[VOXELS];
    const tilecut_volume v = {.width = SIDE, .height = SIDE, .depth = DEPTH, .type = TILECUT_VOXEL_F32,
                              .voxels = grey};
    part_scene scene = {.voxels = &v, .seeds = seeds};
    tilecut_report report = {0};
    uint64_t state = 7;
    for (int i = 0; i < VOXELS; i++) {
        const int x = i % SIDE - 6, y = i / SIDE % SIDE - 6;
        const bool in = x * x + y * y < 14;
        grey[i] = (float)(i / SLICE) * 40 + (in ? 9.5f : 0) + (float)random_below(&state, 100) / 50;
        if (i / SLICE == 7) seeds[i] = in ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
    waves_met = 0;
    check(&scene, &report, 0);
    ck_assert(report.foreground > 0 && report.foreground < VOXELS);
    ck_assert_int_ge(waves_met, 1); /* only one part has seeds, so the flow of the others has to cross borders */
}

static int other;     /* number of the part with the wrong input */
static int32_t value; /* the value to put into its first capacity */

static void put_connectivity(int part, tilecut_params *params, uint8_t *seeds, int32_t *source)
{
    (void)seeds, (void)source;
    if (part == other) params->connectivity = 26;
}

static void put_capacity(int part, tilecut_params *params, uint8_t *seeds, int32_t *source)
{
    (void)params, (void)seeds;
    if (part == other) source[0] = value;
}

/* If no part has seeds of a class, all parts fail. Seeds in the first and the last part are enough for all. */
TEST(what_one_part_alone_knows_is_told_to_all)
{
    enum { SIDE = 6, VOXELS = SIDE * SIDE * SIDE };
    static uint8_t grey[VOXELS], seeds[VOXELS], mask[VOXELS];
    const tilecut_volume v = {.width = SIDE, .height = SIDE, .depth = SIDE, .voxels = grey};
    part_scene scene = {.voxels = &v, .seeds = seeds};
    piece pieces[MOST_PIECES];
    seeds[VOXELS - 1] = TILECUT_FOREGROUND;
    part_scene_cut(&scene, 3, mask, pieces);
    for (int i = 0; i < 3; i++) ck_assert_int_eq(pieces[i].status, TILECUT_ESEEDS);
    seeds[0] = TILECUT_BACKGROUND;
    part_scene_cut(&scene, 3, mask, pieces);
    for (int i = 0; i < 3; i++) ck_assert_int_eq(pieces[i].status, TILECUT_OK);
    scene.spoil = put_connectivity, other = 2;
    part_scene_cut(&scene, 3, mask, pieces);
    for (int i = 0; i < 3; i++)
        ck_assert_str_eq(pieces[i].detail, "the parameters of part 2 differ from those of part 0");
}

/* ---- What is refused -------------------------------------------------------------------------- */

/* Refuses parts whose first slice differs from the halo of the part before, capacities that are too large, and solvers
 * and neighbourhoods that parts do not support. */
TEST(parts_that_do_not_fit_are_refused)
{
    uint64_t state = 4;
    tilecut_volume_arrays a = {.width = 9, .height = 5, .depth = 9};
    int32_t *const all = draw_arrays(&state, &a);
    uint8_t mask[9 * 5 * 9];
    part_scene scene = {.slices = &a, .spoil = put_capacity};
    piece pieces[MOST_PIECES];
    other = 1, value = 12345;
    part_scene_cut(&scene, 3, mask, pieces);
    for (int i = 0; i < 3; i++)
        ck_assert_str_eq(pieces[i].detail,
                         "parts of different volumes: a slice at a border is not what the part beside has");
    value = 1 << 24;
    other = 0;
    part_scene_cut(&scene, 3, mask, pieces);
    ck_assert_int_eq(pieces[0].status, TILECUT_ERANGE);
    ck_assert_msg(strstr(pieces[0].detail, "capacities at voxel 0,0,0 ") != NULL, "%s", pieces[0].detail);
    ck_assert(pieces[1].status == TILECUT_ECANCELLED && pieces[2].status == TILECUT_ECANCELLED);
    scene.spoil = NULL;
    scene.params.connectivity = 26;
    part_scene_cut(&scene, 2, mask, pieces);
    ck_assert_str_eq(pieces[1].detail, "connectivity is 26; volumes from arrays have 6 neighbours");
    scene.params.connectivity = 0, scene.params.solver = "hybrid";
    part_scene_cut(&scene, 2, mask, pieces);
    ck_assert_str_eq(pieces[1].detail,
                     "solver 'hybrid' does not cut in parts; of those on a device, 'cuda' does");
    if (tilecut_cuda_devices() == 0) {
        scene.params.solver = "cuda";
        part_scene_cut(&scene, 2, mask, pieces);
        ck_assert_int_eq(pieces[0].status == TILECUT_ECANCELLED ? pieces[1].status : pieces[0].status,
                         TILECUT_ENODEVICE);
    }
    for (size_t i = 0; i < sizeof mask; i++) ck_assert_int_eq(mask[i], 99);
    free(all);
}

int main(void) { return run_suite((test_suite){.name = "slabs", .seconds = 3600}); }
