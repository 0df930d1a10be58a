/* SPDX-License-Identifier: MIT
 *
 * scan_tiff_missing.c - replaces scan_tiff.c if libtiff was not found when the program was built.
 */
#include "scan.h"

/* Without libtiff a TIFF counts as a picture, because the number of its pages is not known. */
static bool confirm(const scan_input *in)
{
    (void)in;
    return false;
}

bool scan_has_pages(const char *path)
{
    (void)path;
    return false;
}

const image_format image_tiff = {
    .name = "TIFF",
    .line = "TIFF  no            built without libtiff",
    .slices = "TIFF  no            built without libtiff",
    .extensions = {"tif", "tiff"},
    .probe = image_is_tiff,
    .confirm = confirm,
    .without = "libtiff",
};
