/* SPDX-License-Identifier: MIT
 *
 * grid_arrange.c - changes the layout of links from by node to by row, or back, tile by tile in place.
 */
#include "grid.h"
#include "parallel.h"
#include "tile_board.h"

typedef struct arrangement {
    tc_grid *grid;
    void (*move)(float *links); /* rearranges one tile */
} arrangement;

static void move_tile(void *context, int tile)
{
    const arrangement *const a = context;
    a->move(a->grid->residual[(size_t)tile * TC_TILE_NODES].to);
    if (a->grid->diagonal) a->move(a->grid->diagonal[(size_t)tile * TC_TILE_NODES].to);
}

void tc_grid_arrange(tc_grid *grid, bool by_rows, int threads)
{
    const tc_board_kernels *const kernel = tc_board_kernels_get();
    arrangement a = {grid, by_rows ? kernel->split_links : kernel->join_links};
    if (grid->by_rows == by_rows) return;
    tc_parallel(threads, grid->tiles_x * grid->tiles_y, move_tile, &a);
    grid->by_rows = by_rows;
}
