/* SPDX-License-Identifier: MIT
 *
 * neighbourhoods.h - the solvers that are compiled once for each neighbourhood; see neighbourhood.h.
 */
#pragma once

#include "solver.h"

#define TC_COPY(name) tilecut_status name(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)

TC_COPY(tc_cascade_solve);
TC_COPY(tc_cascade_solve_6);
TC_COPY(tc_cascade_solve_8);
TC_COPY(tc_push_solve);
TC_COPY(tc_push_solve_6);
TC_COPY(tc_push_solve_8);
TC_COPY(tc_bk_solve);
TC_COPY(tc_bk_solve_wide); /* 26 neighbours: wide.h */
