/* SPDX-License-Identifier: MIT
 *
 * foreground.h - the object's own colours where alpha is between 0 and 1 (Germer, Uelwer, Conrad & Harmeling, "Fast
 * multi-level foreground estimation", ICPR 2020).
 */
#pragma once

#include <stdbool.h>

typedef struct foreground foreground;

/* Allocates all memory that an estimate takes. NULL: there is none. tc_foreground_close() frees it; NULL is allowed. */
foreground *tc_foreground_open(int width, int height);
void tc_foreground_close(foreground *f);

/* In pixels with 0 < alpha < 1, replaces the photo's colour in color[width * height * 3] by the object's. Call it once
 * for each `f`. */
void tc_foreground_estimate(foreground *f, float *color, const float *alpha, int threads);
