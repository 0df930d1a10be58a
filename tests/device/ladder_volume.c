/* SPDX-License-Identifier: MIT
 *
 * ladder_volume.c - volumes on the device compared with the CPU: random capacities of irregular sizes, random scans of
 * every voxel type, in grey and in colour, colour model and spacing, and sessions on scans.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder.h"
#include "random_graph.h"
#include "tilecut_volume.h"

typedef struct drawn {
    tilecut_volume_arrays arrays;
    int32_t *memory;
    size_t voxels;
} drawn;

static bool draw_volume(drawn *d, uint64_t seed)
{
    static const int thin[][3] = {{1, 1, 1},    {1, 300, 3}, {300, 1, 2}, {33, 31, 7},  {32, 32, 40}, {31, 33, 5},
                                  {64, 64, 64}, {1, 1, 200}, {5, 6, 90},  {100, 97, 12}, {65, 40, 33}};
    uint64_t state = seed;
    const int *size = thin[seed / 2 % (sizeof thin / sizeof *thin)];
    const int drawn_size[3] = {1 + random_below(&state, 100), 1 + random_below(&state, 100),
                               1 + random_below(&state, 30)};
    const int most = 1 + random_below(&state, seed % 5 ? 40 : 100000), rare = 1 + random_below(&state, 20);
    const int shut = random_below(&state, 4);
    if (seed % 2) size = drawn_size;
    const size_t n = d->voxels = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    int32_t *const all = d->memory = malloc(8 * n * sizeof *all);
    if (!all) return false;
    for (size_t i = 0; i < 8 * n; i++) {
        const bool terminal = i < 2 * n;
        all[i] = random_below(&state, terminal ? rare : 1 + shut) ? 0 : random_below(&state, (terminal ? 4 : 1) * most);
    }
    d->arrays = (tilecut_volume_arrays){.width = size[0], .height = size[1], .depth = size[2], .source = all,
                                        .sink = all + n};
    for (int k = 0; k < TILECUT_VOLUME_LINKS; k++) {
        d->arrays.to[k] = all + (size_t)(2 + k) * n;
        d->arrays.from[k] = seed % 3 ? all + (size_t)(5 + k) * n : NULL;
    }
    return true;
}

static bool same_volume(uint64_t seed)
{
    tilecut_params params = tilecut_params_default();
    tilecut_report cpu = {0}, cuda = {0};
    drawn d;
    if (!draw_volume(&d, seed)) return false;
    uint8_t *const masks = malloc(2 * d.voxels);
    params.threads = 1;
    params.solver = seed % 4 ? "cascade" : "bk";
    bool same = masks && tilecut_volume_solve(&d.arrays, &params, masks, &cpu) == TILECUT_OK;
    params.solver = "cuda";
    same = same && tilecut_volume_solve(&d.arrays, &params, masks + d.voxels, &cuda) == TILECUT_OK;
    if (!same) printf("  %s\n", tilecut_error_detail());
    same = same && cpu.flow == cuda.flow && cuda.certified && memcmp(masks, masks + d.voxels, d.voxels) == 0;
    if (same && seed % 3 == 0) {
        params.solver = "hybrid";
        same = tilecut_volume_solve(&d.arrays, &params, masks + d.voxels, &cuda) == TILECUT_OK &&
               cpu.flow == cuda.flow && cuda.certified && memcmp(masks, masks + d.voxels, d.voxels) == 0;
    }
    if (!same)
        printf("DIFFERS volume, seed %llu, %dx%dx%d: flow %lld and %lld\n", (unsigned long long)seed, d.arrays.width,
               d.arrays.height, d.arrays.depth, (long long)cpu.flow, (long long)cuda.flow);
    free(masks);
    free(d.memory);
    return same;
}

/* ---- Scans ------------------------------------------------------------------------------------- */

typedef struct drawn_scan {
    tilecut_volume volume;
    char *voxels;
    uint8_t *seeds, *masks; /* masks: room for two */
    size_t count;
} drawn_scan;

