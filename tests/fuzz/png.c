/* SPDX-License-Identifier: MIT
 *
 * png.c - fuzz target: PNG. The mutator corrects the checksums of chunks; otherwise libpng would refuse nearly every
 * input at the first chunk.
 */
#include "picture.h"

static uint32_t crc(const uint8_t *data, size_t size)
{
    uint32_t sum = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        sum ^= data[i];
        for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return ~sum;
}

static uint32_t get32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    enum { SIGNATURE = 8, AROUND = 12 };
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 16 == 0) return size; /* leaves some checksums wrong */
    for (size_t at = SIGNATURE; at + AROUND <= size;) {
        const uint32_t length = get32(data + at);
        if (length > size - at - AROUND) break;
        const uint32_t sum = crc(data + at + 4, (size_t)length + 4);
        for (int i = 0; i < 4; i++) data[at + 8 + length + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
        at += (size_t)length + AROUND;
    }
    return size;
}

FUZZ_TARGET(decode_picture(&image_png, data, size))
