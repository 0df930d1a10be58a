/* SPDX-License-Identifier: MIT
 *
 * network_write.c - writes an instance of a family as text: DIMACS for flows and assignments, a list of edges for
 * matchings. The family runs twice: first to count its arcs for the problem line, then to write them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lines.h"
#include "network_write.h"

typedef struct writer {
    lines_out text;
    network_kind kind;
    int64_t left, arcs;
    /* bytes of the text, bytes that the family keeps besides it, and bytes that may be used */
    uint64_t bytes, kept, most;
} writer;

static unsigned digits(int64_t number)
{
    unsigned many = 1;
    while ((number /= 10)) many++;
    return many;
}

static bool count_arc(void *into, int64_t tail, int64_t head, int64_t value)
{
    writer *const w = into;
    w->arcs++;
    w->bytes += w->kind == NETWORK_MATCH ? digits(tail + 1) + digits(head + 1) + 2
                                         : digits(tail + 1) + digits(head + 1) + digits(value) + 5;
    return w->arcs <= TILECUT_NETWORK_ARCS && w->bytes <= w->most - w->kept;
}

/* Returns the memory in bytes that is needed to find pairs of nodes far apart in a random graph: its arcs, and the
 * neighbours of each node. */
static uint64_t kept_bytes(const network_family *family, const network_request *request)
{
    enum { ARC = 24 };
    const bool keeps = family->kind == NETWORK_FLOW && family->degree && !family->depth;
    return keeps ? (uint64_t)request->size * (uint64_t)request->degree * ARC : 0;
}

static int too_large(const writer *w, const network_family *family, failure *why)
{
    if (w->arcs > TILECUT_NETWORK_ARCS)
        return fail(why, EXIT_USAGE, "%s: more than %d arcs", family->name, TILECUT_NETWORK_ARCS);
    return fail(why, EXIT_RESOURCES, "%s: an instance of this size takes more than %.1f MB of memory, which is what "
                "may be used", family->name, (double)w->most / 1e6);
}

static bool write_arc(void *into, int64_t tail, int64_t head, int64_t value)
{
    writer *const w = into;
    if (w->kind != NETWORK_MATCH) {
        lines_put_arc(&w->text, tail + 1, head + 1, value);
    } else {
        lines_room(&w->text);
        lines_put(&w->text, tail + 1, ' ');
        lines_put(&w->text, head - w->left + 1, '\n');
    }
    return !w->text.failed;
}

static bool write_head(writer *w, const network_family *family, const network_request *request,
                       const network_shape *shape)
{
    lines_out *const text = &w->text;
    const char comment = family->kind == NETWORK_MATCH ? '%' : 'c';
    text->used = (size_t)snprintf(text->buffer, sizeof text->buffer, "%c tilecut %s: %s %" PRId64 " %" PRId64 " %"
                                  PRId64 ", seed %" PRIu64 "\n", comment, tilecut_version(), family->name,
                                  request->size, request->depth, request->degree, request->seed);
    char *const at = text->buffer + text->used;
    const size_t room = sizeof text->buffer - text->used;
    if (family->kind == NETWORK_FLOW)
        text->used += (size_t)snprintf(at, room, "p max %" PRId64 " %" PRId64 "\nn %" PRId64 " s\nn %" PRId64 " t\n",
                                       shape->nodes, w->arcs, shape->source + 1, shape->sink + 1);
    if (family->kind == NETWORK_ASSIGN)
        text->used += (size_t)snprintf(at, room, "p asn %" PRId64 " %" PRId64 "\n", shape->nodes, w->arcs);
    for (int64_t v = 0; family->kind == NETWORK_ASSIGN && v < shape->left; v++) {
        lines_room(text);
        text->used += (size_t)snprintf(text->buffer + text->used, sizeof text->buffer - text->used, "n %" PRId64 "\n",
                                       v + 1);
    }
    return !text->failed;
}

int network_write(const network_family *family, const network_request *request, uint64_t most, bytes *out,
                  failure *why)
{
    writer w = {.text = {.sink = out}, .kind = family->kind, .most = most ? most : UINT64_MAX};
    network_shape shape = {0};
    const arc_sink counting = {count_arc, &w}, writing = {write_arc, &w};
    enum { HEAD = 1 << 12, NODE_LINE = 13 };
    w.kept = kept_bytes(family, request);
    if (w.kept > w.most) return too_large(&w, family, why);
    if (!family->make(request, &shape, &counting))
        return w.arcs > TILECUT_NETWORK_ARCS || w.bytes > w.most - w.kept
                   ? too_large(&w, family, why)
                   : fail(why, EXIT_RESOURCES, "%s: not enough memory", family->name);
    w.left = shape.left;
    if (!bytes_reserve(out, out->size + w.bytes + HEAD + (size_t)w.left * NODE_LINE) ||
        !write_head(&w, family, request, &shape) || !family->make(request, &shape, &writing) || !lines_flush(&w.text))
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
