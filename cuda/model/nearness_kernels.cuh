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
 * A volume's steps have other costs, but in each slice its distance is a norm as well. The steps of a shortest path can
 * be made in any order. So each slice gets its distances to its own seeds in the same way, and then all steps that lead
 * to the next slice, or to the one before, are made slice by slice.
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
    int width, height, chunks; /* height: all rows; chunks: of a slice */
    int rows, slices;          /* rows: of a slice; an image is one slice */
    tc_near_steps steps;       /* of a volume */
    /* the seeds' census: if it describes a box with a guess, there is no nearness. NULL: there is no guess */
    const model_census *census;
    int *along[2];    /* [pixels] for foreground and background: distance to the nearest seed in the row */
    int *least[2];    /* [slice][chunk][width] the minimum over NEAR_CHUNK rows                          */
    int *distance[2]; /* [pixels] of a volume: distance to the nearest seed                              */
} maps;

/* Lays out the scratch memory at `base`; *total: its size in bytes. slice_rows: rows of a volume's slice; 0: an image.
 * A volume's `along` and `distance` lie at `room`, which has 16 bytes a voxel. */
static inline maps place_maps(int width, int height, const model_census *census, char *base, size_t *total,
                              int slice_rows = 0, int *room = NULL)
{
    const int rows = slice_rows ? slice_rows : height, slices = height / rows;
    const int chunks = (rows + NEAR_CHUNK - 1) / NEAR_CHUNK;
    const size_t n = (size_t)width * (size_t)height, least = (size_t)width * (size_t)chunks * (size_t)slices;
    maps m = {width, height, chunks, rows, slices, {}, census, {}, {}, {}};
    *total = 0;
    for (int k = 0; k < 2; k++) {
        m.along[k] = room ? room + (size_t)k * n : (int *)(base + reserve_bytes(total, n * sizeof(int)));
        m.least[k] = (int *)(base + reserve_bytes(total, least * sizeof(int)));
        m.distance[k] = room ? room + (size_t)(2 + k) * n : NULL;
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

static inline dim3 near_tiles(int width, int height, int slices = 1)
{
    return dim3{(unsigned)ceil_div((size_t)width, 32), (unsigned)ceil_div((size_t)height, NEAR_BLOCK / 32),
                (unsigned)slices};
}

/* The number of blocks of least_kernel() for one class. */
static inline unsigned near_chunks(const maps &m)
{
    return (unsigned)(ceil_div((size_t)m.width, NEAR_BLOCK) * m.chunks * m.slices);
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
    const int columns = (m.width + NEAR_BLOCK - 1) / NEAR_BLOCK, chunk = (int)blockIdx.x / columns, k = (int)blockIdx.y;
    const int x = (int)blockIdx.x % columns * NEAR_BLOCK + (int)threadIdx.x, slice = chunk / m.chunks;
    const int first = slice * m.rows + chunk % m.chunks * NEAR_CHUNK;
    int least = NOWHERE;
    if (x >= m.width || is_guessed(m)) return;
    for (int y = first; y < min((slice + 1) * m.rows, first + NEAR_CHUNK); y++)
        least = min(least, m.along[k][(size_t)y * m.width + x]);
    m.least[k][(size_t)chunk * m.width + x] = least;
}

/* The distance over dx columns and dy rows; SPACE: in a slice of a volume, at most TC_NEARNESS_FAR. */
template <bool SPACE> static __device__ inline int chamfer(const maps &m, int dx, int dy)
{
    const int a = max(dx, dy), b = min(dx, dy);
    if (!SPACE) return max(5 * a + b, 4 * a + 3 * b);
    const long long straight = (long long)(a - b) * (dx > dy ? m.steps.x : m.steps.y);
    return (int)min(straight + (long long)b * m.steps.xy, (long long)TC_NEARNESS_FAR);
}

/* The least distance of anything so many rows away. */
template <bool SPACE> static __device__ inline int chamfer_down(const maps &m, int rows)
{
    return SPACE ? chamfer<true>(m, 0, rows) : 5 * rows;
}

/* Calls visit(chunk, rows) for the chunks of a slice, in order of their distance `rows` from chunk `here`, as long as
 * anything there may be nearer than *most. */
template <bool SPACE, class Visit>
static __device__ inline void walk_chunks(const maps &m, int here, const int *most, Visit visit)
{
    visit(here, 0);
    for (int step = 1; step < m.chunks; step++) {
        const int rows = (step - 1) * NEAR_CHUNK + 1;
        if (chamfer_down<SPACE>(m, rows) >= *most) return;
        if (step <= here) visit(here - step, rows);
        if (here + step < m.chunks) visit(here + step, rows);
    }
}

/* Finds the distances from column x of the rows of chunk `here` to their slice's nearest seed of class k. */
template <bool SPACE>
static __device__ void nearest_of(const maps &m, int k, int x, int here, int slice, int (&best)[NEAR_CHUNK])
{
    const int *const along = m.along[k] + (size_t)slice * m.rows * m.width + x;
    const int *const least = m.least[k] + (size_t)slice * m.chunks * m.width + x;
    int most = SPACE ? (int)TC_NEARNESS_FAR : 5 * NOWHERE; /* the largest of all distances, as far as they are known */
    walk_chunks<SPACE>(m, here, &most, [&](int chunk, int rows) {
        most = min(most, chamfer<SPACE>(m, least[(size_t)chunk * m.width], rows + 2 * (NEAR_CHUNK - 1)));
    });
    for (int &one : best) one = most;
    walk_chunks<SPACE>(m, here, &most, [&](int chunk, int rows) {
        if (chamfer<SPACE>(m, least[(size_t)chunk * m.width], rows) >= most) return;
        const int apart = (chunk - here) * NEAR_CHUNK, count = min((int)NEAR_CHUNK, m.rows - chunk * NEAR_CHUNK);
#pragma unroll
        for (int row = 0; row < NEAR_CHUNK; row++) {
            const int dx = row < count ? along[(size_t)(chunk * NEAR_CHUNK + row) * m.width] : (int)NOWHERE;
#pragma unroll
            for (int i = 0; i < NEAR_CHUNK; i++) best[i] = min(best[i], chamfer<SPACE>(m, dx, abs(apart + row - i)));
        }
        most = 0;
        for (const int one : best) most = max(most, one);
    });
}

/* The thread's column and chunk; returns false if it has none. Blocks are those of near_tiles(). */
static __device__ inline bool find_chunk(const maps &m, int *x, int *chunk)
{
    *x = (int)(blockIdx.x * 32 + threadIdx.x), *chunk = (int)(blockIdx.y * (NEAR_BLOCK / 32) + threadIdx.y);
    return *x < m.width && *chunk < m.chunks;
}

static __global__ void level_kernel(maps m, uint8_t *level)
{
    int x, chunk, to_fg[NEAR_CHUNK], to_bg[NEAR_CHUNK];
    if (!find_chunk(m, &x, &chunk)) return;
    const tc_extent seeded = extent_of(m.census->foreground, m.width, m.height);
    const double extent = tc_squared_extent(&seeded, m.width, m.height), margin = tc_nearness_margin(m.width, m.height);
    const bool guessed = is_guessed(m); /* then any valid level will do, because its cost is 0 */
    const int rim = tc_border_distance(x, m.width);
    if (!guessed) nearest_of<false>(m, 0, x, chunk, 0, to_fg), nearest_of<false>(m, 1, x, chunk, 0, to_bg);
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

/* Computes each voxel's distance to the seeds of its own slice, blockIdx.z. */
static __global__ void slice_kernel(maps m)
{
    int x, chunk, best[NEAR_CHUNK];
    const int slice = (int)blockIdx.z;
    if (!find_chunk(m, &x, &chunk) || is_guessed(m)) return;
    for (int k = 0; k < 2; k++) {
        nearest_of<true>(m, k, x, chunk, slice, best);
        int *const to = m.distance[k] + ((size_t)slice * m.rows + (size_t)chunk * NEAR_CHUNK) * m.width + x;
#pragma unroll
        for (int i = 0; i < NEAR_CHUNK; i++)
            if (chunk * NEAR_CHUNK + i < m.rows) to[(size_t)i * m.width] = best[i];
    }
}

/* The least distance by a step from the slice that begins at `from`. */
static __device__ inline int step_across(const maps &m, const int *from, int x, int y)
{
    int best = TC_NEARNESS_FAR;
    for (int dy = -1; dy <= 1; dy++) {
        if (y + dy < 0 || y + dy >= m.rows) continue;
        const int *const row = from + (size_t)(y + dy) * m.width;
        const int straight = dy ? m.steps.yz : m.steps.z, slanted = dy ? m.steps.xyz : m.steps.xz;
        best = min(best, row[x] + straight);
        if (x > 0) best = min(best, row[x - 1] + slanted);
        if (x + 1 < m.width) best = min(best, row[x + 1] + slanted);
    }
    return best;
}

/* Makes the steps to slice `slice` from the one before it, and to the slice as far from the end from the one behind it.
 * It is launched for 1, 2, 3 ... up to the last slice. blockIdx.z: the class, and 2 more for the way back. Both ways
 * may meet in a slice. There each number becomes the minimum of both, and a number that is read may be one that the
 * other way has lowered already; it is the length of a path in any case. */
static __global__ void cross_kernel(maps m, int slice)
{
    const int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * (NEAR_BLOCK / 32) + threadIdx.y);
    const bool back = blockIdx.z > 1;
    const int to = back ? m.slices - 1 - slice : slice, from = back ? to + 1 : to - 1;
    int *const map = m.distance[blockIdx.z & 1];
    if (x >= m.width || y >= m.rows || is_guessed(m)) return;
    int *const at = map + ((size_t)to * m.rows + y) * m.width + x;
    const int best = step_across(m, map + (size_t)from * m.rows * m.width, x, y);
    if (best < *at) atomicMin(at, best);
}

/* Adds up the distances from all foreground seeds to the background. */
static __global__ void gap_kernel(maps m, const uint8_t *seeds, unsigned long long *sum)
{
    const size_t i = (size_t)blockIdx.x * NEAR_BLOCK + threadIdx.x, n = (size_t)m.width * m.height;
    if (is_guessed(m)) return;
    const unsigned long long own = i < n && seeds[i] == TILECUT_FOREGROUND ? (unsigned long long)m.distance[1][i] : 0;
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
    const int to_fg = inside ? m.distance[0][i] : 0, to_bg = inside ? m.distance[1][i] : 0;
    const bool far = inside && seeds[i] == TILECUT_BACKGROUND && to_fg > most;
    const unsigned votes = __ballot_sync(WARP, far);
    if (inside && level) level[i] = tc_nearness_level(to_fg, to_bg, to_bg < TC_NEARNESS_FAR, extent, 0, 0);
    if (far) seeds[i] = TILECUT_OUTSIDE;
    if (threadIdx.x % 32 == 0 && votes) atomicAdd(background, 0u - (unsigned)__popc(votes));
}
