/* SPDX-License-Identifier: MIT
 *
 * batch_line.h - one line of a list as words by column, read from fields with tabs or from JSON.
 */
#pragma once

#include "batch_list.h"

/* Zero-initialise; batch_line_free() when done. */
typedef struct batch_line {
    struct batch_cell {
        char *column, *value; /* both owned */
    } *cell;
    int count;
} batch_line;

void batch_line_free(batch_line *line);

int batch_no_memory(failure *why); /* EXIT_RESOURCES, with a sentence */

/* Adds a copy of a word; an empty word is ignored. EXIT_RESOURCES. */
int batch_line_put(batch_line *line, const char *column, const char *value, failure *why);

/* Reads {"column": value, ...}. Values are text, numbers, true and false (yes, no), null (ignored), arrays of text
 * (the column occurs several times) and arrays of numbers (joined with commas). `from` is for messages. EXIT_INPUT. */
int batch_line_parse_json(batch_line *line, const char *from, const char *text, failure *why);

/* Whether there is a column of that name, and whether it may occur several times. */
bool batch_column_known(const char *name, bool *repeatable);

/* Makes a job of the line and appends it to `list`. EXIT_INPUT if that is impossible. */
int batch_line_add(const batch_line *line, batch_list *list, const batch_names *names, const char *from, failure *why);
