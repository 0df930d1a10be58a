/* SPDX-License-Identifier: MIT */
#include "lines.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "numbers.h"

lines lines_open(const char *name, const uint8_t *data, size_t size, failure *why)
{
    const size_t mark = utf8_mark(data, size);
    const char *const text = (const char *)data + mark;
    return (lines){.name = name, .at = text, .end = text + size - mark, .commas = true, .failure = why};
}

bool lines_next(lines *text)
{
    if (text->line) text->at = text->eol + (text->eol < text->end);
    if (text->at >= text->end) return false;
    /* Keep the next LF from line to line: otherwise a text without LF would be searched to its end for each line. */
    if (!text->feed || text->feed < text->at) {
        const char *const feed = memchr(text->at, '\n', (size_t)(text->end - text->at));
        text->feed = feed ? feed : text->end;
    }
    /* A line may end with CR alone. If an LF follows the CR, the CR counts as a blank at the end of the line. */
    const char *const cr = memchr(text->at, '\r', (size_t)(text->feed - text->at));
    text->eol = cr && cr + 1 < text->feed ? cr : text->feed;
    text->line++;
    text->begin = text->at;
    text->empty = false;
    return true;
}

static bool blank(const lines *text, char c)
{
    return c == ' ' || c == '\t' || c == '\r' || ((c == ',' || c == ';') && text->commas);
}

static bool separator(char c)
{
    return c == ',' || c == ';';
}

static void skip_blanks(lines *text)
{
    int commas = text->begin == text->at;
    for (; text->at < text->eol && blank(text, *text->at); text->at++) commas += separator(*text->at);
    if (commas > 1) text->empty = true;
}

bool lines_number(lines *text, int64_t *out)
{
    skip_blanks(text);
    const char *start = text->at;
    int64_t value = 0;
    for (; text->at < text->eol && *text->at >= '0' && *text->at <= '9'; text->at++)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *text->at - '0', &value))
            return false;
    *out = value;
    return text->at > start && (text->at == text->eol || blank(text, *text->at));
}

const char *lines_take(lines *text, const char **end)
{
    skip_blanks(text);
    const char *const start = text->at;
    while (text->at < text->eol && !blank(text, *text->at)) text->at++;
    *end = text->at;
    return start;
}

static bool take_word(lines *text, const char *wanted, bool any_case)
{
    const size_t length = strlen(wanted);
    skip_blanks(text);
    if ((size_t)(text->eol - text->at) < length) return false;
    if (any_case ? strncasecmp(text->at, wanted, length) : memcmp(text->at, wanted, length)) return false;
    if (text->at + length < text->eol && !blank(text, text->at[length])) return false;
    text->at += length;
    return true;
}

bool lines_word(lines *text, const char *wanted)
{
    return take_word(text, wanted, false);
}

bool lines_name(lines *text, const char *wanted)
{
    return take_word(text, wanted, true);
}

bool lines_at_end(lines *text)
{
    skip_blanks(text);
    return text->at == text->eol;
}

/* True if blanks in the line may group thousands, as in 1 000: one blank stands between a number that does not
 * begin with 0 and exactly three digits that do. If all numbers have three digits, zeros only pad them, and the
 * result is false. */
static bool in_thousands(const char *at, const char *end)
{
    bool divided = false, shorter = false, begins = false;
    const char *last = NULL; /* end of the previous number */
    while (at < end) {
        const char *const first = at + (*at == '-' || *at == '+'), *digits = first;
        while (digits < end && is_digit(*digits)) digits++;
        const bool one_blank = last && at == last + 1 && *last == ' ', whole = digits == end || *digits == ' ';
        divided = divided || (begins && one_blank && first == at && digits - at == 3 && *at == '0' &&
                              (whole || *digits == '.'));
        begins = whole && digits > first && digits - first <= 3 && *first != '0';
        shorter = shorter || (whole && digits - first < 3);
        for (at = digits; at < end && *at != ' '; at++);
        for (last = at; at < end && *at == ' '; at++);
    }
    return divided && shorter;
}

