/* SPDX-License-Identifier: MIT
 *
 * nearness_kernels.cuh - the kernels of device_nearness.cu.
 *
 * The chamfer distance 5, 7, 11 is a norm: max(5a + b, 4a + 3b), where a is the larger of |dx| and |dy| and b the
 * smaller. It grows with |dx|, so in each row only the seed nearest to the column matters. First each warp finds the
 * distances to seeds along a row. Then each thread has NEAR_CHUNK pixels of a column, and walks up and down from there,
 * twice. It goes by chunks, NEAR_CHUNK rows each. The nearest seed of a chunk is at most as far away as if it were in
 * the farthest row, and at least as far as if it were in the nearest. The first walk finds a distance that none of the
 * pixels exceeds, and the second one looks at the rows of those chunks that may have something nearer.
 *
 * In a volume steps have other costs, and there are no knight's moves. The steps of a shortest path can be made in any
 * order: first those along a row, then those to other rows of the slice, then those to the same row of other slices,
 * and last those that change both. So after the distances along rows, four sweeps find all of the others. Each goes
 * over lines of rows, forth and back, and its lines do not depend on each other.
 */
#pragma once

#include <stdint.h>

#include "device_model.cuh"
#include "worklist.cuh"

extern "C" {
#include "nearness.h"
}

enum { NEAR_BLOCK = 256, NEAR_CHUNK = 8, NOWHERE = 1 << 28 };

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

static inline int near_tiles(int width, int height)
{
    return ceil_div((size_t)width, 32) * ceil_div((size_t)height, NEAR_BLOCK / 32);
}

/* Return the column and the row of the pixel that this thread works on, if near_tiles() blocks cover a map of that
 * width. */
static __device__ inline int near_column(int width)
{
    return block_column(ceil_div((size_t)width, 32)) * 32 + (int)threadIdx.x;
}

