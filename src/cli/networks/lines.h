/* SPDX-License-Identifier: MIT
 *
 * lines.h - a file of text, line by line and word by word, for the readers of networks. Every refusal names its line.
 */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

typedef struct lines {
    const char *name;
    const char *at, *end; /* of the file             */
    const char *eol;      /* end of the line at `at` */
    int64_t line;         /* counted from 1          */
    failure *failure;
} lines;

/* After a mark of UTF-8, if there is one. */
lines lines_open(const char *name, const uint8_t *data, size_t size, failure *why);

/* The first line, and each one after; false: there is none left. */
bool lines_next(lines *text);

/* The next word of the line is a whole number of 0 and more, or of either sign; false: it is none, or too large. */
bool lines_number(lines *text, int64_t *out);
bool lines_signed(lines *text, int64_t *out);

bool lines_word(lines *text, const char *wanted); /* the next word is this one, and passed */
bool lines_at_end(lines *text);                   /* nothing but blanks is left of the line */

/* "NAME: line N: WHAT"; EXIT_INPUT. */
int lines_refuse(const lines *text, const char *what);

#endif
