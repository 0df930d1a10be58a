/* SPDX-License-Identifier: MIT
 *
 * device_nearness.cu - see device_nearness.cuh.
 *
 * The chamfer distance 5, 7, 11 is a norm: max(5a + b, 4a + 3b) for |dx|, |dy| with a >= b. It grows with |dx|, so that
 * of each row only the seed nearest to the column counts: a warp finds those along a row, and then every pixel
 * goes up and down its column. CHUNK rows at once are passed over when even their nearest seed is too far.
 */
#include <stdint.h>

#include "device_nearness.cuh"
#include "grid_view.cuh"
#include "worklist.cuh"

extern "C" {
#include "nearness.h"
}

enum { BLOCK = 256, CHUNK = 32, NOWHERE = 1 << 28 };

typedef struct maps {
    int width, height, chunks;
    int *along[2]; /* [pixels] of foreground and background: distance to the nearest seed in the row */
    int *least[2]; /* [chunk][width] the least of CHUNK rows                                         */
} maps;

static maps place_maps(int width, int height, char *base, size_t *total)
{
    const int chunks = (height + CHUNK - 1) / CHUNK;
    maps m = {width, height, chunks, {}, {}};
    *total = 0;
    for (int k = 0; k < 2; k++) {
        m.along[k] = (int *)(base + take(total, (size_t)width * (size_t)height * sizeof(int)));
        m.least[k] = (int *)(base + take(total, (size_t)width * (size_t)chunks * sizeof(int)));
    }
    return m;
}

size_t nearness_scratch_bytes(int width, int height)
{
    size_t total;
    (void)place_maps(width, height, (char *)256, &total); /* only the sizes are wanted */
    return total;
}

static __device__ inline bool marked(uint8_t seed, int k)
{
    return k == 0 ? seed == TILECUT_FOREGROUND : seed == TILECUT_BACKGROUND || seed == TILECUT_OUTSIDE;
}

/* A warp a row and class: from the left, then from the right. */
static __global__ void along_kernel(maps m, const uint8_t *seeds)
{
    const int lane = threadIdx.x & 31, warp = (int)((blockIdx.x * BLOCK + threadIdx.x) >> 5);
    const int y = warp >> 1, k = warp & 1;
    if (y >= m.height) return;
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
    const int x = (int)(blockIdx.x * BLOCK + threadIdx.x), chunk = blockIdx.y, k = blockIdx.z;
    int least = NOWHERE;
    if (x >= m.width) return;
    for (int y = chunk * CHUNK; y < min(m.height, (chunk + 1) * CHUNK); y++)
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
    const int end = min(m.height, (chunk + 1) * CHUNK);
    for (int row = chunk * CHUNK; row < end; row++)
        best = min(best, chamfer(m.along[k][(size_t)row * m.width + x], abs(row - y)));
    return best;
}

/* Distance from (x, y) to the nearest seed of class k. */
static __device__ int nearest_of(const maps &m, int k, int x, int y)
{
    const int here = y / CHUNK;
    int best = scan_chunk(m, k, here, x, y, 5 * NOWHERE);
    for (int step = 1; step < m.chunks; step++) {
        const int up = here - step, down = here + step;
        const int rows_up = y - (up * CHUNK + CHUNK - 1), rows_down = down * CHUNK - y;
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
    const int x = (int)(blockIdx.x * 32 + threadIdx.x), y = (int)(blockIdx.y * (BLOCK / 32) + threadIdx.y);
    if (x >= m.width || y >= m.height) return;
    const uint32_t to_fg = (uint32_t)nearest_of(m, 0, x, y), sum = to_fg + (uint32_t)nearest_of(m, 1, x, y);
    level[(size_t)y * m.width + x] = (uint8_t)((2 * (TC_NEARNESS_LEVELS - 1) * to_fg + sum) / (2 * sum));
}

/* Queues all of it on `stream`. */
static tilecut_status find(const uint8_t *seeds, int width, int height, void *scratch, uint8_t *level,
                           cudaStream_t stream)
{
    tilecut_status status = TILECUT_OK;
    size_t total;
    const maps m = place_maps(width, height, (char *)scratch, &total);
    const dim3 columns((unsigned)ceil_div((size_t)width, BLOCK), (unsigned)m.chunks, 2);
    const dim3 tiles((unsigned)ceil_div((size_t)width, 32), (unsigned)ceil_div((size_t)height, BLOCK / 32));
    along_kernel<<<ceil_div(2 * (size_t)height, BLOCK / 32), BLOCK, 0, stream>>>(m, seeds);
    CUDA_TRY(cudaGetLastError());
    least_kernel<<<columns, BLOCK, 0, stream>>>(m);
    CUDA_TRY(cudaGetLastError());
    level_kernel<<<tiles, dim3(32, BLOCK / 32), 0, stream>>>(m, level);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

tilecut_status nearness_begin(nearness_search *search, const uint8_t *seeds, int width, int height, void *scratch,
                              uint8_t *level, cudaStream_t stream)
{
    tilecut_status status = TILECUT_OK;
    CUDA_TRY(cudaStreamCreateWithFlags(&search->stream, cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreateWithFlags(&search->begun, cudaEventDisableTiming));
    CUDA_TRY(cudaEventCreateWithFlags(&search->ended, cudaEventDisableTiming));
    CUDA_TRY(cudaEventRecord(search->begun, stream));
    CUDA_TRY(cudaStreamWaitEvent(search->stream, search->begun, 0));
    TRY(find(seeds, width, height, scratch, level, search->stream));
    CUDA_TRY(cudaEventRecord(search->ended, search->stream));
done:
    return status;
}

tilecut_status nearness_join(nearness_search *search, cudaStream_t stream)
{
    tilecut_status status = TILECUT_OK;
    CUDA_TRY(cudaStreamWaitEvent(stream, search->ended, 0));
    search->joined = true;
done:
    return status;
}

/* Destroying what is in use is allowed: it goes when it is done. */
void nearness_end(nearness_search *search)
{
    if (search->stream && !search->joined) (void)cudaStreamSynchronize(search->stream);
    if (search->ended) (void)cudaEventDestroy(search->ended);
    if (search->begun) (void)cudaEventDestroy(search->begun);
    if (search->stream) (void)cudaStreamDestroy(search->stream);
    *search = {};
}
