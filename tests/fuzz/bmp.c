/* SPDX-License-Identifier: MIT
 *
 * bmp.c - fuzz target: BMP.
 */
#include "picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_picture(&image_bmp, data, size);
}
