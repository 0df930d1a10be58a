/* SPDX-License-Identifier: MIT
 *
 * numbers.h - turns words into numbers, strictly: the whole word must be the number. And whole numbers into
 * digits, where there are so many that printf() would take most of the time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool is_digit(int c) { return c >= '0' && c <= '9'; }

bool parse_real(const char *text, double *out); /* finite */
bool parse_integer(const char *text, int64_t min, int64_t max, int64_t *out);

/* Writes the digits of `value`, which is not negative, without a closing zero. Returns how many, NUMBER_DIGITS at
 * most. */
enum { NUMBER_DIGITS = 19 };
int write_digits(char *to, int64_t value);
