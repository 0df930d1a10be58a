/* SPDX-License-Identifier: MIT
 *
 * scaled.h - capacities and costs in files, which may be fractions. The library takes whole numbers, so all values of
 * a file are multiplied by the same power of ten, which makes every one of them whole without rounding, or of two where
 * no power of ten does. What the library answers is divided by it again when it is printed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct lines; /* lines.h */

/* The most digits after the point: 10^18 is the largest power of ten in 64 bits. */
enum { SCALED_DIGITS = 18, SCALED_BITS = 62, SCALED_TEXT = 24 + SCALED_BITS };

/* A file whose values no power of ten makes whole is read twice more, as doubles: to find how often the finest of them
 * must be doubled to be whole, and then with all values multiplied by 2^bits. */
typedef struct file_halves {
    bool measuring; /* `bits` grows; values are only told apart by their sign */
    int bits;       /* 0 .. SCALED_BITS                                       */
} file_halves;

/* A number as it is in a file: digits / 10^decimals. */
typedef struct file_number {
    int64_t digits;
    int decimals;  /* 0 .. SCALED_DIGITS; the last digit is not 0, unless `decimals` is 0      */
    bool infinite; /* the number is inf; `digits` is 1 or -1, for its sign                     */
} file_number;

/* Reads the next word: 12, -2.5, 1.2e+01, inf. Returns NULL, or what is wrong with it, as a phrase that continues "a
 * value that". Programs often print a double with too many digits, 0.4 as 4.0000000000000002e-01. So a fraction of more
 * than 15 digits is replaced by the shortest number with the same double, if a program would print it in this way. */
const char *file_number_read(struct lines *text, file_number *out);

/* The same where only the sign counts, so that a number may be of any size: digits is -1, 0 or 1, decimals 0. */
const char *file_number_sign(struct lines *text, file_number *out);

/* Reads the next word if it is a whole number: 2, -1, 2.0 or 2e0. */
bool file_number_whole(struct lines *text, int64_t *out);

/* The same for what is never negative: the number of a node, or how many nodes and arcs there are. */
bool file_number_node(struct lines *text, int64_t *out);

/* Like file_number_read(), for a double or a float in a binary file: gives the shortest number that is stored as this
 * one. */
const char *file_number_of(double value, file_number *out);
const char *file_number_of_float(float value, file_number *out);

/* The value times 10^decimals, which must be at least value->decimals. False: the result needs more than 63 bits. */
bool file_number_scale(const file_number *value, int decimals, int64_t *out);

/* Multiplies *value by 10^powers. False: the result needs more than 63 bits. */
bool scaled_raise(int64_t *value, int powers);

/* Writes value / 10^decimals as text, or value * 2^decimals if that is below 0, exactly. Returns its length. */
int scaled_text(char out[SCALED_TEXT], int64_t value, int decimals);
