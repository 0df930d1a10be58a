/* SPDX-License-Identifier: MIT
 *
 * region_tiff_missing.c - stands in for region_tiff.c where libtiff was not found.
 */
#include "region.h"

const region_format region_tiff = {
    .name = "TIFF", .extensions = {"tif", "tiff"}, .without = "libtiff 4.5 or later", .probe = image_is_tiff,
};
