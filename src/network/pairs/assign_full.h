/* SPDX-License-Identifier: MIT
 *
 * assign_full.h - shortest paths for an assignment where every row has an edge to every column (assign.c): the same
 * steps as for other graphs, but in loops over whole rows of costs, without branches.
 */
#ifndef TC_ASSIGN_FULL_H
#define TC_ASSIGN_FULL_H

#include "bipartite.h"
#include "owned.h"

/* The two best columns of a row, by cost less the column's price. */
typedef struct tc_offers {
    int64_t best, second;
    int32_t column, other; /* -1: there is none */
} tc_offers;

static inline void tc_offer(tc_offers *o, int32_t column, int64_t price)
{
    if (o->column < 0 || price < o->best) {
        o->second = o->best;
        o->other = o->column;
        o->best = price;
        o->column = column;
    } else if (o->other < 0 || price < o->second) {
        o->second = price;
        o->other = column;
    }
}

typedef struct tc_assign_full {
    const tc_bipartite *graph;
    const tc_matching *matching;
    int64_t *v;        /* [columns] prices                                                    */
    int32_t *from;     /* [columns] of columns on a path, the row before it                   */
    int64_t *distance; /* [columns] from the row whose search runs, of columns not listed yet */
    int64_t *price;    /* [columns] theirs; that of listed ones puts them out of reach        */
    int32_t *listed;   /* [columns] those whose distance is final, nearest first              */
    int64_t *reached;  /* [columns] and what it is                                            */
    int64_t *base;     /* [columns + 1] distances of the rows searched, without their prices  */
    int64_t *least;    /* [blocks] of the distances, or prices, of a block of columns         */
    int32_t count;     /* listed columns */
    tc_owned held;
} tc_assign_full;

/* `v` and `from` [columns] are the caller's. ENOMEM (false). Free with tc_owned_free(&full->held). */
bool tc_assign_full_init(tc_assign_full *full, const tc_bipartite *graph, const tc_matching *matching, int64_t *v,
                         int32_t *from);

/* Sets v to the cost of the cheapest row of each column, and `from` to the first such row. By threads. */
void tc_assign_full_lower(tc_assign_full *full, int threads);

tc_offers tc_assign_full_look(tc_assign_full *full, int32_t row);

/* The free column nearest to an open row. Sets `from` along the path to it, and makes the path's edges the cheapest of
 * their rows by changing prices. */
int32_t tc_assign_full_nearest(tc_assign_full *full, int32_t row);

#endif
