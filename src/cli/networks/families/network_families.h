/* SPDX-License-Identifier: MIT
 *
 * network_families.h - networks made by rules, for measuring and testing: the families that papers of the field use,
 * written from their descriptions. The same family, sizes and seed give the same arcs in the same order on every
 * machine. Arcs are sent to a sink one by one, so an instance need not fit into memory, except in families whose
 * terminals are pairs of nodes far apart.
 */
#pragma once

#include "arcs.h"
#include "failure.h"
struct family_photo; /* see synthetic.h */

typedef struct network_request {
    int64_t size, depth, degree; /* sizes, whose meaning is in the family's summary; 0: the family's default */
    uint64_t seed;
    const struct family_photo *photo; /* photo for `rag`, without its labels; NULL: `rag` draws one */
} network_request;

typedef enum network_kind {
    NETWORK_FLOW,  /* capacities, a source and a sink    */
    NETWORK_MATCH, /* edges of a bipartite graph         */
    NETWORK_ASSIGN /* edges of a bipartite graph, with costs */
} network_kind;

/* The size of an instance, known before its first arc is made. */
typedef struct network_shape {
    int64_t nodes, left; /* left: in a bipartite graph, nodes 0 .. left - 1 are one side */
    int64_t arcs;        /* approximate number of arcs; 0: not known in advance          */
    int64_t source, sink;
} network_shape;

/* The put() of an arc_sink that appends to an arc_list. */
bool network_keep(void *list, int64_t tail, int64_t head, int64_t value);

/* Fills in `shape`; then, if `sink` is not NULL, sends all arcs to it. Returns false if the sink stopped or
 * memory ran out. */
typedef bool network_function(const network_request *request, network_shape *shape, const arc_sink *sink);

typedef struct network_family {
    const char *name, *summary;
    network_function *make;
    network_kind kind;
    int64_t size, depth, degree;
} network_family;

extern const network_family network_families[]; /* ends with a row whose name is NULL */

const network_family *network_family_find(const char *name); /* returns NULL if there is no such family */

/* Fills in the defaults of `request` and checks it. Returns EXIT_USAGE if it is wrong. */
int network_request_check(const network_family *family, network_request *request, failure *why);

/* Makes the whole instance in memory. Returns EXIT_RESOURCES if memory runs out. */
int network_make(const network_family *family, const network_request *request, arc_list *out, network_shape *shape,
                 failure *why);

/* Finds up to `pairs` pairs of nodes that are far from each other. Each pair is a random node and the last node that a
 * breadth-first search from it reaches. `directed`: the search follows arcs with a capacity from tail to head, so that
 * each pair carries some flow; if no random node reaches another one, all nodes are tried in turn. Otherwise the search
 * follows arcs both ways. No node is used twice, so small graphs give fewer pairs. Returns false if memory runs out. */
bool network_far_pairs(const arc_list *list, bool directed, int pairs, uint64_t seed, int32_t *from, int32_t *to,
                       int *found);

#define NETWORK_FAMILY(name, function, kind, size, depth, degree, summary) network_function function;
#include "network_families.def"
#undef NETWORK_FAMILY
