/* SPDX-License-Identifier: MIT
 *
 * distance.h - the exact Euclidean neighbourhood of a set of pixels or voxels, for the band around a mask and for the
 * tolerance of boundary scores.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Marks in `near` (width * height, 0 or 1) the pixels within `radius` of a nonzero pixel of `set`. Distances are
 * Euclidean, between the centres of pixels; a distance equal to the radius counts. `near` may be `set` itself. The time
 * is linear in the pixels for any radius. Returns false if memory runs out. */
bool distance_within(const uint8_t *set, int width, int height, double radius, uint8_t *near);

/* Does the same in a volume of size[0] x size[1] x size[2] voxels, slice by slice. scale[k] is the distance between
 * voxels along axis k, at least 1, in the unit of `radius`. The time also grows with the slices within the radius. For
 * one slice and a scale of 1, the result is that of distance_within(). */
bool distance_within_space(const uint8_t *set, const int size[3], const double scale[3], double radius, uint8_t *near);
