/* SPDX-License-Identifier: MIT
 *
 * packed_rows.h - packs rows of a grid into the form in which parts send them. For the 32 pixels of a row in each tile,
 * these are: the links in the four directions, by row (grid.h); then diagonal links or, in a volume, links to the
 * neighbouring slices; then excesses.
 */
#pragma once

#include "part.h"

/* The number of packed words for one row of a tile. */
size_t tc_packed_words(const tc_part *part);

/* The node of pixel x of a row; rows are numbered as in tc_strip_rows. */
static inline size_t tc_packed_at(const tc_grid *grid, int x, int row)
{
    return grid->slice_rows ? tc_volume_at(grid, x, row % grid->height, row / grid->height) : tc_grid_at(grid, x, row);
}

/* Copies rows from a grid to packed words (`out`), or back. packed: [rows->count][rows->columns][tc_packed_words()] */
void tc_rows_copy(tc_grid *grid, const tc_strip_rows *rows, float *packed, bool out, int threads);

/* Makes *grid for packed rows of `part`: `rows` rows of `width` pixels or, in a volume, that many slices with lines of
 * that width. Links lie by row. Errors: ENOMEM. */
tilecut_status tc_rows_init(const tc_part *part, int width, int rows, tc_grid *grid);

/* Solves a grid of packed rows on the host, with `solver` if that can do it, and counts this in the part's report. */
tilecut_status tc_rows_solve(tc_part *part, tc_grid *grid, const tc_solver *solver, const tc_solve_params *params,
                             tc_solve_stats *stats);
