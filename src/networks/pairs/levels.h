/* SPDX-License-Identifier: MIT
 *
 * levels.h - breadth-first search over rows of arcs and rows of their reverses, with all threads.
 */
#pragma once

#include "bipartite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How each level is found: from its own nodes down, from the nodes not yet reached up, or whichever is less work. A
 * device always goes down, and goes through all nodes or through a list of the nodes of the level. */
typedef enum tc_search_method {
    TC_SEARCH_BOTH,
    TC_SEARCH_DOWN,
    TC_SEARCH_UP,
    TC_SEARCH_ALL_CUDA,
    TC_SEARCH_LIST_CUDA
} tc_search_method;

typedef struct tc_search_report {
    int64_t reached, deepest, downs, ups; /* downs, ups: number of levels found in each direction */
} tc_search_report;

/* Writes to level [nodes] the distance from node `from` in arcs, -1 if a node is not reached. Rows and columns of
 * `graph` are the same nodes; edge_row is needed unless `method` is down. `method` must be one of the CPU's. Errors:
 * ENOMEM, ECANCELLED. */
tilecut_status tc_levels(const tc_bipartite *graph, int32_t from, tc_search_method method, int threads,
                         const tilecut_flag *cancel, int32_t *level, tc_search_report *report);

/* Proves from the caller's arcs that the levels are distances: no arc leads more than one level down, and each node but
 * the first is entered from the level above it. Errors: ENOMEM, EUNPROVEN. */
tilecut_status tc_levels_prove(const tilecut_network_edges *edges, int32_t from, const int32_t *level);

#ifdef __cplusplus
}
#endif