static void put_voxel(char *at, int type, int value)
{
    if (type == TILECUT_VOXEL_U8) *(uint8_t *)at = (uint8_t)value;
    if (type == TILECUT_VOXEL_U16) *(uint16_t *)(void *)at = (uint16_t)(value * 7);
    if (type == TILECUT_VOXEL_I16) *(int16_t *)(void *)at = (int16_t)(value * 9 - 1000);
    if (type == TILECUT_VOXEL_F32) *(float *)(void *)at = (float)value * 0.37f - 40;
}

/* Draws a scan, every second one in colour. Rows and slices may have gaps, and the range may be given. */
static bool draw_scan(drawn_scan *d, uint64_t seed)
{
    static const size_t bytes[] = {1, 2, 2, 4};
    uint64_t state = seed;
    const bool color = seed / 4 % 2;
    const int samples = color ? 3 : 1;
    tilecut_volume *const v = &d->volume;
    *v = (tilecut_volume){.width = 1 + random_below(&state, 90), .height = 1 + random_below(&state, 90),
                          .depth = 2 + random_below(&state, 40), .type = (int)(seed % (color ? 2 : 4)),
                          .channels = samples};
    const size_t sample = bytes[v->type], one = sample * (size_t)samples;
    const size_t width = (size_t)v->width, height = (size_t)v->height;
    const size_t row = one * (width + (seed % 3 == 1 ? 3 : 0)), slice = row * (height + (seed % 3 == 1 ? 2 : 0));
    if (seed % 3 == 1) v->row_stride = row, v->slice_stride = slice;
    if (seed % 5 == 2) v->spacing[0] = 0.7, v->spacing[1] = 1, v->spacing[2] = 2.5;
    if (seed % 7 < 3) v->low = 20, v->high = 200;
    d->count = width * height * (size_t)v->depth;
    d->voxels = malloc(slice * (size_t)v->depth), d->seeds = calloc(3 * d->count, 1), d->masks = d->seeds + d->count;
    if (!d->voxels || !d->seeds) return false;
    v->voxels = d->voxels;
    for (size_t i = 0; i < d->count; i++) {
        const size_t x = i % width, y = i / width % height, z = i / width / height;
        const int block = (int)((x / 17 + y / 11 + z / 5) % 3) * 50, noise = 20 + (int)(seed % 60);
        const int mark = random_below(&state, 40 + (int)(seed % 200));
        for (int c = 0; c < samples; c++) /* in green the blocks are dark where they are bright in the others */
            put_voxel(d->voxels + z * slice + y * row + x * one + (size_t)c * sample, v->type,
                      (c == 1 ? 100 - block : block) + random_below(&state, noise));
        if (mark < 4) d->seeds[i] = (uint8_t)mark; /* the seed may get any label, including TILECUT_OUTSIDE */
    }
    d->seeds[0] = TILECUT_FOREGROUND, d->seeds[d->count - 1] = TILECUT_BACKGROUND;
    return true;
}

static void say_difference(uint64_t seed, const drawn_scan *d, const tilecut_report *cpu, const tilecut_report *cuda)
{
    const tilecut_volume *const v = &d->volume;
    printf("DIFFERS scan, seed %llu, %dx%dx%d, type %d, channels %d, %s: flow %lld and %lld, beta %g and %g, quantum "
           "%g and %g: %s\n", (unsigned long long)seed, v->width, v->height, v->depth, v->type, v->channels,
           cpu->colors ? cpu->colors : "-", (long long)cpu->flow, (long long)cuda->flow, cpu->beta, cuda->beta,
           cpu->quantum, cuda->quantum, tilecut_error_detail());
}

