/* SPDX-License-Identifier: MIT
 *
 * webp.c - fuzz target: WebP.
 */
#include "picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_picture(&image_webp, data, size);
}
