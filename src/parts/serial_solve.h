/* SPDX-License-Identifier: MIT
 *
 * serial_solve.h - the last resort of parts: after many waves the first part gets all rows and solves them alone.
 *
 * Parts of a few rows have hardly any flow of their own, and excess moves to and fro over the borders, some levels at a
 * time. If the whole is small, one part solves it faster. Any maximum flow gives the same cut, so the answer is the
 * same.
 */
#pragma once

#include "part.h"

/* Solves the whole in the first part, once in a solve, after 16 waves. solver: as in tc_strips_solve(). *done: false if
 * it is not time yet, if the whole is large, if a part lies on disk, or if the backend cannot send rows. All parts call
 * this; there must be no excess in their halos. */
tilecut_status tc_serial_solve(tc_part *part, const tc_solver *solver, const tc_solve_params *params,
                                 tc_solve_stats *stats, bool *done);
