/* SPDX-License-Identifier: MIT
 *
 * stand_ins.c - replaces what the page does without: the program's functions that print, and the copies of the solvers
 * for volumes, a tenth of the module.
 */
#include "file.h"
#include "neighbourhoods.h"
#include "status.h"

int file_finish_lines(failure *why)
{
    (void)why;
    return EXIT_DONE;
}

static tilecut_status no_volumes(void)
{
    return tc_fail(TILECUT_EINVAL, "this page cuts no volumes");
}

tilecut_status tc_cascade_solve_6(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    (void)grid, (void)params, (void)stats;
    return no_volumes();
}

tilecut_status tc_push_solve_6(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    (void)grid, (void)params, (void)stats;
    return no_volumes();
}
