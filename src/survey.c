/* SPDX-License-Identifier: MIT
 *
 * survey.c - see survey.h.
 */
#include "survey.h"

tc_survey tc_survey_grid(const tc_grid *grid)
{
    enum { SAMPLED_ROW = TC_TILE / 2 };
    tc_survey s = {0};
    for (int y = SAMPLED_ROW; y < grid->height; y += TC_TILE)
        for (int x = 0; x + 1 < grid->width; x++, s.pixels++) {
            const size_t p = tc_grid_at(grid, x, y);
            s.sources += grid->node[p].excess > 0;
            s.terminals += grid->node[p].excess != 0;
            s.closed += !(grid->residual[p].to[TC_RIGHT] > 0) + !(grid->residual[p].to[TC_DOWN] > 0);
        }
    return s;
}
