/* SPDX-License-Identifier: MIT */
#include "json_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void json_reader_init(json_reader *r, const char *name, const uint8_t *data, size_t size, failure *why)
{
    *r = (json_reader){.name = name, .at = data + utf8_mark(data, size), .end = data + size, .line = 1, .why = why};
}

void json_reader_free(json_reader *r)
{
    bytes_free(&r->key);
    bytes_free(&r->keys);
    bytes_free(&r->text);
}

static int no_memory(const json_reader *r)
{
    return fail(r->why, EXIT_RESOURCES, "%s: not enough memory to read it", r->name);
}

/* Skips blanks, and the mark that precedes each text of a sequence (RFC 7464). */
static void skip_blanks(json_reader *r)
{
    for (; r->at < r->end && *r->at && strchr(" \t\r\n\x1e", *r->at); r->at++)
        r->line += *r->at == '\n';
}

static bool take_char(json_reader *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != (uint8_t)c) return false;
    r->at++;
    return true;
}

char json_kind(json_reader *r)
{
    skip_blanks(r);
    if (r->at == r->end) return 0;
    const uint8_t c = *r->at;
    if (c == '{' || c == '[' || c == '"' || c == 't' || c == 'n') return (char)c;
    if (c == 'f') return 't';
    if (c == 'N' || c == 'I' || (c == '-' && r->end - r->at > 1 && r->at[1] == 'I')) return 'n';
    return c == '-' || (c >= '0' && c <= '9') ? '0' : 0;
}

/* Describes the token at the current place in words, for messages. */
static const char *found(json_reader *r)
{
    switch (json_kind(r)) {
    case '{': return "an object";
    case '[': return "an array";
    case '"': return "text";
    case '0': return "a number";
    case 't': return "true or false";
    case 'n': return *r->at == 'n' ? "null" : "no finite number";
    default: return r->at == r->end ? "the end of the file" : "something that is no JSON";
    }
}

int json_enter(json_reader *r, char bracket)
{
    if (json_kind(r) != bracket)
        return r->status = json_refuse(r, "%s is missing; %s stands there", bracket == '{' ? "an object" : "an array",
                                       found(r));
    if (r->depth == JSON_DEPTH)
        return r->status = json_refuse(r, "more than %d brackets within each other", JSON_DEPTH);
    r->status = EXIT_DONE;
    r->value = NULL;
    r->at++;
    r->open[r->depth] = bracket;
    r->begun[r->depth] = false;
    r->keys_from[r->depth] = r->keys.size;
    r->depth++;
    return EXIT_DONE;
}

/* ---- Text -------------------------------------------------------------------------------------- */

/* Reads four hexadecimal digits. Returns -1 if they are not there. */
static long read_hex(json_reader *r)
{
    long value = 0;
    if (r->end - r->at < 4) return -1;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef";
        const int c = r->at[i] >= 'A' && r->at[i] <= 'F' ? r->at[i] | 0x20 : r->at[i];
        const char *const digit = c ? strchr(digits, c) : NULL;
        if (!digit) return -1;
        value = value * 16 + (long)(digit - digits);
    }
    r->at += 4;
    return value;
}

/* Reads the four digits after `\u`. Some characters consist of two such escapes. */
static int read_code(json_reader *r, bytes *out)
{
    const long first = read_hex(r);
    unsigned long code = first < 0 ? 0 : (unsigned long)first;
    if (first == 0) return json_refuse(r, "text holds a zero byte");
    if (first >= 0xd800 && first <= 0xdbff && r->end - r->at >= 2 && r->at[0] == '\\' && r->at[1] == 'u') {
        r->at += 2;
        const long second = read_hex(r);
        code = second < 0xdc00 || second > 0xdfff
                   ? 0 : 0x10000 + ((unsigned long)(first - 0xd800) << 10) + (unsigned long)(second - 0xdc00);
    } else if (first >= 0xd800 && first <= 0xdfff) {
        code = 0;
    }
    if (!code) return json_refuse(r, "a \\u that is no character");
    return bytes_append_character(out, code) ? EXIT_DONE : no_memory(r);
}

