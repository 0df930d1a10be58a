/* SPDX-License-Identifier: MIT
 *
 * keyhole.h - objects with holes as single rings, for formats whose polygons have none.
 */
#ifndef CLI_KEYHOLE_H
#define CLI_KEYHOLE_H

#include "outline.h"

/* The corners (int32_t[2]) of one object, whose rings are `first` .. `ends` - 1, appended to `ring`: its outside, and
 * from the corner nearest to each hole there and back. A way that is gone both ways encloses nothing, so an even-odd
 * fill of the ring is exactly the object. False: no memory. */
bool keyhole_ring(const outline *o, size_t first, size_t ends, bytes *ring);

/* One past the last ring of the object that ring `first` begins. */
size_t keyhole_ends(const outline *o, size_t first);

#endif
