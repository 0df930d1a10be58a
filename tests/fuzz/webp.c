/* SPDX-License-Identifier: MIT
 *
 * webp.c - fuzz target: WebP, as a photo and as a volume of all frames.
 */
#include "picture.h"
#include "scan_target.h"

/* Corrects the length at the beginning of the file; otherwise nearly every input would be refused as truncated. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 16 == 0 || size < 12) return size;
    const size_t left = size - 8 - size % 2;
    memcpy(data, "RIFF", 4);
    memcpy(data + 8, "WEBP", 4);
    for (size_t i = 0; i < 4; i++) data[4 + i] = (uint8_t)(left >> (8 * i));
    return size;
}

FUZZ_TARGET(decode_picture(&image_webp, data, size) + decode_slices(&image_webp, data, size))
