/* SPDX-License-Identifier: MIT
 *
 * edge_sort.h - sorts the edges of a bipartite graph by one of their ends, with several threads. Edges of one node keep
 * their order, so the result is the same as with one thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct tc_edge_sort {
    int64_t edges;
    const int32_t *key;   /* [edges] the end by which they are sorted, 0 .. keys - 1 */
    const int32_t *other; /* [edges] their other ends; NULL: edges are in the order of these, see `begin` */
    const int32_t *begin; /* [others + 1] used if other is NULL: the first edge whose other end is v */
    int32_t keys, others;
    int32_t *first;       /* [keys + 1] out: where the edges of each key begin                          */
    int32_t *sorted;      /* [edges] out: their other ends                                              */
} tc_edge_sort;

/* Returns false if there is no memory. Uses 8 bytes per edge while it runs. */
bool tc_sort_edges(const tc_edge_sort *sort, int threads);

/* Returns the last node whose edges begin at or before edge e. begin: [nodes + 1]. */
int32_t tc_owner_of_edge(const int32_t *begin, int32_t nodes, int64_t e);
