/* SPDX-License-Identifier: MIT
 *
 * drain_team.h - shared by drain.c and its search: queues of tiles, and counts of a team of workers.
 *
 * A team shares a rectangle. Each worker has a band of it, some rows of tiles, and neighbouring bands touch in two rows
 * of tiles.
 */
#pragma once

#include <limits.h>

#include "drain.h"

#define tc_drain_search TC_OF(tc_drain_search)

/* Queues a tile for a turn, or for a level; `y` is its row of tiles. */
static inline void tc_drain_enqueue(tc_drain_worker *w, int tile, int y, int turn)
{
    int32_t *const queued = &w->s->board[tile].queued[turn & 1];
    if (*queued == turn) return;
    *queued = turn;
    const size_t first = (size_t)y * (size_t)w->s->row_tiles;
    w->queue.tile[turn & 1][first + (size_t)w->queue.row[y].queued[turn & 1]++] = tile;
    w->waiting++;
}

/* Takes the tiles of row `y` that are queued for this turn off the queue; *count is their number. */
static inline const int *tc_drain_dequeue(tc_drain_worker *w, int y, int turn, int *count)
{
    *count = w->queue.row[y].queued[turn & 1];
    w->queue.row[y].queued[turn & 1] = 0;
    w->waiting -= *count;
    return w->queue.tile[turn & 1] + (size_t)y * (size_t)w->s->row_tiles;
}

/* Totals over all workers of a team. */
typedef struct tc_drain_sums {
    int64_t tiles, waiting, sources, met, steps;
    bool stop;
} tc_drain_sums;

static inline void tc_drain_barrier(tc_drain_worker *w)
{
    if (w->team) tc_team_barrier(w->team);
}

/* Adds up the counts of the team. All its workers call this, and all get the same sums. */
static inline tc_drain_sums tc_drain_add_up(tc_drain_worker *w)
{
    tc_drain_sums all = {0};
    w->stop = tc_cancelled(w->s->params);
    tc_drain_barrier(w);
    for (const tc_drain_worker *one = w->mate; one < w->mate + w->mates; one++) {
        all.tiles += (int64_t)(one->end_x - one->first_x) * (one->end_y - one->first_y);
        all.waiting += one->waiting;
        all.sources += one->sources;
        all.met += one->met;
        all.steps += one->steps;
        all.stop = all.stop || one->stop;
    }
    tc_drain_barrier(w);
    return all;
}

/* Returns the next larger reach of a search. INT_MAX, which means any distance, stays as it is. */
static inline int tc_drain_farther(int reach)
{
    return reach > INT_MAX / 2 ? INT_MAX : 2 * reach + 1;
}

/* Finds shortest paths to the sinks, up to the farthest source, or for *reach levels. If the search has then reached
 * hardly any source for its work, *reach doubles, but not beyond TC_DRAIN_FAR: searching again later would cost more.
 * All workers of the team call it, and all get the same sums. */
tc_drain_sums tc_drain_search(tc_drain_worker *w, int *reach);
