/* SPDX-License-Identifier: MIT
 *
 * islands.h - foreground that hangs together with no stroke.
 */
#ifndef TC_ISLANDS_H
#define TC_ISLANDS_H

#include "tilecut.h"

/* Makes background of each region of `mask` (0 or 255 a pixel; regions of 4 or 8 neighbours) in which no pixel of
 * `seeds` is foreground, and counts in *foreground what is left. Without such a region, or where no seed is
 * foreground, nothing changes.
 *
 * What is left of a minimum cut is again a minimum cut, of the graph in which those regions are seeded as background:
 * regions do not touch, so what one of them costs does not depend on the others; if less than another one were cheaper
 * now, it would have been so before. */
tilecut_status tc_drop_islands(const uint8_t *seeds, int width, int height, int connectivity, uint8_t *mask,
                               int64_t *foreground);

#endif
