/* SPDX-License-Identifier: MIT
 *
 * paint.h - pictures made from a photo and its mask: the cutout and the overlay.
 */
#pragma once

#include <stdint.h>

#include "failure.h"
#include "image.h"
#include "matting.h"

/* For the functions below: `mask` has a byte for each pixel of the photo, 0 or 255. The caller owns *out and frees it
 * by image_free(); after a failure (EXIT_RESOURCES: no memory) it is empty. */

/* Makes the cutout: the photo with an alpha, which is the mask or, if not NULL, `soft` (matting.h), times the photo's
 * own alpha. Depth, ICC profile, EXIF, density and colours stay, except colours that `soft` replaces. Colours of fully
 * transparent pixels become 0, unless `keep_hidden`. If `under` is not NULL, the cutout is blended onto it and has no
 * alpha: `under` is an opaque picture of the photo's size, or a single pixel that gives one colour for all. A grey
 * photo stays grey on a grey picture. ICC profiles are ignored when colours are blended. */
int paint_cutout(const image *photo, const uint8_t *mask, const matte *soft, const image *under, bool keep_hidden,
                 image *out, failure *why);

/* Turns `alpha`, a soft edge with the photo's depth, into the cutout's alpha: multiplies it by the photo's
 * own alpha. */
void paint_alpha(const image *photo, image *alpha);

/* Finds the bounding box of the mask's foreground, with `margin` pixels around it, clipped to the picture. Returns
 * false if there is no foreground. */
bool paint_bounds(const uint8_t *mask, int width, int height, int margin, image_box *box);

/* Makes the overlay, in 8-bit RGB: a dimmed background, a contour just outside the object, seeds in green
 * (foreground) and red (background, except what a box gave). `alpha`: NULL, or for each pixel the object's share,
 * 0 .. 65535, which is used instead of the mask and gives a contour without stairs. `seeds`: NULL, or a label of
 * tilecut_types.h for each pixel. */
int paint_overlay(const image *photo, const uint8_t *mask, const uint16_t *alpha, const uint8_t *seeds, image *out,
                  failure *why);

/* Returns a view of an image for image_write(), valid as long as the image. */
image_view image_as_view(const image *image);
