/* SPDX-License-Identifier: MIT
 *
 * segment_whole.h - all of an image, with the seeds as they are: learning, iterating, searching, cutting.
 */
#ifndef TC_SEGMENT_WHOLE_H
#define TC_SEGMENT_WHOLE_H

#include "backend.h"

/* Asks each learner that can learn the job, until one has done it. setup->guess says where learning begins, if it does
 * not begin where the seeds say. *report must be {0} on entry. */
tilecut_status tc_segment_whole(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report);

#endif
