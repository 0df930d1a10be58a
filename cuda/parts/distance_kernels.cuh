/* SPDX-License-Identifier: MIT
 *
 * distance_kernels.cuh - the kernels of part_nearness.cu: distances to strokes across the borders of parts.
 *
 * First every pixel gets its distance to the nearest stroke of its own part. Distances to strokes beyond a border
 * follow from the two rows next to it, which the neighbour sends; two, because a knight's move spans two rows. A
 * shortest path always leads the same way, and its steps along rows can all be made before it leaves these two rows. So
 * the rows of the part are swept in order, away from the border: each is computed from the two rows before it, without
 * steps along rows.
 */
#pragma once

#include "nearness_kernels.cuh"

enum {
    EDGE = 2,                                  /* the number of rows kept beyond each border    */
    SWEEP_BLOCK = 512, SWEEP_ROWS = 32,        /* threads of a block, one for each column; rows per launch */
    SWEEP_RIM = 2 * SWEEP_ROWS,                /* columns that a block reads on either side of its own */
    SWEEP_COLUMNS = SWEEP_BLOCK - 2 * SWEEP_RIM
};

typedef struct distances {
    int width, height; /* the part's own rows                                                    */
    int *of[2];        /* [EDGE + height + EDGE][width] distances to the foreground and to the background; NOWHERE:
                          none */
} distances;

static __host__ __device__ inline size_t row_at(const distances &d, int y)
{
    return (size_t)(y + EDGE) * (size_t)d.width;
}

/* Writes the distances of own rows, and NOWHERE into the rows of the edges. */
static __global__ void distance_kernel(maps m, distances d)
{
    int x, chunk, best[NEAR_CHUNK];
    if (!find_chunk(m, &x, &chunk)) return;
    for (int k = 0; k < 2; k++) {
        nearest_of(m, k, x, chunk, best);
        int *const map = d.of[k] + x;
#pragma unroll
        for (int i = 0; i < NEAR_CHUNK; i++) {
            const int y = chunk * NEAR_CHUNK + i;
            if (y < d.height) map[row_at(d, y)] = min(best[i], (int)NOWHERE);
        }
        for (int i = 0; i < EDGE && chunk == 0; i++) map[row_at(d, -1 - i)] = map[row_at(d, d.height + i)] = NOWHERE;
    }
}

/* For the edge that begins at row `first`: takes the distances [class][EDGE][width] that a neighbour has sent, where
 * they are smaller. Sets *less to 1 if any is. */
static __global__ void lessen_kernel(distances d, int first, const int *sent, unsigned *less)
{
    const int x = (int)(blockIdx.x * NEAR_BLOCK + threadIdx.x), row = (int)blockIdx.y, k = (int)blockIdx.z;
    if (x >= d.width) return;
    int *const at = d.of[k] + row_at(d, first + row) + x;
    const int other = sent[(size_t)(k * EDGE + row) * (size_t)d.width + x];
    if (other >= *at) return;
    *at = other;
    atomicOr(less, 1u);
}

/* The least distance of a pixel by way of `near`, the row before, and `earlier`, the row before that. */
static __device__ inline int from_rows(const int *near, const int *earlier)
{
    const int knight = min(min(near[-2], near[2]), min(earlier[-1], earlier[1]));
    return min(near[0] + 5, min(min(near[-1], near[1]) + 7, knight + 11));
}

/* Sweeps SWEEP_ROWS rows, beginning with row `first`, from the upper border down or from the lower one up. changed[0]
 * says whether the rows before have changed; if not, these rows stay as they are. changed[1] is set if these rows have
 * changed. Blocks read columns that other blocks are writing. That is harmless: the result is the minimum over the old
 * and the new value, so it is right with either. */
static __global__ void sweep_kernel(distances d, int first, bool down, unsigned *changed)
{
    __shared__ int rows[3][SWEEP_BLOCK + 2 * EDGE];
    const int t = (int)threadIdx.x, x = (int)blockIdx.x * SWEEP_COLUMNS - SWEEP_RIM + t, k = (int)blockIdx.y;
    const bool inside = x >= 0 && x < d.width, mine = inside && t >= SWEEP_RIM && t < SWEEP_RIM + SWEEP_COLUMNS;
    int *const map = d.of[k];
    bool lessened = false;
    if (!changed[0]) return;
    for (int r = 0; r < 3; r++) {
        const int y = first - EDGE + r, place = down ? y : d.height - 1 - y;
        if (t < 2 * EDGE) rows[r][t < EDGE ? t : SWEEP_BLOCK + t] = NOWHERE;
        rows[r][t + EDGE] = inside && r < EDGE ? __ldcg(map + row_at(d, place) + x) : (int)NOWHERE;
    }
    for (int i = 0; i < SWEEP_ROWS && first + i < d.height; i++) {
        const int place = down ? first + i : d.height - 1 - first - i;
        const size_t at = row_at(d, place) + (size_t)(inside ? x : 0);
        const int *const near = rows[(i + 1) % 3] + t + EDGE, *const earlier = rows[i % 3] + t + EDGE;
        const int before = inside ? __ldcg(map + at) : (int)NOWHERE;
        __syncthreads();
        const int after = inside ? min(before, from_rows(near, earlier)) : before;
        if (mine && after < before) __stcg(map + at, after), lessened = true;
        rows[(i + 2) % 3][t + EDGE] = after; /* overwrites the oldest of the three rows, which is not read any more */
    }
    if (__syncthreads_or(lessened) && t == 0) atomicOr(changed + 1, 1u);
}

/* Computes the level of each pixel, as in write_row() of nearness.c. Own rows begin at row `above` of the whole image,
 * which has `all` rows. */
static __global__ void distant_level_kernel(distances d, double extent, double margin, int above, int all,
                                            uint8_t *level)
{
    const int x = near_column(d.width), y = near_row(d.width);
    if (x >= d.width || y >= d.height) return;
    const size_t at = row_at(d, y) + x;
    const int to_fg = d.of[0][at], to_bg = d.of[1][at];
    const int halo = min(tc_border_distance(x, d.width), tc_border_distance(above + y, all));
    level[(size_t)y * d.width + x] = tc_nearness_level(to_fg, to_bg, to_bg < NOWHERE, extent, halo, margin);
}
