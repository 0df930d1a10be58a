/* SPDX-License-Identifier: MIT
 *
 * keyhole.h - objects with holes as single rings, for formats whose polygons have none.
 */
#ifndef CLI_KEYHOLE_H
#define CLI_KEYHOLE_H

#include "outline.h"

/* Hands each object of a mask to put(): `count` coordinates of its corners, x and y by turns. They are its outside with
 * a detour to each hole, from the nearest corner and back. A detour there and back encloses nothing, so an even-odd
 * fill of the ring gives exactly the object. False: no memory. */
bool keyholes(const uint8_t *mask, int width, int height, void (*put)(void *to, const int32_t *corner, size_t count),
              void *to);

#endif
