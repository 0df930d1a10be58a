/* SPDX-License-Identifier: MIT
 *
 * serial_solve.h - the last resort of parts: after many waves the first part gets all rows and solves them alone.
 *
 * Parts with few rows have hardly any flow of their own, and excess moves to and fro over the borders, some levels at a
 * time. If the whole image is small, one part solves it faster. Any maximum flow gives the same cut, so the answer is
 * the same.
 */
#pragma once

#include "part.h"

/* Solves the whole image in the first part, once per solve, after 16 waves. `solver` is as in tc_strips_solve(). *done
 * is false if there were too few waves, if the image is large, if a part lies on disk, or if the backend cannot send
 * rows. All parts call this; there must be no excess in their halos. */
tilecut_status tc_serial_solve(tc_part *part, const tc_solver *solver, const tc_solve_params *params,
                                 tc_solve_stats *stats, bool *done);
