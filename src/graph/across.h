/* SPDX-License-Identifier: MIT
 *
 * across.h - steps that need the whole image, done for an image in parts: making its smaller copy, and removing islands
 * from its mask.
 */
#ifndef TC_ACROSS_H
#define TC_ACROSS_H

#include "coarse.h"
#include "islands.h"
#include "whole.h"

/* tc_coarse_init() and, in *done, tc_coarse_will_do(). Each part gets all of the copy. On failure `coarse` is empty. */
tilecut_status tc_coarse_across(tc_whole *whole, const tilecut_image *image, const uint8_t *seeds, int factor,
                                tc_coarse *coarse, bool *done);

/* Goes on from what tc_islands_reach() has reached in own rows, in this part and in all others. Rows that are
 * not own must be background. Without parts nothing is left to do. */
tilecut_status tc_islands_across(tc_islands *f, tc_whole *whole);

/* tc_drop_islands(). Foreground in rows that are not own is turned to background. */
tilecut_status tc_drop_islands_across(tc_whole *whole, const uint8_t *seeds, int width, int height, int connectivity,
                                      uint8_t *mask, int64_t *foreground);

#endif
