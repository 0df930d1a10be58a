/* SPDX-License-Identifier: MIT
 *
 * strips.h - a flow across the borders between parts, in one solve each: a strip has rows of both parts along a border.
 *
 * What a part sends over a border without knowing what lies beyond may have to come back, wave after wave. In a strip
 * both sides are known. The upper part has the strip: it is sent the lower part's rows with their residuals and
 * excesses, solves both as one grid, and sends them back. Any flow within some rows is a flow of the whole image, so
 * strips change how many waves there are, but no answer. All borders are done at the same time.
 */
#ifndef TC_STRIPS_H
#define TC_STRIPS_H

#include "part.h"

/* Solves all strips, if all parts have their grids in host memory, else none. solver: NULL for the usual one. All parts
 * call this, while no excess is in their rims. */
tilecut_status tc_strips_solve(tc_part *part, const tc_solver *solver, const tc_solve_params *params,
                               tc_solve_stats *stats);

#endif
