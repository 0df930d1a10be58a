/* SPDX-License-Identifier: MIT
 *
 * reverse.c - see reverse.h.
 */
#include "reverse.h"

#include "parallel.h"

static inline void swap(float *a, float *b)
{
    const float was = *a;
    *a = *b;
    *b = was;
}

/* A row of a tile: its excesses, and the links within it, to the pixel on its left and to the row above. These are NULL
 * outside the image. */
static void reverse_row(tc_float4 *restrict here, tc_float4 *restrict left, tc_float4 *restrict above, float *excess)
{
    if (left) swap(&left->to[TC_RIGHT], &here->to[TC_LEFT]);
    for (int x = 0; x + 1 < TC_TILE; x++) swap(&here[x].to[TC_RIGHT], &here[x + 1].to[TC_LEFT]);
    for (int x = 0; above && x < TC_TILE; x++) swap(&above[x].to[TC_DOWN], &here[x].to[TC_UP]);
    for (int x = 0; x < TC_TILE; x++) excess[x] = 0 - excess[x]; /* no zero gets a sign */
}

/* Each link is its right or lower pixel's, so threads in different tiles never meet; the tile on the left has just been
 * in the cache. */
static void reverse_tile(void *context, int tile, int worker)
{
    tc_grid *const grid = context;
    tc_float4 *const first = grid->residual + (size_t)tile * TC_TILE_NODES;
    tc_float4 *const left = tile % grid->tiles_x ? first - TC_TILE_NODES + (TC_TILE - 1) : NULL;
    tc_float4 *const over = first - (size_t)grid->tiles_x * TC_TILE_NODES;
    tc_float4 *above = tile >= grid->tiles_x ? over + (TC_TILE - 1) * TC_TILE : NULL;

    (void)worker;
    for (int y = 0; y < TC_TILE; y++) {
        tc_float4 *const row = first + y * TC_TILE;
        reverse_row(row, left ? left + y * TC_TILE : NULL, above, grid->excess + (row - grid->residual));
        above = row;
    }
}

void tc_grid_reverse(tc_grid *grid, int threads)
{
    tc_parallel(threads, grid->tiles_x * grid->tiles_y, reverse_tile, grid);
}
