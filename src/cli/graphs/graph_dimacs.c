/* SPDX-License-Identifier: MIT
 *
 * graph_dimacs.c - the text format of the first DIMACS challenge for maximum flow (.max):
 *
 *     c a comment        p max NODES ARCS        n ID s        n ID t        a FROM TO CAPACITY
 *
 * tilecut writes the shape of a grid as a comment, `c tilecut grid WIDTH HEIGHT NEIGHBOURS`, or in space `c tilecut
 * volume WIDTH HEIGHT DEPTH`. Without that comment the shape is found from the arcs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph_arcs.h"
#include "lines.h"

/* ---- reading ---------------------------------------------------------------------------------- */

typedef struct reader {
    lines text;
    int64_t nodes, arcs;  /* the numbers in the problem line; nodes is 0 until it has been read */
    int64_t source, sink; /* node numbers of source and sink; 0 until they have been read       */
    int64_t seen;         /* arcs read so far                                                   */
    bool ahead;           /* true: look_ahead() has read all node lines, because an arc has come */
    double quantum;
} reader;

static int problem_line(reader *r, graph_arcs *arcs)
{
    lines *const text = &r->text;
    if (r->nodes) return lines_refuse(text, "a second problem line");
    if (!lines_name(text, "max")) return lines_refuse(text, "not a maximum-flow problem; 'p max NODES ARCS' is wanted");
    if (!file_number_node(text, &r->nodes) || !file_number_node(text, &r->arcs) || !lines_at_end(text))
        return lines_refuse(text, "a problem line is 'p max NODES ARCS' with whole numbers");
    if (r->nodes < (arcs->any ? 2 : 3))
        return lines_refuse(text, arcs->any ? "fewer than two nodes; a source and a sink are wanted"
                                            : "fewer than three nodes; source, sink and a pixel are wanted");
    if (r->nodes - 2 > GRAPH_MAX_NODES) return lines_refuse(text, "more nodes than a grid can have, 2^32");
    /* An arc takes at least seven bytes: "a 1 2 3". */
    if (r->arcs > (text->end - text->at) / 7) return lines_refuse(text, "announces more arcs than the file can hold");
    arcs->nodes = r->nodes - 2;
    return EXIT_DONE;
}

static int node_line(reader *r)
{
    lines *const text = &r->text;
    int64_t id;
    if (!r->nodes) return lines_refuse(text, "comes before the problem line");
    if (r->ahead) return EXIT_DONE;
    if (!file_number_node(text, &id) || id < 1 || id > r->nodes)
        return lines_refuse(text, "a node line is 'n ID s' or 'n ID t' with a number from 1 to NODES");
    const bool source = lines_name(text, "s");
    if (!source && !lines_name(text, "t")) return lines_refuse(text, "a node is 's', the source, or 't', the sink");
    int64_t *which = source ? &r->source : &r->sink;
    if (*which) return lines_refuse(text, source ? "a second source" : "a second sink");
    *which = id;
    if (r->source == r->sink) return lines_refuse(text, "source and sink are one node");
    return lines_at_end(text) ? EXIT_DONE : lines_refuse(text, "has words after the node");
}

static int64_t pixel_of(const reader *r, int64_t id)
{
    return id - 1 - (id > r->source) - (id > r->sink);
}

/* Reads all lines that name source and sink in advance, because they may stand after the first arc. */
static int look_ahead(reader *r)
{
    lines *const text = &r->text;
    const lines here = *text;
    int status = EXIT_DONE;
    while (status == EXIT_DONE && lines_next(text))
        if (!lines_at_end(text) && lines_name(text, "n")) status = node_line(r);
    r->ahead = true;
    if (status != EXIT_DONE) return status;
    *text = here;
    return r->source && r->sink ? EXIT_DONE
                                : lines_refuse(text, "an arc, but no line 'n ID s' or 'n ID t' names source and sink");
}

