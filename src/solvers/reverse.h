/* SPDX-License-Identifier: MIT
 *
 * reverse.h - the reverse graph: all links are turned round, and source and sink change places. Its minimum cut is the
 * same. Pushing excess through it is the same as pushing capacity to the sink back from the sinks.
 */
#pragma once

#include <stdbool.h>

#include "grid.h"
#include "survey.h"

/* Turns `grid` into its reverse, in place. A second call restores it, except that links lie by row from then on,
 * because reversing works along rows. A maximum preflow of the reverse graph becomes a pseudoflow, in which negative
 * excess has moved instead of positive. No residual path leads from positive to negative excess, which is all that
 * cut.h requires. */
void tc_grid_reverse(tc_grid *grid, int threads);

/* True if excess would flood much more of the image than negative excess does. If most pixels have a terminal, excess
 * floods about as many pixels as are tied to the source. (If few have one, tc_solver_run() looks for a contour.)
 * Measured: performance.md. */
static inline bool tc_reverse_pays(const tc_survey *s)
{
    return !tc_survey_few(s) && 10 * s->sources > 11 * (s->terminals - s->sources);
}
