/* SPDX-License-Identifier: MIT
 *
 * net_market.c - Matrix Market. An entry in row i and column j is an arc from i to j whose value is the capacity. In a
 * bipartite graph, rows are one side and columns the other. Full matrices (`array`) are costs. A file with a symmetric
 * matrix has only one half of it; the other half is equal, or in a skew-symmetric matrix has the opposite sign.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

#include "lines.h"
#include "network_file.h"

/* Finds the banner and skips its first word. Comments and empty lines may stand before it, and a printf() may have made
 * one % of two. */
static bool find_banner(lines *text)
{
    while (lines_next(text)) {
        if (lines_at_end(text) || *text->at == '#') continue;
        if (*text->at != '%') return false;
        while (text->at < text->eol && *text->at == '%') text->at++;
        if (lines_name(text, "MatrixMarket")) return true;
    }
    return false;
}

static bool probe_market(const uint8_t *data, size_t size, const network_reading *options)
{
    lines text = lines_open("", data, size, NULL);
    (void)options;
    return find_banner(&text);
}

typedef struct market {
    lines text;
    const network_reading *options;
    saved_network *out;
    bool full, pattern, symmetric, skew;
    int64_t rows, columns, entries, seen;
    int64_t row, column; /* place of the next entry of a full matrix, from 1; entries come column by column */
} market;

static int banner_line(market *m)
{
    lines *const text = &m->text;
    if (!find_banner(text) || !lines_name(text, "matrix"))
        return lines_refuse(text, "the banner is '%%MatrixMarket matrix coordinate integer general' or the like");
    m->full = lines_name(text, "array");
    if (!m->full && !lines_name(text, "coordinate"))
        return lines_refuse(text, "a matrix is 'coordinate' or 'array'");
    m->pattern = lines_name(text, "pattern");
    if (!m->pattern && !lines_name(text, "integer") && !lines_name(text, "unsigned-integer") &&
        !lines_name(text, "real"))
        return lines_refuse(text, "entries are 'integer', 'pattern' or 'real'");
    m->skew = lines_name(text, "skew-symmetric");
    m->symmetric = m->skew || lines_name(text, "symmetric");
    if ((!m->symmetric && !lines_name(text, "general")) || !lines_at_end(text))
        return lines_refuse(text, "a matrix is 'general', 'symmetric' or 'skew-symmetric'");
    if (m->full && m->pattern)
        return lines_refuse(text, "a full matrix has values; a pattern has none, and is 'coordinate'");
    if (m->skew && !m->options->sides)
        return lines_refuse(text, "half of a skew-symmetric matrix is below 0, which no capacity is");
    return EXIT_DONE;
}

/* Computes how many entries a full matrix has in the file. Returns false on overflow. */
static bool count_full(market *m)
{
    int64_t both;
    if (!m->symmetric) return !__builtin_mul_overflow(m->rows, m->columns, &m->entries);
    if (__builtin_mul_overflow(m->rows, m->skew ? m->rows - 1 : m->rows + 1, &both)) return false;
    m->entries = both / 2;
    return true;
}

static int check_sizes(market *m, int64_t room)
{
    if (m->rows < 1 || m->columns < 1 || m->rows > INT32_MAX / 2 || m->columns > INT32_MAX / 2)
        return lines_refuse(&m->text, "sizes of a matrix are 1 to 2^30 - 1");
    if (!m->options->sides && m->rows != m->columns)
        return lines_refuse(&m->text, "a graph's matrix has as many rows as columns");
    if (m->symmetric && m->rows != m->columns)
        return lines_refuse(&m->text, "a symmetric matrix has as many rows as columns");
    if ((m->full && !count_full(m)) || m->entries > room / (m->full ? 2 : 4))
        return lines_refuse(&m->text, "more entries than the file can hold");
    if (m->rows + m->columns > 1 << 16 && (m->rows + m->columns) / 64 > m->entries)
        return lines_refuse(&m->text, "nearly all nodes would stand alone");
    return EXIT_DONE;
}

static int size_line(market *m)
{
    const int64_t room = m->text.end - m->text.at;
    if (!file_number_node(&m->text, &m->rows) || !file_number_node(&m->text, &m->columns) ||
        (!m->full && !file_number_node(&m->text, &m->entries)) || !lines_at_end(&m->text))
        return lines_refuse(&m->text, m->full ? "the sizes of a full matrix are ROWS COLUMNS"
                                              : "the sizes of a matrix are ROWS COLUMNS ENTRIES");
    if (check_sizes(m, room)) return EXIT_INPUT;
    arc_list *const list = &m->out->list;
    list->nodes = m->options->sides ? m->rows + m->columns : m->rows;
    m->out->left = m->options->sides ? m->rows : 0;
    m->out->base = m->column = 1;
    m->row = m->skew ? 2 : 1;
    if (!arcs_fit(list, list->nodes, m->entries))
        return fail(m->text.failure, EXIT_RESOURCES, "%s: %" PRId64 " nodes and %" PRId64
                    " entries take more memory than may be used", m->text.name, list->nodes, m->entries);
    return EXIT_DONE;
}

