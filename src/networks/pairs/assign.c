/* SPDX-License-Identifier: MIT
 *
 * assign.c - the cheapest assignment by shortest augmenting paths (Jonker & Volgenant, Computing 38, 1987). A column's
 * price v is subtracted from the costs of its edges; the least cost that a row then has is its own price u. In a square
 * problem, first the price of each column is set to the cost of its cheapest row. Then rows bid twice for their best
 * column; the bid is the amount by which it is better than the second best. For each row that is still open, a shortest
 * path of reduced costs to a free column is found, and prices are updated along it.
 *
 * If there are more columns than rows, v is never above 0, and it is 0 for columns without a row. So columns that
 * stay free cost nothing.
 */
#include <stdlib.h>

#include "assign_full.h"
#include "bipartite.h"
#include "alloc_list.h"
#include "parallel.h"
#include "status.h"

typedef struct bidding {
    const tc_bipartite *graph;
    tc_matching *matching;
    int64_t *v;         /* [columns]                                                  */
    int64_t *distance;  /* [columns] distance from the row at which the search began  */
    int32_t *from;      /* [columns] the row before the column on its path            */
    int32_t *place;     /* [columns] place in the heap, or below 0; also used as a list of columns */
    int32_t *heap;      /* [columns]                                                  */
    int32_t *done;      /* [columns] columns whose distance is final, in order        */
    int32_t heaped, finished;
    int32_t *open;      /* [rows] rows without a column                               */
    int32_t opens;
    tc_assign_full full;
    tc_alloc_list held;
} bidding;

static void pair(bidding *b, int32_t row, int32_t column)
{
    b->matching->column_of[row] = column;
    b->matching->row_of[column] = row;
}

/* ---- first steps ------------------------------------------------------------------------------ */

/* For square problems: sets each column's price to the cost of its cheapest row, and matches column and row if the row
 * is open. */
static void lower_columns(bidding *b, int threads)
{
    const tc_bipartite *g = b->graph;
    if (g->full) tc_assign_full_lower(&b->full, threads);
    for (int32_t r = 0; r < g->rows && !g->full; r++)
        for (int32_t e = g->first[r]; e < g->first[r + 1]; e++) {
            const int32_t column = g->column[e];
            if (b->from[column] >= 0 && g->cost[e] >= b->v[column]) continue;
            b->v[column] = g->cost[e];
            b->from[column] = r;
        }
    for (int32_t c = g->columns - 1; c >= 0; c--)
        if (b->from[c] >= 0 && b->matching->column_of[b->from[c]] < 0) pair(b, b->from[c], c);
}

static tc_offers look_at_row(bidding *b, int32_t row)
{
    const tc_bipartite *g = b->graph;
    tc_offers o = {0, 0, -1, -1};
    if (g->full) return tc_assign_full_look(&b->full, row);
    for (int32_t e = g->first[row]; e < g->first[row + 1]; e++) {
        const int32_t column = g->column[e];
        const int64_t price = g->cost[e] - b->v[column];
        if (column != o.column) tc_offer(&o, column, price);
        else if (price < o.best) o.best = price;
    }
    return o;
}

/* Lets every open row bid once. A row that is outbid bids again at once if its bid lowered a price, otherwise in the
 * next round. Rows that keep outbidding each other by small amounts are left to the search for paths. */
static void bid(bidding *b)
{
    enum { BIDS_A_ROW = 8 };
    int32_t at = 0, left = 0;
    const int32_t rows = b->opens;
    int64_t bids = 0;
    while (at < rows) {
        const int32_t row = b->open[at++];
        const tc_offers o = look_at_row(b, row);
        if (o.other < 0) { /* rows with one column or none are left to the search for paths */
            b->open[left++] = row;
            continue;
        }
        const bool lowers = o.best < o.second;
        int32_t column = o.column;
        if (lowers) b->v[column] -= o.second - o.best;
        else if (b->matching->row_of[column] >= 0) column = o.other;
        const int32_t outbid = b->matching->row_of[column];
        pair(b, row, column);
        if (outbid < 0) continue;
        b->matching->column_of[outbid] = -1;
        if (lowers && bids++ < BIDS_A_ROW * (int64_t)b->graph->rows) b->open[--at] = outbid;
        else b->open[left++] = outbid;
    }
    b->opens = left;
}

/* ---- shortest paths --------------------------------------------------------------------------- */

static void put_up(bidding *b, int32_t at)
{
    const int32_t column = b->heap[at];
    while (at && b->distance[b->heap[(at - 1) / 2]] > b->distance[column]) {
        b->heap[at] = b->heap[(at - 1) / 2];
        b->place[b->heap[at]] = at;
        at = (at - 1) / 2;
    }
    b->heap[at] = column;
    b->place[column] = at;
}

