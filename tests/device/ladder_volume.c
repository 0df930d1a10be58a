/* SPDX-License-Identifier: MIT
 *
 * ladder_volume.c - volumes on the device: random ones of all ragged sizes and sessions on scans, against the CPU, and
 * times of scans in files.
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
    if (!same)
        printf("DIFFERS volume, seed %llu, %dx%dx%d: flow %lld and %lld\n", (unsigned long long)seed, d.arrays.width,
               d.arrays.height, d.arrays.depth, (long long)cpu.flow, (long long)cuda.flow);
    free(masks);
    free(d.memory);
    return same;
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

/* Seeds that change on one scan, `edits` times. Returns whether all answers are those of the CPU. */
static bool same_session(uint64_t seed, int edits)
{
    uint64_t state = seed;
    const int w = 20 + random_below(&state, 60), h = 20 + random_below(&state, 60), z = 2 + random_below(&state, 20);
    const size_t n = (size_t)w * (size_t)h * (size_t)z;
    uint8_t *const voxels = malloc(4 * n), *const seeds = voxels + n, *const masks = seeds + n;
    const tilecut_volume scan = {.width = w, .height = h, .depth = z, .voxels = voxels, .spacing = {1, 1, 1.5}};
    tilecut_params params = tilecut_params_default();
    tilecut_volume_session *session = NULL;
    bool same = voxels != NULL;
    for (size_t i = 0; same && i < n; i++)
        voxels[i] = (uint8_t)((i / 9 % 7 < 4 ? 60 : 120) + random_below(&state, 50)), seeds[i] = 0;
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
    return same;
}

int volume_answers(int count)
{
    const int sessions = (count + 9) / 10;
    int good = 0, held = 0;
    for (int seed = 1; seed <= count; seed++) good += same_volume((uint64_t)seed);
    for (int seed = 1; seed <= sessions; seed++) held += same_session((uint64_t)seed, 4);
    printf("%-14s volumes: %d of %d agree with the CPU; %d of %d sessions of 4 edits do\n", "cuda", good, count, held,
           sessions);
    return count - good + sessions - held;
}

/* ---- Times ------------------------------------------------------------------------------------- */

static uint8_t *read_bytes(const char *name, const char *end, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s.%s", name, end);
    FILE *const file = fopen(path, "rb");
    uint8_t *bytes = file ? malloc(size) : NULL;
    if (bytes && fread(bytes, 1, size, file) != size) free(bytes), bytes = NULL;
    if (file) fclose(file);
    return bytes;
}

enum { TIMES = 5 };

/* Median time of solving in milliseconds; < 0 on failure. */
static double median_time(const tilecut_volume *scan, const uint8_t *seeds, const tilecut_params *params, int times,
                          uint8_t *mask, tilecut_report *report)
{
    double ms[TIMES];
    for (int i = 0; i < times; i++) {
        if (tilecut_volume_segment(scan, seeds, params, mask, report) != TILECUT_OK) return -1;
        ms[i] = report->solve_ms;
    }
    qsort(ms, (size_t)times, sizeof *ms, by_value);
    return ms[times / 2];
}

/* With that colour model. */
static bool time_scan(const char *name, const char *colors, const tilecut_volume *scan, const uint8_t *seeds,
                      uint8_t *masks)
{
    const size_t n = (size_t)scan->width * (size_t)scan->height * (size_t)scan->depth;
    tilecut_params cuda = tilecut_params_default(), cpu = cuda;
    tilecut_report there = {0}, here = {0};
    cuda.colors = cpu.colors = colors;
    cuda.solver = "cuda", cuda.threads = 16, cpu.threads = 1;
    const double ms = median_time(scan, seeds, &cuda, TIMES, masks, &there);
    const double one = median_time(scan, seeds, &cpu, 1, masks + n, &here);
    const bool good = ms > 0 && one > 0 && here.flow == there.flow && memcmp(masks, masks + n, n) == 0;
    cpu.threads = 16;
    const double many = median_time(scan, seeds, &cpu, 1, masks + n, &here);
    if (!good) printf("FAILED or differs: %s, %s: %s\n", name, colors, tilecut_error_detail());
    printf("volume %-24s %-4s cuda %9.3f ms (%.1f bytes a voxel, copies %.1f)  CPU %9.1f, 16 threads %8.1f  "
           "flow %lld\n", name, colors, ms, there.bytes_per_pixel, there.copy_ms, one, many, (long long)there.flow);
    return good;
}

bool volume_times(const char *name, int width, int height, int depth)
{
    const size_t n = (size_t)width * (size_t)height * (size_t)depth;
    uint8_t *const voxels = read_bytes(name, "vox", n), *const seeds = read_bytes(name, "lab", n);
    uint8_t *const masks = malloc(2 * n);
    const tilecut_volume scan = {.width = width, .height = height, .depth = depth, .voxels = voxels};
    bool good = voxels && seeds && masks;
    if (!good) printf("FAILED %s: no such files of that size\n", name);
    good = good && time_scan(name, "gmm", &scan, seeds, masks);
    good = good && time_scan(name, "none", &scan, seeds, masks);
    free(voxels);
    free(seeds);
    free(masks);
    return good;
}
