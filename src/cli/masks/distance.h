/* SPDX-License-Identifier: MIT
 *
 * distance.h - exact Euclidean neighbourhoods of pixel sets: the band around a mask, the tolerance of a
 * boundary score.
 */
#ifndef CLI_DISTANCE_H
#define CLI_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

/* Marks in `near` (width * height, 0 or 1) the pixels within `radius` of a nonzero pixel of `set`, distances
 * Euclidean between pixel centres, equality included. `near` may be `set` itself. Linear in the number of
 * pixels whatever the radius. False: no memory. */
bool distance_within(const uint8_t *set, int width, int height, double radius, uint8_t *near);

#endif
