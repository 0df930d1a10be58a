/* SPDX-License-Identifier: MIT
 *
 * across.h - removes islands from the mask of an image in parts.
 */
#ifndef TC_ACROSS_H
#define TC_ACROSS_H

#include "islands.h"
#include "whole.h"

/* Goes on from what tc_islands_reach() has reached in own rows, in this part and in all others. Rows that are
 * not own must be background. Without parts nothing is left to do. */
tilecut_status tc_islands_across(tc_islands *f, tc_whole *whole);

/* tc_drop_islands(). Foreground in rows that are not own is turned to background. */
tilecut_status tc_drop_islands_across(tc_whole *whole, const uint8_t *seeds, int width, int height, int connectivity,
                                      uint8_t *mask, int64_t *foreground);

#endif
