/* SPDX-License-Identifier: MIT
 *
 * correction_clicks.h - what clicks teach if the size of the object is guessed first. Where the object's colours go on
 * to the border, all clicks together still flood, as one click does alone.
 */
#ifndef TC_CORRECTION_CLICKS_H
#define TC_CORRECTION_CLICKS_H

#include "correction.h"

/* `learnt` is the mask that the seeds of `c` have taught. If all of its strokes are clicks, and a mask of one of
 * several sizes around them is likelier (click_sizes.h), colours are learnt anew from that one, and `mask` and
 * *report are what comes of it. If not, *found is false. */
tilecut_status tc_learn_by_size(const tc_correction *c, uint8_t *learnt, uint8_t *mask, tilecut_report *report,
                                bool *found);

#endif
