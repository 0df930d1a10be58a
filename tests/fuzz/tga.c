/* SPDX-License-Identifier: MIT
 *
 * tga.c - fuzz target: TGA.
 */
#include "picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_picture(&image_tga, data, size);
}
