/* SPDX-License-Identifier: MIT
 *
 * assign_full.c - see assign_full.h. A search visits columns in the order of their distance. All columns at the current
 * least distance are listed together, so the minimum is not searched again for each of them. A listed column gets a
 * price so high that it is never the minimum again, so the loop over a row need not test which columns are left.
 *
 * The row that led to a column is not stored in these loops, which would cost as much again. It is recomputed at the
 * end, for the few columns on the path.
 */
#include "assign_full.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "simd.h"

enum { BLOCK = 256 };                    /* number of columns in a block; the minimum of each block is stored */
#define OUT_OF_REACH (INT64_C(1) << 62)  /* a distance that is four times the largest real one */

bool tc_assign_full_init(tc_assign_full *full, const tc_bipartite *graph, const tc_matching *matching, int64_t *v,
                         int32_t *from)
{
    const size_t columns = (size_t)graph->columns, bytes = columns * sizeof(int64_t);
    *full = (tc_assign_full){.graph = graph, .matching = matching, .v = v, .from = from};
    full->distance = tc_own(&full->held, malloc(bytes));
    full->price = tc_own(&full->held, malloc(bytes));
    full->listed = tc_own(&full->held, malloc(columns * sizeof *full->listed));
    full->reached = tc_own(&full->held, malloc(bytes));
    full->base = tc_own(&full->held, malloc(bytes + sizeof *full->base));
    full->least = tc_own(&full->held, malloc((columns / BLOCK + 1) * sizeof *full->least));
    return !full->held.lacks && tc_assign_near_init(full);
}

void tc_assign_full_free(tc_assign_full *full)
{
    tc_alloc_list_free(&full->near.held);
    tc_alloc_list_free(&full->held);
}

static int32_t block_end(const tc_assign_full *f, int32_t begin)
{
    return f->graph->columns - begin < BLOCK ? f->graph->columns : begin + BLOCK;
}

/* ---- first steps ------------------------------------------------------------------------------ */

TC_VECTOR_LOOP static void lower(int64_t *restrict v, int32_t *restrict from, const int64_t *restrict cost, int32_t row,
                                 int32_t count)
{
    for (int32_t c = 0; c < count; c++) {
        const int32_t old = from[c];
        from[c] = cost[c] < v[c] ? row : old;
        v[c] = cost[c] < v[c] ? cost[c] : v[c];
    }
}

typedef struct strips {
    const tc_assign_full *f;
    int count;
} strips;

/* Lowers the prices of a strip of columns over all rows. */
static void lower_strip(void *context, int strip)
{
    const strips *const s = context;
    const int64_t columns = s->f->graph->columns;
    const int32_t begin = (int32_t)(columns * strip / s->count), end = (int32_t)(columns * (strip + 1) / s->count);
    for (int32_t c = begin; c < end; c++) {
        s->f->v[c] = tc_assign_costs(s->f, 0)[c];
        s->f->from[c] = 0;
    }
    for (int32_t r = 1; r < s->f->graph->rows; r++)
        lower(s->f->v + begin, s->f->from + begin, tc_assign_costs(s->f, r) + begin, r, end - begin);
}

void tc_assign_full_lower(tc_assign_full *f, int threads)
{
    const int most = f->graph->columns / BLOCK + 1;
    strips s = {f, threads < most ? threads : most};
    tc_parallel(s.count, s.count, lower_strip, &s);
}

TC_VECTOR_LOOP static int64_t least_price(const int64_t *restrict cost, const int64_t *restrict v, int32_t count)
{
    int64_t least = INT64_MAX;
    for (int32_t c = 0; c < count; c++) {
        const int64_t price = cost[c] - v[c];
        least = price < least ? price : least;
    }
    return least;
}

/* Finds the two best columns of a row. They are in blocks whose minimum is no more than the second smallest minimum of
 * all blocks. */
