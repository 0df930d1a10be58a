/* SPDX-License-Identifier: MIT
 *
 * coarse_kernels.cuh - coarse.c on the device: makes a smaller copy of an image with its seeds, and enlarges a mask
 * of the copy. One thread per cell, or per pixel.
 */
#pragma once

#include "device_energy.cuh"

extern "C" {
#include "coarse.h"
#include "params.h"
}

enum { COARSE_BLOCK = 256 };

/* Makes the cells of `small` from `factor` x `factor` pixels each. Writes the copy's pixels and seeds to `pixels` and
 * `seeds`. */
static __global__ void shrink_kernel(device_energy large, int factor, device_energy small, uint8_t *pixels,
                                     uint8_t *seeds)
{
    const size_t i = (size_t)blockIdx.x * COARSE_BLOCK + threadIdx.x;
    if (i >= (size_t)small.width * (size_t)small.height) return;
    const int cell_x = (int)(i % (size_t)small.width), cell_y = (int)(i / (size_t)small.width);
    const int x1 = min(large.width, (cell_x + 1) * factor), y1 = min(large.height, (cell_y + 1) * factor);
    unsigned long long sum[3] = {0, 0, 0};
    uint8_t seed = TILECUT_UNKNOWN;
    for (int y = cell_y * factor; y < y1; y++)
        for (int x = cell_x * factor; x < x1; x++) {
            seed = tc_coarse_join(seed, large.seeds[(size_t)y * large.width + x]);
            for (int c = 0; c < large.channels; c++) {
                const int at = x * large.channels + c;
                sum[c] += large.depth == 8 ? large.pixels[(size_t)y * large.stride + at] : row16(large, y)[at];
            }
        }
    const unsigned long long count = (unsigned long long)(x1 - cell_x * factor) * (y1 - cell_y * factor);
    for (int c = 0; c < large.channels; c++) {
        const int at = cell_x * large.channels + c;
        const unsigned long long mean = tc_coarse_mean(sum[c], count);
        if (large.depth == 8) pixels[(size_t)cell_y * small.stride + at] = (uint8_t)mean;
        else ((uint16_t *)(pixels + (size_t)cell_y * small.stride))[at] = (uint16_t)mean;
    }
    seeds[i] = seed == TC_COARSE_BOTH ? (uint8_t)TILECUT_UNKNOWN : seed;
}

/* A first guess of width x height cells, as in tc_setup. */
typedef struct guess_cells {
    const uint8_t *cell;
    int width, height, slice_rows;
} guess_cells;

/* Turns a guess into a mask of the pixels: foreground becomes 255 and anything else 0; where there is a seed, its label
 * counts. Also writes the levels of its evidence, unless `level` is NULL. slice_rows: of a volume; else 0. */
static __global__ void guess_kernel(guess_cells guess, device_energy e, int slice_rows, uint8_t *mask, uint8_t *level)
{
    const size_t p = (size_t)blockIdx.x * COARSE_BLOCK + threadIdx.x, width = (size_t)e.width;
    if (p >= width * (size_t)e.height) return;
    const size_t row = tc_guess_row_at((int)(p / width), e.height, slice_rows, guess.height, guess.slice_rows);
    const size_t column = tc_guess_column_at((int)(p % width), e.width, guess.width);
    const uint8_t cell = guess.cell[row * (size_t)guess.width + column], seed = e.seeds[p];
    mask[p] = (seed != TILECUT_UNKNOWN ? seed == TILECUT_FOREGROUND : cell & 1) ? 255 : 0;
    if (level) level[p] = cell >> 1;
}

static __global__ void spread_kernel(const uint8_t *small, int small_width, int factor, uint8_t *mask, int width,
                                     int height)
{
    const size_t p = (size_t)blockIdx.x * COARSE_BLOCK + threadIdx.x;
    if (p >= (size_t)width * (size_t)height) return;
    const int x = (int)(p % (size_t)width), y = (int)(p / (size_t)width);
    mask[p] = small[(size_t)(y / factor) * small_width + x / factor];
}
