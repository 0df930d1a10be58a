/* SPDX-License-Identifier: MIT
 *
 * window_parts.c - see window_parts.h. Before each exchange the first part of the window announces the next call, so
 * that the parts that stand by make the same call.
 */
#include "window_parts.h"

#include <stdlib.h>

#include "status.h"

enum { DONE, SUM, SWAP };

/* Announces the next call, and its size, to all parts. */
static tilecut_status announce(tc_window_parts *w, int64_t what[2])
{
    const bool speaks = w->all->with->part == w->lowest;
    if (!w->alone) return tc_comm_check(w->all);
    if (!speaks) what[0] = what[1] = 0;
    return tc_comm_allreduce(w->all, what, 2);
}

static int sum_in_window(void *context, int64_t *values, size_t count)
{
    tc_window_parts *const w = context;
    int64_t what[2] = {SUM, (int64_t)count};
    return announce(w, what) != TILECUT_OK || tc_comm_allreduce(w->all, values, count) != TILECUT_OK;
}

/* The parts just above and below the window stand by; the data that they send have no meaning. */
static int swap_in_window(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t bytes)
{
    tc_window_parts *const w = context;
    int64_t what[2] = {SWAP, (int64_t)bytes};
    return announce(w, what) != TILECUT_OK ||
           tc_comm_exchange_halo(w->all, to_above, to_below, from_above, from_below, bytes) != TILECUT_OK;
}

static void leave_window(void *context)
{
    (void)context; /* the function that began the window leaves the exchange of all parts */
}

/* Finds the parts that have rows in the window: the first one, and their number. */
static tilecut_status find_parts(tc_window_parts *w, int *first, int *count)
{
    const size_t parts = (size_t)w->all->with->parts;
    int64_t *const taking_part = calloc(parts, sizeof *taking_part);
    const int64_t own = w->takes_part;
    tilecut_status status = TILECUT_OK;
    if (!taking_part) return tc_fail(TILECUT_ENOMEM, "no memory to compare %zu parts", parts);
    TRY(tc_comm_allgather(w->all, &own, 1, taking_part));
    *first = *count = 0;
    for (int i = (int)parts - 1; i >= 0; i--)
        if (taking_part[i]) *first = i, ++*count;
done:
    free(taking_part);
    return status;
}

tilecut_status tc_window_begin(tc_window_parts *w, tc_comm *all, int y, int height)
{
    const int own = all->above + all->first, end = own + all->rows;
    const int top = own > y ? own : y, bottom = end < y + height ? end : y + height;
    int count;
    *w = (tc_window_parts){.all = all, .takes_part = top < bottom};
    NEED(find_parts(w, &w->lowest, &count));
    w->alone = count < all->with->parts;
    if (!w->takes_part) return TILECUT_OK;
    const int from = top - (top > y), to = bottom + (bottom < y + height);
    w->from = from - all->above;
    w->rows = to - from;
    w->exchange = (tilecut_exchange){sizeof w->exchange,
                                     all->with->part - w->lowest,
                                     count,
                                     w,
                                     sum_in_window,
                                     swap_in_window,
                                     leave_window,
                                     NULL,
                                     0};
    w->comm = (tc_comm){.with = &w->exchange, .root = all->root, .first = top - from, .rows = bottom - top,
                          .above = from - y, .height = height, .store = all->store};
    return TILECUT_OK;
}

/* Takes part in one exchange of the parts in the window. */
static tilecut_status meet(tc_window_parts *w, const int64_t what[2])
{
    const size_t bytes = (size_t)what[1] * (what[0] == SUM ? sizeof(int64_t) : 4);
    char *const memory = calloc(bytes + 1, 1);
    tilecut_status status;
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory to stand by at a meeting of parts");
    if (what[0] == SUM) {
        status = tc_comm_allreduce(w->all, (int64_t *)(void *)memory, (size_t)what[1]);
    } else {
        const size_t one = (size_t)what[1];
        status = tc_comm_exchange_halo(w->all, memory, memory + one, memory + 2 * one, memory + 3 * one, one);
    }
    free(memory);
    return status;
}

tilecut_status tc_window_stand_by(tc_window_parts *w)
{
    for (;;) {
        int64_t what[2] = {DONE, 0};
        NEED(announce(w, what));
        if (what[0] == DONE) return TILECUT_OK;
        NEED(meet(w, what));
    }
    return TILECUT_OK;
}

tilecut_status tc_window_end(tc_window_parts *w)
{
    int64_t what[2] = {DONE, 0};
    return announce(w, what);
}
