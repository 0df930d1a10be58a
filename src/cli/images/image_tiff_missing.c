/* SPDX-License-Identifier: MIT
 *
 * image_tiff_missing.c - replaces image_tiff.c if libtiff was not found when the program was built.
 */
#include <string.h>

#include "image.h"

static bool probe(const uint8_t *file, size_t size)
{
    return size >= 4 && (!memcmp(file, "II*\0", 4) || !memcmp(file, "MM\0*", 4));
}

const image_format image_tiff = {
    .name = "TIFF",
    .line = "TIFF  no            built without libtiff",
    .extensions = {"tif", "tiff"},
    .probe = probe,
    .without = "libtiff",
};
