/* SPDX-License-Identifier: MIT
 *
 * lines.h - reads a text file line by line and word by word, for graphs and networks. Every error names its line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "file.h"

typedef struct lines {
    const char *name;
    const char *at, *end; /* current place in the file, and the file's end */
    const char *eol;      /* end of the line at `at`                       */
    const char *feed;     /* the next LF, or `end`; NULL at first          */
    int64_t line;         /* number of the line, from 1                    */
    bool commas;          /* true: commas and semicolons count as blanks, as in tables; set by lines_open() */
    const char *begin;    /* start of the line */
    bool empty;           /* result: the cell before the latest word is empty, as in 1,,3 */
    struct file_halves *halves; /* how to read numbers as doubles (scaled.h); NULL: read them as decimals */
    failure *failure;
} lines;

/* Opens the text, skipping a byte order mark. */
lines lines_open(const char *name, const uint8_t *data, size_t size, failure *why);

/* Goes to the next line, at first to line 1. Returns false if there is none. */
bool lines_next(lines *text);

/* Reads the next word as a non-negative integer. Returns false if the word is no such integer, or is too large. */
bool lines_number(lines *text, int64_t *out);

/* Skips the next word and returns its start; *end becomes its end. The word is empty at the end of the line. */
const char *lines_take(lines *text, const char **end);

bool lines_word(lines *text, const char *wanted); /* skips the next word if it is `wanted`               */
bool lines_name(lines *text, const char *wanted); /* like lines_word(), but ignores upper and lower case */
bool lines_at_end(lines *text);                   /* true if only blanks are left in the line */

/* Refuses a line whose separators are ambiguous, in a text in which commas and semicolons count as blanks. Three cases:
 * a comma between two digits in a line with other separators, as 1,5 may be one number; semicolons beside blanks, which
 * may be the rows of a matrix, "1 2; 3 4"; blanks that may group thousands, "1 000 2". EXIT_DONE or EXIT_INPUT. */
int lines_one_separator(const lines *text);

/* Fails with "NAME: line N: WHAT" and EXIT_INPUT. */
int lines_refuse(const lines *text, const char *what);

/* Fails like lines_refuse(), and quotes the next word of the line: "NAME: line N: WHAT: 'NA' in column 2". Columns are
 * counted from 1; if commas or semicolons separate them, empty cells count. */
int lines_refuse_word(const lines *text, const char *what);

/* Fails like lines_refuse(), because of the first empty cell of the line. */
int lines_refuse_empty(const lines *text);

/* Collects lines in a buffer before they go to `sink`, because appending each line by itself would be slow. */
typedef struct lines_out {
    bytes *sink;
    size_t used;
    bool failed; /* true: memory ran out */
    char buffer[1 << 14];
} lines_out;

/* Makes room for a line of up to 80 bytes in the buffer. */
void lines_room(lines_out *out);
void lines_put(lines_out *out, int64_t value, char after); /* writes a non-negative number and the character `after` */
/* writes the whole line "a FROM TO VALUE" */
void lines_put_arc(lines_out *out, int64_t from, int64_t to, int64_t value);
bool lines_flush(lines_out *out); /* returns false if memory ran out */
