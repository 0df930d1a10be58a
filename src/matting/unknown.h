/* SPDX-License-Identifier: MIT
 *
 * unknown.h - finds the band of unknown pixels along a mask's edge from the photo: narrow at sharp edges, wide in hair.
 */
#pragma once

#include "pyramid.h"

/* Writes a trimap (MATTE_BACKGROUND and friends) for `mask` (zero: background). A seeded pixel, which is nonzero in
 * `seeds`, keeps the mask's label; `seeds` may be NULL. Each label that the mask has stays known somewhere. `hair` may
 * be NULL; for each pixel it gets the share of hair in the edge there, 0 .. 255, which is high where the band has grown
 * and alpha changes from pixel to pixel, and 0 where the trimap is known. Returns false if there is no memory. */
bool tc_unknown_find(const matte_photo *photo, const uint8_t *mask, const uint8_t *seeds, int threads, uint8_t *trimap,
                     uint8_t *hair);

/* Sets set[p] wherever a pixel within r rows and r columns of p is set. r < 255; spare: [width * height]. */
void tc_unknown_dilate(uint8_t *set, uint8_t *spare, int width, int height, int r);
