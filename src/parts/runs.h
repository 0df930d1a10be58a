/* SPDX-License-Identifier: MIT
 *
 * runs.h - runs: pixels of a row of a part that are adjacent in memory. A row of an image has one run in each column of
 * tiles; a slice of a volume has one in each column of tiles of each of its rows of pixels.
 */
#pragma once

#include "part.h"
#include "wide.h"

typedef struct tc_run {
    int x, count;     /* the first pixel's number in its row or slice (part.h), and the number of pixels */
    int column, line; /* position of the first pixel in the row or slice                                 */
    ptrdiff_t p;      /* node of the first pixel                                                         */
} tc_run;

/* The node of the pixel in this column of row y; in a volume, of the voxel (column, line) of slice y. */
static inline ptrdiff_t tc_part_node(const tc_part *part, int column, int line, int y)
{
    return (ptrdiff_t)(part->volume ? tc_volume_at(part->grid, column, line, y) : tc_grid_at(part->grid, column, y));
}

/* The number of runs of a row or slice. */
static inline int tc_runs(const tc_part *part)
{
    const tc_grid *const grid = part->grid;
    return part->volume ? grid->tiles_x * grid->height : grid->tiles_x;
}

/* Run i of row y; in a volume, of slice y. */
static inline tc_run tc_run_of(const tc_part *part, int y, int i)
{
    const tc_grid *const grid = part->grid;
    const int x = i % grid->tiles_x * TC_TILE, row = i / grid->tiles_x;
    const int left = grid->width - x, count = left < TC_TILE ? left : TC_TILE;
    return (tc_run){row * grid->width + x, count, x, row, tc_part_node(part, x, row, y)};
}

/* The distance in memory, in floats, between the links of neighbouring pixels of a run in one direction. */
static inline int tc_run_step(const tc_grid *grid)
{
    return grid->wide ? TC_WIDE_DIRECTIONS : grid->by_rows ? 1 : 4;
}

/* The residual capacity of the link of node p in that direction, with any connectivity. */
static inline float *tc_run_residual(const tc_grid *grid, ptrdiff_t p, int direction)
{
    return grid->wide ? tc_wide_residual(grid, p, direction) : tc_residual(grid, p, direction);
}
