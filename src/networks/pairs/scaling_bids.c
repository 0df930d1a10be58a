/* SPDX-License-Identifier: MIT
 *
 * scaling_bids.c - see scaling_bids.h. While many rows are open, threads bid at the same time, without locks, as on a
 * GPU (scaling_kernel.cuh). A thread takes an open row; if its bid takes a column from another row, the thread
 * continues with the row that lost it, until a row gets a free column. A price is lowered by an atomic minimum, so each
 * price was set by one row. That row takes the column by an atomic exchange and then reads the price again: if another
 * row has lowered it in the meantime, it gives the column up, and both rows are open. So a column belongs to the row
 * that set its price, or for a while to no row.
 *
 * The last few rows are left to one thread, which needs no atomic operations.
 */
#include "scaling_bids.h"

#include "parallel.h"

enum { PATIENCE = 1 << 12, ROWS_A_THREAD = 32 };

static int64_t bid_of(const tc_scaling *s, const tc_scaling_offers *o)
{
    return o->price - (o->second == INT64_MAX ? 0 : o->second - o->best) - s->eps;
}

static bool is_too_low(int64_t price)
{
    return price < -(INT64_C(1) << 61);
}

/* ---- one thread ------------------------------------------------------------------------------- */

/* Gives the row its cheapest column; the row that had it becomes open. Returns the column's price. */
static int64_t take_cheapest(tc_scaling *s, int32_t row)
{
    const tc_scaling_offers o = tc_scaling_look(s, row);
    const int32_t column = s->graph->column[o.edge], outbid = s->matching->row_of[column];
    s->v[column] = bid_of(s, &o);
    s->own[row] = s->graph->cost[o.edge] * s->scale;
    s->matching->column_of[row] = column;
    s->matching->row_of[column] = row;
    if (outbid < 0) return s->v[column];
    s->matching->column_of[outbid] = -1;
    s->open[s->opens++] = outbid;
    return s->v[column];
}

static void bid_alone(tc_scaling *s)
{
    for (int64_t turns = 1; s->opens && !s->failed; turns++) {
        const int32_t row = s->open[--s->opens];
        if (is_too_low(take_cheapest(s, row))) s->failed = true;
        if (turns % PATIENCE == 0 && tc_flag_raised(s->cancel)) return;
    }
}

/* ---- all threads ------------------------------------------------------------------------------ */

/* The rows that a thread holds, linked by s->next. */
typedef struct bidder {
    tc_scaling *s;
    int32_t top; /* -1: none */
} bidder;

static void hold(bidder *b, int32_t row)
{
    if (row < 0) return;
    b->s->next[row] = b->top;
    b->top = row;
}

/* Lets a row bid once. Afterwards the thread holds the row that is open. */
static void take_shared(bidder *b, int32_t row)
{
    tc_scaling *const s = b->s;
    const tc_scaling_offers o = tc_scaling_look(s, row);
    const int32_t column = s->graph->column[o.edge];
    const int64_t bid = bid_of(s, &o);
    int32_t *const holder = &s->matching->row_of[column], me = row;
    if (tc_scaling_lower(s, column, bid) <= bid) {
        hold(b, row);
        return;
    }
    s->own[row] = s->graph->cost[o.edge] * s->scale;
    s->matching->column_of[row] = column;
    const int32_t out = __atomic_exchange_n(holder, row, __ATOMIC_SEQ_CST);
    hold(b, out);
    if (out < 0) __atomic_fetch_sub(&s->unmatched, 1, __ATOMIC_RELAXED);
    if (is_too_low(bid)) __atomic_store_n(&s->failed, true, __ATOMIC_RELAXED);
    if (__atomic_load_n(&s->v[column], __ATOMIC_SEQ_CST) == bid) return;
    /* if another thread has taken the column from `row` in the meantime, that thread holds `row` */
    if (!__atomic_compare_exchange_n(holder, &me, -1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return;
    __atomic_fetch_add(&s->unmatched, 1, __ATOMIC_RELAXED);
    hold(b, row);
}

/* Returns the row with which a thread continues; -1 if there is none. */
static int32_t next_row(bidder *b, int32_t rows)
{
    tc_scaling *const s = b->s;
    const int32_t row = b->top;
    if (row >= 0) {
        b->top = s->next[row];
        return row;
    }
    if (__atomic_load_n(&s->taken, __ATOMIC_RELAXED) >= rows) return -1;
    const int32_t at = __atomic_fetch_add(&s->taken, 1, __ATOMIC_RELAXED);
    return at < rows ? s->open[at] : -1;
}

/* True if it is time to leave the rest to one thread. */
static bool is_enough(const tc_scaling *s, int32_t few, int64_t turns)
{
    if (__atomic_load_n(&s->unmatched, __ATOMIC_RELAXED) <= few) return true;
    return turns % PATIENCE == 0 && (__atomic_load_n(&s->failed, __ATOMIC_RELAXED) || tc_flag_raised(s->cancel));
}

static void bid_shared(void *context, tc_team *team, int worker)
{
    tc_scaling *const s = context;
    bidder b = {s, -1};
    const int32_t rows = s->opens, few = tc_team_size(team) / 4;
    int64_t turns = 1;
    tc_team_barrier(team); /* afterwards all have read `opens` */
    if (!worker) s->opens = 0;
    for (int32_t row; !is_enough(s, few, turns) && (row = next_row(&b, rows)) >= 0; turns++) take_shared(&b, row);
    tc_team_barrier(team);
    for (int32_t row; (row = next_row(&b, rows)) >= 0;)
        s->left[__atomic_fetch_add(&s->opens, 1, __ATOMIC_RELAXED)] = row;
}

bool tc_scaling_refine(tc_scaling *s)
{
    const int32_t most = s->opens / ROWS_A_THREAD;
    const int threads = s->threads < most ? s->threads : most;
    if (threads > 1) {
        s->taken = 0;
        s->unmatched = s->opens;
        tc_parallel_team(threads, bid_shared, s);
        int32_t *const before = s->open;
        s->open = s->left;
        s->left = before;
    }
    if (!s->failed) bid_alone(s);
    return !s->failed;
}
