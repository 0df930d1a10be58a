/* SPDX-License-Identifier: MIT
 *
 * image_exif.h - EXIF: reads the orientation (of XMP, too) and the density of the pixels, and keeps the data for
 * results.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "image.h"

/* The orientation, 1..8: what EXIF says, with or without its "Exif\0\0", or else what XMP says (tiff:Orientation); 1 if
 * neither says one. Both may be empty. */
int exif_orientation(const uint8_t *exif, size_t exif_size, const uint8_t *xmp, size_t xmp_size);

/* Keeps EXIF data, with or without its "Exif\0\0", and reads the density from it if none is known yet. Kept data may be
 * written into results, so previews of the photo are removed, and the maker's notes, which may contain previews. */
int exif_keep(const char *name, const uint8_t *data, size_t size, image *picture, failure *why);

/* Converts `value` pixels a unit to pixels a metre. Units: 2 an inch, 3 a centimetre; 0 for any other unit. */
uint32_t density_of(double value, int unit);

/* Sets the orientation in the EXIF data that the picture keeps to upright. */
void exif_say_upright(image *picture);

/* Records `orientation` in `picture`. Unless limits->exif_ignore, turns pixels and index plane upright, and sets the
 * orientation in the kept EXIF to upright. */
int image_orient(const char *name, int orientation, const image_limits *limits, image *picture, failure *why);
