/* SPDX-License-Identifier: MIT
 *
 * confidence.h - how sure a mask is, pixel by pixel, and where a stroke would help most.
 *
 * The cut is made again while foreground, then background, is favoured a little everywhere. The capacities change
 * monotonely, so the cuts lie in each other (Gallo, Grigoriadis & Tarjan, SIAM J. Comput. 1989; Kolmogorov, Boykov &
 * Rother, ICCV 2007), and each begins with the flow of the one before. A pixel is as sure as the favour is large that
 * turns it, and as it is far from the outline. Both together are looked up in a table, which was counted on photos
 * whose truth is known.
 */
#ifndef TC_CONFIDENCE_H
#define TC_CONFIDENCE_H

#include "cells.h"

enum { MARGIN_STEPS = 4, MARGIN_CUTS = 2 * MARGIN_STEPS + 1, MARGIN_LEVELS = MARGIN_STEPS + 2 };

/* The favours, in units of the model (nats) a pixel. */
extern const double tc_margin_steps[MARGIN_STEPS];

/* Counts, for each cell, in how many of MARGIN_CUTS cuts it is foreground: those with the greatest favour of it. */
tilecut_status tc_margin_count(tc_cells *cells, const tc_setup *setup, uint8_t *count);

/* The level of a label: 0 if the cut of the graph itself has the other one, k if the favour of number k turns it, and
 * MARGIN_LEVELS - 1 if none does. */
static inline int tc_margin_level(int count, bool foreground)
{
    const int kept = (foreground ? count : MARGIN_CUTS - count) - MARGIN_STEPS;
    return kept > 0 ? kept : 0;
}

/* `graph` as it was cut into `mask`; packed rows. Writes `sure` and `doubt`, as tilecut_confidence() does. */
tilecut_status tc_confidence(const tilecut_graph *graph, const uint8_t *mask, const tc_setup *setup, uint8_t *sure,
                             tilecut_doubt *doubt);

#endif
