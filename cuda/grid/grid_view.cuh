/* SPDX-License-Identifier: MIT
 *
 * grid_view.cuh - the device's copy of a tc_grid. It has the tiled layout of grid.h, but the excesses are in an array
 * of their own, so that reading one takes 4 bytes instead of 16. This file also declares what all rungs of the ladder
 * share: copying a grid to the device and back, and running a solver on it.
 */
#pragma once

#include <cuda_runtime.h>

#include "device_memory.cuh"

extern "C" {
#include "cuda_solvers.h"
}

/* Passed to kernels by value. For a volume, tiles_y counts the rows of tiles in all slices, and links to other slices
 * take half the memory that they take in grid.h. */
typedef struct grid_view {
    float4 *residual; /* residual capacities to the right, left, down, up; with guard nodes before and after, which read
                         as 0 */
    float *excess;    /* [nodes], with guard nodes like `residual`                                        */
    float4 *diagonal; /* diagonal links: down-right, up-left, down-left, up-right; NULL without diagonals */
    float2 *slices;   /* [nodes] for a volume: links to the next slice and to the previous one; else NULL */
    int tiles_x, tiles_y;
    int width, height;
    int slice_rows;   /* for a volume: rows of tiles in a slice; else 0                                 */
} grid_view;

/* The number of neighbours per pixel, as in tc_grid. */
static __host__ __device__ inline int view_neighbours(const grid_view &g)
{
    return g.slice_rows ? 6 : g.diagonal ? 8 : 4;
}

static __host__ __device__ inline int view_tiles(const grid_view &g)
{
    return g.tiles_x * g.tiles_y;
}

/* The neighbour of node p in direction d, 0 .. 3: does the same as tc_neighbour() of grid.h. */
static __host__ __device__ inline int neighbour(const grid_view &g, int p, int d)
{
    const int row = g.tiles_x * TC_TILE_NODES, x = p & (TC_TILE - 1), y = p >> TC_TILE_BITS & (TC_TILE - 1);
    if (d == TC_RIGHT) return x != TC_TILE - 1 ? p + 1 : p + TC_TILE_NODES - (TC_TILE - 1);
    if (d == TC_LEFT) return x != 0 ? p - 1 : p - TC_TILE_NODES + (TC_TILE - 1);
    if (d == TC_DOWN) return y != TC_TILE - 1 ? p + TC_TILE : p + row - (TC_TILE - 1) * TC_TILE;
    return y != 0 ? p - TC_TILE : p - row + (TC_TILE - 1) * TC_TILE;
}

/* These do the same as tc_index() and tc_position() of grid.h. */
static __host__ __device__ inline int tiled_index(int tiles_x, int x, int y)
{
    const int tile = (y >> TC_TILE_BITS) * tiles_x + (x >> TC_TILE_BITS);
    return tile * TC_TILE_NODES + ((y & (TC_TILE - 1)) << TC_TILE_BITS) + (x & (TC_TILE - 1));
}

static __host__ __device__ inline void tiled_position(int tiles_x, int p, int *x, int *y)
{
    const int tile = p / TC_TILE_NODES, inside = p % TC_TILE_NODES;
    *x = tile % tiles_x * TC_TILE + inside % TC_TILE;
    *y = tile / tiles_x * TC_TILE + inside / TC_TILE;
}

static __host__ __device__ inline int node_at(const grid_view &g, int x, int y)
{
    return tiled_index(g.tiles_x, x, y);
}

static __host__ __device__ inline void position_of(const grid_view &g, int p, int *x, int *y)
{
    tiled_position(g.tiles_x, p, x, y);
}

static __host__ __device__ inline int view_nodes(const grid_view &g)
{
    return view_tiles(g) * TC_TILE_NODES;
}

/* The number of guard nodes before and after every array that is read through neighbour(): a row of tiles and one
 * tile. */
static __host__ __device__ inline int view_guard(const grid_view &g)
{
    return (g.tiles_x + 1) * TC_TILE_NODES;
}

/* What a device solver reports about a run. */
typedef struct device_run {
    bool unfinished; /* the solver stopped because a CPU is faster from here on; the grid is a valid residual grid with
                        which a CPU can continue */
    int rounds, relabels, relabel_rounds;
    long long visits, relabel_visits; /* visits to tiles */
    long long push_cycles, relabel_cycles;
} device_run;

/* One rung of the ladder. `scratch` is device memory of scratch_bytes(), aligned to 256 bytes, with undefined
 * contents. The solver leaves residuals and excesses of the grid as tc_solver requires. */
typedef struct device_solver {
    size_t (*scratch_bytes)(const grid_view *grid);
    tilecut_status (*solve)(const grid_view *grid, void *scratch, const tc_solve_params *params,
                            cudaStream_t stream, device_run *run);
} device_solver;

/* A grid on the device, with scratch memory for a solver. */
typedef struct device_grid {
    grid_view view;
    device_memory memory;
    void *scratch;
    size_t bytes, scratch_bytes;
} device_grid;

tilecut_status device_grid_init(device_grid *device, const tc_grid *grid, const device_solver *solver,
                                cudaStream_t stream);
tilecut_status device_grid_upload(const device_grid *device, const tc_grid *grid, cudaStream_t stream);
tilecut_status device_grid_download(const device_grid *device, tc_grid *grid, cudaStream_t stream);
void device_grid_free(device_grid *device);

/* Copies the grid to the device, solves it there and copies it back. A row of the solver table calls this. */
tilecut_status solve_on_device(const device_solver *solver, tc_grid *grid, const tc_solve_params *params,
                               tc_solve_stats *stats);