static __device__ inline int near_row(int width)
{
    return block_row(ceil_div((size_t)width, 32)) * (NEAR_BLOCK / 32) + (int)threadIdx.y;
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
    const int across = ceil_div((size_t)m.width, NEAR_BLOCK), chunk = block_row(across), k = (int)blockIdx.y;
    const int x = block_column(across) * NEAR_BLOCK + (int)threadIdx.x;
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

/* Calls visit(chunk, rows) for all chunks, in order of their distance `rows` from chunk `here`, as long as anything
 * there may be nearer than *most. */
template <class Visit>
static __device__ inline void walk_chunks(const maps &m, int here, const int *most, Visit visit)
{
    visit(here, 0);
    for (int step = 1; step < m.chunks; step++) {
        const int rows = (step - 1) * NEAR_CHUNK + 1;
        if (5 * rows >= *most) return;
        if (step <= here) visit(here - step, rows);
        if (here + step < m.chunks) visit(here + step, rows);
    }
}

/* Finds the distances from column x of the rows of chunk `here` to the nearest seed of class k. */
static __device__ void nearest_of(const maps &m, int k, int x, int here, int (&best)[NEAR_CHUNK])
{
    const int *const along = m.along[k] + x, *const least = m.least[k] + x;
    int most = 5 * NOWHERE; /* the largest of all distances, as far as they are known */
    walk_chunks(m, here, &most, [&](int chunk, int rows) {
        most = min(most, chamfer(least[(size_t)chunk * m.width], rows + 2 * (NEAR_CHUNK - 1)));
    });
    for (int &one : best) one = most;
    walk_chunks(m, here, &most, [&](int chunk, int rows) {
        if (chamfer(least[(size_t)chunk * m.width], rows) >= most) return;
        const int apart = (chunk - here) * NEAR_CHUNK, count = min((int)NEAR_CHUNK, m.height - chunk * NEAR_CHUNK);
#pragma unroll
        for (int row = 0; row < NEAR_CHUNK; row++) {
            const int dx = row < count ? along[(size_t)(chunk * NEAR_CHUNK + row) * m.width] : (int)NOWHERE;
#pragma unroll
            for (int i = 0; i < NEAR_CHUNK; i++) best[i] = min(best[i], chamfer(dx, abs(apart + row - i)));
        }
        most = 0;
        for (const int one : best) most = max(most, one);
    });
}

/* The thread's column and chunk; returns false if it has none. Blocks are those of near_tiles(). */
static __device__ inline bool find_chunk(const maps &m, int *x, int *chunk)
{
    *x = near_column(m.width), *chunk = near_row(m.width);
    return *x < m.width && *chunk < m.chunks;
}

static __global__ void level_kernel(maps m, uint8_t *level)
{
    int x, chunk, to_fg[NEAR_CHUNK], to_bg[NEAR_CHUNK];
    if (!find_chunk(m, &x, &chunk)) return;
    const tc_extent seeded = extent_of(m.census->foreground, m.width, m.height);
    const double extent = tc_squared_extent(&seeded, m.width, m.height), margin = tc_nearness_margin(m.width, m.height);
    const bool guessed = is_guessed(m); /* if true, levels cost nothing, so any valid one will do */
    const int rim = tc_border_distance(x, m.width);
    if (!guessed) nearest_of(m, 0, x, chunk, to_fg), nearest_of(m, 1, x, chunk, to_bg);
#pragma unroll
    for (int i = 0; i < NEAR_CHUNK; i++) {
        const int y = chunk * NEAR_CHUNK + i;
        if (y >= m.height) return;
        level[(size_t)y * m.width + x] =
            guessed ? (uint8_t)0
                    : tc_nearness_level(to_fg[i], to_bg[i], to_bg[i] < NOWHERE, extent,
                                        min(rim, tc_border_distance(y, m.height)), margin);
    }
}

/* ---- In space ---------------------------------------------------------------------------------- */

/* A sweep over lines of rows. From each row of a line to the next it is y rows and z slices; z is 0 or 1. */
typedef struct sweep {
    maps m;           /* of all rows; `along` holds the distances so far                             */
    int rows, slices; /* rows: of a slice                                                            */
    int y, z;
    int straight, slanted; /* costs of a step to the same column of the next row, and to the columns beside it */
    int unit;         /* before the first sweep, whose `along` counts columns: the cost of one; then 0 */
} sweep;

/* The number of lines of a sweep. */
static inline unsigned lines_of(const sweep &s)
{
    return (unsigned)(s.z == 0 ? s.slices : s.y == 0 ? s.rows : s.rows + s.slices - 1);
}

/* Sweeps `count` rows that are `step` numbers apart. Whole blocks call it. */
static __device__ inline void sweep_rows(const sweep &s, int *first, ptrdiff_t step, int count)
{
    for (int i = 1; i < count; i++) {
        int *const row = first + i * step;
        const int *const before = row - step;
        for (int x = (int)threadIdx.x; x < s.m.width; x += NEAR_BLOCK) {
            const int left = x > 0 ? before[x - 1] : (int)TC_NEARNESS_FAR;
            const int right = x + 1 < s.m.width ? before[x + 1] : (int)TC_NEARNESS_FAR;
            row[x] = min(row[x], min(before[x] + s.straight, min(left, right) + s.slanted));
        }
        __syncthreads();
    }
}

/* One block per line and class. */
static __global__ void line_kernel(sweep s)
{
    const int line = (int)blockIdx.x, beyond = line - s.rows + 1; /* lines beyond the rows of the first slice */
    const int z0 = s.z == 0 ? line : max(beyond, 0);
    const int y0 = s.z == 0 ? 0 : beyond <= 0 ? line : s.y < 0 ? s.rows - 1 : 0;
    const int down = s.y > 0 ? s.rows - y0 : s.y < 0 ? y0 + 1 : s.slices;
    const int count = s.z == 0 ? down : min(down, s.slices - z0);
    const ptrdiff_t step = ((ptrdiff_t)s.z * s.rows + s.y) * s.m.width;
    int *const first = s.m.along[blockIdx.y] + ((size_t)z0 * s.rows + y0) * s.m.width;
    if (is_guessed(s.m)) return;
    for (int i = 0; s.unit && i < count; i++)
        for (int x = (int)threadIdx.x; x < s.m.width; x += NEAR_BLOCK) {
            int *const at = first + i * step + x;
            *at = *at < NOWHERE ? (int)min((long long)*at * s.unit, (long long)TC_NEARNESS_FAR) : (int)TC_NEARNESS_FAR;
        }
    __syncthreads();
    sweep_rows(s, first, step, count);
    sweep_rows(s, first + (count - 1) * step, -step, count);
}

/* Adds up the distances from all foreground seeds to the background. */
static __global__ void gap_kernel(maps m, const uint8_t *seeds, unsigned long long *sum)
{
    const size_t i = (size_t)blockIdx.x * NEAR_BLOCK + threadIdx.x, n = (size_t)m.width * m.height;
    if (is_guessed(m)) return;
    const unsigned long long own = i < n && seeds[i] == TILECUT_FOREGROUND ? (unsigned long long)m.along[1][i] : 0;
    const unsigned long long all = warp_sum(own);
    if (threadIdx.x % 32 == 0 && all) atomicAdd(sum, all);
}

/* Computes the level of each voxel, as in write_row() of nearness.c, unless `level` is NULL. Marks background strokes
 * whose distance to the foreground's exceeds `most`, and subtracts their number from *background. */
static __global__ void space_level_kernel(maps m, double extent, double most, uint8_t *seeds, uint8_t *level,
                                          unsigned *background)
{
    const size_t i = (size_t)blockIdx.x * NEAR_BLOCK + threadIdx.x;
    const bool inside = i < (size_t)m.width * m.height;
    const int to_fg = inside ? m.along[0][i] : 0, to_bg = inside ? m.along[1][i] : 0;
    const bool far = inside && seeds[i] == TILECUT_BACKGROUND && to_fg > most;
    const unsigned votes = __ballot_sync(WARP, far);
    if (inside && level) level[i] = tc_nearness_level(to_fg, to_bg, to_bg < TC_NEARNESS_FAR, extent, 0, 0);
    if (far) seeds[i] = TILECUT_OUTSIDE;
    if (threadIdx.x % 32 == 0 && votes) atomicAdd(background, 0u - (unsigned)__popc(votes));
}
