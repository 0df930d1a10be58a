/* SPDX-License-Identifier: MIT
 *
 * image_webp_missing.c - replaces image_webp.c if libwebp was not found when the program was built.
 */
#include <string.h>

#include "image.h"

static bool probe_webp(const uint8_t *file, size_t size)
{
    return size >= 12 && !memcmp(file, "RIFF", 4) && !memcmp(file + 8, "WEBP", 4);
}

const image_format image_webp = {
    .name = "WebP",
    .line = "WebP  no            built without libwebp",
    .extensions = {"webp"},
    .probe = probe_webp,
    .without = "libwebp",
};
