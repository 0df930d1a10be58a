/* SPDX-License-Identifier: MIT
 *
 * network_families.h - networks by rule, to measure and test with: those of the field's papers, written from their
 * descriptions. The same family, sizes and seed give the same arcs in the same order on every machine. Arcs go to a
 * sink one by one, so an instance need not fit into memory; pairs of terminals far apart are the exception.
 */
#ifndef CLI_NETWORK_FAMILIES_H
#define CLI_NETWORK_FAMILIES_H

#include "arcs.h"
#include "failure.h"

typedef struct network_request {
    int64_t size, depth, degree; /* as the summary of the family says; 0: its default */
    uint64_t seed;
} network_request;

typedef enum network_kind {
    NETWORK_FLOW,  /* capacities, a source and a sink    */
    NETWORK_MATCH, /* edges of a bipartite graph         */
    NETWORK_ASSIGN /* the same, with costs               */
} network_kind;

/* What is known before the first arc. */
typedef struct network_shape {
    int64_t nodes, left; /* left: of a bipartite graph, the nodes 0 .. left - 1 are on one side      */
    int64_t source, sink;
} network_shape;

/* Fills in `shape`, then, with `sink`, sends all arcs. False: the sink stopped, or there is no memory. */
typedef bool network_function(const network_request *request, network_shape *shape, const arc_sink *sink);

typedef struct network_family {
    const char *name, *summary;
    network_function *make;
    network_kind kind;
    int64_t size, depth, degree;
} network_family;

extern const network_family network_families[]; /* ends with a row whose name is NULL */

const network_family *network_family_find(const char *name); /* NULL: no such name */

/* Fills in defaults of `request` and checks it: EXIT_USAGE. */
int network_request_check(const network_family *family, network_request *request, failure *why);

/* The whole instance in memory: EXIT_RESOURCES. */
int network_make(const network_family *family, const network_request *request, arc_list *out, network_shape *shape,
                 failure *why);

/* `pairs` of nodes of an undirected view of the arcs that are far from each other: for each of so many random nodes the
 * last one that a breadth-first search reaches; no node twice. Fewer in small graphs. False: no memory. */
bool network_far_pairs(const arc_list *list, int pairs, uint64_t seed, int32_t *from, int32_t *to, int *found);

#define NETWORK_FAMILY(name, function, kind, size, depth, degree, summary) network_function function;
#include "network_families.def"
#undef NETWORK_FAMILY

#endif
