/* SPDX-License-Identifier: MIT
 *
 * json.h - writes one JSON object into memory, key by key, and then to a file, whole or not at all.
 *
 *     json j = {0};
 *     json_begin(&j);
 *     json_open(&j, "ms", '{');
 *     json_real(&j, "read", 1.5);
 *     json_close(&j, '}');
 *     json_close(&j, '}');
 *     status = json_write(&j, path, why);
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"

typedef struct json {
    bytes out;
    bool comma;  /* something stands before the next value in its object or array */
    bool failed; /* memory ran out: json_write() says so                          */
} json;

/* `key` is NULL inside an array and for the outermost value; a bracket is '{' or '[', '}' or ']'. */
void json_open(json *json, const char *key, char bracket);
void json_begin(json *json); /* a report's object and its first member, the version */
/* Opens the object `key` if there is one, and writes null otherwise; returns whether there is. */
bool json_open_if(json *json, const char *key, bool given);
void json_close(json *json, char bracket);
void json_text(json *json, const char *key, const char *value); /* NULL: null. Bytes that are not UTF-8
                                                                   become U+FFFD */
void json_integer(json *json, const char *key, int64_t value);
void json_real(json *json, const char *key, double value);      /* not finite: null */
void json_digits(json *json, const char *key, const char *digits); /* a number that has been made a text */
/* An array of values / unit; unit: 1, or 100, which makes at most two digits after the point. Values are at least 0. */
void json_fixed(json *json, const char *key, const int32_t *values, size_t count, int unit);
const char *json_fixed_text(int32_t value, int unit, char text[16]); /* one of them; returns text */
void json_bool(json *json, const char *key, bool value);
void json_null(json *json, const char *key);
void json_nulls(json *json, const char *keys); /* keys with blanks between, each at most 31 bytes */

/* Members that the reports of all verbs have in common. */
void json_ms(json *json, const char *key, double ms);         /* three decimals */
void json_warnings(json *json, const notes *warnings);        /* "warnings": the texts, in order */
void json_error(json *json, const failure *error);            /* "error": code and text; null without a failure */

/* Writes what was collected and a line end to `path` ("-": standard output), and frees it in any case. */
int json_write(json *json, const char *path, failure *why);
void json_free(json *json);

#endif
