/* SPDX-License-Identifier: MIT
 *
 * gif.c - fuzz target: GIF.
 */
#include "picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return decode_picture(&image_gif, data, size);
}
