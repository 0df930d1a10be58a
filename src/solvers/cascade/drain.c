/* SPDX-License-Identifier: MIT
 *
 * drain.c - see drain.h.
 *
 * A team of workers may share a rectangle (drain_team.h), in which each has a band. Draining a tile also changes the
 * tiles next to it. So all upper halves of bands are drained first, and then all lower halves; this way no two
 * neighbouring halves are drained at the same time.
 */
#include "drain.h"

#include <limits.h>

#include "drain_team.h"
#include "steps.h"
#include "tuning.h"

typedef tc_drain_worker worker;

/* ---- Teams ------------------------------------------------------------------------------------ */

enum { ROWS_A_HALF = 2 };

/* Places the bands of a team anew, so that all bands, and both halves of each, have about the same work. */
static void share(worker *w)
{
    const tc_drain *const s = w->s;
    tc_drain_barrier(w);
    if (w->number == 0) {
        for (int y = 0; y < s->rows; y++) {
            s->weight[y] = w->queue.row[y].weight + s->row_tiles;
            w->queue.row[y].weight = 0;
        }
        tc_share_rows(s->weight, s->rows, 2 * w->mates, ROWS_A_HALF, s->first_row);
    }
    tc_drain_barrier(w);
    w->first_y = s->first_row[2 * w->number];
    w->middle_y = s->first_row[2 * w->number + 1];
    w->end_y = s->first_row[2 * w->number + 2];
    tc_drain_barrier(w); /* after this all bands are placed */
}

/* Finds the rows of tiles in the upper (0) or lower (1) half of a band. */
static void half_rows(const worker *w, int half, int *first, int *end)
{
    const int middle = w->team ? w->middle_y : w->end_y;
    *first = half ? middle : w->first_y;
    *end = half ? w->end_y : middle;
}

/* ---- Drain ------------------------------------------------------------------------------------ */

/* Recomputes the bits of the tile's stale rows. */
static void read_off(worker *w, const tc_tile_view *tile)
{
    w->sources += w->s->kernel->read_off(tile, tile->board->stale);
    tile->board->stale = 0;
}

/* Returns the row of first .. end - 1 that is visited i-th in a turn. In a volume every other turn goes backwards. */
static inline int in_turn(int i, int first, int end, int turn)
{
    return TC_SLICES && turn & 1 ? first + end - 1 - i : i;
}

/* Row y has sent excess to a tile of row `to`. Returns the turn in which this tile drains: in an image the next
 * turn; in a volume the running turn if that has not come to the tile's slice yet. This thread drains rows first ..
 * end - 1. */
static inline int turn_for(int y, int to, int first, int end, int turn)
{
    if (!TC_SLICES) return turn + 1;
    return (turn & 1 ? to < y && to >= first : to > y && to < end) ? turn : turn + 1;
}

/* Drains one tile. Queues it if it can push more, and queues the tiles to which it has sent excess. */
static void drain_tile(worker *w, int tile, int y, int first, int end, int turn)
{
    const int step[TC_NEIGHBOURS] = TC_TILE_STEPS(w->s->grid->tiles_x, w->s->row_tiles);
    const tc_tile_view view = tc_tile_view_of(w->s->grid, w->s->board, tile);
    tc_tile_view around[TC_NEIGHBOURS];

    for (int d = 0; d < TC_NEIGHBOURS; d++)
        around[d] = view.board->inside >> d & 1 ? tc_tile_view_of(w->s->grid, w->s->board, tile + step[d]) : view;
    const uint32_t over = w->s->kernel->drain(&view, around, TC_DRAIN_SWEEPS);
    if (view.board->ready) tc_drain_enqueue(w, tile, y, turn + 1);
    else read_off(w, &view);
    for (int d = 0; d < TC_NEIGHBOURS; d++) {
        const int row = y + tc_step_down[d];
        if (over >> d & 1) tc_drain_enqueue(w, tile + step[d], row, turn_for(y, row, first, end, turn));
    }
}

static void drain_row_of_tiles(worker *w, int y, int first, int end, int turn)
{
    int count;
    const int *const tiles = tc_drain_dequeue(w, y, turn, &count);
    if (w->team) w->queue.row[y].weight += TC_DRAIN_WEIGHT * count;
    for (int i = 0; i < count; i++) drain_tile(w, tiles[i], y, first, end, turn);
}

/* Queues the tiles that have excess which can run down. */
static void queue_ready(worker *w)
{
    w->waiting = 0;
    for (int y = w->first_y; y < w->end_y; y++) {
        w->queue.row[y].queued[0] = w->queue.row[y].queued[1] = 0;
        for (int x = w->first_x; x < w->end_x; x++) {
            const int tile = y * w->s->row_tiles + x;
            w->s->board[tile].queued[0] = w->s->board[tile].queued[1] = -1;
            if (w->s->board[tile].ready) tc_drain_enqueue(w, tile, y, 0);
        }
    }
}

/* Lets excess run down in the rectangle. Each turn visits the tiles that have excess which can run down. */
static void drain(worker *w)
{
    int turn = 0, count, first, end;
    queue_ready(w);
    for (; turn < TC_DRAIN_TURNS && tc_drain_add_up(w).waiting; turn++)
        for (int half = 0; half < 2; half++) {
            if (half) tc_drain_barrier(w);
            half_rows(w, half, &first, &end);
            for (int i = first; i < end; i++) drain_row_of_tiles(w, in_turn(i, first, end, turn), first, end, turn);
        }
    for (int y = w->first_y; y < w->end_y; y++) { /* if the turns ran out, queued tiles still have stale rows */
        const int *const tiles = tc_drain_dequeue(w, y, turn, &count);
        for (int i = 0; i < count; i++) {
            const tc_tile_view tile = tc_tile_view_of(w->s->grid, w->s->board, tiles[i]);
            read_off(w, &tile);
        }
    }
}

