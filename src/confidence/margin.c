/* SPDX-License-Identifier: MIT
 *
 * margin.c - see confidence.h: makes the cuts.
 */
#include <stdlib.h>
#include <string.h>

#include "confidence.h"
#include "solve.h"
#include "status.h"

const double tc_margin_steps[MARGIN_STEPS] = {0.5, 2, 5, 10};

tilecut_status tc_margin_count(tc_cells *cells, const tc_setup *setup, uint8_t *count)
{
    const size_t all = tc_cells_count(cells);
    tilecut_status status = TILECUT_OK;
    tc_setup how = *setup;
    tc_kept kept = {0};
    uint8_t *const mask = malloc(all);

    if (!mask) return tc_fail(TILECUT_ENOMEM, "no memory for a mask");
    how.solver = NULL, how.comm = NULL; /* this process cuts so small a graph alone */
    how.draft = true;                   /* the mask is proved; these cuts only say how sure it is */
    memset(count, 0, all);
    for (int i = 0; i < MARGIN_CUTS; i++) {
        const int step = i - MARGIN_STEPS;
        tilecut_report report = {0};
        if (step < 0) tc_cells_shift(cells, -tc_margin_steps[MARGIN_STEPS - 1 - i]);
        else tc_cells_shift(cells, step > 0 ? tc_margin_steps[step - 1] : 0);
        TRY(tc_solve(&cells->graph, &how, &kept, mask, NULL, &report));
        for (size_t c = 0; c < all; c++) count[c] = (uint8_t)(count[c] + (mask[c] != 0));
    }
done:
    tc_kept_free(&kept);
    free(mask);
    return status;
}
