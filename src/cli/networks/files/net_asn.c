/* SPDX-License-Identifier: MIT
 *
 * net_asn.c - the assignment problem of the first DIMACS challenge, and minimum-cost flows that are assignments:
 *
 *     c a comment        p asn NODES ARCS        n ID (of one side)        a FROM TO COST
 *                        p min NODES ARCS        n ID SUPPLY               a FROM TO LEAST MOST COST
 *
 * A minimum-cost flow is an assignment if each node supplies or demands one unit, each arc goes from a supplying node
 * to a demanding one, and each arc may carry 0 or 1.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "lines.h"
#include "network_file.h"

/* True if the first line that is not a comment is `p` followed by `word`. */
static bool is_problem(const uint8_t *data, size_t size, const char *word)
{
    failure ignored;
    lines text = lines_open("", data, size, &ignored);
    while (lines_next(&text)) {
        if (lines_at_end(&text)) continue;
        if (lines_name(&text, "c")) continue;
        return lines_name(&text, "p") && lines_name(&text, word);
    }
    return false;
}

static bool probe_asn(const uint8_t *data, size_t size, const network_reading *options)
{
    (void)options;
    return is_problem(data, size, "asn");
}

static bool probe_min(const uint8_t *data, size_t size, const network_reading *options)
{
    (void)options;
    return is_problem(data, size, "min");
}

typedef struct reader {
    lines text;
    const network_reading *options;
    saved_network *out;
    uint8_t *side;  /* [nodes] 1 for a row: a node that a node line names or, in a minimum-cost flow, one with supply;
                       owned */
    uint8_t *named; /* [nodes] in a minimum-cost flow: 1 if a node line names the node; owned */
    int64_t arcs, seen; /* number of arcs in the problem line, and number of arcs read */
    bool flow;  /* true: the file is a minimum-cost flow (p min) */
    bool ahead; /* true: all node lines have been read, because an arc has come */
} reader;

static int problem_line(reader *r)
{
    arc_list *const list = &r->out->list;
    if (r->side) return lines_refuse(&r->text, "a second problem line");
    if (!lines_name(&r->text, r->flow ? "min" : "asn") || !file_number_node(&r->text, &list->nodes) ||
        !file_number_node(&r->text, &r->arcs) || !lines_at_end(&r->text))
        return lines_refuse(&r->text, r->flow ? "a problem line is 'p min NODES ARCS' with whole numbers"
                                              : "a problem line is 'p asn NODES ARCS' with whole numbers");
    if (list->nodes < 2 || list->nodes > TILECUT_NETWORK_NODES)
        return lines_refuse(&r->text, "nodes are 2 to 2^31 - 1");
    if (r->arcs > (r->text.end - r->text.at) / (r->flow ? 11 : 7)) /* the shortest lines have 11 and 7 bytes */
        return lines_refuse(&r->text, "announces more arcs than the file can hold");
    if (list->nodes > 1 << 16 && list->nodes / 64 > r->arcs)
        return lines_refuse(&r->text, "announces so few arcs that nearly all nodes would stand alone");
    if (!arcs_reserve(list, r->arcs, true) || !(r->side = calloc((size_t)list->nodes, 1)) ||
        (r->flow && !(r->named = calloc((size_t)list->nodes, 1))))
        return fail(r->text.failure, EXIT_RESOURCES, "%s: %" PRId64 " nodes and %" PRId64
                    " arcs take more memory than may be used", r->text.name, list->nodes, r->arcs);
    return EXIT_DONE;
}

static int node_line(reader *r)
{
    int64_t id, supply = 1;
    uint8_t *const named = r->flow ? r->named : r->side;
    if (!named) return lines_refuse(&r->text, "comes before the problem line");
    if (r->ahead) return EXIT_DONE;
    if (!file_number_node(&r->text, &id) || id < 1 || id > r->out->list.nodes ||
        (r->flow && !file_number_whole(&r->text, &supply)) || !lines_at_end(&r->text))
        return lines_refuse(&r->text, r->flow ? "a node line is 'n ID SUPPLY', a number from 1 to NODES and a whole one"
                                              : "a node line is 'n ID' with a number from 1 to NODES");
    if (named[id - 1]) return lines_refuse(&r->text, "a node that was named before");
    if (supply != 1 && supply != -1)
        return lines_refuse(&r->text, "a flow that is no assignment; in one, nodes supply 1 or -1");
    named[id - 1] = 1;
    r->side[id - 1] = supply > 0;
    return EXIT_DONE;
}

/* Reads all lines that name nodes in advance, because they may stand after the first arc. */
static int look_ahead(reader *r)
{
    const lines here = r->text;
    int status = EXIT_DONE;
    while (status == EXIT_DONE && lines_next(&r->text))
        if (!lines_at_end(&r->text) && lines_name(&r->text, "n")) status = node_line(r);
    r->ahead = true;
    if (status == EXIT_DONE) r->text = here;
    return status;
}

