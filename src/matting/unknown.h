/* SPDX-License-Identifier: MIT
 *
 * unknown.h - finds the band of unknown pixels along a mask's edge from the photo: narrow at sharp edges, wide in hair.
 */
#ifndef TC_UNKNOWN_H
#define TC_UNKNOWN_H

#include "pyramid.h"

/* Writes a trimap (MATTE_BACKGROUND and friends) for `mask` (zero: background). A seeded pixel, which is nonzero in
 * `seeds`, keeps the mask's label; `seeds` may be NULL. Each label that the mask has stays known somewhere. False: no
 * memory. */
bool tc_unknown_find(const matte_photo *photo, const uint8_t *mask, const uint8_t *seeds, int threads, uint8_t *trimap);

#endif