static int32_t take_least(bidding *b)
{
    const int32_t least = b->heap[0], last = b->heap[--b->heaped];
    int32_t at = 0;
    for (int32_t child; (child = 2 * at + 1) < b->heaped; at = child) {
        if (child + 1 < b->heaped && b->distance[b->heap[child + 1]] < b->distance[b->heap[child]]) child++;
        if (b->distance[b->heap[child]] >= b->distance[last]) break;
        b->heap[at] = b->heap[child];
        b->place[b->heap[at]] = at;
    }
    b->heap[at] = last;
    b->place[last] = at;
    return least;
}

enum { UNSEEN = -1, FINAL = -2 };

/* Continues the search over the edges of `row`. `base` is the distance of the row, without its own price. */
static void relax(bidding *b, int32_t row, int64_t base)
{
    const tc_bipartite *g = b->graph;
    for (int32_t e = g->first[row]; e < g->first[row + 1]; e++) {
        const int32_t column = g->column[e];
        const int64_t distance = base + g->cost[e] - b->v[column];
        if (b->place[column] == FINAL || (b->place[column] >= 0 && distance >= b->distance[column])) continue;
        if (b->place[column] == UNSEEN) {
            b->place[column] = b->heaped;
            b->heap[b->heaped++] = column;
        }
        b->distance[column] = distance;
        b->from[column] = row;
        put_up(b, b->place[column]);
    }
}

/* The price of a row: the cost of its cheapest edge to its column, less the column's price. */
static int64_t price_of(const bidding *b, int32_t row)
{
    const tc_bipartite *g = b->graph;
    const int32_t column = b->matching->column_of[row];
    int64_t least = INT64_MAX;
    if (g->full) return g->cost[g->first[row] + column] - b->v[column];
    for (int32_t e = g->first[row]; e < g->first[row + 1]; e++)
        if (g->column[e] == column && g->cost[e] < least) least = g->cost[e];
    return least - b->v[column];
}

/* Returns the free column nearest to `row`; -1 if none can be reached. */
static int32_t nearest_sparse(bidding *b, int32_t row)
{
    b->heaped = b->finished = 0;
    relax(b, row, 0);
    while (b->heaped) {
        const int32_t column = take_least(b);
        b->place[column] = FINAL;
        const int32_t next = b->matching->row_of[column];
        if (next < 0) return column;
        b->done[b->finished++] = column;
        relax(b, next, b->distance[column] - price_of(b, next));
    }
    return -1;
}

/* Turns the path: every row on it is matched with its next column. */
static void turn(bidding *b, int32_t row, int32_t column)
{
    for (;;) {
        const int32_t taker = b->from[column], before = b->matching->column_of[taker];
        pair(b, taker, column);
        if (taker == row) return;
        column = before;
    }
}

/* Does the same as tc_assign_full_nearest() for graphs that are not full. Returns -1 if no free column can be
 * reached. */
static int32_t nearest(bidding *b, int32_t row)
{
    const int32_t column = nearest_sparse(b, row);
    const int64_t reached = column < 0 ? 0 : b->distance[column];
    for (int32_t k = 0; k < b->finished && column >= 0; k++) b->v[b->done[k]] += b->distance[b->done[k]] - reached;
    for (int32_t k = 0; k < b->finished; k++) b->place[b->done[k]] = UNSEEN;
    for (int32_t k = 0; k < b->heaped; k++) b->place[b->heap[k]] = UNSEEN;
    if (column >= 0) b->place[column] = UNSEEN;
    return column;
}

static bool augment(bidding *b, int32_t row)
{
    const int32_t column = b->graph->full ? tc_assign_full_nearest(&b->full, row) : nearest(b, row);
    if (column >= 0) turn(b, row, column);
    return column >= 0;
}

/* ---- all -------------------------------------------------------------------------------------- */

static bool bidding_alloc(bidding *b)
{
    const size_t rows = (size_t)b->graph->rows, columns = (size_t)b->graph->columns;
    b->distance = tc_own(&b->held, malloc(columns * sizeof *b->distance));
    b->from = tc_own(&b->held, malloc(columns * sizeof *b->from));
    b->place = tc_own(&b->held, malloc(columns * sizeof *b->place));
    b->heap = tc_own(&b->held, malloc(columns * sizeof *b->heap));
    b->done = tc_own(&b->held, malloc(columns * sizeof *b->done));
    b->open = tc_own(&b->held, malloc(rows * sizeof *b->open));
    if (b->held.lacks) return false;
    return !b->graph->full || tc_assign_full_init(&b->full, b->graph, b->matching, b->v, b->from);
}

