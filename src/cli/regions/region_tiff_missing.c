/* SPDX-License-Identifier: MIT
 *
 * region_tiff_missing.c - stands in for region_tiff.c where libtiff was not found.
 */
#include <string.h>

#include "region.h"

static bool probe(const uint8_t *head, size_t size)
{
    return size >= 4 && (!memcmp(head, "II*\0", 4) || !memcmp(head, "MM\0*", 4) || !memcmp(head, "II+\0", 4) ||
                         !memcmp(head, "MM\0+", 4));
}

const region_format region_tiff = {
    .name = "TIFF", .extensions = {"tif", "tiff"}, .without = "libtiff 4.5 or later", .probe = probe,
};
