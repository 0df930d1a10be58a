/* SPDX-License-Identifier: MIT
 *
 * unknown.h - finds the band of unknown pixels along a mask's edge from the photo: narrow at sharp edges, wide in hair.
 */
#pragma once

#include "pyramid.h"

/* Writes a trimap (MATTE_BACKGROUND and friends) for `mask` (zero: background). A seeded pixel, which is nonzero in
 * `seeds`, keeps the mask's label; `seeds` may be NULL. Each label that the mask has stays known somewhere. `hair`:
 * NULL, or of each pixel how much of the edge there is hair, of 255: where the band has grown and alpha in it changes
 * from pixel to pixel; 0 where the trimap knows. False: no memory. */
bool tc_unknown_find(const matte_photo *photo, const uint8_t *mask, const uint8_t *seeds, int threads, uint8_t *trimap,
                     uint8_t *hair);

/* Sets set[p] wherever a pixel within r rows and r columns of p is set. r: below 255; spare: [width * height]. */
void tc_unknown_dilate(uint8_t *set, uint8_t *spare, int width, int height, int r);
