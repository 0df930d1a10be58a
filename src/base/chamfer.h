/* SPDX-License-Identifier: MIT
 *
 * chamfer.h - distances in a rectangle of pixels, in whole numbers: chamfer distances of weights 5 and 7, and 9 across
 * the corner of a voxel (Borgefors 1986), in fifths of a pixel. They differ from straight ones by 8 % at most in a
 * rectangle, by 10 % in space.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The units of a pixel, and a distance that is farther than all others, 12000 pixels. */
enum { TC_CHAMFER_PIXEL = 5, TC_CHAMFER_NOWHERE = 60000 };

/* Computes distances to the pixels that are 0 in `map`. All other pixels are TC_CHAMFER_NOWHERE on entry; pixels
 * that are farther away than this still are on return. map: width * height. */
void tc_chamfer(uint16_t *map, int width, int height);

/* tc_chamfer() in space, map: width * height * depth. spacing: distances of neighbours along x, y and z, the least
 * of them 1; lengths of steps are rounded to fifths. NULL: 1, 1, 1, and with depth 1 that is tc_chamfer(). */
void tc_chamfer_space(uint16_t *map, int width, int height, int depth, const double spacing[3]);

/* Writes how deep each pixel lies in a region: its distance to the nearest pixel outside. `within` is nonzero in it. */
void tc_chamfer_within(uint16_t *map, const uint8_t *within, int width, int height, int depth, const double spacing[3]);

/* The greatest of `pixels` distances where `these` is nonzero; 0: it is nonzero nowhere. */
int tc_chamfer_deepest(const uint16_t *map, const uint8_t *these, size_t pixels);