static tc_offers look(tc_assign_full *f, int32_t row)
{
    const int64_t *const cost = tc_assign_costs(f, row);
    const int32_t columns = f->graph->columns;
    tc_offers o = {0, 0, -1, -1}, blocks = o;
    for (int32_t c = 0; c < columns; c += BLOCK) {
        f->least[c / BLOCK] = least_price(cost + c, f->v + c, block_end(f, c) - c);
        tc_offer(&blocks, c, f->least[c / BLOCK]);
    }
    for (int32_t begin = 0; begin < columns; begin += BLOCK) {
        const int64_t least = f->least[begin / BLOCK];
        if ((blocks.other >= 0 && least > blocks.second) || (o.other >= 0 && least >= o.second)) continue;
        for (int32_t c = begin; c < block_end(f, begin); c++) tc_offer(&o, c, cost[c] - f->v[c]);
    }
    return o;
}

tc_offers tc_assign_full_look(tc_assign_full *f, int32_t row)
{
    tc_offers near;
    return tc_assign_near_look(f, row, &near) ? near : look(f, row);
}

/* ---- a search --------------------------------------------------------------------------------- */

/* Continues the search in a row. Returns the least distance of columns that are not listed, and stores the minimum of
 * each block. */
TC_VECTOR_LOOP static int64_t relax(int64_t *restrict distance, const int64_t *restrict cost,
                                    const int64_t *restrict price, int64_t base, int32_t columns,
                                    int64_t *restrict least)
{
    int64_t all = INT64_MAX;
    for (int32_t begin = 0; begin < columns; begin += BLOCK) {
        const int32_t end = columns - begin < BLOCK ? columns : begin + BLOCK;
        int64_t one = INT64_MAX;
        for (int32_t c = begin; c < end; c++) {
            const int64_t through = base + cost[c] - price[c], to = distance[c] < through ? distance[c] : through;
            distance[c] = to;
            one = to < one ? to : one;
        }
        least[begin / BLOCK] = one;
        all = one < all ? one : all;
    }
    return all;
}

/* Lists the columns at `distance`, up to the first free column. Returns this column, or -1. */
static int32_t list(tc_assign_full *f, int64_t distance)
{
    for (int32_t begin = 0; begin < f->graph->columns; begin += BLOCK) {
        if (f->least[begin / BLOCK] != distance) continue;
        for (int32_t c = begin; c < block_end(f, begin); c++) {
            if (f->distance[c] != distance) continue;
            if (f->matching->row_of[c] < 0) return c;
            f->listed[f->count] = c;
            f->reached[f->count++] = distance;
            f->distance[c] = INT64_MAX;
            f->price[c] = -OUT_OF_REACH;
        }
    }
    return -1;
}

/* Returns the k-th row that was searched: first the row at which the search began, then the rows of the listed
 * columns. */
static int32_t searched(const tc_assign_full *f, int32_t row, int32_t k)
{
    return k ? f->matching->row_of[f->listed[k - 1]] : row;
}

/* Finds the path back from a column, with the prices from before the search. */
static void trace(const tc_assign_full *f, int32_t row, int32_t column, int64_t distance)
{
    int32_t k = -1;
    while (k) {
        for (k = 0; f->base[k] + tc_assign_costs(f, searched(f, row, k))[column] - f->v[column] != distance; k++) {}
        f->from[column] = searched(f, row, k);
        if (!k) return;
        column = f->listed[k - 1];
        distance = f->reached[k - 1];
    }
}

static int32_t nearest(tc_assign_full *f, int32_t row)
{
    const int32_t columns = f->graph->columns;
    int64_t base = 0, least = INT64_MAX;
    int32_t found = -1;
    memcpy(f->price, f->v, (size_t)columns * sizeof *f->price);
    for (int32_t c = 0; c < columns; c++) f->distance[c] = INT64_MAX;
    f->count = 0;
    for (int32_t k = 0; found < 0; k++) {
        const int64_t *const cost = tc_assign_costs(f, searched(f, row, k));
        if (k) base = f->reached[k - 1] - (cost[f->listed[k - 1]] - f->v[f->listed[k - 1]]);
        f->base[k] = base;
        const int64_t next = relax(f->distance, cost, f->price, base, columns, f->least);
        if (next != least && k < f->count) continue; /* other columns at the last distance have not been searched */
        least = next;
        found = list(f, least);
    }
    trace(f, row, found, least);
    for (int32_t k = 0; k < f->count; k++) f->v[f->listed[k]] += f->reached[k] - least;
    return found;
}

int32_t tc_assign_full_nearest(tc_assign_full *f, int32_t row)
{
    int32_t near;
    return tc_assign_near_nearest(f, row, &near) ? near : nearest(f, row);
}
