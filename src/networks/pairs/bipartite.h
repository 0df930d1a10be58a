/* SPDX-License-Identifier: MIT
 *
 * bipartite.h - the edges of a bipartite graph, sorted by rows and by columns. The caller's arrays are checked once.
 */
#pragma once

#include <stdbool.h>

#include "params.h"
#include "tilecut_network.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tc_bipartite {
    int32_t rows, columns;
    int32_t *first;   /* [rows + 1]                                                       */
    int32_t *column;  /* [edges] in the caller's order within a row                       */
    int64_t *cost;    /* [edges], NULL: none                                              */
    int32_t *edge_first, *edge_row; /* the edges by columns: [columns + 1], [edges]; NULL: not requested */
    bool turned;      /* true: rows and columns are exchanged: the caller's rows are columns here */
    bool borrowed;    /* true: the caller owns first and column                            */
    bool full;        /* true: every row has an edge to every column, in order            */
} tc_bipartite;

/* Checks all arrays. Errors: EINVAL. */
tilecut_status tc_edges_check(const tilecut_network_edges *edges, bool costs, int threads);

/* Uses the caller's arrays in place, without costs and edges by columns; the graph must not be changed. Returns false
 * if the caller does not give rows by `first`. `edges` must have been checked. */
bool tc_bipartite_borrow(tc_bipartite *graph, const tilecut_network_edges *edges);

/* `edges` must be a complete struct; it is checked. Errors: EINVAL, ENOMEM. */
tilecut_status tc_bipartite_init(tc_bipartite *graph, const tilecut_network_edges *edges, bool costs, bool columns,
                                 int threads);
void tc_bipartite_free(tc_bipartite *graph);

/* Both matchings are arrays [rows] and [columns] of partners, -1: none. */
typedef struct tc_matching {
    int32_t *column_of, *row_of;
    int64_t pairs;
} tc_matching;

tilecut_status tc_matching_init(tc_matching *matching, const tc_bipartite *graph);
void tc_matching_free(tc_matching *matching);

/* Finds a good matching fast: a node with a single edge left is matched over it (Karp & Sipser 1981). Errors:
 * ENOMEM. */
tilecut_status tc_match_first(const tc_bipartite *graph, tc_matching *matching);

/* Enlarges the matching to the largest, by depth-first searches with a look-ahead that go through a row's edges
 * forwards in one phase and backwards in the next (Pothen & Fan 1990; Duff, Kaya & Ucar 2011). Errors: ENOMEM,
 * ECANCELLED. */
tilecut_status tc_match_all(const tc_bipartite *graph, tc_matching *matching, int threads, const tilecut_flag *cancel);

/* Enlarges the matching to the largest, by breadth-first trees that are kept from phase to phase (Azad, Buluc & Pothen
 * 2015). Errors: ENOMEM, ECANCELLED. */
tilecut_status tc_match_graft(const tc_bipartite *graph, tc_matching *matching, int threads,
                              const tilecut_flag *cancel);

/* Enlarges the matching to the largest, as a maximum flow of unit capacities, on the CPU or on a device. Errors: EINVAL
 * if there are too many edges; ENOMEM, ECANCELLED, and errors of the device. */
tilecut_status tc_match_flow(const tc_bipartite *graph, tc_matching *matching, int threads, const tilecut_flag *cancel);
tilecut_status tc_match_flow_cuda(const tc_bipartite *graph, tc_matching *matching, int threads,
                                  const tilecut_flag *cancel);

/* Does the same as tc_match_graft(), on a device. */
tilecut_status tc_match_graft_cuda(const tc_bipartite *graph, tc_matching *matching, int threads,
                                   const tilecut_flag *cancel);

/* Finds the smallest cover: rows that no alternating path from a free row reaches, and columns that one reaches. cover:
 * [rows + columns]. Proves the matching from the caller's edges. Errors: ENOMEM, EUNPROVEN. */
tilecut_status tc_match_prove(const tc_bipartite *graph, const tc_matching *matching,
                              const tilecut_network_edges *edges, uint8_t *cover, int threads);

/* Finds the cheapest assignment of all rows by shortest paths; price: [rows + columns]. Sets *held to true. Errors:
 * EINVAL if there is no assignment; ENOMEM, ECANCELLED. */
tilecut_status tc_assign(tc_bipartite *graph, tc_matching *matching, int64_t *price, int64_t *first_pairs, int threads,
                         const tilecut_flag *cancel, bool *held);

/* Finds the cheapest assignment by cost scaling. Edges of a row may change places. *held is false, and nothing is
 * matched, in three cases: the number of columns differs from that of rows, there is no assignment, or prices might not
 * fit into 64 bits. Needs the edges by columns, unless the graph is full. Errors: ENOMEM, ECANCELLED. */
tilecut_status tc_assign_scaling(tc_bipartite *graph, tc_matching *matching, int64_t *price, int64_t *first_pairs,
                                 int threads, const tilecut_flag *cancel, bool *held);

/* Does the same as tc_assign_scaling(), on a device. May also return errors of the device. */
tilecut_status tc_assign_scaling_cuda(tc_bipartite *graph, tc_matching *matching, int64_t *price, int64_t *first_pairs,
                                      int threads, const tilecut_flag *cancel, bool *held);

/* Finds whether cost scaling can solve this graph. *span is 1 + the largest difference between costs, or 0 if it
 * cannot. Nothing is matched afterwards. Errors: ENOMEM, ECANCELLED. */
tilecut_status tc_scaling_applies(const tc_bipartite *graph, tc_matching *matching, int threads,
                                  const tilecut_flag *cancel, int64_t *span);

/* Removes all pairs. */
void tc_matching_clear(tc_matching *matching, const tc_bipartite *graph);

/* Proves the assignment from the caller's edges, and returns its cost. Errors: ENOMEM, EUNPROVEN. */
tilecut_status tc_assign_prove(const tc_matching *matching, const tilecut_network_edges *edges, const int64_t *price,
                               int threads, int64_t *cost);

/* Returns the row of edge e in a walk over consecutive edges of the caller. At the start *row must be 0 for a walk that
 * begins at the first edge, or the row of the edge at which it begins. */
static inline int32_t tc_edge_row(const tilecut_network_edges *edges, int64_t e, int32_t *row)
{
    if (edges->row) return edges->row[e];
    if (!edges->first) return (int32_t)(e / edges->columns);
    while (edges->first[*row + 1] <= e) ++*row;
    return *row;
}

/* Returns the row to start from in a walk with tc_edge_row() that begins at edge e: the last row that begins at e or
 * before. Matters only if rows are given by `first`. */
static inline int32_t tc_edge_walk(const tilecut_network_edges *edges, int64_t e)
{
    int64_t low = 0, high = edges->rows - 1;
    while (edges->first && low < high) {
        const int64_t middle = (low + high + 1) / 2;
        if (edges->first[middle] <= e) low = middle;
        else high = middle - 1;
    }
    return (int32_t)low;
}

static inline int32_t tc_edge_column(const tilecut_network_edges *edges, int64_t e)
{
    return edges->column ? edges->column[e] : (int32_t)(e % edges->columns);
}

/* Lowers *least to `value` if that is smaller; several threads may do so at once. */
static inline void tc_note_least(int64_t *least, int64_t value)
{
    int64_t before = __atomic_load_n(least, __ATOMIC_RELAXED);
    while (value < before &&
           !__atomic_compare_exchange_n(least, &before, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

#ifdef __cplusplus
}
#endif
