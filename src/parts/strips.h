/* SPDX-License-Identifier: MIT
 *
 * strips.h - finds flow over the borders between parts, with one solve per border. A strip has rows of both parts along
 * a border.
 *
 * A part that sends flow over a border does not know the residuals beyond, so the flow may have to come back, wave
 * after wave. A strip contains both sides, but only the columns of tiles near excess that a search has reached. The
 * upper part gets the lower part's rows with their residuals and excesses, solves both as one grid, and sends them
 * back. A flow within some rows is a flow of the whole image, so strips reduce the number of waves but do not change
 * the answer. All borders are solved at the same time.
 */
#pragma once

#include "part.h"

/* Solves all strips, after a search that has reached excess; the second time with more rows. `solver` may be NULL for
 * the default. *done is false if nothing was solved. The reasons may be: the backend has no strips, a part lies on
 * disk, all excess is far from the borders, there were two turns of strips already, the parts have no more rows for
 * wider strips, or a volume needs a wave before the second turn. All parts call this; there must be no excess in their
 * halos. */
tilecut_status tc_strips_solve(tc_part *part, const tc_solver *solver, const tc_solve_params *params,
                               tc_solve_stats *stats, bool *done);
