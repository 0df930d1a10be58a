/* SPDX-License-Identifier: MIT
 *
 * iterate.h - from what a run has learnt from its seeds to a mask.
 */
#ifndef TC_ITERATE_H
#define TC_ITERATE_H

#include "backend.h"

/* Cuts what `run` has learnt, and as often as is asked for learns anew from the cut and cuts again. run->told is the
 * report. run->gave_up: `mask` is not written, and another learner is to have a try. */
tilecut_status tc_run_iterate(tc_run *run, uint8_t *mask);

#endif
