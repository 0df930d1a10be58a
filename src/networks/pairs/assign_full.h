/* SPDX-License-Identifier: MIT
 *
 * assign_full.h - shortest paths for an assignment in which every row has an edge to every column (assign.c). It takes
 * the same steps as for other graphs, but in loops over whole rows of costs, without branches.
 */
#pragma once

#include "bipartite.h"
#include "alloc_list.h"

/* The two best columns of a row, by cost less the column's price. */
typedef struct tc_offers {
    int64_t best, second;
    int32_t column, other; /* -1: there is no such column */
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

/* Decides whether it is worth using the lists of near columns. */
typedef struct tc_near_trust {
    int32_t rest, pause; /* how many more times to skip the lists, and how many times they were skipped last */
} tc_near_trust;

/* The cheapest columns of each row (assign_near.c). */
typedef struct tc_assign_near {
    bool on;
    struct tc_near_column *column; /* [rows][length of a list] near columns, in order                      */
    int32_t *count;                /* [rows] how many columns a row lists; < 0: no list yet                */
    int64_t *beyond;               /* [rows] a lower bound for the cost, less the price, of all columns that are not
                                      listed */
    int32_t *own_row;              /* [columns] a row that had the column; own: the cost of the column to that row */
    int64_t *own;
    int64_t *distance;             /* [columns] INT64_MIN: listed; INT64_MAX: not reached                  */
    int32_t *through;              /* [columns] the row through which it was reached, by its number in the search */
    struct tc_near_entry *heap;    /* [columns] reached columns that belong to a row                       */
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
    int32_t *from;     /* [columns] the row before the column on its path                     */
    int64_t *distance; /* [columns] distance from the row at which the search began, for columns that are not listed
                          yet */
    int64_t *price;    /* [columns] prices for the search; those of listed columns are so high that the search does not
                          reach them again */
    int32_t *listed;   /* [columns] columns whose distance is final, nearest first            */
    int64_t *reached;  /* [columns] the final distances of `listed`                           */
    int64_t *base;     /* [columns + 1] distances of the rows searched, without their prices  */
    int64_t *least;    /* [blocks] least distance, or price, in each block of columns         */
    int32_t count;     /* number of listed columns */
    tc_assign_near near;
    tc_alloc_list held;
} tc_assign_full;

/* Returns the costs of all columns to a row. */
static inline const int64_t *tc_assign_costs(const tc_assign_full *f, int32_t row)
{
    return f->graph->cost + f->graph->first[row];
}

/* The caller provides `v` and `from` [columns]. Returns false if there is no memory. Free it in either case. */
bool tc_assign_full_init(tc_assign_full *full, const tc_bipartite *graph, const tc_matching *matching, int64_t *v,
                         int32_t *from);
void tc_assign_full_free(tc_assign_full *full);

/* Sets v to the cost of the cheapest row of each column, and `from` to the first such row. Uses several threads. */
void tc_assign_full_lower(tc_assign_full *full, int threads);

/* Lists the nearest columns of each row at the present prices, if there are several threads. */
void tc_assign_near_list(tc_assign_full *full, int threads);

tc_offers tc_assign_full_look(tc_assign_full *full, int32_t row);

/* Returns the free column nearest to an open row. Sets `from` along the path to it, and changes prices so that the
 * path's edges become the cheapest of their rows. */
int32_t tc_assign_full_nearest(tc_assign_full *full, int32_t row);

/* These do the same as tc_assign_full_look() and tc_assign_full_nearest(), but only with the lists of rows.
 * assign_full.c tries them first. They return false if the lists are not enough. */
bool tc_assign_near_init(tc_assign_full *full);
bool tc_assign_near_look(tc_assign_full *full, int32_t row, tc_offers *offers);
bool tc_assign_near_nearest(tc_assign_full *full, int32_t row, int32_t *column);
