/* SPDX-License-Identifier: MIT
 *
 * heif.c - fuzz target: HEIC and AVIF, whose decoder is a separate process and may end in any way.
 */
#include "picture.h"
#include "scan_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const image_format *const format = image_avif.probe(data, size) ? &image_avif : &image_heic;
    return decode_picture(format, data, size) + decode_slices(format, data, size);
}
