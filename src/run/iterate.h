/* SPDX-License-Identifier: MIT
 *
 * iterate.h - makes a mask from the model that a run has learnt from its seeds: learns, iterates, searches and cuts.
 */
#pragma once

#include "backend.h"

/* Cuts with the model that `run` has learnt. Then it learns anew from the cut and cuts again, as many times as the
 * setup asks for. run->report is the report. If run->gave_up is set, `mask` is not written, and another learner has to
 * be tried. */
tilecut_status tc_run_iterate(tc_run *run, uint8_t *mask);

/* True if tc_segment_whole() first asks a learner that works in the memory of a device. */
bool tc_learns_on_device(const tilecut_image *image, const tc_setup *setup);

/* Cuts a whole image, with the seeds unchanged. Tries the learners that accept the job, one after the other, until one
 * succeeds. If setup->guess is not NULL, it is the first guess. *report must be {0} on entry. */
tilecut_status tc_segment_whole(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report);

/* Learns like tc_segment_whole(), and makes on the host the graph that it would cut last. The caller frees *graph,
 * which reads image and seeds of the source. `room` is memory for intermediate masks, [pixels] for each. */
tilecut_status tc_segment_learn(const tc_source *source, const tc_setup *setup, uint8_t *room, tilecut_graph **graph);
