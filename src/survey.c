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
            const size_t p = tc_grid_at(grid, x, y);
            const float excess = grid->excess[p], *const to = grid->residual[p].to;
            tc_survey_pixel(&s, (excess > 0) - (excess < 0), to[TC_RIGHT] > 0, to[TC_DOWN] > 0);
        }
    return s;
}
