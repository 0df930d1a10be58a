/* SPDX-License-Identifier: MIT
 *
 * table_shape.h - finds out if a text of numbers is a matrix, one row per line, or a list of edges FROM TO [VALUE], one
 * edge per line. Some texts can be either; a note then says how they are read.
 */
#pragma once

#include "lines.h"
#include "network_file.h"

typedef struct table_shape {
    int64_t rows, columns; /* lines with numbers; numbers per line, 0 if lines differ */
    bool matrix;
    bool unsure;           /* true: the text could be either a matrix or a list */
    /* the text is neither: a line NODES EDGES, then a line per node with its neighbours (METIS, Chaco) */
    bool neighbours;
} table_shape;

/* Inspects the text. If options->matrix or options->edges is set, that decides. */
table_shape table_look(const uint8_t *data, size_t size, const network_reading *options);

/* Writes to out->hint how the text is read, and which option reads it the other way. */
void table_hint(const table_shape *shape, const network_reading *options, saved_network *out);

/* True if the text is a table of numbers under a first line with the names of columns. *word is then just before the
 * first word that is not a number. */
bool table_headed(const char *name, const uint8_t *data, size_t size, lines *word, failure *why);

/* True if the rest of the line is only blanks, or a comment, which begins with # or %. */
bool table_at_end(lines *text);
bool table_lacks(lines text); /* true if the next word stands for a missing number: NA, nan, null ... */

