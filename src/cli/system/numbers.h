/* SPDX-License-Identifier: MIT
 *
 * numbers.h - turns words into numbers, strictly: the whole word must be the number.
 */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

bool parse_real(const char *text, double *out); /* finite */
bool parse_integer(const char *text, int64_t min, int64_t max, int64_t *out);

#endif
