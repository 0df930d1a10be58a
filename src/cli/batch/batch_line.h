/* SPDX-License-Identifier: MIT
 *
 * batch_line.h - one line of a list as a set of (column, value) pairs, read from tab-separated fields or from JSON.
 */
#pragma once

#include "batch_list.h"

/* The pairs of one line. Zero-initialise; batch_line_free() when done. */
typedef struct batch_line {
    struct batch_cell {
        char *column, *value; /* both owned */
    } *cell;
    int count;
} batch_line;

void batch_line_free(batch_line *line);

int batch_no_memory(failure *why); /* fails with EXIT_RESOURCES and a sentence */

/* Adds a copy of a value; an empty value is ignored. Returns EXIT_RESOURCES if memory runs out. */
int batch_line_put(batch_line *line, const char *column, const char *value, failure *why);

/* Reads {"column": value, ...}. Values are strings, numbers, true and false (read as yes and no), null (ignored),
 * arrays of strings (one value each for the same column) and arrays of numbers (joined with commas). `from` is for
 * messages. Returns EXIT_INPUT on failure. */
int batch_line_parse_json(batch_line *line, const char *from, const char *text, failure *why);

/* True if there is a column of this name. *repeatable tells if the column may occur several times. */
bool batch_column_known(const char *name, bool *repeatable);

/* Makes a job from the line and appends it to `list`. EXIT_INPUT if the line does not describe a job. */
int batch_line_add(const batch_line *line, batch_list *list, const batch_names *names, const char *from, failure *why);
