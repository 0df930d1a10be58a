/* SPDX-License-Identifier: MIT
 *
 * chamfer.h - distances in a rectangle of pixels, as whole numbers: chamfer distances with weights 5 and 7, and 9
 * across the corner of a voxel (Borgefors 1986), in fifths of a pixel. They differ from Euclidean distances by at most
 * 8 % in a rectangle and 10 % in space.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The number of units per pixel, and the value that stands for "farther than all others", 12000 pixels. */
enum { TC_CHAMFER_PIXEL = 5, TC_CHAMFER_NOWHERE = 60000 };

/* Computes the distance of each pixel to the nearest pixel that is 0 in `map`. All other pixels are TC_CHAMFER_NOWHERE
 * on entry. A pixel keeps that value if it is at least that far away. map: width * height. */
void tc_chamfer(uint16_t *map, int width, int height);

/* Does the same as tc_chamfer() in space; map: width * height * depth. `spacing` holds the distances of neighbours
 * along x, y and z, the smallest of which is 1; lengths of steps are rounded to fifths. NULL means 1, 1, 1; with depth
 * 1 the result is then that of tc_chamfer(). */
void tc_chamfer_space(uint16_t *map, int width, int height, int depth, const double spacing[3]);

/* Writes how deep each pixel lies in a region: its distance to the nearest pixel outside. `within` is nonzero at pixels
 * of the region. */
void tc_chamfer_within(uint16_t *map, const uint8_t *within, int width, int height, int depth, const double spacing[3]);

/* Returns how deep the deepest of the pixels `these` lies in a region, 0 if there are none. `these` is 0 or 1. `map` is
 * memory for the photo; only rows that can make a difference are read. */
int tc_chamfer_depth(uint16_t *map, const uint8_t *these, const uint8_t *within, int width, int height);

/* Returns the greatest of `pixels` distances among the pixels where `these` is nonzero; 0 if there are none. */
int tc_chamfer_deepest(const uint16_t *map, const uint8_t *these, size_t pixels);
