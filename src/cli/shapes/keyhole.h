/* SPDX-License-Identifier: MIT
 *
 * keyhole.h - objects with holes as single rings, for formats whose polygons have none.
 */
#ifndef CLI_KEYHOLE_H
#define CLI_KEYHOLE_H

#include "outline.h"

/* Gets `count` coordinates of a ring's corners, x and y by turns, in parts of a pixel as of outline.h. */
typedef void keyhole_put(void *to, const int32_t *corner, size_t count, int unit);

/* Hands each object of a mask to put(); mask and alpha as of outline_trace(). Its corners are those of its outside with
 * a detour to each hole, from the nearest corner and back. A detour there and back encloses nothing, so an even-odd
 * fill of the ring gives exactly the object. False: no memory. */
bool keyholes(const uint8_t *mask, const uint16_t *alpha, int width, int height, keyhole_put *put, void *to);

#endif