int lines_one_separator(const lines *text)
{
    const size_t size = (size_t)(text->eol - text->at);
    const char *end = text->at;
    while (end < text->eol && *end != '#' && *end != '%') end++; /* stop before a comment */
    if (in_thousands(text->at, end))
        return lines_refuse(text, "a blank before three digits that begin with 0, as in 1 000, which may be one number "
                                  "or two: write 1000, or 1 0");
    if (!memchr(text->at, ',', size) && !memchr(text->at, ';', size)) return EXIT_DONE;
    bool inside = false, other = false, rows = false, bare = false;
    for (const char *at = text->at, *next; at < end; at = next) {
        bool commas = false, semicolons = false;
        for (next = at; next < end && blank(text, *next); next++)
            commas = commas || *next == ',', semicolons = semicolons || *next == ';';
        if (next > at && at > text->at && next < end) {
            other = other || semicolons || !commas;
            inside = inside || (next == at + 1 && commas && is_digit(at[-1]) && is_digit(*next));
            rows = rows || semicolons, bare = bare || !(semicolons || commas);
        }
        while (next < end && !blank(text, *next)) next++;
    }
    if (rows && bare)
        return lines_refuse(text, "semicolons and blanks between the numbers: write each row of a matrix on a line of "
                                  "its own, or keep all numbers apart in one way");
    if (!inside || !other) return EXIT_DONE;
    return lines_refuse(text, "a comma between two digits, and other separators too: write fractions with a point, or "
                              "keep all numbers apart by commas");
}

int lines_refuse(const lines *text, const char *what)
{
    return fail(text->failure, EXIT_INPUT, "%s: line %" PRId64 ": %s", text->name, text->line, what);
}

/* Returns the column, counted from 1, of the word at `at`. */
static int64_t column_of(const lines *text, const char *at)
{
    int64_t words = 0, separators = 0;
    for (const char *c = text->begin; c < at; c++) {
        separators += separator(*c);
        words += !blank(text, *c) && blank(text, c[1]);
    }
    const char *next = text->begin;
    while (next < text->eol && !separator(*next)) next++;
    return 1 + (next < text->eol ? separators : words);
}

int lines_refuse_word(const lines *text, const char *what)
{
    enum { SHOWN = 32 };
    lines word = *text;
    const char *end, *const at = lines_take(&word, &end);
    if (at == end) return lines_refuse(text, what);
    const int64_t size = end - at;
    return fail(text->failure, EXIT_INPUT, "%s: line %" PRId64 ": %s: '%.*s%s' in column %" PRId64, text->name,
                text->line, what, (int)(size < SHOWN ? size : SHOWN), at, size > SHOWN ? "..." : "",
                column_of(text, at));
}

int lines_refuse_empty(const lines *text)
{
    const char *at = text->begin;
    bool empty = true;
    for (; at < text->eol && !(empty && separator(*at)); at++)
        if (separator(*at) || !blank(text, *at)) empty = separator(*at);
    return fail(text->failure, EXIT_INPUT, "%s: line %" PRId64 ": an empty cell in column %" PRId64
                "; every cell has a number", text->name, text->line, column_of(text, at));
}

/* ---- writing ---------------------------------------------------------------------------------- */

bool lines_flush(lines_out *out)
{
    out->failed = out->failed || !bytes_append(out->sink, out->buffer, out->used);
    out->used = 0;
    return !out->failed;
}

void lines_room(lines_out *out)
{
    if (out->used + 80 > sizeof out->buffer) (void)lines_flush(out);
}

void lines_put(lines_out *out, int64_t value, char after)
{
    out->used += (size_t)write_digits(out->buffer + out->used, value);
    out->buffer[out->used++] = after;
}

void lines_put_arc(lines_out *out, int64_t from, int64_t to, int64_t value)
{
    lines_room(out);
    out->buffer[out->used++] = 'a';
    out->buffer[out->used++] = ' ';
    lines_put(out, from, ' ');
    lines_put(out, to, ' ');
    lines_put(out, value, '\n');
}
