/* SPDX-License-Identifier: MIT
 *
 * image_exif.h - what of EXIF is understood: which way up the pixels are, and how dense; what of it is handed on.
 */
#ifndef CLI_IMAGE_EXIF_H
#define CLI_IMAGE_EXIF_H

#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "image.h"

/* The orientation, 1..8, in EXIF data with or without its "Exif\0\0"; 1 if there is none or it is damaged. */
int exif_orientation(const uint8_t *data, size_t size);

/* Keeps EXIF data, with or without its "Exif\0\0", and takes the density from it if there is none yet. What is kept may
 * go into results: previews of the photo and notes of the maker, which may hold more of them, are taken out. */
int exif_keep(const char *name, const uint8_t *data, size_t size, image *picture, failure *why);

/* Pixels a metre from `value` pixels a unit: an inch (2), a centimetre (3); 0 for anything else. */
uint32_t density_of(double value, int unit);

/* Records `orientation` in `picture` and, unless told to leave it, turns pixels and index plane upright; kept EXIF
 * then says so, too. */
int image_orient(const char *name, int orientation, const image_limits *limits, image *picture, failure *why);

#endif
