/* SPDX-License-Identifier: MIT
 *
 * numbers.h - converts words to numbers, strictly: the whole word must be the number; converts whole numbers to digits,
 * faster than printf() for files with very many of them; and converts bytes of files to whole numbers and back.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool is_digit(int c) { return c >= '0' && c <= '9'; }

bool parse_real(const char *text, double *out); /* finite */
bool parse_integer(const char *text, int64_t min, int64_t max, int64_t *out);

/* Writes the digits of `value`, which is not negative, without a closing zero. Returns their number, at most
 * NUMBER_DIGITS. */
enum { NUMBER_DIGITS = 19 };
int write_digits(char *to, int64_t value);

/* Returns the whole number in up to 8 bytes, lowest byte first. */
static inline uint64_t little_endian(const uint8_t *at, size_t count)
{
    uint64_t value = 0;
    for (size_t i = count; i--;) value = value << 8 | at[i];
    return value;
}

/* Returns the whole number in up to 8 bytes, highest byte first. */
static inline uint64_t big_endian(const uint8_t *at, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++) value = value << 8 | at[i];
    return value;
}

static inline void put_little_endian(uint8_t *at, uint64_t value, size_t count)
{
    for (size_t i = 0; i < count; i++) at[i] = (uint8_t)(value >> 8 * i);
}
