/* SPDX-License-Identifier: MIT
 *
 * islands_kernels.cuh - the kernels of device_islands.cu. A region of the mask is a tree of pixels whose root is its
 * first pixel. At the start, runs of up to 32 pixels are trees (begin_tree() of lattice_kernels.cuh). Then links
 * between neighbours join trees, in any order, by attaching the later root to the earlier one (Playne & Hawick, IEEE
 * TPDS 2018, describe this and faster ways). All foreground seeds are joined to node 0, which comes before all pixels.
 * So in the end the pixels of its tree stay, and all others are islands.
 */
#pragma once

#include "device_certify.cuh"
#include "worklist.cuh"

enum { ISLANDS_BLOCK = 256 };

typedef struct islands {
    int width, rows;       /* rows: of a slice; an image is one slice                   */
    bool diagonal;         /* true: pixels that touch at a corner are connected, too    */
    const uint8_t *seeds;
    const uint8_t *before; /* a mask to compare with; NULL: none                                             */
    const int *done;       /* if *done is 0, there is no mask yet, and the kernels do nothing; may be NULL */
    uint8_t *mask;         /* [pixels] 0 or 255                                                              */
    int *parent;           /* [1 + pixels] the next node on the way to the root; -1: background. Node 0 is the
                              seeds' root, node 1 + p is pixel p */
} islands;

/* Returns the root of p's tree. On the way each pixel's parent becomes its grandparent (Jaiganesh & Burtscher, HPDC
 * 2018), because paths through a region of many rows would be long otherwise. Roots stay roots, and trees keep their
 * pixels. */
static __device__ inline int root_of(int *parent, int p)
{
    int up = __ldcg(parent + p);
    for (int next = __ldcg(parent + up); next != up; next = __ldcg(parent + up)) {
        __stcg(parent + p, next);
        p = up, up = next;
    }
    return up;
}

/* Joins the trees of p and q. */
static __device__ inline void join_trees(int *parent, int p, int q)
{
    for (;;) {
        p = root_of(parent, p), q = root_of(parent, q);
        if (p == q) return;
        const int first = min(p, q), later = max(p, q);
        if (atomicCAS(parent + later, later, first) == later) return;
    }
}

/* The column, row and slice of a thread; returns false if they lie outside of the slice. A warp has 32 pixels of a row;
 * blocks have (32, ISLANDS_BLOCK / 32) threads. */
static __device__ inline bool thread_pixel(const islands &s, int *x, int *y, int *z)
{
    const int across = ceil_div((size_t)s.width, 32), down = ceil_div((size_t)s.rows, ISLANDS_BLOCK / 32);
    *x = block_column(across) * 32 + (int)threadIdx.x;
    *y = block_row(across) % down * (ISLANDS_BLOCK / 32) + (int)threadIdx.y;
    *z = block_row(across) / down;
    return *x < s.width && *y < s.rows;
}

/* The number of the pixel in column x of row y of slice z. */
static __device__ inline int pixel_number(const islands &s, int x, int y, int z)
{
    return (z * s.rows + y) * s.width + x;
}

static __device__ inline bool too_early(const islands &s)
{
    return s.done && !*s.done;
}

/* Joins pixel p, in column x of the mask, to the pixel `step` before it: the one above it, or the one in the slice
 * before. `left`: the pixel to the left is in the mask, too. */
static __device__ inline void join_before(const islands &s, int p, int x, int step, bool left, bool diagonal)
{
    const int here = 1 + p, before = here - step;
    if (!s.mask[p - step]) { /* otherwise the pixels diagonally before are connected through the pixel before */
        if (diagonal && x > 0 && s.mask[p - step - 1]) join_trees(s.parent, before - 1, here);
        if (diagonal && x + 1 < s.width && s.mask[p - step + 1]) join_trees(s.parent, before + 1, here);
        return;
    }
    /* if the pixels to the left of both pixels belong to the same two runs, these runs were joined there */
    if (!(left && x % 32 != 0 && s.mask[p - step - 1])) join_trees(s.parent, before, here);
}

static __global__ void join_kernel(islands s)
{
    int x, y, z;
    if (too_early(s) || !thread_pixel(s, &x, &y, &z)) return;
    const int p = pixel_number(s, x, y, z), here = 1 + p;
    if (!s.mask[p]) return;
    if (s.seeds[p] == TILECUT_FOREGROUND) join_trees(s.parent, 0, here);
    const bool left = x > 0 && s.mask[p - 1];
    if (left && x % 32 == 0) join_trees(s.parent, here - 1, here);
    if (y > 0) join_before(s, p, x, s.width, left, s.diagonal);
    if (z > 0) join_before(s, p, x, s.width * s.rows, left, false);
}

/* Writes the mask, and counts sums->foreground and sums->changed. */
static __global__ void keep_kernel(islands s, proof_sums *sums)
{
    int x, y, z;
    if (too_early(s)) return;
    const bool inside = thread_pixel(s, &x, &y, &z);
    const int p = inside ? pixel_number(s, x, y, z) : 0;
    const bool kept = inside && s.mask[p] && root_of(s.parent, 1 + p) == 0;
    const bool changed = inside && s.before && (s.before[p] != 0) != kept;
    if (inside) s.mask[p] = kept ? 255 : 0;
    const unsigned foreground = __ballot_sync(WARP, kept), others = __ballot_sync(WARP, changed);
    if (threadIdx.x == 0 && foreground) atomicAdd(&sums->foreground, (unsigned long long)__popc(foreground));
    if (threadIdx.x == 0 && others) atomicAdd(&sums->changed, (unsigned long long)__popc(others));
}
