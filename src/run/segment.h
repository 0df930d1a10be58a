/* SPDX-License-Identifier: MIT
 *
 * segment.h - whole jobs, from pixels and seeds to a mask. For callers inside the library: structs have their full
 * size, and rows of seeds and mask are packed.
 */
#pragma once

#include "backend.h"

/* *report must be {0} on entry. */
tilecut_status tc_segment(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report);

tilecut_status tc_graph_segment(tilecut_graph *graph, const tc_setup *setup, uint8_t *mask, tilecut_report *report);

/* Does the same as tc_segment() for a whole graph, with or without a box, also for a volume. `kept` holds the flow to
 * start from, as in tc_solve(), and gets the new flow; NULL: there is none. */
tilecut_status tc_graph_segment_again(tilecut_graph *graph, const tc_setup *setup, tc_kept_flow *kept, uint8_t *mask,
                                      tilecut_report *report);

/* Does the same as tc_segment() for a caller's graph. If it has a prior mask, that mask is refined first, and then
 * corrected by strokes. */
tilecut_status tc_graph_refine(tilecut_graph *graph, const tc_setup *setup, uint8_t *mask, tilecut_report *report);
