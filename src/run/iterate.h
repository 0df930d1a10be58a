/* SPDX-License-Identifier: MIT
 *
 * iterate.h - makes a mask from what a run has learnt from its seeds.
 */
#ifndef TC_ITERATE_H
#define TC_ITERATE_H

#include "backend.h"

/* Cuts what `run` has learnt. Then, as often as was asked for, learns anew from the cut and cuts again. run->told is
 * the report. If run->gave_up is set, `mask` is not written, and another learner is to try. */
tilecut_status tc_run_iterate(tc_run *run, uint8_t *mask);

#endif
