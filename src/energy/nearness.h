/* SPDX-License-Identifier: MIT
 *
 * nearness.h - how a pixel lies among the strokes: the spatial evidence in scribbles.
 */
#ifndef TC_NEARNESS_H
#define TC_NEARNESS_H

#include "exact_math.h"
#include "tilecut.h"

/* Levels of nearness, 0 for what lies best for the foreground. */
enum { TC_NEARNESS_LEVELS = 255 };

/* Most and least that a level speaks for the foreground, in nats at a weight of 1; the size of the larger. */
#define TC_NEARNESS_BEST 0.4
#define TC_NEARNESS_WORST (-3.35)
#define TC_NEARNESS_MOST 3.35

static TC_BOTH inline double tc_nearness_favour(int level)
{
    return TC_NEARNESS_BEST - (TC_NEARNESS_BEST - TC_NEARNESS_WORST) * level / (TC_NEARNESS_LEVELS - 1);
}

/* Writes for each pixel the level of
 *
 *     0.4 - d_F / (d_F + d_B) - min(d_F^2 / s^2, 9) / 4 - max(0, 1 - e / m) / 2
 *
 * with its distances to the nearest foreground and the nearest background seed, the diagonal s of the box around all
 * foreground seeds (a fiftieth of the image's at least), its distance e to the border of the image, and a tenth m of
 * the image's shorter side. So what lies half way is rather background, and so is what is far from the foreground's
 * strokes when compared to their own length, and what lies along the border. The weights were fitted on photographs
 * (docs/guide/quality.md). Foreground must occur; without background the second term is 0. level: width * height bytes.
 * Distances are chamfer distances in integers (Borgefors 1986, weights 5, 7, 11): every machine gets the same. */
tilecut_status tc_nearness(const uint8_t *seeds, int width, int height, uint8_t *level);

#endif
