/* SPDX-License-Identifier: MIT
 *
 * scaled.h - capacities and costs in files, which may be fractions. The library takes whole numbers, so all values of
 * a file are multiplied by the same power of ten, which makes every one of them whole without rounding. What the
 * library answers is divided by it again when it is printed.
 */
#ifndef CLI_SCALED_H
#define CLI_SCALED_H

#include <stdbool.h>
#include <stdint.h>

struct lines; /* lines.h */

/* Digits after the point at most: 10^18 is the largest power of ten in 64 bits. */
enum { SCALED_DIGITS = 18, SCALED_TEXT = 24 };

/* A number as a file has it: digits / 10^decimals. */
typedef struct file_number {
    int64_t digits;
    int decimals;  /* 0 .. SCALED_DIGITS; the last digit is no 0, unless there are no decimals */
    bool infinite; /* inf; `digits` is 1 or -1 and says its sign                               */
} file_number;

/* Reads the next word: 12, -2.5, 1.2e+01, inf. NULL, or what is wrong with it, a phrase that fits after "a value that".
 * Programs print doubles with more digits than they were made of, 0.4 as 4.0000000000000002e-01: a fraction of more
 * than 15 digits that is such a print is read as the shortest number with the same double. */
const char *file_number_read(struct lines *text, file_number *out);

/* Reads the next word if it is a whole number: 2, -1, 2.0 or 2e0. */
bool file_number_whole(struct lines *text, int64_t *out);

/* The same as file_number_read() of a double or a float in a binary file: the shortest number that is stored as this
 * one. */
const char *file_number_of(double value, file_number *out);
const char *file_number_of_float(float value, file_number *out);

/* The value times 10^decimals, which must be at least its own decimals. False: more than 63 bits. */
bool file_number_scale(const file_number *value, int decimals, int64_t *out);

/* value * 10^powers; false: more than 63 bits. */
bool scaled_raise(int64_t *value, int powers);

/* The text of value / 10^decimals, exactly; returns its length. */
int scaled_text(char out[SCALED_TEXT], int64_t value, int decimals);

#endif
