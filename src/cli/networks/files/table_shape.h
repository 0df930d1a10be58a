/* SPDX-License-Identifier: MIT
 *
 * table_shape.h - whether a text of numbers is a matrix, one row a line, or a list of edges FROM TO [VALUE], one edge a
 * line. Some texts can be either; how they are read is then said in a note.
 */
#pragma once

#include "lines.h"
#include "network_file.h"

typedef struct table_shape {
    int64_t rows, columns; /* lines with numbers; numbers in each, 0 if lines differ */
    bool matrix;
    bool unsure;           /* the text could be either, a matrix or a list */
    bool neighbours;       /* neither of both: a line NODES EDGES, then the neighbours of each node, a node a line
                              (METIS, Chaco) */
} table_shape;

/* options->matrix and options->edges decide, where one of them is set. */
table_shape table_look(const uint8_t *data, size_t size, const network_reading *options);

/* Notes in out->hint how the text is read, and which option reads it the other way. */
void table_hint(const table_shape *shape, const network_reading *options, saved_network *out);

/* Whether the text is a table of numbers but for its first line, which begins with names of columns. Leaves *word
 * before the first one that is no number. */
bool table_headed(const char *name, const uint8_t *data, size_t size, lines *word, failure *why);

/* Whether only blanks are left in the line, or a comment, which begins with # or %. */
bool table_at_end(lines *text);
bool table_lacks(lines text); /* whether the next word says that there is no number: NA, nan, null ... */

