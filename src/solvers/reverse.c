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

/* Reverses a row of a tile: its excesses and the links within it. */
static void reverse_row(float *restrict right, float *restrict left, float *restrict excess)
{
    for (int x = 0; x + 1 < TC_TILE; x++) swap(&right[x], &left[x + 1]);
    for (int x = 0; x < TC_TILE; x++) excess[x] = 0 - excess[x]; /* 0 stays +0 */
}

static void reverse_between(float *restrict down, float *restrict up)
{
    for (int x = 0; x < TC_TILE; x++) swap(&down[x], &up[x]);
}

/* Reverses a tile. A link belongs to its right or lower pixel, so threads in different tiles never touch the same
 * link. The tile on the left was in the cache just before. */
static void reverse_tile(void *context, int tile, int worker)
{
    tc_grid *const grid = context;
    const bool left = tile % grid->tiles_x > 0, above = tile >= grid->tiles_x;

    (void)worker;
    for (int y = 0; y < TC_TILE; y++) {
        const ptrdiff_t p = (ptrdiff_t)tile * TC_TILE_NODES + y * TC_TILE;
        reverse_row(tc_residual(grid, p, TC_RIGHT), tc_residual(grid, p, TC_LEFT), grid->excess + p);
        if (left) swap(tc_residual(grid, p - TC_TILE_NODES + TC_TILE - 1, TC_RIGHT), tc_residual(grid, p, TC_LEFT));
        if (y > 0 || above)
            reverse_between(tc_residual(grid, tc_neighbour(grid->tiles_x, p, TC_UP), TC_DOWN),
                            tc_residual(grid, p, TC_UP));
    }
}

void tc_grid_reverse(tc_grid *grid, int threads)
{
    tc_grid_arrange(grid, true, threads);
    tc_parallel(threads, grid->tiles_x * grid->tiles_y, reverse_tile, grid);
}
