/* SPDX-License-Identifier: MIT
 *
 * net_asn.c - the assignment problem of the first DIMACS challenge:
 *
 *     c a comment        p asn NODES ARCS        n ID (of one side)        a FROM TO COST
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "network_file.h"

/* Text whose first line that is no comment is `p asn`. */
static bool probe(const uint8_t *data, size_t size)
{
    failure ignored;
    lines text = lines_open("", data, size, &ignored);
    while (lines_next(&text)) {
        if (lines_at_end(&text)) continue;
        if (*text.at == 'c' && (text.at + 1 == text.eol || text.at[1] == ' ' || text.at[1] == '\r')) continue;
        return lines_word(&text, "p") && lines_word(&text, "asn");
    }
    return false;
}

typedef struct reader {
    lines text;
    const network_wish *wish;
    saved_network *out;
    uint8_t *side; /* owned: [nodes] 1: named by a node line */
    int64_t arcs;
} reader;

static int problem_line(reader *r)
{
    arc_list *const list = &r->out->list;
    if (r->side) return lines_refuse(&r->text, "a second problem line");
    if (!lines_word(&r->text, "asn") || !lines_number(&r->text, &list->nodes) || !lines_number(&r->text, &r->arcs) ||
        !lines_at_end(&r->text))
        return lines_refuse(&r->text, "a problem line is 'p asn NODES ARCS' with whole numbers");
    if (list->nodes < 2 || list->nodes > TILECUT_NETWORK_NODES)
        return lines_refuse(&r->text, "nodes are 2 to 2^31 - 1");
    if (r->arcs > (r->text.end - r->text.at) / 7)
        return lines_refuse(&r->text, "announces more arcs than the file can hold");
    if (list->nodes > 1 << 16 && list->nodes / 64 > r->arcs)
        return lines_refuse(&r->text, "announces so few arcs that nearly all nodes would stand alone");
    if (!arcs_reserve(list, r->arcs, true) || !(r->side = calloc((size_t)list->nodes, 1)))
        return fail(r->text.failure, EXIT_RESOURCES, "%s: %" PRId64 " nodes and %" PRId64
                    " arcs take more memory than may be used", r->text.name, list->nodes, r->arcs);
    return EXIT_DONE;
}

static int node_line(reader *r)
{
    int64_t id;
    if (!r->side) return lines_refuse(&r->text, "comes before the problem line");
    if (r->out->list.arcs) return lines_refuse(&r->text, "one side must be named before the first arc");
    if (!lines_number(&r->text, &id) || id < 1 || id > r->out->list.nodes || !lines_at_end(&r->text))
        return lines_refuse(&r->text, "a node line is 'n ID' with a number from 1 to NODES");
    if (r->side[id - 1]) return lines_refuse(&r->text, "a node that was named before");
    r->side[id - 1] = 1;
    return EXIT_DONE;
}

static int arc_line(reader *r)
{
    int64_t from, to, cost;
    if (!r->side) return lines_refuse(&r->text, "comes before the problem line");
    if (!lines_number(&r->text, &from) || !lines_number(&r->text, &to) || !lines_signed(&r->text, &cost) ||
        !lines_at_end(&r->text))
        return lines_refuse(&r->text, "an arc line is 'a FROM TO COST' with whole numbers");
    if (from < 1 || from > r->out->list.nodes || to < 1 || to > r->out->list.nodes)
        return lines_refuse(&r->text, "an arc of a node that is not there; nodes are 1 to NODES");
    if (!r->side[from - 1] || r->side[to - 1])
        return lines_refuse(&r->text, "an arc goes from a node that a node line names to one that none names");
    if (r->out->list.arcs == r->arcs) return lines_refuse(&r->text, "more arcs than the problem line announces");
    return network_put(r->out, r->text.name, r->wish, from - 1, to - 1, cost, r->text.failure);
}

static int one_line(reader *r)
{
    if (lines_word(&r->text, "p")) return problem_line(r);
    if (lines_word(&r->text, "n")) return node_line(r);
    if (lines_word(&r->text, "a")) return arc_line(r);
    return lines_refuse(&r->text, "begins with none of c, p, n and a");
}

/* The named side comes first. Files that name 1 .. n, nearly all, stay as they are; others are told in order. */
static int settle(reader *r)
{
    const int64_t nodes = r->side ? r->out->list.nodes : 0;
    int64_t rows = 0;
    while (rows < nodes && r->side[rows]) rows++;
    for (int64_t v = rows; v < nodes; v++)
        if (r->side[v])
            return fail(r->text.failure, EXIT_INPUT, "%s: node lines name %" PRId64 " but not %" PRId64
                        "; one side is to be numbered before the other", r->text.name, v + 1, rows + 1);
    r->out->left = rows;
    r->out->together = true;
    r->out->base = 1;
    return EXIT_DONE;
}

static int decode(const char *name, const uint8_t *data, size_t size, const network_wish *wish, saved_network *out,
                  failure *why)
{
    reader r = {.text = lines_open(name, data, size, why), .wish = wish, .out = out};
    int status = EXIT_DONE;
    if (!wish->sides)
        return fail(why, EXIT_INPUT, "%s: an assignment problem; 'tilecut assign' and 'tilecut match' take it", name);
    while (status == EXIT_DONE && lines_next(&r.text)) {
        if (lines_at_end(&r.text) || *r.text.at == 'c') continue;
        status = one_line(&r);
    }
    if (status == EXIT_DONE && !r.side) status = lines_refuse(&r.text, "the file ends without a problem line");
    if (status == EXIT_DONE && out->list.arcs < r.arcs)
        status = fail(why, EXIT_INPUT, "%s: line %" PRId64 ": the file ends after %" PRId64 " arcs; it announces %"
                      PRId64, name, r.text.line, out->list.arcs, r.arcs);
    if (status == EXIT_DONE) status = settle(&r);
    free(r.side);
    return status;
}

const network_format network_format_asn = {
    "DIMACS asn", "asn  read          DIMACS: assignment problems", probe, decode};
