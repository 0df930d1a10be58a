/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_depth_one.c - an image is a volume of depth one. Random images of 8 and 16 bits, grey and in colour, are cut as
 * images, whole and in parts, and as volumes of one slice: with every colour model and solver, 4 against 6 and 8
 * against 26 neighbours, 1 to 4 threads, with and without the spatial term, iterations and islands. Masks, flow, cut,
 * energy, quantum and beta must be equal bit for bit. test_device_parts.cpp repeats this for a device. DEPTH_ONE_CASES
 * is the number of cases, by default 500; DEPTH_ONE_SEED is the first seed. With DEPTH_ONE_GPU in the environment,
 * solvers that need a GPU are tried, too.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "part_pieces.h"
#include "random_graph.h"
#include "run_suite.h"
#include "solver.h"
#include "tilecut_parts.h"
#include "tilecut_volume.h"

enum { MOST_SIDE = 70 };

typedef struct plane {
    int width, height, depth, channels;
    uint8_t *seeds;
    void *pixels;
    tilecut_params params; /* the parameters for cutting the image */
    tilecut_volume volume;
    tilecut_image image;
} plane;

/* Draws one channel: a blob on a sloping background with noise, so that small and large contrasts occur. */
static void draw_channel(plane *p, int channel, uint64_t *state)
{
    const int levels = p->depth == 8 ? 256 : 65536, noise = 1 + random_below(state, levels / 3);
    const int x0 = random_below(state, p->width), y0 = random_below(state, p->height), r = 2 + random_below(state, 25);
    const int step = random_below(state, levels / 2);
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            const int i = (y * p->width + x) * p->channels + channel, far = (x - x0) * (x - x0) + (y - y0) * (y - y0);
            const int inside = far < r * r;
            int level = levels / 4 + inside * step + x * levels / (8 * MOST_SIDE) + random_below(state, noise);
            level = level < levels ? level : levels - 1;
            if (p->depth == 8) ((uint8_t *)p->pixels)[i] = (uint8_t)level;
            else ((uint16_t *)p->pixels)[i] = (uint16_t)level;
        }
}

static void draw_seeds(plane *p, uint64_t *state)
{
    const int pixels = p->width * p->height, strokes = 2 + random_below(state, 8);
    for (int k = 0; k < strokes; k++) {
        const int x = random_below(state, p->width), y = random_below(state, p->height);
        const int label = k < 2 ? 1 + k : random_below(state, 4), length = 1 + random_below(state, 20);
        for (int j = 0; j < length && x + j < p->width; j++) p->seeds[y * p->width + x + j] = (uint8_t)label;
    }
    /* Both classes occur, and the seeds have no box: pixels marked outside become background, as in volumes. */
    for (int i = 0; i < pixels; i++)
        if (p->seeds[i] == TILECUT_OUTSIDE) p->seeds[i] = TILECUT_BACKGROUND;
    p->seeds[0] = TILECUT_FOREGROUND, p->seeds[pixels - 1] = TILECUT_BACKGROUND;
}

static void draw(plane *p, uint64_t seed)
{
    static const double lambdas[] = {5, 12.5, 50, 100, 200};
    static const char *const models[] = {"gmm", "hist", "none"};
    uint64_t state = seed;
    *p = (plane){.width = 2 + random_below(&state, MOST_SIDE - 2), .height = 5 + random_below(&state, MOST_SIDE - 5),
                 .depth = random_below(&state, 2) ? 16 : 8, .channels = random_below(&state, 2) ? 3 : 1};
    const size_t pixels = (size_t)p->width * (size_t)p->height;
    p->pixels = malloc(pixels * (size_t)p->channels * sizeof(uint16_t));
    p->seeds = calloc(pixels, 1);
    ck_assert(p->pixels && p->seeds);
    for (int channel = 0; channel < p->channels; channel++) draw_channel(p, channel, &state);
    draw_seeds(p, &state);
    p->params = tilecut_params_default();
    p->params.lambda = lambdas[random_below(&state, 5)];
    p->params.colors = models[random_below(&state, 3)];
    p->params.sigma = random_below(&state, 4) ? 0 : 1 + random_below(&state, 40);
    p->params.connectivity = random_below(&state, 2) ? 8 : 4;
    p->params.soft_seeds = !random_below(&state, 8);
    p->params.threads = 1 + random_below(&state, 4);
    p->params.spatial = random_below(&state, 2) ? 0 : random_below(&state, 2) ? TILECUT_NONE : 5;
    p->params.iterations = random_below(&state, 2) ? TILECUT_NONE : random_below(&state, 3);
    p->params.islands = random_below(&state, 2);
    if (!random_below(&state, 4)) p->params.lambda = 0;
    p->image = (tilecut_image){.width = p->width, .height = p->height, .channels = p->channels, .depth = p->depth,
                               .pixels = p->pixels};
    p->volume = (tilecut_volume){.size = sizeof p->volume, .width = p->width, .height = p->height, .depth = 1,
                                 .voxels = p->pixels, .channels = p->channels,
                                 .type = p->depth == 8 ? TILECUT_VOXEL_U8 : TILECUT_VOXEL_U16};
    if (p->depth == 16) p->volume.high = 65535; /* the value that is shown as white */
}

static const char *differs(const tilecut_report *a, const tilecut_report *b)
{
    return a->flow != b->flow ? "flow" : a->cut != b->cut ? "cut" : a->energy != b->energy ? "energy" :
           a->quantum != b->quantum ? "quantum" : a->beta != b->beta ? "beta" : a->lambda != b->lambda ? "lambda" :
           a->foreground != b->foreground ? "foreground" : !a->certified || !b->certified ? "certificate" : NULL;
}

