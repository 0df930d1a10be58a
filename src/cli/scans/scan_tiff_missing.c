/* SPDX-License-Identifier: MIT
 *
 * scan_tiff_missing.c - replaces scan_tiff.c if libtiff was not found when the program was built.
 */
#include "scan.h"

const image_format image_tiff = {
    .name = "TIFF",
    .line = "TIFF  no            built without libtiff",
    .slices = "TIFF  no            built without libtiff",
    .extensions = {"tif", "tiff"},
    .probe = image_is_tiff,
    .without = "libtiff",
};
