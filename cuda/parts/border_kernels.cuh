/* SPDX-License-Identifier: MIT
 *
 * border_kernels.cuh - the work of parts along their borders, as in src/parts/part_backend_host.c, but on the device.
 * Each thread has a pixel of the border row; in a volume, whose rows are slices, a voxel of the slice.
 */
#pragma once

#include "grid_view.cuh"

extern "C" {
#include "cuda_parts.h"
}

enum { BORDER_BLOCK = 256 };

static __device__ inline int border_column(void)
{
    return (int)(blockIdx.x * BORDER_BLOCK + threadIdx.x);
}

/* The number of pixels in a row; for a volume, in a slice. */
static __host__ __device__ inline int border_width(const grid_view &g)
{
    return g.slice_rows ? g.width * g.height : g.width;
}

/* The node of pixel x of row y; for a volume, of voxel x of slice y. */
static __device__ inline int border_node(const grid_view &g, int x, int y)
{
    if (!g.slice_rows) return node_at(g, x, y);
    return node_at(g, x % g.width, x / g.width) + y * g.slice_rows * g.tiles_x * TC_TILE_NODES;
}

static __device__ inline float *link_of(const grid_view &g, int p, int d)
{
    if (d < 4) return &g.residual[p].x + d;
    return g.slices ? &g.slices[p].x + (d - 4) : &g.diagonal[p].x + (d - 4);
}

static __device__ inline void seal_pixel(const grid_view &g, int p)
{
    g.excess[p] = 0;
    g.residual[p] = make_float4(0, 0, 0, 0);
    if (g.diagonal) g.diagonal[p] = make_float4(0, 0, 0, 0);
    if (g.slices) g.slices[p] = make_float2(0, 0);
}

static __global__ void seal_kernel(grid_view g, int y)
{
    const int x = border_column();
    if (x < border_width(g)) seal_pixel(g, border_node(g, x, y));
}

/* Opens the halo: pixels of the halo whose level is `wanted` get room for all flow that the links to them can carry. */
static __global__ void unseal_kernel(grid_view g, tc_cuda_border b, const int32_t *level, int32_t wanted)
{
    const int x = border_column(), width = border_width(g);
    float sum = 0;
    if (x >= width || level[x] != wanted) return;
    for (int k = 0; k < b.kinds; k++) {
        const int from = x - b.step[k];
        if (from < 0 || from >= width) continue;
        sum += *link_of(g, border_node(g, from, b.own), b.direction[k]);
    }
    g.excess[border_node(g, x, b.halo)] = 0 - sum;
}

/* Writes to `out`, by own pixels, the flow over each link into the halo (0 on entry). Then closes the halo. */
static __global__ void take_kernel(grid_view g, tc_cuda_border b, int32_t *out)
{
    const int x = border_column(), width = border_width(g);
    if (x >= width) return;
    const int p = border_node(g, x, b.halo);
    for (int k = 0; k < b.kinds; k++) {
        const int from = x - b.step[k];
        if (from >= 0 && from < width) out[k * width + from] = (int32_t)*link_of(g, p, b.direction[k] ^ 1);
    }
    seal_pixel(g, p);
}

/* Adds the flow that has come over each link into own pixels; `in` is ordered by the neighbour's pixels. Sets *any if
 * any flow has come. */
static __global__ void put_kernel(grid_view g, tc_cuda_border b, const int32_t *in, unsigned *any)
{
    const int x = border_column(), width = border_width(g);
    float sum = 0;
    if (x >= width) return;
    const int p = border_node(g, x, b.own);
    for (int k = 0; k < b.kinds; k++) {
        const int from = x + b.step[k];
        if (from < 0 || from >= width) continue;
        const float came = (float)in[k * width + from];
        *link_of(g, p, b.direction[k]) += came;
        sum += came;
    }
    if (sum == 0) return;
    g.excess[p] += sum;
    *any = 1;
}

/* Writes to `out` the residual capacities of own links into the halo. */
static __global__ void show_kernel(grid_view g, tc_cuda_border b, int32_t *out)
{
    const int x = border_column(), width = border_width(g);
    if (x >= width) return;
    for (int k = 0; k < b.kinds; k++)
        out[k * width + x] = (int32_t)*link_of(g, border_node(g, x, b.own), b.direction[k]);
}

/* Packed rows to be sent: `count` rows, beginning with row `first`. Each tile takes `words` numbers: 32 links of each
 * direction, then the diagonals, then the excesses. One thread per pixel. */
typedef struct packed_rows {
    int first, count, words;
    float *packed;
} packed_rows;

/* The address of the links of this thread's pixel in the packed rows, and the pixel's node; NULL: the thread has no
 * pixel. */
static __device__ inline float *packed_place(const grid_view &g, const packed_rows &r, int *p)
{
    const int i = border_column(), columns = g.tiles_x * TC_TILE, row = i / columns, x = i % columns;
    if (row >= r.count) return NULL;
    *p = node_at(g, x, r.first + row);
    return r.packed + ((size_t)row * g.tiles_x + x / TC_TILE) * r.words + x % TC_TILE;
}

static __global__ void pack_kernel(grid_view g, packed_rows r)
{
    int p;
    float *const to = packed_place(g, r, &p);
    if (!to) return;
    for (int d = 0; d < view_neighbours(g); d++) to[d * TC_TILE] = *link_of(g, p, d);
    to[r.words - TC_TILE] = g.excess[p];
}

/* Copies from the packed rows to the grid. */
static __global__ void unpack_kernel(grid_view g, packed_rows r)
{
    int p;
    const float *const from = packed_place(g, r, &p);
    if (!from) return;
    for (int d = 0; d < view_neighbours(g); d++) *link_of(g, p, d) = from[d * TC_TILE];
    g.excess[p] = from[r.words - TC_TILE];
}

/* Sets the links out of the halo to the residual capacities that the neighbour has. */
static __global__ void set_kernel(grid_view g, tc_cuda_border b, const int32_t *in)
{
    const int x = border_column(), width = border_width(g);
    if (x >= width) return;
    for (int k = 0; k < b.kinds; k++)
        *link_of(g, border_node(g, x, b.halo), b.direction[k] ^ 1) = (float)in[k * width + x];
}
