/* SPDX-License-Identifier: MIT
 *
 * corners.h - the straight pieces of a mask's outline, and how far it may be off along them.
 */
#pragma once

#include <stddef.h>

#include "tilecut.h"

/* A piece of length l may be off by l / part - less (0 if that is below 1), but by at least `least` and at most `most`.
 * All in pixels. */
typedef struct tc_sag {
    double part, less, least, most;
} tc_sag;

/* Raises `sag`, zeros for width * height pixels, to that many fifths of a pixel at both pixels of each place where the
 * outline of `mask` runs, foreground from 128 on. The frame of the image is no outline. */
tilecut_status tc_corners_mark(const uint8_t *mask, size_t stride, int width, int height, const tc_sag *how,
                               uint16_t *sag);
