/* SPDX-License-Identifier: MIT
 *
 * islands.h - removes islands: foreground regions that are connected to no stroke.
 */
#ifndef TC_ISLANDS_H
#define TC_ISLANDS_H

#include "tilecut.h"

/* Turns every island of `mask` (0 or 255 a pixel) to background: a region, over 4 or 8 neighbours, in which no pixel
 * is a foreground seed. *foreground: the number of foreground pixels left. Without foreground seeds nothing changes.
 *
 * The rest of a minimum cut is a minimum cut of the graph in which the islands are seeded as background. Regions do
 * not touch, so the cost of one does not depend on the others. If another labelling of the rest were cheaper now, it
 * would have been cheaper before. */
tilecut_status tc_drop_islands(const uint8_t *seeds, int width, int height, int connectivity, uint8_t *mask,
                               int64_t *foreground);

#endif
