/* SPDX-License-Identifier: MIT
 *
 * confidence.h - how sure a mask is, pixel by pixel, and where a stroke would help most.
 *
 * The image is cut several times more, with the foreground or the background favoured a little everywhere. The more the
 * foreground is favoured, the more of it there is, and none goes (Gallo, Grigoriadis & Tarjan, SIAM J. Comput. 1989;
 * Kolmogorov, Boykov & Rother, ICCV 2007), so each cell has a first cut in which it is foreground. A label is the surer
 * the more favour it takes to change it, and the farther its pixel is from the outline. A table turns both into a
 * confidence; its values were counted on photos whose truth is known.
 */
#pragma once

#include "cells.h"

enum { MARGIN_STEPS = 4, MARGIN_CUTS = 2 * MARGIN_STEPS + 1, MARGIN_LEVELS = MARGIN_STEPS + 2 };

/* By how much a class is favoured, in units of the model (nats) a pixel. */
extern const double tc_margin_steps[MARGIN_STEPS];

/* Counts for each cell in how many of MARGIN_CUTS cuts it is foreground; these are the cuts that favour it most. */
tilecut_status tc_margin_count(tc_cells *cells, const tc_setup *setup, uint8_t *count);

/* How firm a label is: 0 if the cut that favours nothing has the other label, k if favour number k changes it, and
 * MARGIN_LEVELS - 1 if none does. */
static inline int tc_margin_level(int count, bool foreground)
{
    const int kept = (foreground ? count : MARGIN_CUTS - count) - MARGIN_STEPS;
    return kept > 0 ? kept : 0;
}

enum { PLACES_MOST = 12 };

/* Places for a stroke, the best first, as of the cuts. */
typedef struct tc_places {
    int count;
    struct tc_place {
        int x, y, z, label; /* as of tilecut_doubt */
        double gain;
        double wrong;       /* how likely the mask is wrong there: the mean of its region */
    } at[PLACES_MOST];
} tc_places;

/* `graph` is what `mask` was cut from; rows are packed. Writes `sure`, and in *unsure what tilecut_confidence()
 * calls doubt->unsure, and `places`; NULL: they are not looked for. */
tilecut_status tc_confidence(const tilecut_graph *graph, const uint8_t *mask, const tc_setup *setup, uint8_t *sure,
                             double *unsure, tc_places *places);

/* The first place as the caller gets it. */
tilecut_doubt tc_doubt_of(double unsure, const tc_places *places);

/* Brings the place to the front where a stroke would change most of what is wrong: tries one at each. */
tilecut_status tc_places_try(tilecut_session *session, const tc_setup *setup, tc_places *places);

/* The same without a session: in one that begins with `mask`. */
tilecut_status tc_places_try_anew(const tilecut_graph *graph, const uint8_t *mask, const tc_setup *setup,
                                  tc_places *places);

/* Changes what tc_confidence() said of a volume: nearly all errors lie at the surface there, so the distance to it
 * counts more than the cuts. */
tilecut_status tc_confidence_in_space(const tilecut_graph *graph, const uint8_t *mask, uint8_t *sure);

/* Whether a seed gives pixel `p` its label. */
static inline bool tc_is_bound(const tilecut_graph *graph, size_t p)
{
    return graph->from_image && !graph->energy.soft_seeds && graph->energy.seeds[p] != TILECUT_UNKNOWN;
}
