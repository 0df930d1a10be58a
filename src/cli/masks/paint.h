/* SPDX-License-Identifier: MIT
 *
 * paint.h - pictures made of a photo and its mask: the cutout and the overlay.
 */
#ifndef CLI_PAINT_H
#define CLI_PAINT_H

#include <stdint.h>

#include "failure.h"
#include "image.h"
#include "matte.h"

/* Both: `mask` is width * height bytes of the photo, 0 or 255. `*out` is owned by the caller, image_free(); on
 * failure (EXIT_RESOURCES: no memory) it is empty. */

/* The photo with the mask as its alpha, or `soft` if that is not NULL (matte.h), times the photo's own alpha. Depth,
 * colours (but those of `soft`), ICC profile, EXIF and density stay as they are; where nothing is seen of the colours
 * they become 0, unless `keep_hidden`. With a `fill` colour there is no alpha: background takes that colour, and the
 * photo's own transparency is blended onto it (a grey photo stays grey if the fill is grey). */
int paint_cutout(const image *photo, const uint8_t *mask, const matte *soft, const uint8_t fill[3], bool keep_hidden,
                 image *out, failure *why);

/* The smallest box that holds the foreground of a mask and `margin` pixels around it, as far as the picture goes.
 * False: there is none. */
bool paint_bounds(const uint8_t *mask, int width, int height, int margin, image_box *box);

/* 8-bit RGB: background dimmed, the contour outlined just outside the object, seeds in green (foreground)
 * and red (background; not what a box gave). `seeds` may be NULL: width * height labels of tilecut.h. */
int paint_overlay(const image *photo, const uint8_t *mask, const uint8_t *seeds, image *out,
                  failure *why);

/* What to hand to image_write(); valid while `image` is. */
image_view image_as_view(const image *image);

#endif
