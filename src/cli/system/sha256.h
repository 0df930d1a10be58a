/* SPDX-License-Identifier: MIT
 *
 * sha256.h - hashes of bytes in memory. Reports identify a mask by SHA-256 (FIPS 180-4). The fast FNV-1a of 64 bits
 * (Fowler, Noll & Vo) detects accidental differences.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SHA256_TEXT = 65 };

/* Writes the hash to `text`: 64 hexadecimal digits and a closing zero. */
void sha256(const void *data, size_t size, char text[SHA256_TEXT]);

/* The state of a hash of data that come piece by piece. */
typedef struct sha256_sum {
    uint32_t H[8];
    uint8_t tail[128];
    size_t held;    /* bytes of `tail` */
    uint64_t size;
} sha256_sum;

void sha256_begin(sha256_sum *sum);
void sha256_add(sha256_sum *sum, const void *data, size_t size);
void sha256_end(sha256_sum *sum, char text[SHA256_TEXT]);

/* The initial value of FNV-1a. */
#define FNV_START UINT64_C(0xcbf29ce484222325)

/* Adds data to the FNV-1a value `hash`. The result is the same on every machine. */
static inline uint64_t fnv_on(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *const byte = (const uint8_t *)data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}
