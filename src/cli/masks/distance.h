/* SPDX-License-Identifier: MIT
 *
 * distance.h - exact Euclidean neighbourhoods of pixel sets, for the band around a mask and the tolerance of a
 * boundary score.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Marks in `near` (width * height, 0 or 1) the pixels within `radius` of a nonzero pixel of `set`. Distances are
 * Euclidean between pixel centres; equality counts as within. `near` may be `set` itself. The time is linear in the
 * pixels for any radius. False: no memory. */
bool distance_within(const uint8_t *set, int width, int height, double radius, uint8_t *near);