static int read_escape(json_reader *r, bytes *out)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (r->at < r->end && *r->at == 'u') {
        r->at++;
        return read_code(r, out);
    }
    const char *const which = r->at < r->end && *r->at ? strchr(letters, *r->at) : NULL;
    if (!which) return json_refuse(r, "a \\ that begins nothing");
    r->at++;
    return bytes_append(out, &meant[which - letters], 1) ? EXIT_DONE : no_memory(r);
}

/* Reads a text in quotes into `out`, with a closing zero. `out` NULL: skips the text. */
static int read_text(json_reader *r, bytes *out)
{
    bytes unused = {0};
    int status = EXIT_DONE;
    if (!take_char(r, '"')) return json_refuse(r, "text in quotes is missing; %s stands there", found(r));
    if (out) out->size = 0;
    while (!status && r->at < r->end && *r->at != '"') {
        const uint8_t *const from = r->at;
        while (r->at < r->end && *r->at != '"' && *r->at != '\\' && *r->at >= 0x20) r->at++;
        if (out && r->at > from && !bytes_append(out, from, (size_t)(r->at - from))) status = no_memory(r);
        if (status || r->at == r->end || *r->at == '"') break;
        if (*r->at < 0x20) {
            status = json_refuse(r, "a line end or control character within text, or a quote is missing");
        } else {
            r->at++;
            status = read_escape(r, out ? out : &unused);
            unused.size = 0;
        }
    }
    bytes_free(&unused);
    if (status) return status;
    if (r->at == r->end) return json_refuse(r, "the file ends within text");
    r->at++;
    return !out || bytes_append(out, "", 1) ? EXIT_DONE : no_memory(r);
}

int json_string(json_reader *r)
{
    return read_text(r, &r->text);
}

bool json_is_key(const json_reader *r, const char *key)
{
    return r->key.data && strcmp((const char *)r->key.data, key) == 0;
}

/* ---- Numbers and words ------------------------------------------------------------------------- */

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Returns the length of the JSON number at the start of `text`; 0 if there is none. */
static size_t number_length(const char *text)
{
    size_t n = text[0] == '-';
    const size_t whole = digits(text + n);
    if (!whole || (text[n] == '0' && whole > 1)) return 0;
    n += whole;
    if (text[n] == '.') {
        const size_t behind = digits(text + n + 1);
        if (!behind) return 0;
        n += 1 + behind;
    }
    if (text[n] == 'e' || text[n] == 'E') {
        const size_t sign = text[n + 1] == '+' || text[n + 1] == '-', power = digits(text + n + 1 + sign);
        if (!power) return 0;
        n += 1 + sign + power;
    }
    return n;
}

/* Reads a number of any size as text. */
static int take_number(json_reader *r, char text[64])
{
    enum { MOST = 63 };
    if (json_kind(r) != '0') return json_refuse(r, "a number is missing; %s stands there", found(r));
    size_t length = 0;
    while (length < MOST && r->at + length < r->end && r->at[length] && r->at[length] < 0x80 &&
           strchr("+-.0123456789eE", r->at[length])) {
        text[length] = (char)r->at[length];
        length++;
    }
    text[length] = '\0';
    if (length == MOST || number_length(text) != length) return json_refuse(r, "'%.40s' is no number", text);
    r->at += length;
    return EXIT_DONE;
}

int json_number(json_reader *r, double *value)
{
    char text[64];
    STEP(take_number(r, text));
    *value = strtod(text, NULL); /* the program always uses the C locale, so the decimal point is a point */
    return isfinite(*value) ? EXIT_DONE : json_refuse(r, "%.40s is too large a number", text);
}

int json_word(json_reader *r)
{
    char text[64];
    if (json_kind(r) == '"') return json_string(r);
    const int status = take_number(r, text);
    r->text.size = 0;
    if (status) return status;
    return bytes_append(&r->text, text, strlen(text) + 1) ? EXIT_DONE : no_memory(r);
}

bool json_has_text(json_reader *r, const char *key)
{
    const char kind = json_kind(r);
    if (!json_is_key(r, key) || (kind != '"' && kind != '0')) return false;
    r->status = json_word(r);
    return !r->status;
}

static int skip_word(json_reader *r)
{
    static const char *const words[] = {"true", "false", "null", "NaN", "Infinity", "-Infinity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if ((size_t)(r->end - r->at) >= length && memcmp(r->at, words[i], length) == 0) {
            r->at += length;
            return EXIT_DONE;
        }
    }
    return json_refuse(r, "a value is missing; %s stands there", "something that is no JSON");
}

