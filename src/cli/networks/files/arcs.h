/* SPDX-License-Identifier: MIT
 *
 * arcs.h - lists of arcs in memory, which readers and generators of networks fill. A list is a flow network, or the
 * edges of a bipartite graph with or without costs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "scaled.h"
#include "tilecut_network.h"

/* A list of arcs. Zero-initialise and set most_bytes; arcs_clear() when done. */
typedef struct arc_list {
    int64_t nodes, arcs;
    int32_t *tail, *head;     /* [arcs]; owned                                        */
    int64_t *value;           /* capacity or cost of each arc; owned; NULL: all are 1 */
    int32_t *sources, *sinks; /* the terminals; owned                                 */
    int64_t source_count, sink_count;
    int64_t room;             /* number of arcs for which memory is allocated */
    /* values are multiplied by 10^decimals, or by 2^-decimals if it is negative: see scaled.h */
    int decimals;
    uint64_t most_bytes;      /* limit on bytes for the list and a solver together; 0: none */
    bool costs;               /* true: the list is for tilecut_network_assign(), which needs less memory */
    bool named;               /* true: the user named the solver; it may need more memory than those that auto takes */
    bool too_large;           /* why arcs_put() failed: a limit, most_bytes or the library's, was exceeded */
} arc_list;

/* Bytes per arc and per node that reading, building by threads and solving need together. They serve to check limits
 * before memory is allocated. The solvers `rounds-rcsr` and `unit-flow`, which must be named, need NAMED_BYTES more per
 * arc. An assignment, with the program itself, needs 5 to 25 % less than these figures (tests/program/networks.sh). */
enum { ARC_BYTES = 16 + 36 + 24, NAMED_BYTES = 40, NODE_BYTES = 48 };
enum { COST_BYTES = 37, COST_NODE_BYTES = 36, COST_BASE_BYTES = 5 << 20 };

/* True if so many nodes and arcs fit into the limits. */
bool arcs_fit(const arc_list *list, int64_t nodes, int64_t arcs);

/* Allocates memory for `arcs` arcs at once, with or without values. Returns false if a limit is exceeded (too_large) or
 * memory runs out. */
bool arcs_reserve(arc_list *list, int64_t arcs, bool values);

/* Appends an arc. When the first value other than 1 comes, earlier arcs get the value 1. Returns false for the same
 * reasons as arcs_reserve(). */
bool arcs_put(arc_list *list, int64_t tail, int64_t head, int64_t value);

/* Converts a value to the list's scale. A value with a finer scale multiplies the earlier values to match. Returns
 * false if a value does not fit 64 bits. */
bool arcs_scale(arc_list *list, const file_number *value, int64_t *out);

bool arcs_put_source(arc_list *list, int64_t node);
bool arcs_put_sink(arc_list *list, int64_t node);
void arcs_clear(arc_list *list);

/* Receives a generator's arcs. put() returns false to stop the generator. */
typedef struct arc_sink {
    bool (*put)(void *into, int64_t tail, int64_t head, int64_t value);
    void *into;
} arc_sink;

/* Returns the list in the library's form, which points into the list, so the list must outlive it. */
tilecut_network_arcs arcs_network(const arc_list *list);
