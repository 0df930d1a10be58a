/* SPDX-License-Identifier: MIT
 *
 * net_table.c - a matrix as a table of numbers, one row per line, with blanks, commas or semicolons between. The
 * numbers are costs, or capacities from the row's node to the column's, or say which pairs are joined. Comments begin
 * with # or %. 0 is a cost, but otherwise means that there is no arc; inf is a forbidden pair, or an unlimited
 * capacity.
 */
#include <inttypes.h>
#include <string.h>

#include "lines.h"
#include "network_file.h"
#include "table_shape.h"

static bool probe_table(const uint8_t *data, size_t size, const network_reading *options)
{
    enum { HEAD = 512 };
    const bool text = !graph_known(data, size) && !memchr(data, 0, size < HEAD ? size : HEAD);
    const table_shape shape = text ? table_look(data, size, options) : (table_shape){0};
    return shape.rows && shape.matrix;
}

typedef struct table {
    lines text;
    const network_reading *options;
    saved_network *out;
    int64_t row, columns; /* columns: number of columns in the first line */
} table;

static int one_row(table *t)
{
    int64_t column = 0;
    const bool sides = t->options->sides;
    for (; !table_at_end(&t->text); column++) {
        file_number value;
        bool none;
        const int64_t head = column + (sides ? t->out->left : 0);
        int status = network_cell(&t->text, t->options, &value, &none);
        if (status == EXIT_DONE && !none) status = network_put(&t->text, t->out, t->options, t->row, head, value);
        if (status != EXIT_DONE) return status;
    }
    if (t->text.empty) return lines_refuse_empty(&t->text);
    if (t->row && column != t->columns)
        return fail(t->text.failure, EXIT_INPUT, "%s: line %" PRId64 ": %" PRId64 " numbers, but the first row has %"
                    PRId64 "; rows of a matrix are equally long", t->text.name, t->text.line, column, t->columns);
    t->columns = column;
    t->row++;
    return EXIT_DONE;
}

static int decode_table(const char *name, const uint8_t *data, size_t size, const network_reading *options,
                  saved_network *out, failure *why)
{
    const table_shape shape = table_look(data, size, options);
    table t = {.text = lines_open(name, data, size, why), .options = options, .out = out};
    t.text.halves = options->halves;
    int status = EXIT_DONE;
    out->base = 1;
    out->left = options->sides ? shape.rows : 0;
    if (shape.unsure) table_hint(&shape, options, out);
    while (status == EXIT_DONE && lines_next(&t.text)) {
        if (table_at_end(&t.text)) continue;
        status = lines_one_separator(&t.text);
        if (status == EXIT_DONE) status = one_row(&t);
    }
    if (status != EXIT_DONE) return status;
    if (!options->sides && t.row != t.columns)
        return fail(why, EXIT_INPUT, "%s: a matrix of %" PRId64 " rows and %" PRId64 " columns; a graph's has as many "
                    "of both", name, t.row, t.columns);
    out->list.nodes = options->sides ? t.row + t.columns : t.row;
    if (arcs_fit(&out->list, out->list.nodes, out->list.arcs)) return EXIT_DONE;
    return fail(why, EXIT_RESOURCES, "%s: a matrix of %" PRId64 " rows and %" PRId64 " columns takes more memory than "
                "may be used", name, t.row, t.columns);
}

const network_format network_format_table = {
    "table", "table  read        a matrix as text: a row of numbers a line", probe_table, decode_table};
