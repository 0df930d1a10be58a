/* SPDX-License-Identifier: MIT
 *
 * json.h - writes one JSON object into memory, key by key, and then to a file, whole or not at all.
 *
 *     json j = {0};
 *     json_begin(&j);
 *     json_open(&j, "ms", '{');
 *     json_real(&j, "read", 1.5);
 *     json_close(&j, '}');
 *     status = json_write(&j, path, why);
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"

typedef struct json {
    bytes out;
    bool comma;  /* true: the object or array already has a value, so a comma must precede the next one */
    bool failed; /* true: memory ran out; json_write() will report it             */
} json;

/* Open and close an object or array. `key` is NULL inside an array and for the outermost value; a bracket is '{' or
 * '[', '}' or ']'. */
void json_open(json *json, const char *key, char bracket);
void json_begin(json *json); /* opens the object of a report and writes its first member, the version */
/* If `given`, opens the object `key`; otherwise writes null. Returns `given`. */
bool json_open_if(json *json, const char *key, bool given);
void json_close(json *json, char bracket);
void json_text(json *json, const char *key, const char *value); /* NULL is written as null; bytes that are not UTF-8
                                                                   become U+FFFD */
void json_integer(json *json, const char *key, int64_t value);
void json_real(json *json, const char *key, double value);      /* not finite: null */
void json_digits(json *json, const char *key, const char *digits); /* writes a number that is already text */
/* Writes an array of the numbers value / unit. `unit` is 1 or 100; 100 gives at most two digits after the point. Values
 * are not negative. */
void json_fixed(json *json, const char *key, const int32_t *values, size_t count, int unit);
const char *json_fixed_text(int32_t value, int unit, char text[16]); /* writes value / unit as text; returns `text` */
void json_bool(json *json, const char *key, bool value);
void json_null(json *json, const char *key);
/* Writes null for each key; `keys` are separated by blanks and have at most 31 bytes each. */
void json_nulls(json *json, const char *keys);

/* Writes up to 8 members of *of under the names of their fields: JSON_MEMBERS(&j, cut, flow, energy). The type of a
 * field chooses one of the functions above. So a field that is written must not be renamed. (One _Generic instead of
 * two crashes cppcheck 2.10.) */
#define JSON_MEMBERS(...) \
    JSON_PICK(__VA_ARGS__, JSON_8, JSON_7, JSON_6, JSON_5, JSON_4, JSON_3, JSON_2, JSON_1, 0)(__VA_ARGS__)
#define JSON_PICK(j, of, a, b, c, d, e, f, g, h, chosen, ...) chosen
#define JSON_1(j, of, m) \
    _Generic((of)->m, bool: json_bool, double: json_real, \
             default: _Generic((of)->m, const char *: json_text, char *: json_text, default: json_integer)) \
    (j, #m, (of)->m)
#define JSON_2(j, of, m, ...) (JSON_1(j, of, m), JSON_1(j, of, __VA_ARGS__))
#define JSON_3(j, of, m, ...) (JSON_1(j, of, m), JSON_2(j, of, __VA_ARGS__))
#define JSON_4(j, of, m, ...) (JSON_1(j, of, m), JSON_3(j, of, __VA_ARGS__))
#define JSON_5(j, of, m, ...) (JSON_1(j, of, m), JSON_4(j, of, __VA_ARGS__))
#define JSON_6(j, of, m, ...) (JSON_1(j, of, m), JSON_5(j, of, __VA_ARGS__))
#define JSON_7(j, of, m, ...) (JSON_1(j, of, m), JSON_6(j, of, __VA_ARGS__))
#define JSON_8(j, of, m, ...) (JSON_1(j, of, m), JSON_7(j, of, __VA_ARGS__))

/* Members that the reports of all verbs have. */
void json_ms(json *json, const char *key, double ms);         /* three decimals */
void json_warnings(json *json, const notes *warnings);        /* writes the member "warnings": the texts in their
                                                                 order */
void json_error(json *json, const failure *error);            /* writes the member "error": code and text, or null if
                                                                 there is no failure */

/* Closes the outermost object, writes the collected text and a line end to `path` ("-": standard output), and frees it
 * in any case. */
int json_write(json *json, const char *path, failure *why);
void json_free(json *json);

/* A file with one object a line, each of which is written as soon as it is complete. */
typedef struct json_log {
    const char *path; /* "-": standard output */
    int descriptor;   /* -1: none, since `path` is NULL */
} json_log;

/* json_log_open() makes folders that are missing; json_log_put() ends an object as json_write() does. Returns
 * EXIT_RUNTIME on failure. */
int json_log_open(json_log *log, const char *path, failure *why);
int json_log_put(const json_log *log, json *object, failure *why);
int json_log_close(json_log *log, failure *why);
