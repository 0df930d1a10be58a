/* SPDX-License-Identifier: MIT
 *
 * network_write.c - writes an instance of a family as text: DIMACS for flows and assignments, a list of edges for
 * matchings. The family runs twice: first to count its arcs for the problem line, then to write them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "network_write.h"
#include "numbers.h"

typedef struct writer {
    bytes *out;
    network_kind kind;
    int64_t left, arcs;
    size_t used;
    char buffer[1 << 14];
} writer;

static bool count(void *into, int64_t tail, int64_t head, int64_t value)
{
    writer *const w = into;
    (void)tail;
    (void)head;
    (void)value;
    return ++w->arcs <= TILECUT_NETWORK_ARCS;
}

static bool flush(writer *w)
{
    const bool held = bytes_append(w->out, w->buffer, w->used);
    w->used = 0;
    return held;
}

static void put_number(writer *w, int64_t value, char after)
{
    w->used += (size_t)write_digits(w->buffer + w->used, value);
    w->buffer[w->used++] = after;
}

static bool write_arc(void *into, int64_t tail, int64_t head, int64_t value)
{
    writer *const w = into;
    if (w->used + 80 > sizeof w->buffer && !flush(w)) return false;
    if (w->kind != NETWORK_MATCH) {
        w->buffer[w->used++] = 'a';
        w->buffer[w->used++] = ' ';
    }
    put_number(w, tail + 1, ' ');
    if (w->kind == NETWORK_MATCH) {
        put_number(w, head - w->left + 1, '\n');
        return true;
    }
    put_number(w, head + 1, ' ');
    put_number(w, value, '\n');
    return true;
}

static bool write_head(writer *w, const network_family *family, const network_request *request,
                       const network_shape *shape)
{
    const char comment = family->kind == NETWORK_MATCH ? '%' : 'c';
    w->used = (size_t)snprintf(w->buffer, sizeof w->buffer, "%c tilecut %s: %s %" PRId64 " %" PRId64 " %" PRId64
                               ", seed %" PRIu64 "\n", comment, tilecut_version(), family->name, request->size,
                               request->depth, request->degree, request->seed);
    char *const at = w->buffer + w->used;
    const size_t room = sizeof w->buffer - w->used;
    if (family->kind == NETWORK_FLOW)
        w->used += (size_t)snprintf(at, room, "p max %" PRId64 " %" PRId64 "\nn %" PRId64 " s\nn %" PRId64 " t\n",
                                    shape->nodes, w->arcs, shape->source + 1, shape->sink + 1);
    if (family->kind == NETWORK_ASSIGN)
        w->used += (size_t)snprintf(at, room, "p asn %" PRId64 " %" PRId64 "\n", shape->nodes, w->arcs);
    bool held = true;
    for (int64_t v = 0; held && family->kind == NETWORK_ASSIGN && v < shape->left; v++) {
        if (w->used + 80 > sizeof w->buffer) held = flush(w);
        w->used += (size_t)snprintf(w->buffer + w->used, sizeof w->buffer - w->used, "n %" PRId64 "\n", v + 1);
    }
    return held;
}

int network_write(const network_family *family, const network_request *request, bytes *out, failure *why)
{
    writer w = {.out = out, .kind = family->kind};
    network_shape shape = {0};
    const arc_sink counting = {count, &w}, writing = {write_arc, &w};
    if (!family->make(request, &shape, &counting))
        return w.arcs > TILECUT_NETWORK_ARCS
                   ? fail(why, EXIT_USAGE, "%s: more than %d arcs", family->name, TILECUT_NETWORK_ARCS)
                   : fail(why, EXIT_RESOURCES, "%s: not enough memory", family->name);
    w.left = shape.left;
    if (!write_head(&w, family, request, &shape) || !family->make(request, &shape, &writing) || !flush(&w))
        return fail(why, EXIT_RESOURCES, "%s: not enough memory for its text", family->name);
    return EXIT_DONE;
}

static const char *const ending[] = {".max", ".txt", ".asn"};

int network_write_check(const network_family *family, const char *path, failure *why)
{
    const char *const dot = strrchr(path, '.');
    if (!strcmp(path, "-") || (dot && !strcmp(dot, ending[family->kind]))) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "%s: %s is written as %s, and to -", path, family->name, ending[family->kind]);
}
