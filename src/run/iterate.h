/* SPDX-License-Identifier: MIT
 *
 * iterate.h - makes a mask from what a run has learnt from its seeds: learning, iterating, searching, cutting.
 */
#pragma once

#include "backend.h"

/* Cuts with the model that `run` has learnt. Then, as often as the setup asks for, learns anew from the cut and cuts
 * again. run->report is the report. If run->gave_up is set, `mask` is not written, and another learner is to try. */
tilecut_status tc_run_iterate(tc_run *run, uint8_t *mask);

/* Cuts a whole image, with the seeds as they are. Tries the learners that accept the job, one after the other, until
 * one succeeds. setup->guess, if not NULL, is the first guess. *report must be {0} on entry. */
tilecut_status tc_segment_whole(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report);

/* Learns like tc_segment_whole(), and makes on the host the graph that it would cut last. *graph: to be freed; it reads
 * image and seeds of the source. `room`: [pixels] for masks on the way. */
tilecut_status tc_segment_learn(const tc_source *source, const tc_setup *setup, uint8_t *room, tilecut_graph **graph);
