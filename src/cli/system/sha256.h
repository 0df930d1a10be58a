/* SPDX-License-Identifier: MIT
 *
 * sha256.h - the SHA-256 digest of bytes in memory (FIPS 180-4). Reports identify a mask by it.
 */
#ifndef CLI_SHA256_H
#define CLI_SHA256_H

#include <stddef.h>

enum { SHA256_TEXT = 65 };

/* `text`: 64 hexadecimal digits and a closing zero. */
void sha256(const void *data, size_t size, char text[SHA256_TEXT]);

#endif
