/* SPDX-License-Identifier: MIT
 *
 * even_ground.h - how far the texture under strokes of the background is even: a wall, the sky, a road. A stroke in
 * such ground means all of it.
 */
#pragma once

#include "tilecut.h"

/* Writes `even`, a byte per pixel: 1 where the ground under strokes of the background is even, else 0. The image is
 * looked at in squares, tc_even_side() pixels wide. Squares that strokes touch are the pattern if they are smooth. From
 * them on, a square is taken beside one that was taken before if it is as smooth, and has a colour of the pattern, or
 * nearly that of the square beside it and not far from the pattern's. Connected ground that holds strokes of the
 * object, too, is left out as a whole. In whole numbers: the same on every machine. Errors: ENOMEM. */
tilecut_status tc_even_ground(const tilecut_image *image, const uint8_t *seeds, uint8_t *even);

/* A hundredth of the shorter side, at least 4 pixels. */
int tc_even_side(const tilecut_image *image);
