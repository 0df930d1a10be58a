/* SPDX-License-Identifier: MIT
 *
 * lines.h - reads a text file line by line and word by word, for the readers of graphs and networks. Every error names
 * its line.
 */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"

typedef struct lines {
    const char *name;
    const char *at, *end; /* of the file                          */
    const char *eol;      /* end of the line at `at`              */
    const char *feed;     /* the next LF, or `end`; NULL at first */
    int64_t line;         /* counted from 1                       */
    bool commas;          /* and semicolons count as blanks, as tables have them; lines_open() sets it */
    const char *begin;    /* of the line                          */
    bool empty;           /* out: a cell before the word read last is empty: 1,,3 */
    failure *failure;
} lines;

/* Opens the text, skipping a byte order mark. */
lines lines_open(const char *name, const uint8_t *data, size_t size, failure *why);

/* Goes to the first line, or to the next one; false: there is none. */
bool lines_next(lines *text);

/* Reads the next word as a whole number of 0 and more. False: it is not one, or too large. */
bool lines_number(lines *text, int64_t *out);

/* Passes over the next word and returns its first character; empty at the end of the line. */
const char *lines_take(lines *text, const char **end);

bool lines_word(lines *text, const char *wanted); /* skips the next word if it is that one */
bool lines_name(lines *text, const char *wanted); /* the same, in upper or lower case      */
bool lines_at_end(lines *text);                   /* only blanks are left in the line */

/* Refuses a line in which a comma stands between two digits, but words are also kept apart by something else: 1,5 may
 * be one number there. For texts whose commas count as blanks. EXIT_DONE or EXIT_INPUT. */
int lines_no_decimal_commas(const lines *text);

/* "NAME: line N: WHAT"; EXIT_INPUT. */
int lines_refuse(const lines *text, const char *what);

/* Lines on their way into `sink`, where there are so many that each one appended by itself would take its time. */
typedef struct lines_out {
    bytes *sink;
    size_t used;
    bool failed; /* no memory */
    char buffer[1 << 14];
} lines_out;

/* Makes room for a line of up to 80 bytes in the buffer. */
void lines_room(lines_out *out);
void lines_put(lines_out *out, int64_t value, char after); /* a number of at least 0 */
void lines_put_arc(lines_out *out, int64_t from, int64_t to, int64_t value); /* "a FROM TO VALUE", a whole line */
bool lines_flush(lines_out *out); /* false: `failed` */

#endif
