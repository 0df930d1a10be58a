/* SPDX-License-Identifier: MIT */
#include "scaled.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lines.h"

static const char *const no_number = "is not a number", *const too_large = "is 2^63 or more",
                  *const too_fine = "has more than 18 digits after the point, so that no whole number of 64 bits "
                                    "stands for it";

/* A number while it is read: value * 10^power. Zeros at its end are only counted in `zeros` until another
 * digit follows. */
typedef struct decimal {
    uint64_t value;
    int64_t power, zeros;
    int figures;   /* number of digits from the first to the last that is not 0 */
    bool overflow; /* true: there are more digits than 64 bits hold             */
} decimal;

static bool raise(uint64_t *value, int64_t powers)
{
    for (; powers > 0 && *value; powers--)
        if (__builtin_mul_overflow(*value, 10, value)) return false;
    return true;
}

bool scaled_raise(int64_t *value, int powers)
{
    uint64_t size = *value < 0 ? -(uint64_t)*value : (uint64_t)*value;
    if (!raise(&size, powers) || size > INT64_MAX) return false;
    *value = *value < 0 ? -(int64_t)size : (int64_t)size;
    return true;
}

enum { SURE = 15, FIGURES = 99 }; /* SURE: every double keeps this many digits; FIGURES: more digits are not counted */

static const char *digits(const char *at, const char *end, decimal *d, bool fraction)
{
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        d->power -= fraction;
        d->zeros++;
        if (*at == '0') continue;
        d->figures = d->value ? d->figures + (int)(d->zeros < FIGURES ? d->zeros : FIGURES) : 1;
        if (d->figures > FIGURES) d->figures = FIGURES;
        if (!d->overflow)
            d->overflow = !raise(&d->value, d->zeros) || __builtin_add_overflow(d->value, *at - '0', &d->value);
        d->zeros = 0;
    }
    return at;
}

/* Reads an exponent such as e+01, which must end at `end`. */
static bool exponent(const char *at, const char *end, decimal *d)
{
    enum { MOST = 1 << 20 };
    int64_t power = 0;
    if (at == end) return true;
    if (*at != 'e' && *at != 'E') return false;
    at++;
    const bool minus = at < end && *at == '-';
    at += minus || (at < end && *at == '+');
    if (at == end) return false;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9') return false;
        if (power < MOST) power = power * 10 + *at - '0';
    }
    d->power += minus ? -power : power;
    return true;
}

static bool parse(const char *at, const char *end, decimal *d)
{
    const char *const start = at;
    *d = (decimal){0};
    at = digits(at, end, d, false);
    const bool point = at < end && *at == '.';
    at = digits(at + point, end, d, true);
    if (at - start == point || !exponent(at, end, d)) return false;
    d->power += d->zeros;
    return true;
}

static const char *scale_decimal(const decimal *d, bool negative, file_number *out)
{
    uint64_t size = d->value;
    *out = (file_number){0};
    if (d->overflow) return too_large;
    if (!size) return NULL;
    if (-d->power > SCALED_DIGITS) return too_fine;
    if (!raise(&size, d->power) || size > INT64_MAX) return too_large;
    out->digits = negative ? -(int64_t)size : (int64_t)size;
    out->decimals = d->power < 0 ? (int)-d->power : 0;
    return NULL;
}

/* Returns the number that a program would print for `value` with `figures` digits. */
static decimal print(double value, int figures)
{
    char text[FIGURES + 20];
    decimal d;
    snprintf(text, sizeof text, "%.*e", figures - 1, fabs(value));
    parse(text, text + strlen(text), &d);
    return d;
}

/* Finds the shortest decimal number whose double is `value`. */
static const char *shortest(double value, file_number *out)
{
    char text[FIGURES + 20];
    int figures = SURE;
    do snprintf(text, sizeof text, "%.*e", figures - 1, value);
    while (strtod(text, NULL) != value && figures++ < 17);
    const decimal d = print(value, figures);
    return scale_decimal(&d, value < 0, out);
}

static bool is_word(const char *at, const char *end, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(end - at) == length && !strncasecmp(at, word, length);
}

/* True if a fraction is what programs print for a double with this many digits, as 4.0000000000000002e-01 for 0.4. */
static bool is_printed(const decimal *d, double value)
{
    if (d->figures <= SURE || d->figures == FIGURES) return false;
    const decimal again = print(value, d->figures);
    return d->overflow || (again.value == d->value && again.power == d->power);
}

/* Multiplies size * 2^power by 2^bits; while measuring, only finds how many bits the value needs to become whole. */
static const char *halved(file_halves *h, int64_t size, int power, file_number *out)
{
    *out = (file_number){0};
    if (!size) return NULL;
    for (; size % 2 == 0; size /= 2) power++;
    if (power < -SCALED_BITS) return too_fine;
    if (h->measuring && -power > h->bits) h->bits = -power;
    if (h->measuring) return out->digits = size < 0 ? -1 : 1, NULL;
    for (power += h->bits; power > 0; power--)
        if (__builtin_mul_overflow(size, 2, &size)) return too_large;
    out->digits = size;
    return power ? too_fine : NULL;
}