/* ---- Members and elements ---------------------------------------------------------------------- */

/* A key of an open object. */
typedef struct json_key {
    const uint8_t *at; /* the text of the key, after the opening quote */
    size_t length;     /* length of the text, with the quote at its end */
    int64_t line;
} json_key;

static int by_text(const void *one, const void *other)
{
    const json_key *const a = one, *const b = other;
    if (a->length != b->length) return a->length < b->length ? -1 : 1;
    const int order = memcmp(a->at, b->at, a->length);
    return order ? order : a->at < b->at ? -1 : a->at > b->at;
}

static int keep_key(json_reader *r, const uint8_t *from)
{
    const json_key one = {.at = from, .length = (size_t)(r->at - from), .line = r->line};
    return bytes_append(&r->keys, &one, sizeof one) ? EXIT_DONE : no_memory(r);
}

/* Called where an object ends. EXIT_INPUT: two of its keys are the same. */
static int check_keys(json_reader *r)
{
    const size_t from = r->keys_from[r->depth - 1], count = (r->keys.size - from) / sizeof(json_key);
    if (count < 2) return r->keys.size = from, EXIT_DONE;
    json_key *const key = (json_key *)(void *)(r->keys.data + from);
    r->keys.size = from;
    qsort(key, count, sizeof *key, by_text);
    for (size_t i = 1; i < count; i++)
        if (key[i].length == key[i - 1].length && key[i].at != key[i - 1].at &&
            !memcmp(key[i].at, key[i - 1].at, key[i].length))
            return fail_at_line(r->why, r->name, key[i].line, "the key \"%.*s\" comes twice in one object",
                                (int)key[i].length - 1, (const char *)key[i].at);
    return EXIT_DONE;
}

/* Reads the comma or closing bracket after a value. In an object, also reads the next key into `key`. */
static int next(json_reader *r, bool *more, bytes *key)
{
    const bool object = r->open[r->depth - 1] == '{';
    *more = false;
    if (take_char(r, object ? '}' : ']')) {
        const int status = object && r->each_once ? check_keys(r) : EXIT_DONE;
        r->depth--;
        return status;
    }
    if (r->begun[r->depth - 1] && !take_char(r, ','))
        return json_refuse(r, "a , or %c is missing; %s stands there", object ? '}' : ']', found(r));
    r->begun[r->depth - 1] = true;
    *more = true;
    if (!object) return EXIT_DONE;
    skip_blanks(r);
    const uint8_t *const from = r->at + 1;
    STEP(read_text(r, key));
    if (r->each_once) STEP(keep_key(r, from));
    return take_char(r, ':') ? EXIT_DONE : json_refuse(r, "a : is missing after a key; %s stands there", found(r));
}

bool json_more(json_reader *r)
{
    bool more = false;
    if (!r->status && r->at == r->value) r->status = json_skip(r);
    if (!r->status) r->status = next(r, &more, &r->key);
    more = more && !r->status;
    if (more) skip_blanks(r);
    r->value = more ? r->at : NULL;
    return more;
}

int json_skip(json_reader *r)
{
    const int outside = r->depth;
    char number[64];
    int status = EXIT_DONE;
    do {
        bool more = true;
        if (r->depth > outside) status = next(r, &more, NULL);
        if (status || !more) continue;
        switch (json_kind(r)) {
        case '{':
        case '[': status = json_enter(r, (char)*r->at); break;
        case '"': status = read_text(r, NULL); break;
        case '0': status = take_number(r, number); break;
        case 0: status = json_refuse(r, "a value is missing; %s stands there", found(r)); break;
        default: status = skip_word(r);
        }
    } while (!status && r->depth > outside);
    return status;
}

int json_end(json_reader *r)
{
    skip_blanks(r);
    return r->at == r->end ? EXIT_DONE : json_refuse(r, "%s follows the end of the JSON", found(r));
}

json_mark json_here(json_reader *r)
{
    skip_blanks(r);
    return (json_mark){r->at, r->line, r->depth};
}

void json_go(json_reader *r, const json_mark *to)
{
    if (to->depth < r->depth) r->keys.size = r->keys_from[to->depth];
    r->at = to->at;
    r->value = NULL;
    r->line = to->line;
    r->depth = to->depth;
    r->status = EXIT_DONE;
}
