/* SPDX-License-Identifier: MIT
 *
 * keyhole.h - objects with holes as single rings, for formats whose polygons have none.
 */
#ifndef CLI_KEYHOLE_H
#define CLI_KEYHOLE_H

#include "outline.h"

/* Appends to `ring` the corners (int32_t[2]) of one object, whose rings are `first` .. `ends` - 1. The result is its
 * outside with a detour to each hole, from the nearest corner and back. A detour there and back encloses nothing, so
 * an even-odd fill of the ring gives exactly the object. False: no memory. */
bool keyhole_ring(const outline *o, size_t first, size_t ends, bytes *ring);

/* One past the last ring of the object whose first ring is `first`. */
size_t keyhole_ends(const outline *o, size_t first);

#endif
