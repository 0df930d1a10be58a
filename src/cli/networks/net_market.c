/* SPDX-License-Identifier: MIT
 *
 * net_market.c - Matrix Market. An entry in row i and column j is an arc from i to j whose value is the capacity. In
 * a bipartite graph rows are one side and columns the other. Full matrices (`array`) are costs.
 */
#include <inttypes.h>
#include <string.h>

#include "lines.h"
#include "network_file.h"

static const char banner[] = "%%MatrixMarket";

static bool probe(const uint8_t *data, size_t size)
{
    return size >= sizeof banner - 1 && !memcmp(data, banner, sizeof banner - 1);
}

typedef struct market {
    lines text;
    const network_wish *wish;
    saved_network *out;
    bool full, pattern, symmetric;
    int64_t rows, columns, entries, seen;
} market;

static int banner_line(market *m)
{
    if (!lines_next(&m->text) || !lines_word(&m->text, banner) || !lines_word(&m->text, "matrix"))
        return lines_refuse(&m->text, "the banner is '%%MatrixMarket matrix coordinate integer general' or the like");
    m->full = lines_word(&m->text, "array");
    if (!m->full && !lines_word(&m->text, "coordinate"))
        return lines_refuse(&m->text, "a matrix is 'coordinate' or 'array'");
    m->pattern = lines_word(&m->text, "pattern");
    if (!m->pattern && !lines_word(&m->text, "integer") && !lines_word(&m->text, "real"))
        return lines_refuse(&m->text, "entries are 'integer', 'pattern' or 'real' with whole values");
    m->symmetric = lines_word(&m->text, "symmetric");
    if (!m->symmetric && !lines_word(&m->text, "general"))
        return lines_refuse(&m->text, "a matrix is 'general' or 'symmetric'");
    if (m->full && (!m->wish->costs || m->pattern || m->symmetric))
        return lines_refuse(&m->text, "a full matrix is for costs alone, and then general; 'coordinate' is wanted");
    if (m->symmetric && m->wish->sides)
        return lines_refuse(&m->text, "a symmetric matrix is no bipartite graph; 'general' is wanted");
    return EXIT_DONE;
}

static int size_line(market *m)
{
    const int64_t room = m->text.end - m->text.at;
    if (!lines_number(&m->text, &m->rows) || !lines_number(&m->text, &m->columns) ||
        (!m->full && !lines_number(&m->text, &m->entries)) || !lines_at_end(&m->text))
        return lines_refuse(&m->text, m->full ? "the sizes of a full matrix are ROWS COLUMNS"
                                              : "the sizes of a matrix are ROWS COLUMNS ENTRIES");
    if (m->rows < 1 || m->columns < 1 || m->rows > INT32_MAX / 2 || m->columns > INT32_MAX / 2)
        return lines_refuse(&m->text, "sizes of a matrix are 1 to 2^30 - 1");
    if (m->full && __builtin_mul_overflow(m->rows, m->columns, &m->entries))
        return lines_refuse(&m->text, "more entries than the file can hold");
    if (!m->wish->sides && m->rows != m->columns)
        return lines_refuse(&m->text, "a graph's matrix has as many rows as columns");
    if (m->entries > room / (m->full ? 2 : 4)) return lines_refuse(&m->text, "more entries than the file can hold");
    if (m->rows + m->columns > 1 << 16 && (m->rows + m->columns) / 64 > m->entries)
        return lines_refuse(&m->text, "nearly all nodes would stand alone");
    arc_list *const list = &m->out->list;
    list->nodes = m->wish->sides ? m->rows + m->columns : m->rows;
    m->out->left = m->wish->sides ? m->rows : 0;
    m->out->base = 1;
    if (!arcs_fit(list, list->nodes, m->entries))
        return fail(m->text.failure, EXIT_RESOURCES, "%s: %" PRId64 " nodes and %" PRId64
                    " entries take more memory than may be used", m->text.name, list->nodes, m->entries);
    return EXIT_DONE;
}

/* Reads a whole number. Where entries are real it may be written as 12.0 or 12.000e+00. */
static bool value(market *m, int64_t *out)
{
    const char *const start = m->text.at;
    if ((m->wish->costs ? lines_signed : lines_number)(&m->text, out)) return true;
    if (m->text.at == start || m->text.at >= m->text.eol || *m->text.at != '.') return false;
    m->text.at++;
    while (m->text.at < m->text.eol && *m->text.at == '0') m->text.at++;
    if (m->text.at + 4 <= m->text.eol && (!memcmp(m->text.at, "e+00", 4) || !memcmp(m->text.at, "E+00", 4)))
        m->text.at += 4;
    return lines_at_end(&m->text);
}

static int entry_line(market *m)
{
    int64_t row = m->seen % m->rows + 1, column = m->seen / m->rows + 1, amount = 1; /* full ones go by columns */
    if (m->seen++ == m->entries) return lines_refuse(&m->text, "more entries than announced");
    if (!m->full && (!lines_number(&m->text, &row) || !lines_number(&m->text, &column)))
        return lines_refuse(&m->text, "an entry is ROW COLUMN VALUE");
    if (row < 1 || row > m->rows || column < 1 || column > m->columns)
        return lines_refuse(&m->text, "an entry outside the matrix");
    if (!m->pattern && !value(m, &amount))
        return lines_refuse(&m->text, m->wish->costs ? "a cost that is not a whole number"
                                                     : "a capacity that is not a whole number of at least 0");
    if (!lines_at_end(&m->text)) return lines_refuse(&m->text, "has words after the entry");
    const int64_t head = m->wish->sides ? m->rows + column - 1 : column - 1;
    int status = network_put(m->out, m->text.name, m->wish, row - 1, head, amount, m->text.failure);
    if (status == EXIT_DONE && m->symmetric && !m->wish->undirected && row != column)
        status = network_put(m->out, m->text.name, m->wish, head, row - 1, amount, m->text.failure);
    return status;
}

static int decode(const char *name, const uint8_t *data, size_t size, const network_wish *wish, saved_network *out,
                  failure *why)
{
    market m = {.text = lines_open(name, data, size, why), .wish = wish, .out = out};
    int status = banner_line(&m);
    while (status == EXIT_DONE && lines_next(&m.text)) {
        if (lines_at_end(&m.text) || *m.text.at == '%') continue;
        status = m.rows ? entry_line(&m) : size_line(&m);
    }
    if (status == EXIT_DONE && (!m.rows || m.seen < m.entries))
        return fail(why, EXIT_INPUT, "%s: line %" PRId64 ": the file ends after %" PRId64 " entries; it announces %"
                    PRId64, name, m.text.line, m.seen, m.entries);
    return status;
}

const network_format network_format_market = {
    "Matrix Market", "mtx  read          Matrix Market: an entry is an arc, its value the capacity or cost", probe,
    decode};
