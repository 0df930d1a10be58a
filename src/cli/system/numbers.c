/* SPDX-License-Identifier: MIT */
#include "numbers.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads a plain number, which strtod() alone does not ensure: it also takes blanks, hexadecimal, "inf" and "nan". */
bool parse_real(const char *text, double *out)
{
    char *end = NULL;
    if (!*text || strspn(text, "+-.0123456789eE") != strlen(text)) return false;
    const double value = strtod(text, &end);
    if (*end || end == text || !isfinite(value)) return false;
    *out = value;
    return true;
}

bool parse_integer(const char *text, int64_t min, int64_t max, int64_t *out)
{
    char *end = NULL;
    if (!*text || strspn(text, "+-0123456789") != strlen(text)) return false;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (errno || *end || end == text || value < min || value > max) return false;
    *out = value;
    return true;
}

int write_digits(char *to, int64_t value)
{
    char digits[NUMBER_DIGITS];
    int n = 0, written = 0;
    do digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n) to[written++] = digits[--n];
    return written;
}
