/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file_write.h"
#include "folders.h"
#include "tilecut.h"

static void put_text(json *j, const char *text, size_t size)
{
    if (!j->failed && !bytes_append(&j->out, text, size)) j->failed = true;
}

static void put_word(json *j, const char *word)
{
    put_text(j, word, strlen(word));
}

/* Returns the length of the well-formed UTF-8 sequence at `s`, or 0. By RFC 3629, overlong forms and surrogates are not
 * well-formed. */
static size_t utf8_length(const unsigned char *s)
{
    size_t length;
    if (s[0] < 0x80) return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0; /* the closing zero too */
    return length;
}

static void put_string(json *j, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    put_word(j, "\"");
    while (*s) {
        const size_t length = utf8_length(s);
        char escape[8];
        const unsigned code = length == 3 ? (s[0] & 15u) << 12 | (s[1] & 63u) << 6 | (s[2] & 63u) : *s;
        const bool hidden = length == 3 && ((code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069));
        /* invisible characters are escaped, because people read JSON in terminals */
        if (!length || *s < 0x20 || *s == 0x7f || hidden) {
            snprintf(escape, sizeof escape, "\\u%04x", length ? code : 0xfffdU);
            put_word(j, escape);
        } else {
            if (*s == '"' || *s == '\\') put_word(j, "\\");
            put_text(j, (const char *)s, length);
        }
        s += length ? length : 1;
    }
    put_word(j, "\"");
}

/* Writes what precedes a value: a comma, unless the value is the first, and its key. */
static void put_key(json *j, const char *key)
{
    if (j->comma) put_word(j, ", ");
    if (key) {
        put_string(j, key);
        put_word(j, ": ");
    }
    j->comma = true;
}

void json_open(json *j, const char *key, char bracket)
{
    put_key(j, key);
    put_text(j, &bracket, 1);
    j->comma = false;
}

void json_begin(json *j)
{
    json_open(j, NULL, '{');
    json_text(j, "version", tilecut_version());
}

bool json_open_if(json *j, const char *key, bool given)
{
    if (given) json_open(j, key, '{');
    else json_null(j, key);
    return given;
}

void json_close(json *j, char bracket)
{
    put_text(j, &bracket, 1);
    j->comma = true;
}

void json_text(json *j, const char *key, const char *value)
{
    put_key(j, key);
    if (value)
        put_string(j, value);
    else
        put_word(j, "null");
}

void json_digits(json *j, const char *key, const char *digits)
{
    put_key(j, key);
    put_word(j, digits);
}

void json_integer(json *j, const char *key, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    json_digits(j, key, text);
}

const char *json_fixed_text(int32_t value, int unit, char text[16])
{
    const int whole = value / unit, rest = value % unit;
    if (rest) snprintf(text, 16, rest % 10 ? "%d.%02d" : "%d.%d", whole, rest % 10 ? rest : rest / 10);
    else snprintf(text, 16, "%d", whole);
    return text;
}

void json_fixed(json *j, const char *key, const int32_t *values, size_t count, int unit)
{
    char text[16];
    json_open(j, key, '[');
    for (size_t i = 0; i < count; i++) json_digits(j, NULL, json_fixed_text(values[i], unit, text));
    json_close(j, ']');
}

/* Writes `value` with 6, 15 or 17 digits, the fewest that read back as the same number. The program never sets a
 * locale, so the decimal point is a point. */
void json_real(json *j, const char *key, double value)
{
    static const int digits[] = {6, 15, 17};
    char text[40] = "null";
    for (int i = 0; i < 3 && isfinite(value); i++) {
        double back;
        snprintf(text, sizeof text, "%.*g", digits[i], value);
        if (sscanf(text, "%lf", &back) == 1 && !(back < value) && !(back > value)) break;
    }
    put_key(j, key);
    put_word(j, text);
}

void json_bool(json *j, const char *key, bool value)
{
    put_key(j, key);
    put_word(j, value ? "true" : "false");
}

void json_null(json *j, const char *key)
{
    put_key(j, key);
    put_word(j, "null");
}

void json_nulls(json *j, const char *keys)
{
    char key[32];
    for (int length; sscanf(keys, " %31s%n", key, &length) == 1; keys += length) json_null(j, key);
}

void json_ms(json *j, const char *key, double ms)
{
    json_real(j, key, (double)(int64_t)(ms * 1000 + 0.5) / 1000);
}

void json_warnings(json *j, const notes *warnings)
{
    json_open(j, "warnings", '[');
    for (int i = 0; i < warnings->count; i++) json_text(j, NULL, warnings->text[i]);
    json_close(j, ']');
}

void json_error(json *j, const failure *error)
{
    if (!json_open_if(j, "error", error && error->status != EXIT_DONE)) return;
    json_integer(j, "code", error->status);
    json_text(j, "text", error->text);
    json_close(j, '}');
}

/* Ends the outermost object and its line. Returns false if memory ran out. */
static bool end_line(json *j)
{
    json_close(j, '}');
    put_word(j, "\n");
    return !j->failed;
}

int json_write(json *j, const char *path, failure *why)
{
    const int status = end_line(j) ? file_write(path, j->out.data, j->out.size, why)
                                   : fail(why, EXIT_RESOURCES, "%s: not enough memory for the JSON", path);
    json_free(j);
    return status;
}

void json_free(json *j)
{
    bytes_free(&j->out);
    *j = (json){0};
}

int json_log_open(json_log *log, const char *path, failure *why)
{
    *log = (json_log){path, -1};
    if (!path) return EXIT_DONE;
    (void)folders_make(path); /* opening the file will report the error */
    log->descriptor = strcmp(path, "-") ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
    return log->descriptor < 0 ? file_write_failed(path, errno, why) : EXIT_DONE;
}

int json_log_put(const json_log *log, json *object, failure *why)
{
    const int problem = end_line(object) ? file_write_all(log->descriptor, object->out.data, object->out.size) : ENOMEM;
    json_free(object);
    return problem ? file_write_failed(file_output_name(log->path), problem, why) : EXIT_DONE;
}

int json_log_close(json_log *log, failure *why)
{
    if (log->descriptor <= STDOUT_FILENO || close(log->descriptor) == 0) return EXIT_DONE;
    return file_write_failed(log->path, errno, why);
}
