/* SPDX-License-Identifier: MIT
 *
 * runs.h - the pixels of a row of a part where they lie side by side in its grid. A row of an image has a run in each
 * column of tiles, a slice of a volume one in each row of each column.
 */
#ifndef TC_RUNS_H
#define TC_RUNS_H

#include "part.h"
#include "wide.h"

typedef struct tc_run {
    int x, count;     /* the first one, as part.h counts in a row or slice, and how many */
    int column, line; /* where it is in the row, or slice                                */
    ptrdiff_t p;      /* its node */
} tc_run;

/* Node of pixel (column, line) of row y; of a volume, of voxel (column, line) of slice y. */
static inline ptrdiff_t tc_part_node(const tc_part *part, int column, int line, int y)
{
    return (ptrdiff_t)(part->volume ? tc_volume_at(part->grid, column, line, y) : tc_grid_at(part->grid, column, y));
}

static inline int tc_runs(const tc_part *part)
{
    const tc_grid *const grid = part->grid;
    return part->volume ? grid->tiles_x * grid->height : grid->tiles_x;
}

/* Run i of row y; of a volume, of slice y. */
static inline tc_run tc_run_of(const tc_part *part, int y, int i)
{
    const tc_grid *const grid = part->grid;
    const int x = i % grid->tiles_x * TC_TILE, row = i / grid->tiles_x;
    const int left = grid->width - x, count = left < TC_TILE ? left : TC_TILE;
    return (tc_run){row * grid->width + x, count, x, row, tc_part_node(part, x, row, y)};
}

/* How far links of one direction out of neighbouring pixels of a run lie apart. */
static inline int tc_run_step(const tc_grid *grid)
{
    return grid->wide ? TC_WIDE_DIRECTIONS : grid->by_rows ? 1 : 4;
}

/* The residual capacity of a link of node p, of any neighbourhood. */
static inline float *tc_run_residual(const tc_grid *grid, ptrdiff_t p, int direction)
{
    return grid->wide ? tc_wide_residual(grid, p, direction) : tc_residual(grid, p, direction);
}

#endif
