/* SPDX-License-Identifier: MIT
 *
 * unknown.h - the unknown band around a mask, found from the photo: narrow where the edge is sharp, wide in hair.
 */
#ifndef TC_UNKNOWN_H
#define TC_UNKNOWN_H

#include "pyramid.h"

/* Writes a trimap (MATTE_BACKGROUND and friends) for `mask` (zero: background). Pixels with a seed (nonzero in `seeds`,
 * NULL: none) keep the mask's label. False: no memory. */
bool tc_unknown_find(const matte_photo *photo, const uint8_t *mask, const uint8_t *seeds, int threads, uint8_t *trimap);

#endif
