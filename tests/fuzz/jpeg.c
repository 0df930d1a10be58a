/* SPDX-License-Identifier: MIT
 *
 * jpeg.c - fuzz target: JPEG.
 */
#include "picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_picture(&image_jpeg, data, size);
}