static int arc_line(reader *r)
{
    int64_t from, to, least = 0, most = 1;
    file_number cost;
    if (!r->side) return lines_refuse(&r->text, "comes before the problem line");
    if (!r->ahead && look_ahead(r) != EXIT_DONE) return EXIT_INPUT;
    if (!file_number_node(&r->text, &from) || !file_number_node(&r->text, &to) ||
        (r->flow && (!file_number_whole(&r->text, &least) || !file_number_whole(&r->text, &most))))
        return lines_refuse(&r->text, r->flow ? "an arc line is 'a FROM TO LEAST MOST COST'"
                                              : "an arc line is 'a FROM TO COST'");
    if (network_value(&r->text, r->options, &cost) != EXIT_DONE) return EXIT_INPUT;
    if (!lines_at_end(&r->text)) return lines_refuse(&r->text, "has words after the cost");
    if (from < 1 || from > r->out->list.nodes || to < 1 || to > r->out->list.nodes)
        return lines_refuse(&r->text, "an arc of a node that is not there; nodes are 1 to NODES");
    if (!r->side[from - 1] || r->side[to - 1])
        return lines_refuse(&r->text, r->flow
                            ? "a flow that is no assignment; in one, arcs go from supply to demand"
                            : "an arc goes from a node that a node line names to one that none names");
    if (least || !most) return lines_refuse(&r->text, "a flow that is no assignment; in one, an arc may carry 0 and 1");
    if (r->seen++ == r->arcs) return lines_refuse(&r->text, "more arcs than the problem line announces");
    return network_put(&r->text, r->out, r->options, from - 1, to - 1, cost);
}

static int one_line(reader *r)
{
    if (lines_name(&r->text, "p")) return problem_line(r);
    if (lines_name(&r->text, "n")) return node_line(r);
    if (lines_name(&r->text, "a")) return arc_line(r);
    return lines_refuse(&r->text, "begins with none of c, p, n and a");
}

/* Takes the nodes that node lines name as the rows. Checks that they are numbered before the nodes of the other side,
 * as in nearly all files. */
static int order_names(reader *r)
{
    const int64_t nodes = r->side ? r->out->list.nodes : 0;
    int64_t rows = 0;
    while (rows < nodes && r->side[rows]) rows++;
    for (int64_t v = rows; v < nodes; v++)
        if (r->side[v])
            return fail(r->text.failure, EXIT_INPUT, "%s: node lines name %" PRId64 " but not %" PRId64
                        "; one side is to be numbered before the other", r->text.name, v + 1, rows + 1);
    for (int64_t v = 0; r->flow && v < nodes; v++)
        if (!r->named[v])
            return fail(r->text.failure, EXIT_INPUT, "%s: a flow that is no assignment; node %" PRId64
                        " neither supplies nor demands", r->text.name, v + 1);
    if (r->flow && rows != nodes - rows)
        return fail(r->text.failure, EXIT_INPUT, "%s: %" PRId64 " nodes supply 1 and %" PRId64 " demand 1; there is no "
                    "such flow", r->text.name, rows, nodes - rows);
    r->out->left = rows;
    r->out->together = true;
    r->out->base = 1;
    return EXIT_DONE;
}

static int read_all(reader *r)
{
    int status = EXIT_DONE;
    while (status == EXIT_DONE && lines_next(&r->text)) {
        if (lines_at_end(&r->text) || *r->text.at == 'c' || *r->text.at == 'C') continue;
        status = one_line(r);
    }
    if (status == EXIT_DONE && !r->side) status = lines_refuse(&r->text, "the file ends without a problem line");
    if (status == EXIT_DONE && r->seen < r->arcs)
        status = fail(r->text.failure, EXIT_INPUT, "%s: line %" PRId64 ": the file ends after %" PRId64
                      " of %" PRId64 " arcs", r->text.name, r->text.line, r->seen, r->arcs);
    return status == EXIT_DONE ? order_names(r) : status;
}

static int decode_either(reader *r)
{
    if (!r->options->sides)
        return fail(r->text.failure, EXIT_INPUT, r->flow ? "%s: a flow of least cost; 'tilecut assign' and 'tilecut "
                    "match' take those that are assignments" : "%s: an assignment problem; 'tilecut assign' and "
                    "'tilecut match' take it", r->text.name);
    const int status = read_all(r);
    free(r->side);
    free(r->named);
    return status;
}

static int decode_asn(const char *name, const uint8_t *data, size_t size, const network_reading *options,
                  saved_network *out, failure *why)
{
    reader r = {.text = lines_open(name, data, size, why), .options = options, .out = out};
    r.text.halves = options->halves;
    return decode_either(&r);
}

static int decode_min(const char *name, const uint8_t *data, size_t size, const network_reading *options,
                      saved_network *out, failure *why)
{
    reader r = {.text = lines_open(name, data, size, why), .options = options, .out = out, .flow = true};
    r.text.halves = options->halves;
    return decode_either(&r);
}

const network_format network_format_asn = {
    "DIMACS asn", "asn  read          DIMACS: assignment problems", probe_asn, decode_asn};

const network_format network_format_min = {
    "DIMACS min", "min  read          DIMACS: flows of least cost that are assignments", probe_min, decode_min};
