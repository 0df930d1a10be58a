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

/* Zero-initialise, set most_bytes; arcs_clear() when done. */
typedef struct arc_list {
    int64_t nodes, arcs;
    int32_t *tail, *head;     /* owned: [arcs]                                                  */
    int64_t *value;           /* owned: [arcs] capacities or costs; NULL: none, all 1           */
    int32_t *sources, *sinks; /* owned: terminals                                               */
    int64_t source_count, sink_count;
    int64_t room;             /* arcs for which memory has been allocated                       */
    int decimals;             /* values are multiplied by 10^decimals, or by 2^-decimals: see scaled.h */
    uint64_t most_bytes;      /* limit for the list and a solver together; 0: no limit          */
    bool costs;               /* the list is for tilecut_network_assign(), which takes less memory */
    bool named;               /* the solver was named: it may take more than those auto takes   */
    bool too_large;           /* why arcs_put() failed: over most_bytes, or over the library's limit */
} arc_list;

/* Bytes per arc and per node that reading, building by threads and solving need together, to check limits before
 * memory is allocated; an arc takes NAMED_BYTES more in `rounds-rcsr` and `unit-flow`, which have to be named. What an
 * assignment takes, the program with it, is 5 to 25 % less than what is said here (tests/program/networks.sh). */
enum { ARC_BYTES = 16 + 36 + 24, NAMED_BYTES = 40, NODE_BYTES = 48 };
enum { COST_BYTES = 37, COST_NODE_BYTES = 36, COST_BASE_BYTES = 5 << 20 };

/* Whether that many fit. */
bool arcs_fit(const arc_list *list, int64_t nodes, int64_t arcs);

/* Allocates memory for that many arcs at once, with or without values. False: too_large, or no memory. */
bool arcs_reserve(arc_list *list, int64_t arcs, bool values);

/* Appends an arc. When the first value comes, earlier arcs get the value 1. False: as above. */
bool arcs_put(arc_list *list, int64_t tail, int64_t head, int64_t value);

/* The value in the list's scale; a finer one multiplies the values that are there. False: more than 63 bits. */
bool arcs_scale(arc_list *list, const file_number *value, int64_t *out);

bool arcs_put_source(arc_list *list, int64_t node);
bool arcs_put_sink(arc_list *list, int64_t node);
void arcs_clear(arc_list *list);

/* Receives a generator's arcs. put() returns false to stop. */
typedef struct arc_sink {
    bool (*put)(void *into, int64_t tail, int64_t head, int64_t value);
    void *into;
} arc_sink;

/* The list in the form that the library takes; it points into the list, which must outlive it. */
tilecut_network_arcs arcs_network(const arc_list *list);
