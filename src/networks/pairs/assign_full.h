/* SPDX-License-Identifier: MIT
 *
 * assign_full.h - shortest paths for an assignment where every row has an edge to every column (assign.c): the same
 * steps as for other graphs, but in loops over whole rows of costs, without branches.
 */
#pragma once

#include "bipartite.h"
#include "alloc_list.h"

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

/* Whether it is worth looking at lists of near columns. */
typedef struct tc_near_trust {
    int32_t rest, pause; /* how many times to skip the lists from now on, and how many were skipped last */
} tc_near_trust;

/* The cheapest columns of each row (assign_near.c). */
typedef struct tc_assign_near {
    bool on;
    struct tc_near_column *column; /* [rows][length of a list] near columns, in order                      */
    int32_t *count;                /* [rows] how many columns a row lists; below 0: none listed yet        */
    int64_t *beyond;               /* [rows] all columns not listed cost this or more, less prices         */
    int32_t *own_row;              /* [columns] a row that had the column; own: what it costs that row     */
    int64_t *own;
    int64_t *distance;             /* [columns] INT64_MIN: listed; INT64_MAX: not reached                  */
    int32_t *through;              /* [columns] reached through this row, counted as searched              */
    struct tc_near_entry *heap;    /* [columns] columns reached that have a row                            */
    int32_t *place;                /* [columns] place in the heap                                          */
    int32_t *touched;              /* [columns] columns reached                                            */
    int32_t heaped, touches, row, free; /* row: where the search began; free: the nearest free column    */
    int64_t found, covered;        /* distance of `free`; the distance from which on columns may be missing */
    tc_near_trust bids, paths;
    tc_alloc_list held;
} tc_assign_near;

typedef struct tc_assign_full {
    const tc_bipartite *graph;
    const tc_matching *matching;
    int64_t *v;        /* [columns] prices                                                    */
    int32_t *from;     /* [columns] the row before a column on its path                       */
    int64_t *distance; /* [columns] from the row where the search began; of columns not listed yet */
    int64_t *price;    /* [columns] prices in the search; a listed column has one too high to be reached */
    int32_t *listed;   /* [columns] columns whose distance is final, nearest first            */
    int64_t *reached;  /* [columns] the final distances of `listed`                           */
    int64_t *base;     /* [columns + 1] distances of the rows searched, without their prices  */
    int64_t *least;    /* [blocks] least distance, or price, in a block of columns            */
    int32_t count;     /* listed columns */
    tc_assign_near near;
    tc_alloc_list held;
} tc_assign_full;

/* What each column costs a row. */
static inline const int64_t *tc_assign_costs(const tc_assign_full *f, int32_t row)
{
    return f->graph->cost + f->graph->first[row];
}

/* The caller provides `v` and `from` [columns]. ENOMEM (false). Free it in either case. */
bool tc_assign_full_init(tc_assign_full *full, const tc_bipartite *graph, const tc_matching *matching, int64_t *v,
                         int32_t *from);
void tc_assign_full_free(tc_assign_full *full);

/* Sets v to the cost of the cheapest row of each column, and `from` to the first such row. By threads. */
void tc_assign_full_lower(tc_assign_full *full, int threads);

/* Lists the nearest columns of each row at the current prices, if there are several threads. */
void tc_assign_near_list(tc_assign_full *full, int threads);

tc_offers tc_assign_full_look(tc_assign_full *full, int32_t row);

/* The free column nearest to an open row. Sets `from` along the path to it, and makes the path's edges the cheapest of
 * their rows by changing prices. */
int32_t tc_assign_full_nearest(tc_assign_full *full, int32_t row);

/* Like tc_assign_full_look() and tc_assign_full_nearest(), but from the lists of rows alone. assign_full.c tries
 * these first. False: the lists are not enough. */
bool tc_assign_near_init(tc_assign_full *full);
bool tc_assign_near_look(tc_assign_full *full, int32_t row, tc_offers *offers);
bool tc_assign_near_nearest(tc_assign_full *full, int32_t row, int32_t *column);
