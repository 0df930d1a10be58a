/* SPDX-License-Identifier: MIT
 *
 * packed_rows.h - packs rows of a grid into the form in which parts send them. For the row's 32 pixels in each tile:
 * the links in the four directions, by row (grid.h); then diagonal links or, in a volume, links to the slices beside;
 * then excesses.
 */
#ifndef TC_PACKED_ROWS_H
#define TC_PACKED_ROWS_H

#include "part.h"

/* Packed words of one row of a tile. */
size_t tc_packed_words(const tc_part *part);

/* Node of pixel x of a row, numbered as in tc_strip_rows. */
static inline size_t tc_packed_at(const tc_grid *grid, int x, int row)
{
    return grid->slice_rows ? tc_volume_at(grid, x, row % grid->height, row / grid->height) : tc_grid_at(grid, x, row);
}

/* Copy rows from a grid to packed words, and back. packed: [rows->count][rows->columns][tc_packed_words()] */
void tc_rows_pack(tc_grid *grid, const tc_strip_rows *rows, float *packed, int threads);
void tc_rows_unpack(tc_grid *grid, const tc_strip_rows *rows, float *packed, int threads); /* the other way */

#endif