/* ---- Parts ------------------------------------------------------------------------------------- */

static void segment_piece(piece *part)
{
    const plane *const p = part->of;
    const size_t row = (size_t)p->width * (size_t)(p->channels * p->depth / 8);
    void *const pixels = piece_rows(part, p->pixels, row);
    uint8_t *const seeds = piece_rows(part, p->seeds, (size_t)p->width);
    tilecut_image some = p->image;
    tilecut_params own_params = p->params;
    some.pixels = pixels, some.height = part->rows;
    part->status = tilecut_part_segment(&part->part, &some, seeds, &own_params, part->mask, &part->report, &part->more);
    free(pixels);
    free(seeds);
}

/* Cuts a volume of one slice as one part. */
static void segment_slice(piece *part)
{
    const plane *const p = part->of;
    tilecut_params own_params = p->params;
    own_params.connectivity = own_params.connectivity == 8 ? 26 : 6;
    part->status = tilecut_part_volume_segment(&part->part, &p->volume, p->seeds, &own_params, part->mask,
                                               &part->report, &part->more);
}

static void check_parts(plane *p, uint64_t seed, const uint8_t *mask, const tilecut_report *report)
{
    const size_t pixels = (size_t)p->width * (size_t)p->height;
    const int parts = 1 + (int)(seed % 5);
    uint8_t *const all = malloc(pixels);
    piece pieces[MOST_PIECES];
    for (int volume = 0; volume < 2; volume++) {
        if (volume) pieces_cut(pieces, 1, 1, pixels, segment_slice, p, all, false);
        else pieces_cut(pieces, parts, p->height, (size_t)p->width, segment_piece, p, all, false);
        for (int k = 0; k < (volume ? 1 : parts); k++) {
            ck_assert_msg(pieces[k].status == TILECUT_OK, "case %d: %s", (int)seed, pieces[k].detail);
            const char *const what = differs(&pieces[k].report, report);
            ck_assert_msg(!what, "case %d, part %d of %s: another %s", (int)seed, k, volume ? "a volume" : "an image",
                          what);
        }
        ck_assert_msg(memcmp(all, mask, pixels) == 0, "case %d: another mask in parts", (int)seed);
    }
    free(all);
}

/* ---- Whole ------------------------------------------------------------------------------------- */

/* True if the solver (NULL: auto) can solve a lattice with so many neighbours here. */
static bool can_solve(const tc_solver *solver, int connectivity)
{
    static const struct { int connectivity; unsigned ability; } needed[] = {
        {4, 0}, {6, TC_SOLVES_6}, {8, TC_SOLVES_8}, {26, TC_SOLVES_26}};
    int k = 0;
    while (needed[k].connectivity != connectivity) k++;
    if (!solver) return true;
    if (solver->can & TC_ON_CUDA && !(getenv("DEPTH_ONE_GPU") && tilecut_cuda_devices() > 0)) return false;
    return (solver->can & needed[k].ability) == needed[k].ability;
}

/* Cuts by one solver, as an image or as a volume, and compares the answer with `mask` and its report. */
static void check_solver(const plane *p, uint64_t seed, const tc_solver *solver, bool volume, const uint8_t *mask,
                         const tilecut_report *report)
{
    const size_t pixels = (size_t)p->width * (size_t)p->height;
    tilecut_params params = p->params;
    tilecut_report other = {0};
    params.solver = solver ? solver->name : NULL;
    if (volume) params.connectivity = params.connectivity == 8 ? 26 : 6;
    if (!can_solve(solver, params.connectivity)) return;
    uint8_t *const second = malloc(pixels);
    const tilecut_status status = volume ? tilecut_volume_segment(&p->volume, p->seeds, &params, second, &other)
                                         : tilecut_segment(&p->image, p->seeds, &params, second, &other);
    ck_assert_msg(status == TILECUT_OK, "case %d: %s", (int)seed, tilecut_error_detail());
    const char *const what = differs(report, &other), *const of = volume ? "a volume" : "an image";
    ck_assert_msg(!what, "case %d, solver %s of %s: another %s", (int)seed, other.solver, of, what);
    ck_assert_msg(memcmp(mask, second, pixels) == 0, "case %d, solver %s of %s: another mask", (int)seed,
                  other.solver, of);
    free(second);
}

static void check_case(uint64_t seed)
{
    tilecut_report one = {0};
    plane p;
    draw(&p, seed);
    uint8_t *const mask = malloc((size_t)p.width * (size_t)p.height);
    ck_assert_msg(tilecut_segment(&p.image, p.seeds, &p.params, mask, &one) == TILECUT_OK, "case %d: %s", (int)seed,
                  tilecut_error_detail());
    for (int i = -1; i < 0 || tilecut_solver_name(i); i++)
        for (int volume = 0; volume < 2; volume++)
            check_solver(&p, seed, i < 0 ? NULL : &tc_solvers[i], volume, mask, &one);
    check_parts(&p, seed, mask, &one);
    free(mask);
    free(p.pixels);
    free(p.seeds);
}

/* The cases are split into shares, because Check cannot measure a test that takes longer than 35 minutes. */
#define SHARES 20

LOOP_TEST(an_image_is_a_volume_of_depth_one, 0, SHARES)
{
    const uint64_t count = number_from("DEPTH_ONE_CASES", RANDOM_CASES(500)), seed = number_from("DEPTH_ONE_SEED", 1);
    const uint64_t share = (uint64_t)_i;
    for (uint64_t i = count * share / SHARES; i < count * (share + 1) / SHARES; i++) check_case(seed + i);
}

int main(void) { return run_suite((test_suite){.name = "depth one", .seconds = 36000}); }
