/* SPDX-License-Identifier: MIT
 *
 * graph_bbk.c - the binary format of a collection of maximum-flow instances that the field uses (Jensen et al., "Review
 * of Serial and Parallel Min-Cut/Max-Flow Algorithms for Computer Vision", 2022): 'BBQ', the types of the capacities of
 * links and of terminals, three counts, then the terminals and the links as records. Little-endian. A file that begins
 * with lower-case 'bbq' is compressed with snappy, and refused.
 */
#include <inttypes.h>
#include <string.h>

#include "graph_arcs.h"
#include "numbers.h"

enum { HEADER_SIZE = 3 + 2 + 3 * 8 };

/* The format's codes of types. */
enum { U8, I8, U16, I16, U32, I32, U64, I64, FLOAT, DOUBLE, TYPES };
static const size_t type_size[TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

typedef struct bbk {
    const uint8_t *data;
    uint64_t nodes, terminals, links;
    int link_type, terminal_type;
    size_t terminal_size, link_size; /* bytes of a record */
} bbk;

/* Reads a capacity. Returns NULL, or a phrase that says what is wrong with it. */
static const char *capacity(graph_arcs *arcs, const uint8_t *at, int type, int64_t *out)
{
    const uint64_t raw = little_endian(at, type_size[type]);
    file_number value = {.digits = (int64_t)raw};
    double real;
    if (type == FLOAT || type == DOUBLE) {
        const uint32_t word = (uint32_t)raw;
        float narrow;
        memcpy(&narrow, &word, sizeof narrow);
        memcpy(&real, &raw, sizeof real);
        const char *const wrong = type == FLOAT ? file_number_of_float(narrow, &value) : file_number_of(real, &value);
        return wrong ? wrong : arcs_capacity(arcs, &value, out);
    }
    /* Signed types have odd codes; the sign is the highest bit. */
    if (raw >> (8 * type_size[type] - 1) && type % 2) value.digits = -1;
    else if (raw > INT64_MAX) return "is 2^63 or more";
    return arcs_capacity(arcs, &value, out);
}

static bool probe_bbk(const uint8_t *data, size_t size)
{
    return size >= 3 && (!memcmp(data, "BBQ", 3) || !memcmp(data, "bbq", 3));
}

/* True if the header and all records, whose sizes are given in bytes, fill the file exactly. False on overflow, too. */
static bool adds_up(const bbk *b, size_t size, size_t terminal_size, size_t link_size)
{
    const size_t room = size - HEADER_SIZE;
    if (b->terminals > room / terminal_size || b->links > room / link_size) return false;
    return b->terminals * terminal_size + b->links * link_size == room;
}

/* Finds the sizes of the records, by trying which layout matches the length of the file. C programs write structures as
 * they lie in memory, padded to 8 bytes. Python programs write them packed, and their 'float' is a double. */
static bool find_layout(bbk *b, size_t size)
{
    for (int wide = 0; wide < 2; wide++) {
        const int link = b->link_type == FLOAT && wide ? DOUBLE : b->link_type;
        const int terminal = b->terminal_type == FLOAT && wide ? DOUBLE : b->terminal_type;
        for (size_t pad = 1; pad <= 8; pad += 7) {
            b->terminal_size = (8 + 2 * type_size[terminal] + pad - 1) / pad * pad;
            b->link_size = (16 + 2 * type_size[link] + pad - 1) / pad * pad;
            if (!adds_up(b, size, b->terminal_size, b->link_size)) continue;
            b->link_type = link;
            b->terminal_type = terminal;
            return true;
        }
    }
    return false;
}

static int read_header(const char *name, const uint8_t *data, size_t size, bbk *b, failure *why)
{
    if (size >= 3 && data[0] == 'b')
        return fail(why, EXIT_INPUT,
                    "%s: a .bbk file packed with snappy, which is not supported; unpack it first", name);
    if (size < HEADER_SIZE)
        return fail(why, EXIT_INPUT, "%s: ends after %zu bytes; the header of a .bbk file has %d",
                    name, size, HEADER_SIZE);
    *b = (bbk){.data = data + HEADER_SIZE, .nodes = little_endian(data + 5, 8),
               .terminals = little_endian(data + 13, 8), .links = little_endian(data + 21, 8), .link_type = data[3],
               .terminal_type = data[4]};
    if (b->link_type >= TYPES || b->terminal_type >= TYPES)
        return fail(why, EXIT_INPUT, "%s: capacities of types %d and %d; there are 0 to %d", name,
                    b->link_type, b->terminal_type, TYPES - 1);
    if (b->nodes < 1 || b->nodes > GRAPH_MAX_NODES)
        return fail(why, EXIT_INPUT, "%s: %" PRIu64 " nodes; a grid has 1 to %" PRId64, name, b->nodes,
                    GRAPH_MAX_NODES);
    if (!find_layout(b, size))
        return fail(why, EXIT_INPUT, "%s: %zu bytes do not fit %" PRIu64 " terminals and %" PRIu64 " links; the file "
                    "is cut short or damaged", name, size, b->terminals, b->links);
    return EXIT_DONE;
}

static int refuse_entry(const graph_arcs *arcs, const char *kind, uint64_t index, const char *what, failure *why)
{
    return fail(why, EXIT_INPUT, "%s: %s %" PRIu64 ": %s", arcs->name, kind, index, what);
}

/* Reads the two capacities of a record. */
static int read_both(graph_arcs *arcs, const char *kind, uint64_t index, const uint8_t *at, int type, int64_t out[2],
                     failure *why)
{
    for (size_t k = 0; k < 2; k++) {
        const char *const wrong = capacity(arcs, at + k * type_size[type], type, &out[k]);
        if (wrong)
            return fail(why, EXIT_INPUT, "%s: %s %" PRIu64 ": a capacity that %s", arcs->name, kind, index, wrong);
    }
    return EXIT_DONE;
}

static const char *const bad_node = "a node that is not there";

static int one_pass(const bbk *b, graph_arcs *arcs, failure *why)
{
    const uint8_t *at = b->data;
    int64_t c[2];
    for (uint64_t i = 0; i < b->terminals; i++, at += b->terminal_size) {
        const uint64_t node = little_endian(at, 8);
        if (read_both(arcs, "terminal", i, at + 8, b->terminal_type, c, why) != EXIT_DONE) return EXIT_INPUT;
        const char *wrong = node >= b->nodes ? bad_node : arcs_terminal(arcs, (int64_t)node, c[0], c[1]);
        if (wrong) return refuse_entry(arcs, "terminal", i, wrong, why);
    }
    for (uint64_t i = 0; i < b->links; i++, at += b->link_size) {
        const uint64_t from = little_endian(at, 8), to = little_endian(at + 8, 8);
        if (read_both(arcs, "link", i, at + 16, b->link_type, c, why) != EXIT_DONE) return EXIT_INPUT;
        const char *wrong = from >= b->nodes || to >= b->nodes
                                ? bad_node : arcs_link(arcs, (int64_t)from, (int64_t)to, c[0], c[1]);
        if (wrong) return refuse_entry(arcs, "link", i, wrong, why);
    }
    return EXIT_DONE;
}

static int decode_bbk(const char *name, const uint8_t *data, size_t size, saved_graph *out, failure *why)
{
    bbk b;
    int status = read_header(name, data, size, &b, why);
    if (status != EXIT_DONE) return status;
    graph_arcs arcs = {.name = name, .nodes = (int64_t)b.nodes, .any = out->any};
    status = one_pass(&b, &arcs, why);
    if (status == EXIT_DONE) status = arcs_shape(&arcs, out, why);
    if (status == EXIT_DONE) status = one_pass(&b, &arcs, why);
    if (status == EXIT_DONE) status = arcs_finish(&arcs, why);
    arcs_free(&arcs);
    return status;
}

/* ---- writing ---------------------------------------------------------------------------------- */

/* Counts the records of links. Each pair of neighbours has a record, even without capacity, so that readers can
 * find the width. */
static int64_t count_links(const graph_source *s)
{
    const int64_t w = s->width, h = s->height, d = s->depth;
    return d * ((w - 1) * h + w * (h - 1) + (s->connectivity == 8 ? 2 * (w - 1) * (h - 1) : 0)) + (d - 1) * w * h;
}

static bool put_terminals(const graph_source *source, int y, bytes *sink)
{
    const tilecut_row *row = &source->row;
    uint8_t record[16];
    for (int x = 0; x < source->width; x++) {
        put_little_endian(record, (uint64_t)y * (uint64_t)source->width + (uint64_t)x, 8);
        put_little_endian(record + 8, (uint32_t)row->source[x], 4);
        put_little_endian(record + 12, (uint32_t)row->sink[x], 4);
        if (!bytes_append(sink, record, sizeof record)) return false;
    }
    return true;
}

static bool put_links(const graph_source *source, int y, bytes *sink)
{
    const tilecut_row *row = &source->row;
    uint8_t record[24];
    for (int x = 0; x < source->width; x++)
        for (int k = 0; k < source->connectivity / 2; k++) {
            if (!graph_source_has(source, x, y, k)) continue;
            const int64_t p = (int64_t)y * source->width + x;
            put_little_endian(record, (uint64_t)p, 8);
            put_little_endian(record + 8, (uint64_t)(p + graph_source_step(source, k)), 8);
            put_little_endian(record + 16, (uint32_t)row->to[k][x], 4);
            put_little_endian(record + 20, (uint32_t)row->from[k][x], 4);
            if (!bytes_append(sink, record, sizeof record)) return false;
        }
    return true;
}

static bool encode_bbk(const graph_source *source, bytes *sink)
{
    uint8_t header[HEADER_SIZE] = {'B', 'B', 'Q', I32, I32};
    const int rows = graph_source_rows(source);
    const uint64_t pixels = (uint64_t)source->width * (uint64_t)rows;
    put_little_endian(header + 5, pixels, 8);
    put_little_endian(header + 13, pixels, 8);
    put_little_endian(header + 21, (uint64_t)count_links(source), 8);
    if (!bytes_append(sink, header, sizeof header)) return false;
    for (int y = 0; y < rows; y++) {
        graph_source_row(source, y);
        if (!put_terminals(source, y, sink)) return false;
    }
    for (int y = 0; y < rows; y++) {
        graph_source_row(source, y);
        if (!put_links(source, y, sink)) return false;
    }
    return true;
}

const graph_format graph_format_bbk = {
    "bbk", "bbk  read, write   .bbk ('BBQ'): records of terminals and links", " bbk ", probe_bbk, decode_bbk,
    encode_bbk, 72, 128};