static void first_steps(bidding *b, int threads)
{
    const tc_bipartite *g = b->graph;
    for (int32_t c = 0; c < g->columns; c++) {
        b->v[c] = 0;
        b->from[c] = -1;
        b->place[c] = UNSEEN;
    }
    if (g->rows == g->columns) lower_columns(b, threads);
    if (g->full) tc_assign_near_list(&b->full, threads);
    b->opens = 0;
    for (int32_t r = 0; r < g->rows; r++)
        if (b->matching->column_of[r] < 0) b->open[b->opens++] = r;
    for (int round = 0; round < 2; round++) bid(b);
}

/* Computes prices of rows from the costs of their edges to their columns. */
static void price_rows(bidding *b, int64_t *price)
{
    for (int32_t r = 0; r < b->graph->rows; r++) price[r] = price_of(b, r);
}

tilecut_status tc_assign(tc_bipartite *graph, tc_matching *matching, int64_t *price, int64_t *first_pairs, int threads,
                         const tilecut_flag *cancel, bool *held)
{
    tilecut_status status = TILECUT_OK;
    bidding b = {.graph = graph, .matching = matching, .v = price + graph->rows};
    *held = true;
    if (!bidding_alloc(&b)) status = tc_fail(TILECUT_ENOMEM, "no memory for %d columns", (int)graph->columns);
    if (status == TILECUT_OK) {
        first_steps(&b, threads);
        *first_pairs = graph->rows - b.opens;
        if (tc_flag_raised(cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled after the bids");
    }
    for (int32_t i = 0; status == TILECUT_OK && i < b.opens; i++) {
        if (tc_flag_raised(cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled between two rows");
        else if (!augment(&b, b.open[i]))
            status = tc_fail(TILECUT_EINVAL, "there is no assignment: some %s, %s %d one of them, have fewer %s "
                             "between them than they are", graph->turned ? "columns" : "rows",
                             graph->turned ? "column" : "row", (int)b.open[i], graph->turned ? "rows" : "columns");
    }
    if (status == TILECUT_OK) price_rows(&b, price);
    matching->pairs = graph->rows;
    tc_assign_full_free(&b.full);
    tc_alloc_list_free(&b.held);
    return status;
}

/* ---- the proof -------------------------------------------------------------------------------- */

typedef struct proof {
    const tc_matching *matching;
    const tilecut_network_edges *edges;
    const int64_t *price;
    uint8_t *seen;  /* [rows] 1 if the row has a tight edge to its column; atomic */
    int64_t tight;  /* number of rows with a tight edge; atomic      */
    bool unsound;   /* atomic                                        */
} proof;

enum { STRETCH = 1 << 16 }; /* edges per iteration */

/* Checks that no edge costs less than the sum of its two prices. Counts the rows whose edge to their column costs
 * exactly this sum. */
static void prove_stretch(void *context, int turn)
{
    proof *const p = context;
    const tilecut_network_edges *const arrays = p->edges;
    const int64_t begin = (int64_t)turn * STRETCH, rest = arrays->edges - begin;
    int64_t tight = 0;
    int32_t at = tc_edge_walk(arrays, begin);
    for (int64_t e = begin; e < begin + (rest < STRETCH ? rest : STRETCH); e++) {
        const int32_t row = tc_edge_row(arrays, e, &at), column = tc_edge_column(arrays, e);
        const int64_t reduced = arrays->cost[e] - p->price[row] - p->price[arrays->rows + column];
        if (reduced < 0) __atomic_store_n(&p->unsound, true, __ATOMIC_RELAXED);
        if (reduced || p->matching->column_of[row] != column || p->matching->row_of[column] != row) continue;
        tight += !__atomic_exchange_n(&p->seen[row], 1, __ATOMIC_RELAXED);
    }
    __atomic_fetch_add(&p->tight, tight, __ATOMIC_RELAXED);
}

tilecut_status tc_assign_prove(const tc_matching *matching, const tilecut_network_edges *arrays, const int64_t *price,
                               int threads, int64_t *cost)
{
    const int64_t *const v = price + arrays->rows;
    proof p = {.matching = matching, .edges = arrays, .price = price, .seen = calloc((size_t)arrays->rows, 1)};
    const bool held = p.seen != NULL;
    int64_t sum = 0;
    if (held) tc_parallel(threads, (int)(arrays->edges / STRETCH) + 1, prove_stretch, &p);
    bool sound = !p.unsound && p.tight == arrays->rows;
    for (int64_t r = 0; r < arrays->rows; r++) sum += price[r];
    for (int64_t c = 0; c < arrays->columns; c++) {
        sum += v[c];
        if (arrays->columns > arrays->rows && (v[c] > 0 || (v[c] && matching->row_of[c] < 0))) sound = false;
    }
    *cost = sum;
    free(p.seen);
    if (!held) return tc_fail(TILECUT_ENOMEM, "no memory for the certificate");
    return sound ? TILECUT_OK : tc_fail(TILECUT_EUNPROVEN, "costs and prices do not prove each other");
}
