/* SPDX-License-Identifier: MIT
 *
 * image_tiff_missing.c - replaces image_tiff.c if libtiff was not found when the program was built.
 */
#include "image.h"

const image_format image_tiff = {
    .name = "TIFF",
    .line = "TIFF  no            built without libtiff",
    .extensions = {"tif", "tiff"},
    .probe = image_is_tiff,
    .without = "libtiff",
};