static bool same_scan(uint64_t seed)
{
    static const char *const colors[] = {"gmm", "hist", "none"};
    tilecut_params params = tilecut_params_default();
    tilecut_report cpu = {0}, cuda = {0};
    drawn_scan d = {0};
    params.colors = colors[seed / 4 % 3], params.lambda = (double)(1 + seed * 7 % 120);
    params.sigma = seed % 6 ? 0 : 9, params.soft_seeds = seed % 8 == 5;
    params.solver = seed % 4 ? "cascade" : "bk";
    bool same = draw_scan(&d, seed) &&
                tilecut_volume_segment(&d.volume, d.seeds, &params, d.masks, &cpu) == TILECUT_OK;
    params.solver = "cuda";
    same = same && tilecut_volume_segment(&d.volume, d.seeds, &params, d.masks + d.count, &cuda) == TILECUT_OK &&
           cuda.certified && cpu.flow == cuda.flow && cpu.foreground == cuda.foreground && cpu.beta == cuda.beta &&
           cpu.quantum == cuda.quantum && cpu.energy == cuda.energy && !strcmp(cpu.colors, cuda.colors) &&
           memcmp(d.masks, d.masks + d.count, d.count) == 0;
    if (!same) say_difference(seed, &d, &cpu, &cuda);
    free(d.voxels);
    free(d.seeds);
    return same;
}

/* Checks that the device refuses invalid scans with the same message as the CPU. */
static int same_refusals(void)
{
    float voxels[60] = {0};
    uint8_t seeds[60] = {TILECUT_FOREGROUND, TILECUT_BACKGROUND}, mask[60];
    const tilecut_volume scan = {.width = 5, .height = 4, .depth = 3, .type = TILECUT_VOXEL_F32, .voxels = voxels};
    int wrong = 0;
    for (int k = 0; k < 4; k++) {
        tilecut_params params = tilecut_params_default();
        char here[256] = "";
        voxels[33] = k == 0 ? (float)(1e300 * 1e300) : 1;
        seeds[0] = k == 1 ? TILECUT_UNKNOWN : TILECUT_FOREGROUND;
        seeds[1] = k == 2 ? TILECUT_UNKNOWN : TILECUT_BACKGROUND;
        seeds[50] = k == 3 ? 9 : 0;
        const tilecut_status expected = tilecut_volume_segment(&scan, seeds, &params, mask, NULL);
        snprintf(here, sizeof here, "%s", tilecut_error_detail());
        params.solver = "cuda";
        const tilecut_status found = tilecut_volume_segment(&scan, seeds, &params, mask, NULL);
        if (expected != TILECUT_OK && found == expected && !strcmp(here, tilecut_error_detail())) continue;
        printf("DIFFERS refusal %d: %s, and %s\n", k, here, tilecut_error_detail());
        wrong++;
    }
    return wrong;
}

/* ---- Sessions ---------------------------------------------------------------------------------- */

static void draw_seeds(uint8_t *seeds, size_t voxels, uint64_t *state)
{
    for (int i = 0; i < 40; i++) {
        const size_t at = (size_t)random_below(state, (int)voxels);
        for (size_t k = at; k < voxels && k < at + 5; k++) seeds[k] = (uint8_t)random_below(state, 3);
    }
    seeds[0] = TILECUT_BACKGROUND, seeds[voxels - 1] = TILECUT_FOREGROUND;
}

/* Changes the seeds of one scan `edits` times; every second scan is in colour, of 8 or 16 bits. Returns true if all
 * answers equal those of the CPU. */
