/* SPDX-License-Identifier: MIT
 *
 * bands.h - solves a part's grid again, but only in bands along its borders.
 *
 * After its first solve a part has no excess that reaches a sink of its own. Excess that arrives over a border later,
 * or has to leave over one, mostly moves near that border, but a solver visits the whole grid that it is given. So it
 * is given only a band: rows of tiles (in a volume, slices) from the border to the farthest excess that the last search
 * has reached, and some more. A band is a view of the part's memory; during the solve the links over its inner edge are
 * closed. A flow within a band is a flow of the part. If a band is too narrow, excess stays and costs another wave;
 * bands get wider with each wave, until the part is solved as a whole.
 */
#pragma once

#include "part.h"

/* Rows of tiles first .. end - 1; in a volume, slices. */
typedef struct tc_band {
    int first, end;
} tc_band;

/* Finds the bands to solve in this wave, from the labels and sources of the last search. Returns their number. */
int tc_bands_find(const tc_part *part, tc_band band[TC_SIDES]);

/* Solves the grid of the band; its links must be in the solver's layout (tc_grid_arrange()). Errors: ENOMEM,
 * ECANCELLED. */
tilecut_status tc_band_solve(const tc_part *part, tc_band band, const tc_solver *solver, const tc_solve_params *params,
                             tc_solve_stats *stats);
