/* SPDX-License-Identifier: MIT
 *
 * image_exif.h - the one thing of EXIF that changes pixels: which way up they are.
 */
#ifndef CLI_IMAGE_EXIF_H
#define CLI_IMAGE_EXIF_H

#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "image.h"

/* The orientation, 1..8, in EXIF data with or without its "Exif\0\0"; 1 if there is none or it is damaged. */
int exif_orientation(const uint8_t *data, size_t size);

/* Records `orientation` in `picture` and, unless told to leave it, turns pixels and index plane upright. */
int image_orient(const char *name, int orientation, const image_limits *limits, image *picture, failure *why);

#endif
