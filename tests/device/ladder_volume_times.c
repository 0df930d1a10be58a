/* SPDX-License-Identifier: MIT
 *
 * ladder_volume_times.c - times of scans in files, on the device and on the CPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ladder.h"
#include "tilecut_volume.h"

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

/* Median times in milliseconds: of solving, and of the whole call. */
typedef struct timing {
    double solve, whole;
    tilecut_report report; /* report of the last call */
} timing;

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static bool take_times(const tilecut_volume *scan, const uint8_t *seeds, const tilecut_params *params, int times,
                       uint8_t *mask, timing *out)
{
    double solve[TIMES], whole[TIMES];
    for (int i = 0; i < times; i++) {
        const double start = now_ms();
        if (tilecut_volume_segment(scan, seeds, params, mask, &out->report) != TILECUT_OK) return false;
        whole[i] = now_ms() - start;
        solve[i] = out->report.solve_ms;
    }
    qsort(solve, (size_t)times, sizeof *solve, by_value);
    qsort(whole, (size_t)times, sizeof *whole, by_value);
    out->solve = solve[times / 2], out->whole = whole[times / 2];
    return true;
}

/* Times the scan with this colour model. Volumes of 512^3 are not cut by one thread. */
static bool time_scan(const char *name, const char *colors, const tilecut_volume *scan, const uint8_t *seeds,
                      uint8_t *masks)
{
    const size_t n = (size_t)scan->width * (size_t)scan->height * (size_t)scan->depth, large = (size_t)1 << 26;
    tilecut_params cuda = tilecut_params_default(), cpu = cuda;
    timing there = {0}, one = {0}, many = {0};
    cuda.colors = cpu.colors = colors;
    cuda.solver = "cuda", cpu.threads = 16;
    bool good = take_times(scan, seeds, &cuda, TIMES, masks, &there) &&
                take_times(scan, seeds, &cpu, 1, masks + n, &many) &&
                there.report.flow == many.report.flow && memcmp(masks, masks + n, n) == 0;
    cpu.threads = 1;
    if (good && n < large) good = take_times(scan, seeds, &cpu, 1, masks + n, &one);
    if (!good) printf("FAILED or differs: %s, %s: %s\n", name, colors, tilecut_error_detail());
    const tilecut_report *const r = &there.report;
    printf("%-20s %-4s cuda %8.2f whole %8.2f (copies %.2f model %.2f grid %.2f proof %.2f) %5.1f B | 16 threads "
           "%8.1f %8.1f | 1 %8.1f %8.1f | flow %lld\n", name, colors, there.solve, there.whole, r->copy_ms, r->model_ms,
           r->graph_ms, r->certify_ms, r->bytes_per_pixel, many.solve, many.whole, one.solve, one.whole,
           (long long)r->flow);
    return good;
}

bool volume_times(const char *name, int width, int height, int depth)
{
    const size_t n = (size_t)width * (size_t)height * (size_t)depth;
    uint8_t *voxels = read_bytes(name, "vox", n), *const seeds = read_bytes(name, "lab", n);
    uint8_t *const masks = malloc(2 * n);
    const int type = voxels ? TILECUT_VOXEL_U8 : TILECUT_VOXEL_I16;
    if (!voxels) voxels = read_bytes(name, "i16", 2 * n);
    const tilecut_volume scan = {.width = width, .height = height, .depth = depth, .type = type, .voxels = voxels};
    bool good = voxels && seeds && masks;
    if (!good) printf("FAILED %s: no such files of that size\n", name);
    good = good && time_scan(name, "gmm", &scan, seeds, masks);
    good = good && time_scan(name, "none", &scan, seeds, masks);
    free(voxels);
    free(seeds);
    free(masks);
    return good;
}
