/* SPDX-License-Identifier: MIT
 *
 * tiff.c - fuzz target: TIFF.
 */
#include "picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_picture(&image_tiff, data, size);
}
