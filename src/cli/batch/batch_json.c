/* SPDX-License-Identifier: MIT
 *
 * batch_json.c - reads a flat JSON object (RFC 8259) from a line, as batch_line.h says. Values are text for columns,
 * so numbers stay as they are written.
 */
#include <stdlib.h>
#include <string.h>

#include "batch_line.h"
#include "file.h"

typedef struct reader {
    const char *at, *from;
    batch_line *line;
    failure *why;
} reader;

static int damaged(const reader *r, const char *what)
{
    return fail(r->why, EXIT_INPUT, "%s: is no JSON object as lists have them (%s)", r->from, what);
}

static void skip_blanks(reader *r)
{
    r->at += strspn(r->at, " \t\r");
}

static bool take(reader *r, char c)
{
    skip_blanks(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

/* Reads four hexadecimal digits; -1: there are none. */
static long read_hex(reader *r)
{
    char digits[5] = "";
    if (strspn(r->at, "0123456789abcdefABCDEF") < 4) return -1;
    memcpy(digits, r->at, 4);
    r->at += 4;
    return strtol(digits, NULL, 16);
}

static bool put_code(bytes *out, unsigned long code)
{
    unsigned char utf8[4];
    size_t size = 1;
    if (code < 0x80) {
        utf8[0] = (unsigned char)code;
    } else {
        size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        for (size_t i = size - 1; i; i--, code >>= 6) utf8[i] = (unsigned char)(0x80 | (code & 0x3f));
        utf8[0] = (unsigned char)((0xf00u >> size & 0xf0u) | code);
    }
    return bytes_append(out, utf8, size);
}

/* Reads what follows a backslash and `u`: a character, or the two halves of one. False: invalid. */
static bool read_code(reader *r, unsigned long *code)
{
    const long first = read_hex(r);
    if (first <= 0) return false; /* no zero byte in a name */
    *code = (unsigned long)first;
    if (first < 0xd800 || first > 0xdfff) return true;
    if (first > 0xdbff || r->at[0] != '\\' || r->at[1] != 'u') return false;
    r->at += 2;
    const long second = read_hex(r);
    if (second < 0xdc00 || second > 0xdfff) return false;
    *code = 0x10000 + ((unsigned long)(first - 0xd800) << 10) + (unsigned long)(second - 0xdc00);
    return true;
}

static int read_escape(reader *r, bytes *out)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *const which = *r->at ? strchr(letters, *r->at) : NULL;
    unsigned long code = 0;
    bool room;
    if (which) {
        r->at++;
        room = bytes_append(out, &meant[which - letters], 1);
    } else {
        if (*r->at != 'u') return damaged(r, "a \\ that begins nothing");
        r->at++;
        if (!read_code(r, &code)) return damaged(r, "a \\u that is no character");
        room = put_code(out, code);
    }
    return room ? EXIT_DONE : fail(r->why, EXIT_RESOURCES, "not enough memory for a line of the list");
}

/* Reads "..." into `out`, with a closing zero. */
static int read_text(reader *r, bytes *out)
{
    int status = EXIT_DONE;
    out->size = 0;
    if (!take(r, '"')) return damaged(r, "text in quotes is missing");
    while (!status && *r->at && *r->at != '"') {
        if (*r->at == '\\') {
            r->at++;
            status = read_escape(r, out);
        } else if (!bytes_append(out, r->at++, 1)) {
            status = fail(r->why, EXIT_RESOURCES, "not enough memory for a line of the list");
        }
    }
    if (status) return status;
    if (*r->at != '"') return damaged(r, "a quote is missing at the end of text");
    r->at++;
    return bytes_append(out, "", 1) ? EXIT_DONE
                                    : fail(r->why, EXIT_RESOURCES, "not enough memory for a line of the list");
}

/* Reads a number or a word, with a closing zero. */
static int read_plain(reader *r, bytes *out)
{
    static const char *const words[][2] = {{"true", "yes"}, {"false", "no"}, {"null", ""}};
    skip_blanks(r);
    const size_t length = strcspn(r->at, " \t\r,]}");
    const char *text = r->at;
    size_t size = length;
    bool known = length && strspn(r->at, "+-.0123456789eE") == length;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (length == strlen(words[i][0]) && !strncmp(r->at, words[i][0], length)) {
            known = true;
            text = words[i][1];
            size = strlen(text);
        }
    if (!known) return damaged(r, "a value is neither text, number, true, false, null nor an array of these");
    out->size = 0;
    r->at += length;
    return bytes_append(out, text, size) && bytes_append(out, "", 1)
               ? EXIT_DONE : fail(r->why, EXIT_RESOURCES, "not enough memory for a line of the list");
}

/* Reads [...]. Each text in it is another value of the column; numbers are one value together. */
static int read_array(reader *r, const char *column, bytes *value)
{
    bytes numbers = {0};
    int status = EXIT_DONE;
    bool more = !take(r, ']');
    while (!status && more) {
        skip_blanks(r);
        if (*r->at == '"') {
            status = read_text(r, value);
            if (!status) status = batch_line_put(r->line, column, (const char *)value->data, r->why);
        } else {
            status = read_plain(r, value);
            if (!status && ((numbers.size && !bytes_append(&numbers, ",", 1)) ||
                            !bytes_append(&numbers, value->data, value->size - 1)))
                status = fail(r->why, EXIT_RESOURCES, "not enough memory for a line of the list");
        }
        more = !status && take(r, ',');
        if (!status && !more && !take(r, ']')) status = damaged(r, "a ] is missing");
    }
    if (!status && numbers.size && bytes_append(&numbers, "", 1))
        status = batch_line_put(r->line, column, (const char *)numbers.data, r->why);
    bytes_free(&numbers);
    return status;
}

static int read_member(reader *r, bytes *column, bytes *value)
{
    bool repeatable;
    int status = read_text(r, column);
    if (status) return status;
    const char *const name = column->data ? (const char *)column->data : "";
    if (!batch_column_known(name, &repeatable))
        return fail(r->why, EXIT_INPUT, "%s: '%.80s' is neither a file nor an option of a photo", r->from, name);
    for (int i = 0; i < r->line->count; i++)
        if (!repeatable && !strcmp(r->line->cell[i].column, name))
            return fail(r->why, EXIT_INPUT, "%s: '%.80s' is there twice", r->from, name);
    if (!take(r, ':')) return damaged(r, "a : is missing");
    if (take(r, '[')) return read_array(r, name, value);
    skip_blanks(r);
    status = *r->at == '"' ? read_text(r, value) : read_plain(r, value);
    return status ? status : batch_line_put(r->line, name, (const char *)value->data, r->why);
}

int batch_line_parse_json(batch_line *line, const char *from, const char *text, failure *why)
{
    reader r = {.at = text, .from = from, .line = line, .why = why};
    bytes column = {0}, value = {0};
    int status = take(&r, '{') ? EXIT_DONE : damaged(&r, "a { is missing");
    bool more = !status && !take(&r, '}');
    while (!status && more) {
        status = read_member(&r, &column, &value);
        more = !status && take(&r, ',');
        if (!status && !more && !take(&r, '}')) status = damaged(&r, "a } is missing");
    }
    skip_blanks(&r);
    if (!status && *r.at) status = damaged(&r, "something follows its }");
    bytes_free(&column);
    bytes_free(&value);
    return status;
}
