/* SPDX-License-Identifier: MIT
 *
 * batch_read.c - reads lists: tab-separated lines, with or without a first line that names the columns, or JSON lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch_line.h"
#include "file.h"

enum { MOST_COLUMNS = 64 };

typedef struct table {
    batch_list *list;
    const batch_names *names;
    char *heading;                    /* the line with the column names, cut into words; NULL: there is none */
    const char *column[MOST_COLUMNS];
    int columns;
    bool begun;                       /* true once a line has been read */
    failure *why;
} table;

/* Splits a line at its tabs, in place. Returns the number of fields, at most `most` + 1. */
static int split(char *line, const char **field, int most)
{
    int count = 0;
    for (char *at = line; at; count++) {
        char *const tab = strchr(at, '\t');
        if (count < most) field[count] = at;
        if (count == most) return most + 1;
        if (tab) *tab = '\0';
        at = tab ? tab + 1 : NULL;
    }
    return count;
}

/* True if the line names columns, which it does if one of its fields is `image`. A photo called image must be
 * written ./image. */
static bool is_heading(const char *line)
{
    static const char word[] = "image";
    for (const char *at = line; at; at = strchr(at, '\t') ? strchr(at, '\t') + 1 : NULL)
        if (!strncmp(at, word, strlen(word)) && (at[strlen(word)] == '\t' || !at[strlen(word)])) return true;
    return false;
}

static int read_heading(table *t, const char *from, const char *line)
{
    t->heading = strdup(line);
    if (!t->heading) return fail(t->why, EXIT_RESOURCES, "not enough memory for the columns of a list");
    t->columns = split(t->heading, t->column, MOST_COLUMNS);
    if (t->columns > MOST_COLUMNS)
        return fail(t->why, EXIT_INPUT, "%s: names more than %d columns", from, MOST_COLUMNS);
    for (int i = 0; i < t->columns; i++) {
        bool repeatable;
        if (!batch_column_known(t->column[i], &repeatable))
            return fail(t->why, EXIT_INPUT, "%s: column '%.80s' is neither a file (image, seeds, mask, cutout, alpha, "
                        "overlay, confidence, refine) nor an option of a photo", from, t->column[i]);
        for (int k = 0; k < i && !repeatable; k++)
            if (!strcmp(t->column[i], t->column[k]))
                return fail(t->why, EXIT_INPUT, "%s: column '%s' is there twice", from, t->column[i]);
    }
    return EXIT_DONE;
}

/* Adds the job of a line unless reading the line has failed; frees the line. */
static int add_line(const table *t, const char *from, batch_line *cells, int status)
{
    if (!status) status = batch_line_add(cells, t->list, t->names, from, t->why);
    batch_line_free(cells);
    return status;
}

static int read_fields(table *t, const char *from, char *line)
{
    static const char *const usual[] = {"image", "seeds", "mask"};
    enum { USUAL = 3 };
    const char *field[MOST_COLUMNS];
    const char *const *const column = t->heading ? t->column : usual;
    const int columns = t->heading ? t->columns : USUAL, count = split(line, field, columns);
    batch_line cells = {0};
    int status = EXIT_DONE;
    if (count > columns && t->heading)
        return fail(t->why, EXIT_INPUT, "%s: has more than the %d fields that the list has columns", from, columns);
    if (count > columns)
        return fail(t->why, EXIT_INPUT, "%s: has more than %d fields; a line is photo, seeds and mask, with tabs "
                    "between, or the first line names the columns", from, columns);
    for (int i = 0; !status && i < count; i++) status = batch_line_put(&cells, column[i], field[i], t->why);
    return add_line(t, from, &cells, status);
}

static int read_line(table *t, const char *from, char *line)
{
    const bool first = !t->begun;
    t->begun = true;
    if (*line == '{') {
        batch_line cells = {0};
        return add_line(t, from, &cells, batch_line_parse_json(&cells, from, line, t->why));
    }
    file_turn_slashes(line);
    return first && is_heading(line) ? read_heading(t, from, line) : read_fields(t, from, line);
}

static int read_lines(table *t, const char *name, const uint8_t *text, size_t size)
{
    int status = EXIT_DONE;
    size_t at = 0;
    for (long number = 1; !status && at < size; number++) {
        const uint8_t *const end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        const uint8_t *const begin = text + at;
        char from[320];
        at += length + (end != NULL);
        if (length && begin[length - 1] == '\r') length--;
        if (!length || *begin == '#') continue;
        snprintf(from, sizeof from, "%.200s: line %ld", name, number);
        if (memchr(begin, 0, length))
            return fail(t->why, EXIT_INPUT, "%s: holds a zero byte; a list is text, one photo a line", from);
        char *const line = strndup((const char *)begin, length);
        status = line ? read_line(t, from, line) : fail(t->why, EXIT_RESOURCES, "not enough memory");
        free(line);
    }
    return status;
}

int batch_list_parse(batch_list *list, const batch_names *names, const char *name, const uint8_t *text, size_t size,
                     failure *why)
{
    const size_t skip = utf8_mark(text, size);
    table t = {.list = list, .names = names, .why = why};
    const int status = size > skip ? read_lines(&t, name, text + skip, size - skip) : EXIT_DONE;
    free(t.heading);
    return status;
}
