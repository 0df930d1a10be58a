/* SPDX-License-Identifier: MIT
 *
 * correction_clicks.h - learns from clicks after guessing the object's size. If the object's colours occur up to the
 * border of the image, a mask learnt from several clicks alone floods the image, as with a single click.
 */
#pragma once

#include "correction.h"

/* `learnt` is the mask learnt from the seeds of `c`. If all strokes are clicks, and a mask of one of several sizes
 * around them is clearly better (click_sizes.h), colours are learnt anew from that mask, and `mask` and *report are the
 * results. Otherwise *found is false. */
tilecut_status tc_learn_by_size(const tc_correction *c, uint8_t *learnt, uint8_t *mask, tilecut_report *report,
                                bool *found);
