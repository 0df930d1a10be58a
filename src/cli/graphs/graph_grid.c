/* SPDX-License-Identifier: MIT
 *
 * graph_grid.c - tilecut's own format for grids (.tcg), described in docs/guide/formats.md: a header of 64 bytes, or 72
 * in space, which ends with a checksum, then the capacities row by row. Readers and writers can stream it.
 */
#include <math.h>
#include <string.h>

#include "graph_file.h"
#include "sha256.h"

enum { PLANE = 1, SPACE = 2 }; /* versions of the format */
enum { PLANE_SIZE = 64, SPACE_SIZE = 72, ORDER = 0x01020304, ORDER_SWAPPED = 0x04030201 };
enum { TYPE_INT32 = 0, TYPE_FLOAT32 = 1, FLAG_SYMMETRIC = 1 };

/* The first bytes of a file. They contain line ends, as PNG's first bytes do, so they reveal a transfer that has
 * changed line ends as if the file were text. */
static const uint8_t magic[8] = {0x89, 'T', 'C', 'G', '\r', '\n', 0x1A, '\n'};

typedef struct header {
    uint8_t magic[8];
    uint32_t version, order, width, height, connectivity, type, flags, header_size;
    double quantum;
    uint64_t payload;
    uint32_t depth, zero; /* only in space */
} header;

_Static_assert(sizeof(header) == SPACE_SIZE - 8 && offsetof(header, depth) == PLANE_SIZE - 8,
               "the header has no padding");

/* Returns the size of the header in bytes. The last 8 of them are the checksum. */
static size_t header_size(uint32_t version)
{
    return version == SPACE ? SPACE_SIZE : PLANE_SIZE;
}

/* Computes the checksum over the bytes of the header that precede it. */
static uint64_t header_check(const uint8_t *data, size_t size)
{
    return fnv_on(FNV_START, data, size - 8);
}

static uint32_t swap32(uint32_t v)
{
    return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

static uint64_t swap64(uint64_t v)
{
    return (uint64_t)swap32((uint32_t)v) << 32 | swap32((uint32_t)(v >> 32));
}

static void swap_header(header *h)
{
    uint64_t quantum;
    uint32_t *const words[] = {&h->version, &h->order, &h->width,       &h->height, &h->connectivity,
                               &h->type,    &h->flags, &h->header_size, &h->depth,  &h->zero};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) *words[i] = swap32(*words[i]);
    memcpy(&quantum, &h->quantum, sizeof quantum);
    quantum = swap64(quantum);
    memcpy(&h->quantum, &quantum, sizeof quantum);
    h->payload = swap64(h->payload);
}

static bool probe_grid(const uint8_t *data, size_t size)
{
    return size >= 4 && !memcmp(data, magic, 4);
}

/* Reads the fields of the header and checks them against its checksum. */
static int read_fields(const char *name, const uint8_t *data, size_t size, header *h, bool *swapped, failure *why)
{
    uint64_t check;
    if (size < PLANE_SIZE)
        return fail(why, EXIT_INPUT, "%s: ends after %zu bytes; a grid file's header has %d", name, size, PLANE_SIZE);
    *h = (header){0};
    memcpy(h, data, offsetof(header, depth));
    *swapped = h->order == ORDER_SWAPPED;
    const size_t room = header_size(*swapped ? swap32(h->version) : h->version);
    if (size < room)
        return fail(why, EXIT_INPUT, "%s: ends after %zu bytes; the header of a grid in space has %zu", name, size,
                    room);
    memcpy(h, data, room - sizeof check);
    memcpy(&check, data + room - sizeof check, sizeof check);
    if (*swapped) swap_header(h), check = swap64(check);
    if (memcmp(h->magic, magic, sizeof magic) || h->order != ORDER || check != header_check(data, room))
        return fail(why, EXIT_INPUT, "%s: damaged: the header of this grid file does not match its checksum", name);
    if ((h->version != PLANE && h->version != SPACE) || h->header_size != room)
        return fail(why, EXIT_INPUT, "%s: a grid file of version %u; this program reads versions %d and %d",
                    name, h->version, PLANE, SPACE);
    if (h->version == PLANE) h->depth = 1, h->zero = 0;
    return EXIT_DONE;
}

/* Reads the header and checks everything in it. */
static int read_header(const char *name, const uint8_t *data, size_t size, header *h, bool *swapped, failure *why)
{
    STEP(read_fields(name, data, size, h, swapped, why));
    const bool neighbours = h->version == SPACE ? h->connectivity == 6 : h->connectivity == 4 || h->connectivity == 8;
    if (!neighbours || h->type > TYPE_FLOAT32 || h->flags > FLAG_SYMMETRIC || !(h->quantum > 0) || isinf(h->quantum) ||
        h->zero)
        return fail(why, EXIT_INPUT, "%s: a header of version %u with %u neighbours, type %u, flags %u and quantum %g; "
                    "neighbours are 4 or 8, or 6 in version 2, type and flags 0 or 1, and a quantum is above 0", name,
                    h->version, h->connectivity, h->type, h->flags, h->quantum);
    return EXIT_DONE;
}

