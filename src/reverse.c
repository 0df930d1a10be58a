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

/* The excesses of a row of a tile, and the links within it. */
static void reverse_row(tc_float4 *row, float *excess)
{
    for (int x = 0; x + 1 < TC_TILE; x++) swap(&row[x].to[TC_RIGHT], &row[x + 1].to[TC_LEFT]);
    for (int x = 0; x < TC_TILE; x++) excess[x] = 0 - excess[x]; /* no zero gets a sign */
}

static void reverse_between(tc_float4 *restrict above, tc_float4 *restrict row)
{
    for (int x = 0; x < TC_TILE; x++) swap(&above[x].to[TC_DOWN], &row[x].to[TC_UP]);
}

/* Each link is its right or lower pixel's, so threads in different tiles never meet; the tile on the left has just been
 * in the cache. */
static void reverse_tile(void *context, int tile, int worker)
{
    tc_grid *const grid = context;
    const size_t first = (size_t)tile * TC_TILE_NODES, last = TC_TILE - 1;
    const bool left = tile % grid->tiles_x > 0, above = tile >= grid->tiles_x;

    (void)worker;
    for (int y = 0; y < TC_TILE; y++) {
        tc_float4 *const row = grid->residual + first + y * TC_TILE;
        reverse_row(row, grid->excess + first + y * TC_TILE);
        if (left) swap(&(row - TC_TILE_NODES + last)->to[TC_RIGHT], &row->to[TC_LEFT]);
        if (y > 0) reverse_between(row - TC_TILE, row);
        else if (above) reverse_between(row - (size_t)grid->tiles_x * TC_TILE_NODES + last * TC_TILE, row);
    }
}

void tc_grid_reverse(tc_grid *grid, int threads)
{
    tc_parallel(threads, grid->tiles_x * grid->tiles_y, reverse_tile, grid);
}