static int arc_line(reader *r, graph_arcs *arcs)
{
    lines *const text = &r->text;
    int64_t from, to, capacity;
    const char *wrong = NULL;
    if (!r->nodes) return lines_refuse(text, "an arc before the problem line");
    if (!r->ahead && look_ahead(r) != EXIT_DONE) return EXIT_INPUT;
    if (!file_number_node(text, &from) || !file_number_node(text, &to))
        return lines_refuse(text, "an arc line is 'a FROM TO CAPACITY'");
    file_number value;
    if ((wrong = file_number_read(text, &value)) || (wrong = arcs_capacity(arcs, &value, &capacity)))
        return fail(text->failure, EXIT_INPUT, "%s: line %" PRId64 ": a capacity that %s", text->name, text->line,
                    wrong);
    if (!lines_at_end(text)) return lines_refuse(text, "has words after the capacity");
    if (from < 1 || from > r->nodes || to < 1 || to > r->nodes)
        return lines_refuse(text, "an arc of a node that is not there; nodes are 1 to NODES");
    if (++r->seen > r->arcs) return lines_refuse(text, "more arcs than the problem line announces");
    if (from == r->source && to == r->sink) {
        wrong = arcs_direct(arcs, capacity);
    } else if (to == r->source || from == r->sink) {
        /* Arcs into the source or out of the sink are dropped: they cannot carry useful flow. */
    } else if (from == r->source)
        wrong = arcs_terminal(arcs, pixel_of(r, to), capacity, 0);
    else if (to == r->sink)
        wrong = arcs_terminal(arcs, pixel_of(r, from), 0, capacity);
    else
        wrong = arcs_link(arcs, pixel_of(r, from), pixel_of(r, to), capacity, 0);
    return wrong ? lines_refuse(text, wrong) : EXIT_DONE;
}

/* Reads the comments that tilecut writes; ignores all others. */
static int comment_line(reader *r, graph_arcs *arcs)
{
    lines *const text = &r->text;
    if (!lines_word(text, "tilecut")) return EXIT_DONE;
    if (lines_word(text, "quantum")) {
        char word[40] = "";
        if (lines_at_end(text)) return EXIT_DONE;
        snprintf(word, sizeof word, "%.*s", (int)(text->eol - text->at), text->at);
        const double quantum = strtod(word, NULL);
        if (quantum > 0 && quantum < 1e300) r->quantum = quantum;
        return EXIT_DONE;
    }
    const bool space = lines_word(text, "volume");
    if (!space && !lines_word(text, "grid")) return EXIT_DONE;
    int64_t width, height, third;
    if (!file_number_node(text, &width) || !file_number_node(text, &height) || !file_number_node(text, &third) ||
        width < 1 || height < 1 || third < 1 || width > TILECUT_MAX_SIDE || height > TILECUT_MAX_SIDE ||
        third > TILECUT_MAX_SIDE || (!space && third != 4 && third != 8) || !lines_at_end(text))
        return EXIT_DONE; /* another program's comment that begins like tilecut's */
    arcs->shape = (graph_shape){width, height, space ? third : 1, space ? 6 : (int)third};
    return EXIT_DONE;
}

static int one_line(reader *r, graph_arcs *arcs)
{
    lines *const text = &r->text;
    if (lines_at_end(text)) return EXIT_DONE;
    if (*text->at == 'c' || *text->at == 'C') return lines_name(text, "c") ? comment_line(r, arcs) : EXIT_DONE;
    if (lines_name(text, "p")) return problem_line(r, arcs);
    if (lines_name(text, "n")) return node_line(r);
    if (lines_name(text, "a")) return arc_line(r, arcs);
    return lines_refuse(text, "begins with none of c, p, n and a");
}

static int one_pass(reader *r, graph_arcs *arcs, const lines *text)
{
    *r = (reader){.text = *text, .quantum = 1};
    while (lines_next(&r->text)) {
        const int status = one_line(r, arcs);
        if (status != EXIT_DONE) return status;
    }
    if (!r->nodes) return lines_refuse(&r->text, "the file ends without a problem line 'p max NODES ARCS'");
    if (!r->source || !r->sink) return lines_refuse(&r->text, "the file ends without naming source and sink");
    if (r->seen < r->arcs)
        return fail(text->failure, EXIT_INPUT,
                    "%s: line %" PRId64 ": the file ends after %" PRId64 " of %" PRId64 " arcs",
                    text->name, r->text.line, r->seen, r->arcs);
    const graph_shape *const said = &arcs->shape;
    if (said->width && said->width * said->height * said->depth != arcs->nodes) {
        char shape[GRAPH_SHAPE_TEXT];
        graph_shape_text(said, shape);
        return fail(text->failure, EXIT_INPUT, "%s: a grid of %s by its comment, but %" PRId64 " nodes beside source "
                    "and sink", text->name, shape, arcs->nodes);
    }
    return EXIT_DONE;
}

