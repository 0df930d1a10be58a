/* SPDX-License-Identifier: MIT
 *
 * foreground.h - the object's own colours where alpha is between 0 and 1 (Germer, Uelwer, Conrad & Harmeling, "Fast
 * multi-level foreground estimation", ICPR 2020).
 */
#pragma once

#include <stdbool.h>

/* In pixels with 0 < alpha < 1, replaces the photo's colour in color[width * height * 3] by the object's. Returns false
 * if there is no memory; `color` is then unchanged. */
bool tc_foreground_estimate(float *color, const float *alpha, int width, int height, int threads);
