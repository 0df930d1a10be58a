/* SPDX-License-Identifier: MIT
 *
 * sha256.h - the SHA-256 digest of bytes in memory (FIPS 180-4). Reports identify a mask by it.
 */
#ifndef CLI_SHA256_H
#define CLI_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_TEXT = 65 };

/* `text`: 64 hexadecimal digits and a closing zero. */
void sha256(const void *data, size_t size, char text[SHA256_TEXT]);

/* The same piece by piece. */
typedef struct sha256_sum {
    uint32_t H[8];
    uint8_t tail[128];
    size_t held;    /* bytes of `tail` */
    uint64_t size;
} sha256_sum;

void sha256_begin(sha256_sum *sum);
void sha256_add(sha256_sum *sum, const void *data, size_t size);
void sha256_end(sha256_sum *sum, char text[SHA256_TEXT]);

#endif
