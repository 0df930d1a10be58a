/* SPDX-License-Identifier: MIT
 *
 * serial_solve.h - the last resort of parts: where waves do not end, the first part gets all rows and solves them
 * alone.
 *
 * Parts of a few rows have hardly any flow of their own, and excess goes to and fro over the borders, some levels at a
 * time. What is small enough is solved in one part sooner. Any flow of the whole will do, so the answer is the same.
 */
#ifndef TC_SERIAL_SOLVE_H
#define TC_SERIAL_SOLVE_H

#include "part.h"

/* Solves the whole in the first part, once, after many waves. solver: as of tc_strips_solve(). *done: false if it is
 * not time yet, if the whole is large, if a part lies on disk, or if the backend cannot send rows. All parts call this,
 * while there is no excess in their halos. */
tilecut_status tc_serial_solve(tc_part *part, const tc_solver *solver, const tc_solve_params *params,
                                 tc_solve_stats *stats, bool *done);

#endif