/* Reads one kind of capacity for one row. */
static int read_cells(const char *name, const uint8_t *data, const header *h, bool swapped, size_t y,
                      int32_t *out, failure *why)
{
    for (uint32_t x = 0; x < h->width; x++) {
        uint32_t word;
        float real;
        memcpy(&word, data + (size_t)4 * x, sizeof word);
        if (swapped) word = swap32(word);
        memcpy(&out[x], &word, sizeof word);
        if (h->type == TYPE_FLOAT32) {
            memcpy(&real, &word, sizeof real);
            if (!(real >= 0 && real < 2147483648.0f) || floorf(real) != real)
                return fail(why, EXIT_INPUT, "%s: row %zu, column %u: a capacity of %g; capacities are whole numbers "
                            "from 0 below 2^31", name, y, x, (double)real);
            out[x] = (int32_t)real;
        }
        if (out[x] < 0)
            return fail(why, EXIT_INPUT, "%s: row %zu, column %u: a capacity of %d; capacities are "
                        "at least 0", name, y, x, out[x]);
    }
    return EXIT_DONE;
}

static int decode_grid(const char *name, const uint8_t *data, size_t size, saved_graph *out, failure *why)
{
    header h;
    bool swapped = false;
    int status = read_header(name, data, size, &h, &swapped, why);
    if (status != EXIT_DONE) return status;
    const bool symmetric = h.flags & FLAG_SYMMETRIC;
    const size_t planes = 2 + h.connectivity / 2 * (symmetric ? 1u : 2u), head = header_size(h.version);
    const size_t rows = (size_t)h.height * h.depth; /* no overflow: sides are at most 2^16, and planes at most 8 */
    const graph_shape shape = {h.width, h.height, h.depth, (int)h.connectivity};
    char text[GRAPH_SHAPE_TEXT];
    graph_shape_text(&shape, text);
    if (h.width <= TILECUT_MAX_SIDE && h.height <= TILECUT_MAX_SIDE && h.depth <= TILECUT_MAX_SIDE &&
        (h.payload != 4 * planes * h.width * rows || size - head != h.payload))
        return fail(why, EXIT_INPUT, "%s: %zu bytes of capacities; a grid of %s with %u neighbours has %llu", name,
                    size - head, text, h.connectivity, (unsigned long long)(4 * planes * h.width * rows));
    status = saved_graph_init(out, name, &shape, symmetric, why);
    const uint8_t *at = data + head;
    for (size_t y = 0; y < rows && status == EXIT_DONE; y++)
        for (size_t plane = 0; plane < planes && status == EXIT_DONE; plane++, at += 4 * h.width)
            status = read_cells(name, at, &h, swapped, y, out->cells + plane * h.width * rows + y * h.width, why);
    out->quantum = h.quantum;
    return status;
}

static bool encode_grid(const graph_source *source, bytes *sink)
{
    const int links = source->connectivity / 2;
    const size_t planes = 2 + (size_t)links * (source->symmetric ? 1 : 2);
    const size_t plane = 4 * (size_t)source->width;
    const uint32_t version = source->volume ? SPACE : PLANE;
    const size_t head = header_size(version);
    header h = {.version = version, .order = ORDER, .width = (uint32_t)source->width,
                .height = (uint32_t)source->height, .connectivity = (uint32_t)source->connectivity,
                .type = TYPE_INT32, .flags = source->symmetric ? FLAG_SYMMETRIC : 0,
                .header_size = (uint32_t)head, .quantum = source->quantum, .depth = (uint32_t)source->depth,
                .payload = plane * planes * (size_t)graph_source_rows(source)};
    const tilecut_row row = source->row;
    memcpy(h.magic, magic, sizeof magic);
    const uint64_t check = header_check((const uint8_t *)&h, head);
    if (!bytes_append(sink, &h, head - sizeof check) || !bytes_append(sink, &check, sizeof check)) return false;
    for (int y = 0; y < graph_source_rows(source); y++) {
        graph_source_row(source, y);
        if (!bytes_append(sink, row.source, plane) || !bytes_append(sink, row.sink, plane)) return false;
        for (int k = 0; k < links; k++)
            if (!bytes_append(sink, row.to[k], plane)) return false;
        for (int k = 0; k < links && !source->symmetric; k++)
            if (!bytes_append(sink, row.from[k], plane)) return false;
    }
    return true;
}

const graph_format graph_format_grid = {
    "grid", "grid  read, write   tilecut's own .tcg: capacities of a grid of pixels or voxels, row by row", " tcg ",
    probe_grid, decode_grid, encode_grid, 16, 32};
