/* SPDX-License-Identifier: MIT */
#include "survey.h"

/* Surveys rows of an image, or of the slice of a volume that begins at node `origin`. */
static void survey_slice(tc_survey *s, const tc_grid *grid, size_t origin)
{
    int first, step;
    tc_survey_rows(grid->width, grid->height, &first, &step);
    for (int y = first; y < grid->height; y += step)
        for (int x = 0; x + 1 < grid->width; x++) {
            const ptrdiff_t p = (ptrdiff_t)(origin + tc_grid_at(grid, x, y));
            const float excess = grid->excess[p];
            tc_survey_pixel(s, (excess > 0) - (excess < 0), *tc_residual(grid, p, TC_RIGHT) > 0,
                            *tc_residual(grid, p, TC_DOWN) > 0);
        }
}

tc_survey tc_survey_grid(const tc_grid *grid)
{
    enum { SLICES = 16 };
    const int slices = grid->slice_rows ? grid->tiles_y / grid->slice_rows : 1, step = 1 + (slices - 1) / SLICES;
    const size_t slice = (size_t)grid->slice_rows * (size_t)grid->tiles_x * TC_TILE_NODES;
    tc_survey s = {0};
    for (int z = step / 2; z < slices; z += step) survey_slice(&s, grid, (size_t)z * slice);
    return s;
}
