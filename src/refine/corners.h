/* SPDX-License-Identifier: MIT
 *
 * corners.h - finds the straight pieces of a mask's outline, and how far the outline may be off along them.
 */
#pragma once

#include <stddef.h>

#include "tilecut.h"

/* A piece of length l may be off by l / part - less (0 if that is below 1), but by at least `least` and at most `most`.
 * All in pixels. */
typedef struct tc_corner_tolerance {
    double part, less, least, most;
} tc_corner_tolerance;

/* Raises `tolerance` at both pixels of each place of the outline of `mask` to the distance, in fifths of a pixel, by
 * which the outline may be off there. `tolerance` must be zero at first, width * height. Foreground is 128 and more.
 * The border of the image is not an outline. */
tilecut_status tc_corners_mark(const uint8_t *mask, int width, int height,
                               const tc_corner_tolerance *how, uint16_t *tolerance);
