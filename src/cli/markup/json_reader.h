/* SPDX-License-Identifier: MIT
 *
 * json_reader.h - reads JSON (RFC 8259) from memory value by value, in the order of the file, and knows the current
 * line.
 *
 *     json_reader r;
 *     json_reader_init(&r, "cat.json", data, size, why);
 *     for (json_enter(&r, '{'); json_more(&r);)
 *         if (json_is_key(&r, "width")) STEP(json_number(&r, &width));
 *     STEP(r.status);
 *     json_reader_free(&r);
 *
 * A value that was not read is skipped by the next json_more(). No tree is built, because a file of a data set may be a
 * thousand times as large as the part that is wanted. To return to a value that was skipped, use json_mark, a copy of
 * `at` and `line`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"

enum { JSON_DEPTH = 64 }; /* deepest nesting of brackets */

typedef struct json_mark {
    const uint8_t *at; /* NULL: none */
    int64_t line;
    int depth;
} json_mark;

typedef struct json_reader {
    const char *name; /* the file's name for messages */
    const uint8_t *at, *end;
    const uint8_t *value; /* where the value begins that json_more() came to last; NULL: it has been entered */
    int64_t line; /* 0 for a text of one line: messages do not give a line then */
    int depth;
    char open[JSON_DEPTH];
    bool begun[JSON_DEPTH]; /* whether a value in that bracket has been read */
    bytes key, text;        /* latest key and text, with a closing zero; owned */
    int status;             /* of the last json_enter() or json_more() */
    failure *why;
} json_reader;

/* Begins to read `data`. Skips a byte order mark. */
void json_reader_init(json_reader *r, const char *name, const uint8_t *data, size_t size, failure *why);
void json_reader_free(json_reader *r);

/* Fails with EXIT_INPUT and "cat.json: line 12: WHAT". */
#define json_refuse(r, ...) fail_at_line((r)->why, (r)->name, (r)->line, __VA_ARGS__)

/* The kind of the next value: '{', '[', '"', '0' (a number), 't' (true or false), 'n' (null, or what Python
 * writes for a number that is not finite: NaN, Infinity), 0 (the end, or an error). */
char json_kind(json_reader *r);

/* True: another member or element follows, and its key has been read. False: the closing bracket has been read, or
 * r->status says what is wrong. Skips the last value if nobody has read it. */
bool json_more(json_reader *r);

/* All of these return an exit status: EXIT_INPUT with the line if something else stands there; EXIT_RESOURCES without
 * memory.
 *   enter   reads the opening bracket '{' or '['; after a failure json_more() is false, and r->status has it
 *   string  reads a text into r->text, with escapes resolved; a text with a zero byte is refused
 *   number  reads a finite number
 *   word    reads a text, or a number as it is written, into r->text
 *   skip    skips one value of any kind
 *   end     checks that nothing follows */
int json_enter(json_reader *r, char bracket);
int json_string(json_reader *r);
int json_number(json_reader *r, double *value);
int json_word(json_reader *r);
int json_skip(json_reader *r);
int json_end(json_reader *r);

bool json_is_key(const json_reader *r, const char *key);

/* Whether the member has this key and is a text or a number, which is then in r->text. False, too, if it cannot be
 * read: r->status says why, and json_more() is false. */
bool json_has_text(json_reader *r, const char *key);
json_mark json_here(json_reader *r);
void json_go(json_reader *r, const json_mark *to); /* goes back to a value; its brackets must still be open */
