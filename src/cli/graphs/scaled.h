/* SPDX-License-Identifier: MIT
 *
 * scaled.h - capacities and costs in files, which may be fractions. The library takes whole numbers, so all values of a
 * file are multiplied by one power of ten that makes each of them whole without rounding, or by a power of two if there
 * is no such power of ten. The library's results are divided by it when they are printed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct lines; /* lines.h */

/* The most digits after the point: 10^18 is the largest power of ten in 64 bits. */
enum { SCALED_DIGITS = 18, SCALED_BITS = 62, SCALED_TEXT = 24 + SCALED_BITS };

/* For a file whose values no power of ten makes whole. It is read twice more, as doubles: first to find the smallest
 * `bits` such that 2^bits makes all values whole, then to multiply all values by 2^bits. */
typedef struct file_halves {
    bool measuring; /* true in the first reading: `bits` grows, and only the signs of values are returned */
    int bits;       /* 0 .. SCALED_BITS                                                                   */
} file_halves;

/* A number of a file: digits / 10^decimals. */
typedef struct file_number {
    int64_t digits;
    int decimals;  /* digits after the point, 0 .. SCALED_DIGITS; the last of them is not 0 */
    bool infinite; /* true: the number is inf; its sign is that of `digits`, 1 or -1        */
} file_number;

/* Reads the next word: 12, -2.5, 1.2e+01, inf. Returns NULL, or a phrase that continues "a value that". Programs
 * often print a double with too many digits, 0.4 as 4.0000000000000002e-01. So a fraction with more than 15
 * digits is replaced by the shortest number that has the same double, provided that a program would print that
 * double in this way. */
const char *file_number_read(struct lines *text, file_number *out);

/* Reads only the sign of the next number, which may therefore have any size: digits becomes -1, 0 or 1, decimals 0. */
const char *file_number_sign(struct lines *text, file_number *out);

/* Reads the next word as a whole number: 2, -1, 2.0 or 2e0. Returns false if it is not one. */
bool file_number_whole(struct lines *text, int64_t *out);

/* Reads the next word as a whole number that is not negative: the number of a node, or a count of nodes or arcs. */
bool file_number_node(struct lines *text, int64_t *out);

/* Like file_number_read(), for a double or a float from a binary file: finds the shortest number that is stored
 * in this way. */
const char *file_number_of(double value, file_number *out);
const char *file_number_of_float(float value, file_number *out);

/* Computes the value times 10^decimals, where `decimals` is at least value->decimals. Returns false if the result does
 * not fit 64 bits. */
bool file_number_scale(const file_number *value, int decimals, int64_t *out);

/* Multiplies *value by 10^powers. Returns false if the result does not fit 64 bits. */
bool scaled_raise(int64_t *value, int powers);

/* Writes value / 10^decimals as text, exactly; if `decimals` is negative, value * 2^decimals. Returns the length. */
int scaled_text(char out[SCALED_TEXT], int64_t value, int decimals);
