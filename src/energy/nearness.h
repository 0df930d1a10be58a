/* SPDX-License-Identifier: MIT
 *
 * nearness.h - which strokes a pixel lies nearer to: the spatial evidence in sparse scribbles.
 */
#ifndef TC_NEARNESS_H
#define TC_NEARNESS_H

#include "tilecut.h"

/* Levels of nearness: 0 at a foreground seed, TC_NEARNESS_LEVELS - 1 at a background seed. */
enum { TC_NEARNESS_LEVELS = 255 };

/* Writes round(254 * d_F / (d_F + d_B)) for each pixel, with its distances to the nearest foreground and the
 * nearest background seed of either kind. Both must occur. level: width * height bytes. Distances are chamfer
 * distances in integers (Borgefors 1986, weights 5, 7, 11), so that every machine gets the same. */
tilecut_status tc_nearness(const uint8_t *seeds, int width, int height, uint8_t *level);

#endif
