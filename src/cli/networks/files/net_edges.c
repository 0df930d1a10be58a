/* SPDX-License-Identifier: MIT
 *
 * net_edges.c - lists of edges as SNAP and KONECT publish them. A line is FROM TO, or FROM TO CAPACITY; anything that
 * every line has after that is ignored. Comments begin with # or %. Nodes are non-negative whole numbers.
 */
#include <inttypes.h>

#include "lines.h"
#include "network_file.h"
#include "table_shape.h"

/* Recognises a text whose first line, apart from comments, begins with two node numbers. */
static bool probe_edges(const uint8_t *data, size_t size, const network_reading *options)
{
    failure ignored;
    int64_t tail, head;
    lines text = lines_open("", data, size, &ignored);
    (void)options;
    while (lines_next(&text)) {
        if (table_at_end(&text)) continue;
        return file_number_node(&text, &tail) && file_number_node(&text, &head);
    }
    return false;
}

typedef struct edges {
    lines text;
    const network_reading *options;
    saved_network *out;
    int64_t least[2], most[2]; /* smallest and largest numbers of tails and of heads */
    int64_t words;             /* number of words in the first line */
} edges;

/* Refuses a line whose number of words differs from the first line's; only the capacity may be left out. */
static int check_words(edges *e, lines text)
{
    enum { EDGE = 3 };
    int64_t count = 0;
    const char *end;
    for (; !table_at_end(&text); count++) (void)lines_take(&text, &end);
    if (!e->words) e->words = count;
    if (text.empty) return lines_refuse_empty(&text);
    if (count == e->words || (!e->options->costs && count <= EDGE && e->words <= EDGE)) return EXIT_DONE;
    return fail(text.failure, EXIT_INPUT, "%s: line %" PRId64 ": %" PRId64 " words, but the first line has %" PRId64
                "; lines of edges are alike, and so are rows of a matrix", text.name, text.line, count,
                e->words);
}

static int edge_line(edges *e)
{
    int64_t end[2];
    file_number value = {.digits = 1};
    if (check_words(e, e->text) != EXIT_DONE) return EXIT_INPUT;
    for (int k = 0; k < 2; k++) {
        const lines word = e->text;
        if (!file_number_node(&e->text, &end[k]))
            return lines_refuse_word(&word, "an edge is two whole numbers of nodes, and its capacity if it is not 1");
    }
    if (end[0] >= TILECUT_NETWORK_NODES - 2 || end[1] >= TILECUT_NETWORK_NODES - 2)
        return lines_refuse(&e->text, "a node of a number beyond 2^31 - 3; number nodes from 0 or 1");
    if (!table_at_end(&e->text) && network_value(&e->text, e->options, &value) != EXIT_DONE) return EXIT_INPUT;
    if (e->text.empty) return lines_refuse_empty(&e->text);
    for (int k = 0; k < 2; k++) {
        if (e->most[k] < 0 || end[k] < e->least[k]) e->least[k] = end[k];
        if (end[k] > e->most[k]) e->most[k] = end[k];
    }
    return network_put(&e->text, e->out, e->options, end[0], end[1], value);
}

static int64_t min_number(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Renumbers nodes from 0. The smallest number in the file is taken as 0 or 1. In a bipartite graph, columns
 * follow the rows. */
static int number_nodes(edges *e)
{
    enum { SMALL = 1 << 16, NODES_AN_ARC = 64 }; /* a sparser file is a mistake or an attack */
    saved_network *const out = e->out;
    const bool sides = e->options->sides;
    const int64_t base = min_number(min_number(e->least[0], e->least[1]), 1);
    const int64_t rows = e->most[0] + 1 - base, columns = e->most[1] + 1 - base;
    out->base = base;
    out->left = sides ? rows : 0;
    out->list.nodes = sides ? rows + columns : rows > columns ? rows : columns;
    if (out->list.nodes > SMALL && out->list.nodes / NODES_AN_ARC > out->list.arcs)
        return fail(e->text.failure, EXIT_INPUT, "%s: names node %" PRId64 " but has %" PRId64
                    " edges; number nodes without gaps", e->text.name, (rows > columns ? rows : columns) - 1 + base,
                    out->list.arcs);
    if (!arcs_fit(&out->list, out->list.nodes, out->list.arcs))
        return fail(e->text.failure, EXIT_RESOURCES, "%s: %" PRId64 " nodes and %" PRId64
                    " edges take more memory than may be used", e->text.name, out->list.nodes, out->list.arcs);
    for (int64_t a = 0; a < out->list.arcs; a++) {
        out->list.tail[a] -= (int32_t)base;
        out->list.head[a] += (int32_t)(out->left - base);
    }
    return EXIT_DONE;
}

static int decode_edges(const char *name, const uint8_t *data, size_t size, const network_reading *options,
                  saved_network *out, failure *why)
{
    edges e = {.text = lines_open(name, data, size, why), .options = options, .out = out, .most = {-1, -1}};
    e.text.halves = options->halves;
    const table_shape shape = table_look(data, size, options);
    int status = EXIT_DONE;
    if (shape.unsure) table_hint(&shape, options, out);
    if (shape.neighbours && !options->edges)
        return fail(why, EXIT_INPUT, "%s: lists the neighbours of each node (METIS, Chaco), which is not read; write a "
                    "line FROM TO for each edge", name);
    while (status == EXIT_DONE && lines_next(&e.text)) {
        if (table_at_end(&e.text)) continue;
        status = lines_one_separator(&e.text);
        if (status == EXIT_DONE) status = edge_line(&e);
    }
    return status == EXIT_DONE ? number_nodes(&e) : status;
}

const network_format network_format_edges = {
    "edge list", "edges  read        lists of SNAP and KONECT: FROM TO [CAPACITY] a line",
    probe_edges, decode_edges};
