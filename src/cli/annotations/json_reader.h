/* SPDX-License-Identifier: MIT
 *
 * json_reader.h - reads JSON (RFC 8259) in memory value by value, in the order of the file, and knows the line it is
 * at.
 *
 *     json_reader r;
 *     json_reader_init(&r, "cat.json", data, size, why);
 *     STEP(json_enter(&r, '{'));
 *     for (;;) {
 *         STEP(json_more(&r, &more));
 *         if (!more) break;
 *         STEP(json_is_key(&r, "width") ? json_number(&r, &width) : json_skip(&r));
 *     }
 *     json_reader_free(&r);
 *
 * No tree is built: a file of a data set may be larger than what of it is wanted by a factor of a thousand. A copy of
 * the struct's `at` and `line` (json_mark) leads back to a value that was skipped.
 */
#ifndef CLI_JSON_READER_H
#define CLI_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"

enum { JSON_DEPTH = 64 }; /* brackets within each other, at most */

typedef struct json_mark {
    const uint8_t *at; /* NULL: none */
    int64_t line;
    int depth;
} json_mark;

typedef struct json_reader {
    const char *name; /* of the file, for messages */
    const uint8_t *at, *end;
    int64_t line;
    int depth;
    char open[JSON_DEPTH];
    bool begun[JSON_DEPTH]; /* a value of that bracket was seen */
    bytes key, text;        /* the last of each, with a closing zero; owned */
    failure *why;
} json_reader;

/* A byte order mark is passed over. */
void json_reader_init(json_reader *r, const char *name, const uint8_t *data, size_t size, failure *why);
void json_reader_free(json_reader *r);

/* "cat.json: line 12: WHAT", EXIT_INPUT. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int json_refuse(const json_reader *r, const char *format, ...);

/* What comes next: '{', '[', '"', '0' (a number), 't' (true or false), 'n' (null), 0 (the end, or nothing of these). */
char json_kind(json_reader *r);

/* All of these return an exit status: EXIT_INPUT where something else stands, with its line; EXIT_RESOURCES without
 * memory.
 *   enter   the bracket '{' or '[' that opens
 *   more    whether another member or element follows, of an object its key; if not, the closing bracket is taken
 *   string  its text into r->text, without escapes; one with a zero byte in it is refused
 *   number  finite
 *   skip    one value of any kind
 *   end     nothing follows */
int json_enter(json_reader *r, char bracket);
int json_more(json_reader *r, bool *more);
int json_string(json_reader *r);
int json_number(json_reader *r, double *value);
int json_skip(json_reader *r);
int json_end(json_reader *r);

bool json_is_key(const json_reader *r, const char *key);
json_mark json_here(json_reader *r);
void json_go(json_reader *r, const json_mark *to); /* to a value in the brackets that are open now */

#endif
