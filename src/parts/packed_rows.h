/* SPDX-License-Identifier: MIT
 *
 * packed_rows.h - rows of a grid in the form in which parts send them: of each tile the links of 32 pixels, by row
 * (grid.h), then diagonals, then excesses.
 */
#ifndef TC_PACKED_ROWS_H
#define TC_PACKED_ROWS_H

#include "part.h"

/* Words of a row of a tile; `kinds` as in tc_part. */
size_t tc_packed_words(int kinds);

/* packed: [rows->count][rows->columns][tc_packed_words()] */
void tc_rows_pack(tc_grid *grid, const tc_strip_rows *rows, float *packed, int threads);
void tc_rows_unpack(tc_grid *grid, const tc_strip_rows *rows, float *packed, int threads); /* the other way */

#endif
