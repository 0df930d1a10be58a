/* SPDX-License-Identifier: MIT
 *
 * even_ground.h - finds even ground: the area around background strokes in which the texture is even, such as a wall,
 * the sky or a road. A stroke in such ground means all of it.
 */
#pragma once

#include "tilecut.h"

/* Writes `even`, one byte per pixel: 1 where the ground under background strokes is even, else 0. The image is divided
 * into squares, tc_even_side() pixels wide. Squares that strokes touch are the pattern if they are smooth. Starting
 * from them, a square next to one that was taken is taken as well if it is as smooth and its colour matches. A colour
 * matches if it is one of the pattern, or if it is nearly that of the adjacent square and not far from the pattern's.
 * Connected ground that also contains strokes of the object is left out as a whole. The computation is in whole
 * numbers, so the result is the same on every machine. Errors: ENOMEM. */
tilecut_status tc_even_ground(const tilecut_image *image, const uint8_t *seeds, uint8_t *even);

/* Returns a hundredth of the shorter side, at least 4 pixels. */
int tc_even_side(const tilecut_image *image);
