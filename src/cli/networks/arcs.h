/* SPDX-License-Identifier: MIT
 *
 * arcs.h - lists of arcs in memory, as readers and generators of networks fill them: a network of flow, or the edges of
 * a bipartite graph, with costs or without.
 */
#ifndef CLI_ARCS_H
#define CLI_ARCS_H

#include <stdbool.h>
#include <stdint.h>

#include "tilecut_network.h"

/* Zero-initialise, set most_bytes; arcs_clear() when done. */
typedef struct arc_list {
    int64_t nodes, arcs;
    int32_t *tail, *head;     /* owned: [arcs]                                                  */
    int64_t *value;           /* owned: [arcs] capacities or costs; NULL: none, all 1           */
    int32_t *sources, *sinks; /* owned: terminals                                               */
    int64_t source_count, sink_count;
    int64_t room;             /* arcs that fit the memory taken                                 */
    uint64_t most_bytes;      /* that these and a solver may take; 0: no limit                  */
    bool too_large;           /* why arcs_put() failed: most_bytes, or the library's most arcs  */
} arc_list;

/* Bytes an arc and a node that reading and solving take together, for limits before memory is taken. */
enum { ARC_BYTES = 16 + 36 + 8, NODE_BYTES = 48 };

/* Whether so many fit. */
bool arcs_fit(const arc_list *list, int64_t nodes, int64_t arcs);

/* Takes memory for so many arcs at once, with values or without. False: too_large, or there is none. */
bool arcs_reserve(arc_list *list, int64_t arcs, bool values);

/* Appends an arc; where there are values, of 1 for those before. False: as above. */
bool arcs_put(arc_list *list, int64_t tail, int64_t head, int64_t value);

bool arcs_put_source(arc_list *list, int64_t node);
bool arcs_put_sink(arc_list *list, int64_t node);
void arcs_clear(arc_list *list);

/* Where a generator sends its arcs. put() returns false to stop. */
typedef struct arc_sink {
    bool (*put)(void *into, int64_t tail, int64_t head, int64_t value);
    void *into;
} arc_sink;

/* As the library wants it; into the list, which must outlive it. */
tilecut_network_arcs arcs_network(const arc_list *list);

#endif