static bool same_session(uint64_t seed, int edits)
{
    uint64_t state = seed;
    const int w = 20 + random_below(&state, 60), h = 20 + random_below(&state, 60), z = 2 + random_below(&state, 20);
    const int channels = seed % 2 ? 3 : 1, type = seed % 4 == 3 ? TILECUT_VOXEL_U16 : TILECUT_VOXEL_U8;
    const size_t n = (size_t)w * (size_t)h * (size_t)z, samples = n * (size_t)channels;
    const size_t bytes = type == TILECUT_VOXEL_U16 ? 2 : 1;
    char *const voxels = malloc(bytes * samples);
    uint8_t *const seeds = calloc(3 * n, 1), *const masks = seeds + n;
    const tilecut_volume scan = {.width = w, .height = h, .depth = z, .type = type, .voxels = voxels,
                                 .spacing = {1, 1, 1.5}, .channels = channels};
    tilecut_params params = tilecut_params_default();
    tilecut_volume_session *session = NULL;
    bool same = voxels && seeds;
    for (size_t i = 0; same && i < samples; i++) {
        const bool dark = i / (size_t)channels / 9 % 7 < 4;
        put_voxel(voxels + bytes * i, type, (dark ? 60 : 120) + random_below(&state, 50));
    }
    same = same && tilecut_volume_session_create(&session, &scan) == TILECUT_OK;
    for (int i = 0; same && i < edits; i++) {
        tilecut_report cpu = {0}, cuda = {0};
        draw_seeds(seeds, n, &state);
        params.solver = "cuda";
        same = tilecut_volume_session_solve(session, seeds, &params, masks, &cuda) == TILECUT_OK;
        params.solver = "cascade";
        same = same && tilecut_volume_segment(&scan, seeds, &params, masks + n, &cpu) == TILECUT_OK &&
               cpu.flow == cuda.flow && cuda.certified && memcmp(masks, masks + n, n) == 0;
        if (!same)
            printf("DIFFERS volume's session, seed %llu: %s\n", (unsigned long long)seed, tilecut_error_detail());
    }
    tilecut_volume_session_destroy(session);
    free(voxels);
    free(seeds);
    return same;
}

/* Cuts a scan with more rows or slices than a launch has blocks along its second axis: each block has up to 32 rows. */
static bool same_long(int height, int depth)
{
    enum { WIDTH = 2 };
    const size_t n = (size_t)WIDTH * (size_t)height * (size_t)depth;
    uint8_t *const voxels = malloc(n), *const seeds = calloc(3 * n, 1), *const masks = seeds + n;
    const tilecut_volume scan = {.width = WIDTH, .height = height, .depth = depth, .voxels = voxels};
    tilecut_params params = tilecut_params_default();
    tilecut_report cpu = {0}, cuda = {0};
    uint64_t state = 7;
    bool same = voxels && seeds;
    for (size_t i = 0; same && i < n; i++)
        voxels[i] = (uint8_t)((i < n / 2 ? 60 : 120) + (unsigned)random_below(&state, 50));
    for (size_t i = 0; same && i < 40; i++) seeds[i] = TILECUT_BACKGROUND, seeds[n - 1 - i] = TILECUT_FOREGROUND;
    same = same && tilecut_volume_segment(&scan, seeds, &params, masks, &cpu) == TILECUT_OK;
    params.solver = "cuda";
    same = same && tilecut_volume_segment(&scan, seeds, &params, masks + n, &cuda) == TILECUT_OK &&
           cpu.flow == cuda.flow && cpu.energy == cuda.energy && memcmp(masks, masks + n, n) == 0;
    if (!same) printf("DIFFERS scan of %d rows and %d slices: %s\n", height, depth, tilecut_error_detail());
    free(voxels);
    free(seeds);
    return same;
}

int volume_answers(int count)
{
    const int sessions = (count + 9) / 10;
    int good = 0, scans = 0, held = 0;
    const int refused = same_refusals() + !same_long(29127, 72) + !same_long(1, 65536) + !same_long(65536, 10);
    for (int seed = 1; seed <= count; seed++) good += same_volume((uint64_t)seed);
    for (int seed = 1; seed <= count; seed++) scans += same_scan((uint64_t)seed);
    for (int seed = 1; seed <= sessions; seed++) held += same_session((uint64_t)seed, 4);
    printf("%-14s volumes: %d of %d agree with the CPU, %d of %d scans, %d of %d sessions of 4 edits\n", "cuda", good,
           count, scans, count, held, sessions);
    return 2 * count - good - scans + sessions - held + refused;
}
