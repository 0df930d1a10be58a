/* SPDX-License-Identifier: MIT
 *
 * packed_rows.h - rows of a grid in the form in which parts send them: of each tile the links of 32 pixels, by row
 * (grid.h), then diagonals, of a volume links to the slices beside, then excesses.
 */
#ifndef TC_PACKED_ROWS_H
#define TC_PACKED_ROWS_H

#include "part.h"

/* Words of a row of a tile. */
size_t tc_packed_words(const tc_part *part);

/* Node of pixel x of a row as tc_strip_rows counts them. */
static inline size_t tc_packed_at(const tc_grid *grid, int x, int row)
{
    return grid->slice_rows ? tc_volume_at(grid, x, row % grid->height, row / grid->height) : tc_grid_at(grid, x, row);
}

/* packed: [rows->count][rows->columns][tc_packed_words()] */
void tc_rows_pack(tc_grid *grid, const tc_strip_rows *rows, float *packed, int threads);
void tc_rows_unpack(tc_grid *grid, const tc_strip_rows *rows, float *packed, int threads); /* the other way */

#endif
