/* SPDX-License-Identifier: MIT
 *
 * keyhole.h - turns objects with holes into single rings, for formats whose polygons have no holes.
 */
#pragma once

#include "outline.h"

/* Receives the corners of a ring: `count` numbers, x and y in turn, in the unit of outline.h. */
typedef void keyhole_put(void *to, const int32_t *corner, size_t count, int unit);

/* Passes each object of a mask to put(); mask and alpha are as in outline_trace(). The ring of an object is its outside
 * with a detour to each hole, from the nearest corner and back. Going there and back on the same line encloses nothing,
 * so an even-odd fill of the ring gives exactly the object. Returns false if memory ran out. */
bool keyholes(const uint8_t *mask, const uint16_t *alpha, int width, int height, keyhole_put *put, void *to);
