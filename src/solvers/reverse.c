/* SPDX-License-Identifier: MIT */
#include "reverse.h"

#include "parallel.h"

static inline void swap_floats(float *a, float *b)
{
    const float was = *a;
    *a = *b;
    *b = was;
}

/* Reverses a row of a tile: its excesses and the links within it. */
static void reverse_row(float *restrict right, float *restrict left, float *restrict excess)
{
    for (int x = 0; x + 1 < TC_TILE; x++) swap_floats(&right[x], &left[x + 1]);
    for (int x = 0; x < TC_TILE; x++) excess[x] = 0 - excess[x]; /* 0 stays +0 */
}

static void reverse_between(float *restrict down, float *restrict up)
{
    for (int x = 0; x < TC_TILE; x++) swap_floats(&down[x], &up[x]);
}

/* Swaps the two ends of each diagonal between a row of a tile and the row above, one pixel to the left or to the right.
 * `beyond` is the end that lies in the next tile; NULL: there is no such tile. */
static void reverse_slanted(float *restrict down, float *restrict up, bool left, float *beyond)
{
    const int own = left ? 0 : TC_TILE - 1;
    if (left)
        for (int x = 1; x < TC_TILE; x++) swap_floats(&down[x - 1], &up[x]);
    else
        for (int x = 0; x + 1 < TC_TILE; x++) swap_floats(&down[x + 1], &up[x]);
    if (beyond) swap_floats(beyond, &up[own]);
}

/* Reverses the diagonals between the row of a tile that begins at node p and the row above it, which begins at node
 * `over`. */
static void reverse_diagonals(tc_grid *grid, ptrdiff_t p, ptrdiff_t over, bool left, bool right)
{
    /* from the last pixel of a row in one tile to the next pixel, which is in the next tile */
    const ptrdiff_t aside = TC_TILE_NODES - (TC_TILE - 1);
    reverse_slanted(tc_residual(grid, over, TC_DOWN_RIGHT), tc_residual(grid, p, TC_UP_LEFT), true,
                    left ? tc_residual(grid, over - aside, TC_DOWN_RIGHT) : NULL);
    reverse_slanted(tc_residual(grid, over, TC_DOWN_LEFT), tc_residual(grid, p, TC_UP_RIGHT), false,
                    right ? tc_residual(grid, over + TC_TILE_NODES, TC_DOWN_LEFT) : NULL);
}

/* Reverses a tile. A link is handled with its right or lower pixel, or with its pixel in the later slice, so threads in
 * different tiles never touch the same link. The tile on the left was in the cache just before. */
static void reverse_tile(void *context, int tile)
{
    tc_grid *const grid = context;
    const int row = tile / grid->tiles_x, slice = grid->slice_rows * grid->tiles_x;
    const bool left = tile % grid->tiles_x > 0, above = slice ? row % grid->slice_rows > 0 : row > 0;
    const bool right = (tile + 1) % grid->tiles_x > 0;

    for (int y = 0; y < TC_TILE; y++) {
        const ptrdiff_t p = (ptrdiff_t)tile * TC_TILE_NODES + y * TC_TILE;
        reverse_row(tc_residual(grid, p, TC_RIGHT), tc_residual(grid, p, TC_LEFT), grid->excess + p);
        if (left)
            swap_floats(tc_residual(grid, p - TC_TILE_NODES + TC_TILE - 1, TC_RIGHT),
                        tc_residual(grid, p, TC_LEFT));
        if (slice && tile >= slice)
            reverse_between(tc_residual(grid, p - (ptrdiff_t)slice * TC_TILE_NODES, TC_BEHIND),
                            tc_residual(grid, p, TC_BEFORE));
        if (y == 0 && !above) continue;
        const ptrdiff_t over = tc_neighbour(grid->tiles_x, p, TC_UP);
        reverse_between(tc_residual(grid, over, TC_DOWN), tc_residual(grid, p, TC_UP));
        if (grid->diagonal && !slice) reverse_diagonals(grid, p, over, left, right);
    }
}

void tc_grid_reverse(tc_grid *grid, int threads)
{
    tc_grid_arrange(grid, true, threads);
    tc_parallel(threads, grid->tiles_x * grid->tiles_y, reverse_tile, grid);
}
