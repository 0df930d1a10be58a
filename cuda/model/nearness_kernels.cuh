/* SPDX-License-Identifier: MIT
 *
 * nearness_kernels.cuh - the kernels of device_nearness.cu.
 *
 * The chamfer distance 5, 7, 11 is a norm: max(5a + b, 4a + 3b), where a is the larger of |dx| and |dy| and b the
 * smaller. It grows with |dx|, so in each row only the seed nearest to the column matters. First each warp finds the
 * distances to seeds along a row. Then each thread walks up and down the column of its pixel. It skips NEAR_CHUNK rows
 * at once if even the nearest seed of these rows is too far away.
 */
#pragma once

#include <stdint.h>

#include "device_model.cuh"
#include "worklist.cuh"

extern "C" {
#include "nearness.h"
}

enum { NEAR_BLOCK = 256, NEAR_CHUNK = 32, NOWHERE = 1 << 28 };

typedef struct maps {
    int width, height, chunks;
    /* the seeds' census: if it describes a box with a guess, there is no nearness. NULL: there is no guess */
    const model_census *census;
    int *along[2]; /* [pixels] for foreground and background: distance to the nearest seed in the row */
    int *least[2]; /* [chunk][width] the minimum over NEAR_CHUNK rows                                 */
} maps;

/* Lays out the scratch memory at `base`; *total: its size in bytes. */
static inline maps place_maps(int width, int height, const model_census *census, char *base, size_t *total)
{
    const int chunks = (height + NEAR_CHUNK - 1) / NEAR_CHUNK;
    maps m = {width, height, chunks, census, {}, {}};
    *total = 0;
    for (int k = 0; k < 2; k++) {
        m.along[k] = (int *)(base + reserve_bytes(total, (size_t)width * (size_t)height * sizeof(int)));
        m.least[k] = (int *)(base + reserve_bytes(total, (size_t)width * (size_t)chunks * sizeof(int)));
    }
    return m;
}

static __device__ inline bool marked(uint8_t seed, int k)
{
    return k == 0 ? seed == TILECUT_FOREGROUND : seed == TILECUT_BACKGROUND || seed == TILECUT_OUTSIDE;
}

/* Computes m->along and m->least from `seeds`: queues the work along rows. */
tilecut_status nearness_look_along(const maps *m, const uint8_t *seeds, cudaStream_t stream);

/* The size of a block of pixels; the function below gives the number of blocks for a map. */
static inline dim3 near_tile(void)
{
    return dim3{32, NEAR_BLOCK / 32};
}

static inline dim3 near_tiles(int width, int height)
{
    return dim3{(unsigned)ceil_div((size_t)width, 32), (unsigned)ceil_div((size_t)height, NEAR_BLOCK / 32)};
}

static __device__ inline bool is_guessed(const maps &m)
{
    return m.census && is_guessed(*m.census, 1);
}

/* One warp per row and class: makes a pass from the left, then one from the right. */
static __global__ void along_kernel(maps m, const uint8_t *seeds)
{
    const int lane = threadIdx.x & 31, warp = (int)((blockIdx.x * NEAR_BLOCK + threadIdx.x) >> 5);
    const int y = warp >> 1, k = warp & 1;
    if (y >= m.height || is_guessed(m)) return;
    const uint8_t *row = seeds + (size_t)y * m.width;
    int *along = m.along[k] + (size_t)y * m.width;
    int last = -NOWHERE;
    for (int x0 = 0; x0 < m.width; x0 += 32) {
        const int x = x0 + lane;
        const unsigned hits = __ballot_sync(WARP, x < m.width && marked(row[x < m.width ? x : 0], k));
        const unsigned before = hits & (0xffffffffu >> (31 - lane));
        if (x < m.width) along[x] = before ? lane - (31 - __clz((int)before)) : x - last;
        if (hits) last = x0 + 31 - __clz((int)hits);
    }
    last = NOWHERE + m.width;
    for (int x0 = (m.width - 1) / 32 * 32; x0 >= 0; x0 -= 32) {
        const int x = x0 + lane;
        const unsigned hits = __ballot_sync(WARP, x < m.width && marked(row[x < m.width ? x : 0], k));
        const unsigned after = hits & (0xffffffffu << lane);
        const int right = after ? __ffs((int)after) - 1 - lane : last - x;
        if (x < m.width) along[x] = min(min(along[x], right), (int)NOWHERE);
        if (hits) last = x0 + __ffs((int)hits) - 1;
    }
}

static __global__ void least_kernel(maps m)
{
    const int x = (int)(blockIdx.x * NEAR_BLOCK + threadIdx.x), chunk = blockIdx.y, k = blockIdx.z;
    int least = NOWHERE;
    if (x >= m.width || is_guessed(m)) return;
    for (int y = chunk * NEAR_CHUNK; y < min(m.height, (chunk + 1) * NEAR_CHUNK); y++)
        least = min(least, m.along[k][(size_t)y * m.width + x]);
    m.least[k][(size_t)chunk * m.width + x] = least;
}

static __device__ inline int chamfer(int dx, int dy)
{
    const int a = max(dx, dy), b = min(dx, dy);
    return max(5 * a + b, 4 * a + 3 * b);
}

static __device__ int scan_chunk(const maps &m, int k, int chunk, int x, int y, int best)
{
    const int end = min(m.height, (chunk + 1) * NEAR_CHUNK);
    for (int row = chunk * NEAR_CHUNK; row < end; row++)
        best = min(best, chamfer(m.along[k][(size_t)row * m.width + x], abs(row - y)));
    return best;
}

/* Distance from (x, y) to the nearest seed of class k. */
static __device__ int nearest_of(const maps &m, int k, int x, int y)
{
    const int here = y / NEAR_CHUNK;
    int best = scan_chunk(m, k, here, x, y, 5 * NOWHERE);
    for (int step = 1; step < m.chunks; step++) {
        const int up = here - step, down = here + step;
        const int rows_up = y - (up * NEAR_CHUNK + NEAR_CHUNK - 1), rows_down = down * NEAR_CHUNK - y;
        if ((up < 0 || 5 * rows_up >= best) && (down >= m.chunks || 5 * rows_down >= best)) break;
        if (up >= 0 && chamfer(m.least[k][(size_t)up * m.width + x], rows_up) < best)
            best = scan_chunk(m, k, up, x, y, best);
        if (down < m.chunks && chamfer(m.least[k][(size_t)down * m.width + x], rows_down) < best)
            best = scan_chunk(m, k, down, x, y, best);
    }
    return best;
}

static __global__ void level_kernel(maps m, uint8_t *level)
{
    const int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * (NEAR_BLOCK / 32) + threadIdx.y);
    if (x >= m.width || y >= m.height) return;
    if (is_guessed(m)) { /* any valid level will do, because its cost is 0 */
        level[(size_t)y * m.width + x] = 0;
        return;
    }
    const tc_extent seeded = extent_of(m.census->foreground, m.width, m.height);
    const double extent = tc_squared_extent(&seeded, m.width, m.height);
    const int to_fg = nearest_of(m, 0, x, y), to_bg = nearest_of(m, 1, x, y);
    const int rim = min(tc_border_distance(x, m.width), tc_border_distance(y, m.height));
    level[(size_t)y * m.width + x] = tc_nearness_level(to_fg, to_bg, to_bg < NOWHERE, extent, rim,
                                                       tc_nearness_margin(m.width, m.height));
}
