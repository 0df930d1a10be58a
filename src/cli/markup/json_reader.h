/* SPDX-License-Identifier: MIT
 *
 * json_reader.h - reads JSON (RFC 8259) from memory value by value, in the order of the file, and counts lines.
 *
 *     json_reader r;
 *     json_reader_init(&r, "cat.json", data, size, why);
 *     for (json_enter(&r, '{'); json_more(&r);)
 *         if (json_is_key(&r, "width")) STEP(json_number(&r, &width));
 *     STEP(r.status);
 *     json_reader_free(&r);
 *
 * The next json_more() skips a value that was not read. No tree is built, because a file of a data set may be a
 * thousand times as large as the part that is wanted. To return to a skipped value, keep a json_mark, a copy of `at`
 * and `line`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"

enum { JSON_DEPTH = 64 }; /* the deepest nesting of brackets */

typedef struct json_mark {
    const uint8_t *at; /* place in the text; NULL: the mark is not set */
    int64_t line;
    int depth;
} json_mark;

typedef struct json_reader {
    const char *name; /* the file's name, for messages */
    const uint8_t *at, *end;
    const uint8_t *value; /* start of the value to which json_more() came last; NULL: that value has been entered */
    int64_t line; /* current line; 0: the text is a single line, so messages name no line */
    int depth;
    char open[JSON_DEPTH];
    bool begun[JSON_DEPTH]; /* for each open bracket: a value in it has been read */
    bytes key, text;        /* latest key and text, with a closing zero; owned */
    bool each_once;         /* refuse an object with the same key twice, as readers differ in which of the two counts */
    bytes keys;             /* the keys of all open objects, kept if each_once is set; owned */
    size_t keys_from[JSON_DEPTH]; /* where in `keys` those of each open bracket begin */
    int status;             /* status of the last json_enter() or json_more() */
    failure *why;
} json_reader;

/* Begins to read `data`. Skips a byte order mark. */
void json_reader_init(json_reader *r, const char *name, const uint8_t *data, size_t size, failure *why);
void json_reader_free(json_reader *r);

/* Fails with EXIT_INPUT and "cat.json: line 12: WHAT". */
#define json_refuse(r, ...) fail_at_line((r)->why, (r)->name, (r)->line, __VA_ARGS__)

/* Returns the kind of the next value: '{', '[', '"', '0' (a number), 't' (true or false), 'n' (null, or Python's words
 * for a number that is not finite: NaN, Infinity), 0 (the end of the text, or an error). */
char json_kind(json_reader *r);

/* Returns true if another member or element follows; its key has then been read. Returns false after the closing
 * bracket, or after an error, which is in r->status. Skips the last value if it has not been read. */
bool json_more(json_reader *r);

/* All of these return an exit status: EXIT_INPUT with the line if something else stands there; EXIT_RESOURCES if memory
 * runs out.
 *   enter   reads the opening bracket '{' or '['; a failure is also in r->status, and json_more() is then false
 *   string  reads a text into r->text and resolves escapes; refuses a text with a zero byte
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

/* Returns true if the current member has this key and its value is a text or a number, which is then in r->text. Also
 * returns false if the value cannot be read; the error is then in r->status, and json_more() returns false. */
bool json_has_text(json_reader *r, const char *key);
json_mark json_here(json_reader *r);
void json_go(json_reader *r, const json_mark *to); /* returns to a value whose brackets are still open */
