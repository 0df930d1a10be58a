/* SPDX-License-Identifier: MIT
 *
 * network_families.c - see network_families.h: the table, the limits, and instances in memory.
 */
#include "network_families.h"

#include <string.h>

const network_family network_families[] = {
#define NETWORK_FAMILY(name, function, kind, size, depth, degree, summary) \
    {name, summary, function, kind, size, depth, degree},
#include "network_families.def"
#undef NETWORK_FAMILY
    {NULL, NULL, NULL, NETWORK_FLOW, 0, 0, 0},
};

const network_family *network_family_find(const char *name)
{
    for (const network_family *row = network_families; row->name; row++)
        if (!strcmp(row->name, name)) return row;
    return NULL;
}

/* Refuses more arcs per node than there are nodes to choose from: that is a typing error, and drawing so many different
 * nodes might never end. A family's default degree is small, and can be drawn even from few nodes. */
static int check_degree(const network_family *family, const network_request *request, failure *why)
{
    const bool pairs = family->kind == NETWORK_MATCH;
    const int64_t most = pairs ? request->depth : request->size;
    if (request->degree <= most) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "--degree: %s of --%s %lld has at most %lld", family->name, pairs ? "depth" : "size",
                (long long)most, (long long)most);
}

int network_request_check(const network_family *family, network_request *request, failure *why)
{
    enum { LEAST = 2 };
    network_shape shape = {0};
    const bool given = request->degree > 0;
    if (request->depth && !family->depth)
        return fail(why, EXIT_USAGE, "--depth: %s has none; it has --size", family->name);
    if (request->degree && !family->degree)
        return fail(why, EXIT_USAGE, "--degree: %s has none of its own", family->name);
    if (!request->size) request->size = family->size;
    if (!request->depth) request->depth = family->depth;
    if (!request->degree) request->degree = family->degree;
    if (request->size < LEAST || (family->depth && request->depth < LEAST))
        return fail(why, EXIT_USAGE, "%s: sizes are of 2 and more", family->name);
    const int64_t most = INT64_C(1) << 31;
    if (request->size > most || request->depth > most || request->degree > most)
        return fail(why, EXIT_USAGE, "%s: sizes are of %lld at most", family->name, (long long)most);
    if (given && check_degree(family, request, why)) return why->status;
    if (!family->make(request, &shape, NULL) || shape.nodes > TILECUT_NETWORK_NODES)
        return fail(why, EXIT_USAGE, "%s: more than %d nodes", family->name, TILECUT_NETWORK_NODES);
    if (shape.arcs > TILECUT_NETWORK_ARCS)
        return fail(why, EXIT_USAGE, "%s: more than %d arcs", family->name, TILECUT_NETWORK_ARCS);
    return EXIT_DONE;
}

bool network_keep(void *into, int64_t tail, int64_t head, int64_t value)
{
    return arcs_put(into, tail, head, value);
}

int network_make(const network_family *family, const network_request *request, arc_list *out, network_shape *shape,
                 failure *why)
{
    const arc_sink sink = {network_keep, out};
    *shape = (network_shape){0};
    bool made = family->make(request, shape, NULL);
    out->nodes = shape->nodes;
    made = made && family->make(request, shape, &sink);
    if (made && family->kind == NETWORK_FLOW)
        made = arcs_put_source(out, shape->source) && arcs_put_sink(out, shape->sink);
    return made ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory for its arcs", family->name);
}
