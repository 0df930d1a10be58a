/* SPDX-License-Identifier: MIT
 *
 * runs.h - the pixels of a row of a part where they lie side by side in its grid. A row of an image has a run in each
 * column of tiles, a slice of a volume one in each row of each column.
 */
#ifndef TC_RUNS_H
#define TC_RUNS_H

#include "part.h"

typedef struct tc_run {
    int x, count; /* the first one, as part.h counts in a row or slice, and how many */
    ptrdiff_t p;  /* its node */
} tc_run;

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
    const size_t p = part->volume ? tc_volume_at(grid, x, row, y) : tc_grid_at(grid, x, y);
    return (tc_run){row * grid->width + x, count, (ptrdiff_t)p};
}

/* How far links of one direction out of neighbouring pixels of a run lie apart. */
static inline int tc_run_step(const tc_grid *grid)
{
    return grid->by_rows ? 1 : 4;
}

#endif
