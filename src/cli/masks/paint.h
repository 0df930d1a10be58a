/* SPDX-License-Identifier: MIT
 *
 * paint.h - pictures made from a photo and its mask: the cutout and the overlay.
 */
#pragma once

#include <stdint.h>

#include "failure.h"
#include "image.h"
#include "matting.h"

/* For the functions below: `mask` is width * height bytes of the photo, 0 or 255. `*out` is owned by the caller,
 * image_free(); on failure (EXIT_RESOURCES: no memory) it is empty. */

/* The cutout: the photo with an alpha. It is the mask, or `soft` if that is not NULL (matting.h), times the photo's own
 * alpha. Depth, ICC profile, EXIF, density and colours stay, except colours that `soft` replaces. Colours of fully
 * transparent pixels become 0, unless `keep_hidden`. With something `under` it there is no alpha: that is an opaque
 * picture of the photo's size, or of one pixel, a colour for all. The photo's own transparency is blended onto it, too.
 * A grey photo stays grey on a grey picture. Colours are taken as they are, whatever their ICC profile. */
int paint_cutout(const image *photo, const uint8_t *mask, const matte *soft, const image *under, bool keep_hidden,
                 image *out, failure *why);

/* Makes `alpha`, a soft edge in the photo's depth, that of the cutout: multiplies it by the photo's own alpha. */
void paint_alpha(const image *photo, image *alpha);

/* The bounding box of the mask's foreground with `margin` pixels around it, clipped to the picture. False: there is
 * no foreground. */
bool paint_bounds(const uint8_t *mask, int width, int height, int margin, image_box *box);

/* The overlay, 8-bit RGB: dimmed background, a contour just outside the object, seeds in green (foreground) and red
 * (background, except what a box gave). `alpha`: NULL, or width * height shares of 0 .. 65535 instead of the mask: then
 * nothing has stairs. `seeds`: NULL, or width * height labels of tilecut_types.h. */
int paint_overlay(const image *photo, const uint8_t *mask, const uint16_t *alpha, const uint8_t *seeds, image *out,
                  failure *why);

/* The view of an image for image_write(), valid as long as `image`. */
image_view image_as_view(const image *image);
