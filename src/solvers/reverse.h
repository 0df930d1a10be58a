/* SPDX-License-Identifier: MIT
 *
 * reverse.h - the reverse graph: links point the other way, and the source and the sink change places. Its minimum cut
 * is the same, and pushing excess through it is pushing room back from the sinks.
 */
#ifndef TC_REVERSE_H
#define TC_REVERSE_H

#include <stdbool.h>

#include "grid.h"
#include "survey.h"

/* Makes `grid`, of 4 neighbours, the reverse of itself, in place; twice, and it is as before, but that links lie by row
 * from then on, as running along rows is all there is to do. A maximum preflow of the reverse graph becomes a
 * pseudoflow: what is left of the room has moved, excess has not, and no excess reaches any room, which is all that
 * cut.h asks for. */
void tc_grid_reverse(tc_grid *grid, int threads);

/* Whether excess would flood much more of the image than room does: that is about as much as is tied to its terminal,
 * where most pixels have one (where few have, tc_solver_run() looks for a contour). Measured: performance.md. */
static inline bool tc_reverse_pays(const tc_survey *s)
{
    return !tc_survey_few(s) && 10 * s->sources > 11 * (s->terminals - s->sources);
}

#endif
