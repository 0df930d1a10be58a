/* SPDX-License-Identifier: MIT
 *
 * reach.h - a first guess from strokes that say little: what is nearer to those of the foreground than to the
 * background, by way of alike colours.
 */
#ifndef TC_REACH_H
#define TC_REACH_H

#include "tilecut.h"

/* Writes 255 for each pixel whose distance to the foreground's seeds is less than its distance to background of either
 * kind, else 0; both classes must occur. The distance is the least sum, over all paths, of a step of TC_REACH_STEP and
 * of the difference of the samples, in 8-bit levels (a geodesic distance: Bai & Sapiro, ICCV 2007), found by sweeps
 * over rows in whole numbers, so that every machine computes the same. guess: width * height bytes, packed rows. */
tilecut_status tc_reach(const tilecut_image *image, const uint8_t *seeds, uint8_t *guess);

enum { TC_REACH_STEP = 4 };

#endif
