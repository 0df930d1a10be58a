/* SPDX-License-Identifier: MIT
 *
 * neighbourhoods.c - chooses the copy of a solver that fits the grid's neighbourhood.
 */
#include "neighbourhoods.h"

tilecut_status tc_solver_cascade(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    if (grid->connectivity == 6) return tc_cascade_solve_6(grid, params, stats);
    return (grid->connectivity == 8 ? tc_cascade_solve_8 : tc_cascade_solve)(grid, params, stats);
}

tilecut_status tc_solver_push(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    if (grid->connectivity == 6) return tc_push_solve_6(grid, params, stats);
    return (grid->connectivity == 8 ? tc_push_solve_8 : tc_push_solve)(grid, params, stats);
}

tilecut_status tc_solver_bk(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    return (grid->connectivity == 26 ? tc_bk_solve_wide : tc_bk_solve)(grid, params, stats);
}
