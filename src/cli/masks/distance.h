/* SPDX-License-Identifier: MIT
 *
 * distance.h - the exact Euclidean neighbourhood of a set of pixels, for the band around a mask and for the tolerance
 * of boundary scores.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Marks in `near` (width * height, 0 or 1) the pixels within `radius` of a nonzero pixel of `set`. Distances are
 * Euclidean, between the centres of pixels; a distance equal to the radius counts. `near` may be `set` itself. The time
 * is linear in the pixels for any radius. Returns false if memory runs out. */
bool distance_within(const uint8_t *set, int width, int height, double radius, uint8_t *near);
