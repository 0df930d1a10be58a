/* SPDX-License-Identifier: MIT
 *
 * scaling_rows.h - cost scaling: the edges that each row remembers. Costs are multiplied by rows + 1.
 *
 * Prices v of columns never rise, so the cost of an edge at these prices never falls. Each row remembers its cheapest
 * edges, and a lower bound for the cost of the others. While two of the remembered edges cost less than that bound, the
 * others need not be read. All threads may lower prices meanwhile; the data of a row are used by one thread at a time.
 */
#pragma once

#include "bipartite.h"
#include "alloc_list.h"

enum { TC_REMEMBERED = 8 };

typedef struct tc_scaling {
    tc_bipartite *graph;  /* solvers change the order of edges in a row */
    tc_matching *matching;
    int64_t *v;           /* [columns] prices, as costs times `scale`; atomic                  */
    int64_t *beyond;      /* [rows] a lower bound for the cost of the edges that the row does not remember */
    int64_t *own;         /* [rows] the cost of the edge to the row's column, times `scale`    */
    int32_t *memory;      /* [rows][TC_REMEMBERED] edges                                       */
    int32_t *remembers;   /* [rows] number of remembered edges                                 */
    int32_t *kept;        /* [rows] number of edges that are not put aside; these come first   */
    int32_t *open;        /* [rows] a stack of rows without a column                           */
    int32_t *next;        /* [rows] the next row in the stack of a thread                      */
    int32_t *left;        /* [rows] rows that threads leave open                               */
    int32_t opens;        /* number of open rows; atomic while threads run, like the next fields */
    int32_t taken, unmatched;
    bool failed;
    int64_t scale, eps;
    int threads;
    const tilecut_flag *cancel;
    tc_alloc_list held;
} tc_scaling;

/* The cost of a row's cheapest edge, and a lower bound for all others; INT64_MAX if there is none. */
typedef struct tc_scaling_offers {
    int64_t best, second;
    int32_t edge;
    int64_t price; /* price of the column to which the edge leads, as it was read */
} tc_scaling_offers;

tc_scaling_offers tc_scaling_look(tc_scaling *s, int32_t row);

/* Finds the cheapest edges of a row, in order. Call it again after its edges have moved or come back. */
void tc_scaling_remember(tc_scaling *s, int32_t row);

static inline int64_t tc_scaling_price(const tc_scaling *s, int32_t column)
{
    return __atomic_load_n(&s->v[column], __ATOMIC_RELAXED);
}

static inline int64_t tc_scaling_cost(const tc_scaling *s, int32_t e)
{
    return s->graph->cost[e] * s->scale - tc_scaling_price(s, s->graph->column[e]);
}
