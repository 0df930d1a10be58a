/* SPDX-License-Identifier: MIT
 *
 * packed_rows.h - rows of a grid in the form in which parts send them: of each tile the links of 32 pixels, by row
 * (grid.h), then diagonals, then excesses.
 */
#ifndef TC_PACKED_ROWS_H
#define TC_PACKED_ROWS_H

#include "part.h"

/* Words of a row of so many columns; `kinds` as in tc_part. */
size_t tc_packed_words(int width, int kinds);

/* packed: [count][tc_packed_words()], of rows from `first` on. */
void tc_rows_pack(tc_grid *grid, int first, int count, float *packed, int threads);

/* The other way. Links of row `closed` to `side` stay as they are in the grid; -1: no such row. */
void tc_rows_unpack(tc_grid *grid, int first, int count, float *packed, int closed, int side, int threads);

#endif