/* ---- Descents --------------------------------------------------------------------------------- */

/* After a complete search: drops the sources that it did not reach. They can never reach a sink. */
static void forget_unreached(worker *w)
{
    for (int y = w->first_y; y < w->end_y; y++)
        for (int x = w->first_x; x < w->end_x; x++) {
            tc_board *const board = &w->s->board[y * w->s->row_tiles + x];
            for (int i = 0; i < TC_TILE; i++) board->source[i] &= board->seen[i];
        }
    w->sources = w->met;
}

/* Closes the links of tile (x, y) that lead out of the team's rectangle. */
static inline void set_inside(const worker *w, int x, int y)
{
    const worker *const last = w->mate + w->mates - 1;
    w->s->board[y * w->s->row_tiles + x].inside =
        tc_tiles_beside(w->s->grid->tiles_x, x, y, w->first_x, w->mate->first_y, w->end_x, last->end_y);
}

static void enter_drain(worker *w)
{
    w->sources = 0;
    for (int y = w->first_y; y < w->end_y; y++)
        for (int x = w->first_x; x < w->end_x; x++) {
            w->sources += w->s->kernel->count(w->s->board[y * w->s->row_tiles + x].source);
            set_inside(w, x, y);
        }
}

/* Runs descents in the 3 x 3 tiles around (x, y). */
static void run_around(worker *w, int x, int y)
{
    const worker *const last = w->mate + w->mates - 1;
    worker part = {.s = w->s, .mate = &part, .mates = 1, .queue = w->own};

    part.first_x = x > w->first_x ? x - 1 : x, part.end_x = x + 1 < w->end_x ? x + 2 : x + 1;
    part.first_y = y > w->mate->first_y ? y - 1 : y, part.end_y = y + 1 < last->end_y ? y + 2 : y + 1;
    enter_drain(&part);
    const int64_t before = part.sources;
    for (int i = 0; i < TC_DRAIN_AROUND && part.sources > 0; i++) {
        int all = INT_MAX;
        if (tc_drain_search(&part, &all).met == 0) break;
        drain(&part);
    }
    w->sources += part.sources - before;
    for (int i = part.first_y; i < part.end_y; i++)
        for (int k = part.first_x; k < part.end_x; k++) set_inside(w, k, i);
}

/* Runs descents around each tile that has sources. When few sources are left and most are near a sink, that is faster
 * than searching the whole rectangle. */
static void run_around_sources(worker *w)
{
    int first, end;
    for (int half = 0; half < 2; half++) {
        if (half) tc_drain_barrier(w);
        half_rows(w, half, &first, &end);
        for (int y = first; y < end; y++)
            for (int x = w->first_x; x < w->end_x; x++)
                if (w->s->kernel->count(w->s->board[y * w->s->row_tiles + x].source) > 0) run_around(w, x, y);
    }
}

bool tc_drain_run(worker *w, int descents)
{
    bool around = true;
    int64_t first = 0; /* sources reached by the first descent since the reach was set to `since` */
    enter_drain(w);
    tc_drain_sums now = tc_drain_add_up(w);
    int reach = now.tiles > 1 ? TC_DRAIN_NEAR : INT_MAX, since = 0;
    for (int i = 0; i < descents && now.sources > 0 && !now.stop; i++) {
        if (w->team && i > 0) share(w);
        const tc_drain_sums found = tc_drain_search(w, &reach);
        const bool complete = found.met == found.sources || !found.waiting;
        if (w->sample && i < TC_DRAIN_SAMPLES) w->met_in[i] += found.met;
        if (complete && found.met != found.sources) forget_unreached(w);
        if (found.met > 0) drain(w);
        now = tc_drain_add_up(w);
        if (!complete) {
            if (reach != since) first = found.met, since = reach;
            if (3 * found.met > 2 * first) continue;
            reach = tc_drain_farther(reach);
            if (reach > TC_DRAIN_FAR) break;
            continue;
        }
        if (found.steps > found.met && 3 * now.sources > 2 * found.met) break;
        if (around && TC_DRAIN_FEW * now.sources < now.tiles) {
            const int64_t before = now.sources;
            run_around_sources(w);
            now = tc_drain_add_up(w);
            around = 2 * now.sources <= before;
        }
    }
    return now.sources == 0;
}

void tc_drain_sample(worker *w)
{
    w->sample = true;
    (void)tc_drain_run(w, TC_DRAIN_SAMPLES);
    w->sample = false;
}

/* ---- The whole -------------------------------------------------------------------------------- */

typedef struct whole {
    tc_drain *s;
    int descents;
    bool finished;
} whole;

static void run_band(void *context, tc_team *team, int number)
{
    whole *const all = context;
    const tc_drain *const s = all->s;
    worker *const w = &all->s->worker[number];
    const int size = tc_team_size(team);

    w->team = size > 1 ? team : NULL;
    w->mate = all->s->worker, w->mates = size, w->number = number;
    w->first_x = 0, w->end_x = s->row_tiles;
    w->first_y = 0, w->end_y = s->rows;
    w->queue = w->mate->own;
    if (w->team) share(w);
    const bool finished = tc_drain_run(w, all->descents);
    if (number == 0) all->finished = finished;
}

bool tc_drain_run_whole(tc_drain *s, int descents)
{
    const int most = s->rows / (2 * ROWS_A_HALF), threads = s->threads < most ? s->threads : most;
    whole all = {s, descents, false};
    tc_parallel_team(threads, run_band, &all);
    return all.finished;
}
