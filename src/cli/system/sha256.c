/* SPDX-License-Identifier: MIT
 *
 * sha256.c - see sha256.h. The plain algorithm of FIPS 180-4, section 6.2; names are those of the standard.
 */
#include "sha256.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

static const uint32_t K[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotr(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* One round. SHA-256 moves a .. h on by one place after each round; here the arguments of the next round are in a
 * shifted order instead. */
#define ROUND(a, b, c, d, e, f, g, h, t)                                                                     \
    do {                                                                                                     \
        h += (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + (g ^ (e & (f ^ g))) + K[t] + W[t];                   \
        d += h;                                                                                              \
        h += (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) | (c & (a | b)));                           \
    } while (0)

static void compress(uint32_t H[8], const uint8_t *block)
{
    uint32_t W[ROUNDS];
    for (int t = 0; t < 16; t++)
        W[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < ROUNDS; t++) {
        const uint32_t s0 = rotr(W[t - 15], 7) ^ rotr(W[t - 15], 18) ^ W[t - 15] >> 3;
        const uint32_t s1 = rotr(W[t - 2], 17) ^ rotr(W[t - 2], 19) ^ W[t - 2] >> 10;
        W[t] = s1 + W[t - 7] + s0 + W[t - 16];
    }
    uint32_t a = H[0], b = H[1], c = H[2], d = H[3], e = H[4], f = H[5], g = H[6], h = H[7];
    for (int t = 0; t < ROUNDS; t += 8) {
        ROUND(a, b, c, d, e, f, g, h, t);
        ROUND(h, a, b, c, d, e, f, g, t + 1);
        ROUND(g, h, a, b, c, d, e, f, t + 2);
        ROUND(f, g, h, a, b, c, d, e, t + 3);
        ROUND(e, f, g, h, a, b, c, d, t + 4);
        ROUND(d, e, f, g, h, a, b, c, t + 5);
        ROUND(c, d, e, f, g, h, a, b, t + 6);
        ROUND(b, c, d, e, f, g, h, a, t + 7);
    }
    H[0] += a, H[1] += b, H[2] += c, H[3] += d, H[4] += e, H[5] += f, H[6] += g, H[7] += h;
}

void sha256_begin(sha256_sum *sum)
{
    static const uint32_t H[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    *sum = (sha256_sum){0};
    memcpy(sum->H, H, sizeof H);
}

void sha256_add(sha256_sum *sum, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    sum->size += size;
    if (sum->held) {
        const size_t some = BLOCK - sum->held < size ? BLOCK - sum->held : size;
        memcpy(sum->tail + sum->held, bytes, some);
        sum->held += some;
        bytes += some;
        size -= some;
        if (sum->held < BLOCK) return;
        compress(sum->H, sum->tail);
        sum->held = 0;
    }
    for (; size >= BLOCK; bytes += BLOCK, size -= BLOCK) compress(sum->H, bytes);
    if (size) memcpy(sum->tail, bytes, size);
    sum->held = size;
}

void sha256_end(sha256_sum *sum, char text[SHA256_TEXT])
{
    const size_t padded = sum->held < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    memset(sum->tail + sum->held, 0, padded - sum->held);
    sum->tail[sum->held] = 0x80;
    for (int i = 0; i < 8; i++) sum->tail[padded - 1 - (size_t)i] = (uint8_t)(sum->size * 8 >> 8 * i);
    for (size_t at = 0; at < padded; at += BLOCK) compress(sum->H, sum->tail + at);
    for (int i = 0; i < 8; i++) snprintf(text + 8 * i, 9, "%08x", sum->H[i]);
}

void sha256(const void *data, size_t size, char text[SHA256_TEXT])
{
    sha256_sum sum;
    sha256_begin(&sum);
    sha256_add(&sum, data, size);
    sha256_end(&sum, text);
}