static int decode_dimacs(const char *name, const uint8_t *data, size_t size, saved_graph *out, failure *why)
{
    reader r;
    graph_arcs arcs = {.name = name, .any = out->any};
    lines text = lines_open(name, data, size, why);
    text.halves = arcs.any ? arcs.any->halves : NULL;
    text.commas = false;
    int status = one_pass(&r, &arcs, &text);
    if (status == EXIT_DONE) status = arcs_shape(&arcs, out, why);
    if (status == EXIT_DONE) status = one_pass(&r, &arcs, &text);
    if (status == EXIT_DONE) status = arcs_finish(&arcs, why);
    arcs_free(&arcs);
    out->quantum = r.quantum;
    out->source_id = r.source;
    out->sink_id = r.sink;
    return status;
}

/* Recognises DIMACS: a text whose first line, apart from empty ones, is a comment or the problem line. A line as
 * `C = [` gives a matrix a name, in MATLAB and others. */
static bool probe_dimacs(const uint8_t *data, size_t size)
{
    const lines text = lines_open("", data, size, NULL);
    size_t i = (size_t)((const uint8_t *)text.at - data);
    while (i < size && (data[i] == '\n' || data[i] == '\r' || data[i] == ' ')) i++;
    if (i + 1 >= size || !memchr("cpCP", data[i], 4)) return false;
    if ((data[i] == 'c' || data[i] == 'C') && (data[i + 1] == '\n' || data[i + 1] == '\r')) return true;
    if (data[i + 1] != ' ' && data[i + 1] != '\t') return false;
    for (i++; i < size && (data[i] == ' ' || data[i] == '\t'); i++) {}
    return i + 1 >= size || data[i] != '=' || data[i + 1] == '=';
}

/* ---- writing ---------------------------------------------------------------------------------- */

enum { SOURCE_ID = 1, SINK_ID = 2, FIRST_PIXEL = 3 };

static void put_arc(lines_out *out, int64_t from, int64_t to, int32_t capacity)
{
    if (capacity) lines_put_arc(out, from, to, capacity);
}

static void put_row(lines_out *out, const graph_source *source, int y)
{
    const tilecut_row *row = &source->row;
    for (int x = 0; x < source->width; x++) {
        const int64_t id = FIRST_PIXEL + (int64_t)y * source->width + x;
        put_arc(out, SOURCE_ID, id, row->source[x]);
        put_arc(out, id, SINK_ID, row->sink[x]);
        for (int k = 0; k < source->connectivity / 2; k++) {
            const int64_t other = id + graph_source_step(source, k);
            put_arc(out, id, other, row->to[k][x]);
            put_arc(out, other, id, row->from[k][x]);
        }
    }
}

static bool encode_dimacs(const graph_source *source, bytes *sink)
{
    const int rows = graph_source_rows(source), space = source->connectivity == 6;
    lines_out out = {.sink = sink};
    out.used = (size_t)snprintf(
        out.buffer, sizeof out.buffer,
        "c written by tilecut %s\nc tilecut %s %d %d %d\nc tilecut quantum %.17g\n"
        "p max %lld %lld\nn %d s\nn %d t\n",
        tilecut_version(), space ? "volume" : "grid", source->width, source->height,
        space ? source->depth : source->connectivity, source->quantum, (long long)source->width * rows + 2,
        (long long)(source->terminals + source->links), SOURCE_ID, SINK_ID);
    for (int y = 0; y < rows && !out.failed; y++) {
        graph_source_row(source, y);
        put_row(&out, source, y);
    }
    return lines_flush(&out);
}

const graph_format graph_format_dimacs = {"DIMACS",
                                          "DIMACS  read, write   .max: text, one arc a line",
                                          " max dimacs ",
                                          probe_dimacs,
                                          decode_dimacs,
                                          encode_dimacs,
                                          144,
                                          256};
