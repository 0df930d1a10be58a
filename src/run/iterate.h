/* SPDX-License-Identifier: MIT
 *
 * iterate.h - makes a mask from what a run has learnt from its seeds: learning, iterating, searching, cutting.
 */
#ifndef TC_ITERATE_H
#define TC_ITERATE_H

#include "backend.h"

/* Cuts what `run` has learnt. Then, as often as was asked for, learns anew from the cut and cuts again. run->told is
 * the report. If run->gave_up is set, `mask` is not written, and another learner is to try. */
tilecut_status tc_run_iterate(tc_run *run, uint8_t *mask);

/* All of an image, with the seeds as they are. Asks each learner that can learn the job, until one has done it.
 * setup->guess says where learning begins, if it does not begin where the seeds say. *report must be {0} on entry. */
tilecut_status tc_segment_whole(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report);

#endif
