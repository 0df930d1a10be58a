/* SPDX-License-Identifier: MIT
 *
 * bands.h - solving a part's grid once more where that is of use: in rows along its borders.
 *
 * After its first solve a part has no excess that reaches an own sink. What comes over a border later, and what is to
 * leave over one, is mostly moved near that border, while a solver looks at all of the grid it is given. So it is given
 * a band: rows of tiles, or slices of a volume, from the border on, as far as the last search has reached excess, and
 * some more. A band's grid
 * is the part's own memory; for the time of the solve no link leads over its inner edge. A flow within a band is one of
 * the part. Too narrow a band leaves excess, which costs another wave; with each wave bands get wider, until the
 * part is solved as a whole.
 */
#ifndef TC_BANDS_H
#define TC_BANDS_H

#include "part.h"

/* Rows of tiles first .. end - 1; of a volume, slices. */
typedef struct tc_band {
    int first, end;
} tc_band;

/* The bands to solve in this wave; returns how many. The last search has left its labels and sources. */
int tc_bands_find(const tc_part *part, tc_band band[TC_SIDES]);

/* Solves the grid of the band, whose links lie as the solver wants them. ENOMEM, ECANCELLED. */
tilecut_status tc_band_solve(const tc_part *part, tc_band band, const tc_solver *solver, const tc_solve_params *params,
                             tc_solve_stats *stats);

#endif
