/* SPDX-License-Identifier: MIT
 *
 * match_side.h - access to a bipartite graph from either side, for a search that starts at rows and for one that starts
 * at columns.
 */
#pragma once

#include "bipartite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `nodes` is the number of nodes on the side that searches, rows or columns, and `others` that on the other side. */
typedef struct tc_side {
    int32_t nodes, others;
    const int32_t *first, *other;             /* edges of a node: other[first[v] .. first[v + 1] - 1]  */
    const int32_t *other_first, *other_node;  /* edges of a node of the other side */
    int32_t *partner;                         /* [nodes]                                               */
    int32_t *partner_of_other;                /* [others], atomic while threads search                 */
} tc_side;

/* Returns the side with fewer free nodes that have edges. */
tc_side tc_match_side(const tc_bipartite *graph, tc_matching *matching);

/* True if a few nodes have far more edges than the others. Also needs the edges by columns. */
bool tc_match_has_hubs(const tc_bipartite *graph);

/* Returns how many of `threads` threads have enough to do in a graph with as many edges as `side`. */
int tc_match_useful(const tc_side *side, int threads);

#ifdef __cplusplus
}
#endif
