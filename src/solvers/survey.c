/* SPDX-License-Identifier: MIT
 *
 * survey.c - see survey.h.
 */
#include "survey.h"

tc_survey tc_survey_grid(const tc_grid *grid)
{
    tc_survey s = {0};
    int first, step;
    tc_survey_rows(grid->width, grid->height, &first, &step);
    for (int y = first; y < grid->height; y += step)
        for (int x = 0; x + 1 < grid->width; x++) {
            const ptrdiff_t p = (ptrdiff_t)tc_grid_at(grid, x, y);
            const float excess = grid->excess[p];
            tc_survey_pixel(&s, (excess > 0) - (excess < 0), *tc_residual(grid, p, TC_RIGHT) > 0,
                            *tc_residual(grid, p, TC_DOWN) > 0);
        }
    return s;
}
