/* SPDX-License-Identifier: MIT
 *
 * image_exif.h - EXIF: reads the orientation (also from XMP) and the density of pixels, and keeps the data so that
 * results can carry them.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "image.h"

/* Returns the orientation, 1..8: that of the EXIF data, which may begin with "Exif\0\0", or else that of the XMP data
 * (tiff:Orientation), or else 1. Both may be empty. */
int exif_orientation(const uint8_t *exif, size_t exif_size, const uint8_t *xmp, size_t xmp_size);

/* Keeps EXIF data, with or without its "Exif\0\0", and reads the density from it if none is known yet. Kept data may be
 * written into results, so previews of the photo are removed, and so are the maker notes, which may contain
 * previews. */
int exif_keep(const char *name, const uint8_t *data, size_t size, image *picture, failure *why);

/* Converts `value` pixels a unit to pixels a metre. Units: 2 an inch, 3 a centimetre; 0 for any other unit. */
uint32_t density_of(double value, int unit);

/* Sets the orientation in the picture's kept EXIF data to upright. */
void exif_set_upright(image *picture);

/* Records `orientation` in `picture`. Unless limits->exif_ignore is set, turns the pixels and the index plane upright,
 * and sets the orientation in the kept EXIF data to upright. */
int image_orient(const char *name, int orientation, const image_limits *limits, image *picture, failure *why);
