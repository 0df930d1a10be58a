/* SPDX-License-Identifier: MIT
 *
 * ladder_device.c - uses every device by its index: the work is done there, and the caller's current device does not
 * change. Also rows of seeds and masks in device memory with a stride.
 */
#include <stdio.h>
#include <string.h>

#include "cuda_backend.h"
#include "ladder.h"

enum { W = 300, H = 200, N = W * H, APART = 37, STRIDE = W + APART };

/* Functions of the CUDA runtime, declared here because a C compiler may not find its headers. */
int cudaGetDevice(int *index);
int cudaMalloc(void **memory, size_t size);
int cudaFree(void *memory);

static uint8_t pixels[N], seeds[N], expected[N], mask[N], rows[STRIDE * H];
static const tilecut_image image = {.width = W, .height = H, .channels = 1, .depth = 8, .pixels = pixels};

static int complain(const char *what, int index)
{
    printf("device %d: %s: %s\n", index, what, tilecut_error_detail());
    return 1;
}

/* Draws a dark and a bright half with a pattern. */
static void draw(void)
{
    for (int p = 0; p < N; p++) pixels[p] = (uint8_t)((p % W < W / 2 ? 60 : 150) + (p * 7919 >> 4 & 31));
    for (int y = 20; y < 40; y++) seeds[y * W + 20] = TILECUT_BACKGROUND, seeds[y * W + W - 20] = TILECUT_FOREGROUND;
}

/* Segments with everything in device memory. Rows of seeds and mask are STRIDE bytes apart. */
static bool segment_rows(const tilecut_params *own_params)
{
    tilecut_image there = image;
    tilecut_params params = *own_params;
    uint8_t *memory = NULL;
    if (cudaMalloc((void **)&memory, N + 2 * sizeof rows)) return false;
    there.pixels = memory;
    params.seeds_stride = params.mask_stride = STRIDE, params.where = TILECUT_DEVICE;
    memset(rows, 0, sizeof rows);
    for (int y = 0; y < H; y++) memcpy(rows + y * STRIDE, seeds + y * W, W);
    const bool good =
        tc_cuda_copy(memory, pixels, N, NULL) == TILECUT_OK &&
        tc_cuda_copy(memory + N, rows, sizeof rows, NULL) == TILECUT_OK &&
        tilecut_segment(&there, memory + N, &params, memory + N + sizeof rows, NULL) == TILECUT_OK &&
        tc_cuda_copy(rows, memory + N + sizeof rows, sizeof rows, NULL) == TILECUT_OK;
    cudaFree(memory);
    for (int y = 0; y < H; y++)
        if (memcmp(rows + y * STRIDE, expected + y * W, W) != 0) return false;
    return good;
}

int device_indexes(void)
{
    const int count = tilecut_cuda_devices();
    int bad = 0, before = -1, after = -2;
    draw();
    if (tilecut_segment(&image, seeds, NULL, expected, NULL) != TILECUT_OK) return complain("the CPU failed", -1);
    cudaGetDevice(&before);
    for (int i = 0; i < count; i++) {
        const tilecut_params params = {.solver = "cuda", .device = i};
        tilecut_report report = {0};
        memset(mask, 7, N);
        if (tilecut_segment(&image, seeds, &params, mask, &report) != TILECUT_OK) bad += complain("failed", i);
        if (memcmp(mask, expected, N) != 0) bad += complain("another mask", i);
        if (report.device_index != i) bad += complain("the report tells another", i);
        if (cudaGetDevice(&after) || after != before) bad += complain("the current device is another now", i);
    }
    const tilecut_params none = {.solver = "cuda", .device = count};
    if (tilecut_segment(&image, seeds, &none, mask, NULL) != TILECUT_ENODEVICE) bad += complain("is there", count);
    if (!segment_rows(&(tilecut_params){.solver = "cuda"})) bad += complain("rows in device memory", before);
    printf("ladder: %d devices by their index, %d wrong\n", count, bad);
    return bad;
}
