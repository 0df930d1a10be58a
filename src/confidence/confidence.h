/* SPDX-License-Identifier: MIT
 *
 * confidence.h - how sure a mask is, pixel by pixel, and where a stroke would help most.
 *
 * The image is cut several times more, with the foreground or the background favoured a little everywhere. The more the
 * foreground is favoured, the larger it becomes, and no pixel leaves it (Gallo, Grigoriadis & Tarjan, SIAM J. Comput.
 * 1989; Kolmogorov, Boykov & Rother, ICCV 2007), so each cell has a first cut in which it is foreground. A label is
 * more certain if it takes more favour to change it, and if its pixel is farther from the outline. A table turns both
 * into a confidence; its values were counted on photos with known masks.
 */
#pragma once

#include "cells.h"

enum { MARGIN_STEPS = 4, MARGIN_CUTS = 2 * MARGIN_STEPS + 1, MARGIN_LEVELS = MARGIN_STEPS + 2 };

/* By how much a class is favoured, in units of the model (nats) per pixel. */
extern const double tc_margin_steps[MARGIN_STEPS];

/* Counts for each cell in how many of MARGIN_CUTS cuts it is foreground; these are the cuts that favour the foreground
 * most. */
tilecut_status tc_margin_count(tc_cells *cells, const tc_setup *setup, uint8_t *count);

/* Returns how firm a label is: 0 if the cut that favours nothing has the other label, k if favour number k changes it,
 * and MARGIN_LEVELS - 1 if none does. */
static inline int tc_margin_level(int count, bool foreground)
{
    const int kept = (foreground ? count : MARGIN_CUTS - count) - MARGIN_STEPS;
    return kept > 0 ? kept : 0;
}

enum { PLACES_MOST = 12 };

/* Places for a stroke that the cuts suggest, the best first. */
typedef struct tc_places {
    int count;
    struct tc_place {
        int x, y, z, label; /* as in tilecut_doubt */
        double gain;
        double wrong;       /* the probability that the mask is wrong there: the mean over the place's region */
    } at[PLACES_MOST];
} tc_places;

/* `graph` is the graph from which `mask` was cut; rows are packed. Writes `sure`, writes to *unsure the number that
 * tilecut_confidence() returns as doubt->unsure, and finds `places`; NULL: places are not searched for. */
tilecut_status tc_confidence(const tilecut_graph *graph, const uint8_t *mask, const tc_setup *setup, uint8_t *sure,
                             double *unsure, tc_places *places);

/* Returns the first place in the form that the caller gets. */
tilecut_doubt tc_doubt_of(double unsure, const tc_places *places);

/* Moves the place to the front where a stroke would change most wrong pixels: tries a stroke at each place. */
tilecut_status tc_places_try(tilecut_session *session, const tc_setup *setup, tc_places *places);

/* Does the same without a session of the caller: in a new one that starts with `mask`. */
tilecut_status tc_places_try_anew(const tilecut_graph *graph, const uint8_t *mask, const tc_setup *setup,
                                  tc_places *places);

/* Adjusts the result of tc_confidence() for a volume: there, nearly all errors lie at the surface, so the distance to
 * it counts more than the cuts. */
tilecut_status tc_confidence_in_space(const tilecut_graph *graph, const uint8_t *mask, uint8_t *sure);

/* True if a seed gives pixel `p` its label. */
static inline bool tc_is_bound(const tilecut_graph *graph, size_t p)
{
    return graph->from_image && !graph->energy.soft_seeds && graph->energy.seeds[p] != TILECUT_UNKNOWN;
}