/* Goes to the next entry of a full matrix; if it is symmetric, within the half below the diagonal. */
static void step(market *m)
{
    if (m->row++ < m->rows) return;
    m->column++;
    m->row = m->symmetric ? m->column + m->skew : 1;
}

static int put_entry(market *m, int64_t row, int64_t column, file_number value)
{
    const int64_t head = column - 1 + (m->options->sides ? m->rows : 0);
    return network_put(&m->text, m->out, m->options, row - 1, head, value);
}

/* Reads the value of an entry. In a full matrix, an entry of 0 is no arc (*none), so even a matching must
 * read the values. */
static int entry_value(market *m, file_number *value, bool *none)
{
    *value = (file_number){.digits = 1};
    *none = false;
    if (m->pattern) return EXIT_DONE;
    if (!m->full || m->options->costs) return network_value(&m->text, m->options, value);
    return network_cell(&m->text, m->options, value, none);
}

static int entry_line(market *m)
{
    int64_t row = m->row, column = m->column;
    file_number value;
    bool none;
    if (m->seen++ == m->entries) return lines_refuse(&m->text, "more entries than announced");
    if (m->full) step(m);
    else if (!file_number_node(&m->text, &row) || !file_number_node(&m->text, &column))
        return lines_refuse(&m->text, "an entry is ROW COLUMN VALUE");
    if (row < 1 || row > m->rows || column < 1 || column > m->columns)
        return lines_refuse(&m->text, "an entry outside the matrix");
    if (m->skew && row == column)
        return lines_refuse(&m->text, "an entry on the diagonal, where a skew-symmetric matrix has 0");
    int status = entry_value(m, &value, &none);
    if (status != EXIT_DONE) return status;
    if (!lines_at_end(&m->text)) return lines_refuse(&m->text, "has words after the entry");
    if (none) return EXIT_DONE;
    status = put_entry(m, row, column, value);
    if (status || !m->symmetric || m->options->undirected || row == column) return status;
    if (m->skew && m->options->costs) value.digits = -value.digits;
    return put_entry(m, column, row, value);
}

/* Adds up costs that are given for the same pair, as is the rule for such matrices. */
static int merge_duplicates(market *m)
{
    arc_list *const list = &m->out->list;
    const int64_t nodes = list->nodes, arcs = list->arcs;
    int64_t *const first = calloc((size_t)nodes, sizeof *first), *const last = calloc((size_t)nodes, sizeof *last);
    int64_t *const before = calloc((size_t)arcs + 1, sizeof *before), kept = 0;
    int status = EXIT_DONE;
    if (!first || !before || !last) {
        status = network_full(m->out, m->text.name, arcs, m->text.failure);
        goto done;
    }
    for (int64_t a = 0; !status && a < arcs; a++) { /* link the arcs of each row to a chain; arcs are numbered from 1 */
        before[a + 1] = first[list->tail[a]];
        first[list->tail[a]] = a + 1;
    }
    for (int64_t row = 0; !status && row < nodes; row++)
        for (int64_t a = first[row]; a; a = before[a]) {
            int64_t *const twin = &last[list->head[a - 1]];
            const bool same = *twin && list->tail[*twin - 1] == row;
            if (same && __builtin_add_overflow(list->value[*twin - 1], list->value[a - 1], &list->value[*twin - 1]))
                status = lines_refuse(&m->text, "a sum of costs of one pair that is 2^63 or more");
            if (same) list->tail[a - 1] = -1;
            else *twin = a;
        }
    for (int64_t a = 0; !status && a < arcs; a++) {
        if (list->tail[a] < 0) continue;
        list->tail[kept] = list->tail[a], list->head[kept] = list->head[a], list->value[kept++] = list->value[a];
    }
    if (!status) list->arcs = kept;
done:
    free(first), free(before), free(last);
    return status;
}

static int decode_market(const char *name, const uint8_t *data, size_t size, const network_reading *options,
                  saved_network *out, failure *why)
{
    market m = {.text = lines_open(name, data, size, why), .options = options, .out = out};
    m.text.halves = options->halves;
    int status = banner_line(&m);
    while (status == EXIT_DONE && lines_next(&m.text)) {
        if (lines_at_end(&m.text) || *m.text.at == '%') continue;
        status = m.rows ? entry_line(&m) : size_line(&m);
    }
    if (status == EXIT_DONE && !m.rows)
        return lines_refuse(&m.text, "the file ends without the sizes of its matrix");
    if (status == EXIT_DONE && m.seen < m.entries)
        return fail(why, EXIT_INPUT, "%s: line %" PRId64 ": the file ends after %" PRId64 " of %" PRId64
                    " entries", name, m.text.line, m.seen, m.entries);
    return status == EXIT_DONE && options->costs && !m.full && out->list.value ? merge_duplicates(&m) : status;
}

const network_format network_format_market = {
    "Matrix Market", "mtx  read          Matrix Market: an entry is an arc, its value the capacity or cost",
    probe_market, decode_market};
