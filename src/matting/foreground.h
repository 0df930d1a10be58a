/* SPDX-License-Identifier: MIT
 *
 * foreground.h - the object's own colours where alpha is between 0 and 1 (Germer, Uelwer, Conrad & Harmeling, "Fast
 * multi-level foreground estimation", ICPR 2020).
 */
#ifndef TC_FOREGROUND_H
#define TC_FOREGROUND_H

#include <stdbool.h>

/* color[width * height * 3], the photo's, becomes the object's in pixels with 0 < alpha < 1. False: no memory, and it
 * is as it was. */
bool tc_foreground_estimate(float *color, const float *alpha, int width, int height, int threads);

#endif