/* Parses the next word, which begins at *at and ends at *end. Returns NULL if it is inf (out->infinite) or a number
 * (*d); otherwise a phrase that says what is wrong. */
static const char *take(lines *text, const char **at, const char **end, decimal *d, file_number *out)
{
    *at = lines_take(text, end);
    const bool negative = *at < *end && **at == '-';
    const char *const plain = *at + (negative || (*at < *end && **at == '+'));
    if (*at == *end) return "is missing";
    *out = (file_number){.digits = negative ? -1 : 1};
    out->infinite = is_word(plain, *end, "inf") || is_word(plain, *end, "infinity");
    return out->infinite || parse(plain, *end, d) ? NULL : no_number;
}

const char *file_number_sign(lines *text, file_number *out)
{
    const char *at, *end;
    decimal d;
    const char *const wrong = take(text, &at, &end, &d, out);
    if (!wrong && !out->infinite && !d.figures) out->digits = 0;
    return wrong;
}

const char *file_number_read(lines *text, file_number *out)
{
    enum { LONGEST = 60 }; /* the longest number, in characters, that is also read as a double */
    char copy[LONGEST + 1] = "";
    const lines before = *text;
    decimal d;
    *out = (file_number){0};
    if (!text->halves && lines_number(text, &out->digits)) return NULL; /* nearly all numbers end here */
    *text = before;
    const char *start, *end, *const missing = take(text, &start, &end, &d, out);
    if (missing || out->infinite) return missing;
    const bool negative = out->digits < 0;
    const bool whole = d.power >= 0, plain = whole || (!text->halves && d.figures <= SURE);
    if (plain || end - start > LONGEST) {
        const char *const wrong = scale_decimal(&d, negative, out);
        if (wrong || !text->halves) return wrong;
        return whole ? halved(text->halves, out->digits, 0, out) : too_fine;
    }
    memcpy(copy, start, (size_t)(end - start));
    const double value = strtod(copy, NULL);
    if (text->halves && d.figures > SURE && !is_printed(&d, value)) return too_fine;
    if (text->halves) {
        int power;
        const double fraction = frexp(value, &power);
        return halved(text->halves, (int64_t)ldexp(fraction, 53), power - 53, out);
    }
    return is_printed(&d, value) ? shortest(value, out) : scale_decimal(&d, negative, out);
}

bool file_number_whole(lines *text, int64_t *out)
{
    file_number word;
    file_halves *const halves = text->halves;
    text->halves = NULL;
    const char *const wrong = file_number_read(text, &word);
    text->halves = halves;
    if (wrong || word.infinite || word.decimals) return false;
    *out = word.digits;
    return true;
}

bool file_number_node(lines *text, int64_t *out)
{
    return file_number_whole(text, out) && *out >= 0;
}

const char *file_number_of(double value, file_number *out)
{
    *out = (file_number){.digits = value < 0 ? -1 : 1, .infinite = true};
    if (isinf(value)) return NULL;
    if (isnan(value)) return no_number;
    if (floor(value) != value) return shortest(value, out);
    *out = (file_number){0};
    if (fabs(value) >= 0x1p63) return too_large;
    out->digits = (int64_t)value;
    return NULL;
}

const char *file_number_of_float(float value, file_number *out)
{
    char text[FIGURES];
    int figures = 6; /* digits that every float keeps */
    if (isnan(value) || isinf(value) || floorf(value) == value) return file_number_of(value, out);
    do snprintf(text, sizeof text, "%.*e", figures - 1, value);
    while (strtof(text, NULL) != value && figures++ < 9);
    const decimal d = print(value, figures);
    return scale_decimal(&d, value < 0, out);
}

bool file_number_scale(const file_number *value, int decimals, int64_t *out)
{
    *out = value->digits;
    return scaled_raise(out, decimals - value->decimals);
}

/* Writes size / 2^bits exactly. */
static int halves_text(char out[SCALED_TEXT], bool negative, uint64_t size, int bits)
{
    __extension__ typedef unsigned __int128 wide;
    const uint64_t unit = UINT64_C(1) << bits;
    uint64_t rest = size % unit;
    int length = snprintf(out, SCALED_TEXT, "%s%" PRIu64 "%s", negative ? "-" : "", size / unit, rest ? "." : "");
    for (; rest; rest = (uint64_t)((wide)rest * 10 % unit)) out[length++] = (char)('0' + (int)((wide)rest * 10 / unit));
    out[length] = '\0';
    return length;
}

int scaled_text(char out[SCALED_TEXT], int64_t value, int decimals)
{
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value, unit = 1;
    if (decimals < 0) return halves_text(out, value < 0, size, -decimals);
    for (int k = 0; k < decimals; k++) unit *= 10;
    const uint64_t whole = size / unit;
    uint64_t rest = size % unit;
    while (rest && rest % 10 == 0) {
        rest /= 10;
        decimals--;
    }
    if (!rest) return snprintf(out, SCALED_TEXT, "%s%" PRIu64, value < 0 ? "-" : "", whole);
    return snprintf(out, SCALED_TEXT, "%s%" PRIu64 ".%0*" PRIu64, value < 0 ? "-" : "", whole, decimals, rest);
}
