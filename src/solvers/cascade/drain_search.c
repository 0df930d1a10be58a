/* SPDX-License-Identifier: MIT
 *
 * drain_search.c - the search of drain.c: shortest paths to the sinks, with bitboards.
 *
 * All bands of a team are searched at the same time; a row at the edge of a band waits until the adjacent row in the
 * next band has finished the level before.
 */
#include <string.h>

#include "drain_team.h"
#include "steps.h"
#include "tuning.h"

typedef tc_drain_worker worker;

/* Writes the new front of `board` to the halo of `other`, its neighbour in direction d; see tc_board_spread(). */
static inline bool spread_to_tile(const worker *w, const tc_board *board, tc_board *other, int d, const tc_halo *border,
                                  bool ours, int next)
{
#if TC_NEIGHBOURS == 6
    if (d >= TC_TILE_SIDES) return w->s->kernel->spread_to_slice(other, d, board->front, ours, next);
#else
    (void)w, (void)board;
#endif
    return tc_board_spread(other, d, border->side[d], ours, next);
}

/* Writes the pixels along the edges that were reached at `level` to the halos of the surrounding tiles. Queues those
 * tiles for which this is new. */
static void spread_to_neighbours(worker *w, int tile, int y, int level, const tc_halo *border)
{
    const int step[TC_NEIGHBOURS] = TC_TILE_STEPS(w->s->grid->tiles_x, w->s->row_tiles), next = level + 1;
    tc_board *const board = &w->s->board[tile];

    for (int d = 0; d < TC_NEIGHBOURS; d++) {
        if ((d < TC_TILE_SIDES && !border->side[d % TC_TILE_SIDES]) || !(board->inside >> d & 1)) continue;
        const int neighbour = tile + step[d], row = y + tc_step_down[d];
        const bool ours = row >= w->first_y && row < w->end_y;
        if (!spread_to_tile(w, board, board + step[d], d, border, ours, next)) continue;
        if (ours) {
            tc_drain_enqueue(w, neighbour, row, next);
        } else {
            worker *const beside = w + tc_step_down[d];
            const int side = tc_step_down[d] < 0;
            beside->noted[side][next & 1][beside->noted_count[side][next & 1]++] = neighbour;
            w->waiting++;
        }
    }
}

/* Prepares row `y` of tiles for a search: only the sinks are reached. */
static void clear_row(worker *w, int y)
{
    w->queue.row[y].queued[0] = w->queue.row[y].queued[1] = 0;
    for (int x = w->first_x; x < w->end_x; x++) w->s->kernel->restart(&w->s->board[y * w->s->row_tiles + x], true);
}

/* Starts the search in row `y`: the sinks are level 0. */
static void start_row(worker *w, int y)
{
    for (int x = w->first_x; x < w->end_x; x++) {
        const int tile = y * w->s->row_tiles + x;
        const uint32_t *const sinks = w->s->board[tile].front;
        if (w->s->kernel->count(sinks) == 0) continue;
        const tc_halo border = w->s->kernel->border(sinks);
        spread_to_neighbours(w, tile, y, 0, &border);
        tc_drain_enqueue(w, tile, y, 1);
    }
}

/* Queues the tiles that the band above (side 0) or below (side 1) has listed for `level`. */
static void queue_listed(worker *w, int side, int y, int level)
{
    int *const noted = &w->noted_count[side][level & 1];
    for (int i = 0; i < *noted; i++) tc_drain_enqueue(w, w->noted[side][level & 1][i], y, level);
    w->waiting -= *noted;
    *noted = 0;
}

static void advance_row(worker *w, int y, int level)
{
    int count;
    if (y == w->first_y) queue_listed(w, 0, y, level);
    if (y == w->end_y - 1) queue_listed(w, 1, y, level);
    const int *const tiles = tc_drain_dequeue(w, y, level, &count);
    if (w->team) w->queue.row[y].weight += count;
    w->steps += count;
    for (int i = 0; i < count; i++) {
        tc_board *const board = &w->s->board[tiles[i]];
        tc_halo border;
        int sources;
        if (!w->s->kernel->advance_leading(board, level, &border, &sources)) continue;
        w->met += sources;
        spread_to_neighbours(w, tiles[i], y, level, &border);
        tc_drain_enqueue(w, tiles[i], y, level + 1);
    }
}

enum { CLEAR = -1, START, FIRST_LEVEL };

static void search_row(worker *w, int y, int level)
{
    const bool first = y == w->first_y, last = y == w->end_y - 1;
    /* neighbouring bands are within a few levels of each other */
    if (first && w > w->mate) tc_team_await(&w[-1].searched[1], level - 1);
    if (last && w + 1 < w->mate + w->mates) tc_team_await(&w[1].searched[0], level - 1);
    if (level == CLEAR) clear_row(w, y);
    else if (level == START) start_row(w, y);
    else advance_row(w, y, level);
    if (first) tc_team_publish(&w->searched[0], level);
    if (last) tc_team_publish(&w->searched[1], level);
}

/* A level of a row needs only the level before in that row and in the adjacent rows. So one pass over the rows computes
 * TC_DRAIN_LEVELS levels, each one row behind the level before, while the boards are in the cache. Passes go from the
 * top down, and in every other band from the bottom up, so that neighbouring bands reach their common edge at the same
 * time. */
tc_drain_sums tc_drain_search(worker *w, int *reach)
{
    const int rows = w->end_y - w->first_y, at_once = rows > 1 ? TC_DRAIN_LEVELS : 1;
    tc_drain_sums all = {.waiting = 1, .sources = 1};

    w->met = w->steps = w->waiting = 0;
    __atomic_store_n(&w->searched[0], CLEAR - 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&w->searched[1], CLEAR - 1, __ATOMIC_SEQ_CST);
    memset(w->noted_count, 0, sizeof w->noted_count);
    tc_drain_barrier(w);
    for (int level = CLEAR; level < FIRST_LEVEL || (level < *reach && all.waiting && all.met < all.sources);
         level += at_once) {
        for (int last = 0; last < rows + at_once - 1; last++)
            for (int i = 0; i < at_once; i++) {
                const int row = last - i;
                if (row < 0 || row >= rows) continue;
                search_row(w, w->number & 1 ? w->end_y - 1 - row : w->first_y + row, level + i);
            }
        all = tc_drain_add_up(w);
        const bool hardly = TC_DRAIN_HARDLY * all.met < all.steps;
        const int farther = tc_drain_farther(*reach);
        if (level + at_once >= *reach && hardly && farther <= TC_DRAIN_FAR) *reach = farther;
    }
    return all;
}
