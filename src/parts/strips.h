/* SPDX-License-Identifier: MIT
 *
 * strips.h - a flow across the borders between parts, in one solve each: a strip has rows of both parts along a border.
 *
 * What a part sends over a border without knowing what lies beyond may have to come back, wave after wave. In a strip
 * both sides are known. It has those columns of tiles that are near excess which a search has reached. The upper part
 * has the strip: it is sent the lower part's rows with their residuals and excesses, solves both as one grid, and sends
 * them back. Any flow within some rows is a flow of the whole image, so strips change how many waves there are, but no
 * answer. All borders are done at the same time.
 */
#ifndef TC_STRIPS_H
#define TC_STRIPS_H

#include "part.h"

/* Solves all strips, after a search that has reached excess; each time with more rows. solver: NULL for the usual one.
 * *done: false if there are none: the backend or a part on disk has none, all excess is far from the borders, there
 * were two turns of strips before, parts have no more rows, or a volume needs a wave before the second turn. All parts
 * call this, while there is no excess in their halos. */
tilecut_status tc_strips_solve(tc_part *part, const tc_solver *solver, const tc_solve_params *params,
                               tc_solve_stats *stats, bool *done);

#endif
