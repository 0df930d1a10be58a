/* SPDX-License-Identifier: MIT
 *
 * batch_line.h - what one line of a list says: words by column, collected from tabs or from JSON.
 */
#ifndef CLI_BATCH_LINE_H
#define CLI_BATCH_LINE_H

#include "batch_list.h"

/* Zero-initialise; batch_line_free() when done. */
typedef struct batch_line {
    struct batch_cell {
        char *column, *value; /* both owned */
    } *cell;
    int count;
} batch_line;

void batch_line_free(batch_line *line);

/* Adds a word, copied; an empty one says nothing. EXIT_RESOURCES. */
int batch_line_put(batch_line *line, const char *column, const char *value, failure *why);

/* Reads {"column": value, ...}: text, numbers, true and false (yes, no), null (nothing), arrays of text (the column is
 * there several times) and of numbers (with commas between). `from` is for messages. EXIT_INPUT. */
int batch_line_parse_json(batch_line *line, const char *from, const char *text, failure *why);

/* Whether there is a column of that name, and whether it may be there several times. */
bool batch_column_known(const char *name, bool *repeatable);

/* A job from it, appended to `list`. EXIT_INPUT for what cannot be. */
int batch_line_add(const batch_line *line, batch_list *list, const batch_names *names, const char *from,
                   failure *why);

#endif
