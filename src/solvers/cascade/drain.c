/* SPDX-License-Identifier: MIT
 *
 * drain.c - see drain.h.
 *
 * A team's bands touch in two rows of tiles. A search goes on in all of them at once, and a row waits for the level
 * before of the row beside it in the next band. Draining changes the tiles beside too: all upper halves of bands take
 * their turn, then all lower ones, so that nobody's neighbour is at work.
 */
#include "drain.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "steps.h"
#include "tuning.h"

typedef tc_drain_worker worker;

/* Row `y` is where the tile lies. */
static inline void queue_tile(worker *w, int tile, int y, int turn)
{
    int32_t *const queued = &w->s->board[tile].queued[turn & 1];
    if (*queued == turn) return;
    *queued = turn;
    const size_t first = (size_t)y * (size_t)w->s->grid->tiles_x;
    w->queue.tile[turn & 1][first + (size_t)w->queue.row[y].queued[turn & 1]++] = tile;
    w->waiting++;
}

/* The tiles of row `y` that wait for this turn, no longer queued; and how many. */
static inline const int *take_row(worker *w, int y, int turn, int *count)
{
    *count = w->queue.row[y].queued[turn & 1];
    w->queue.row[y].queued[turn & 1] = 0;
    w->waiting -= *count;
    return w->queue.tile[turn & 1] + (size_t)y * (size_t)w->s->grid->tiles_x;
}

/* ---- Teams ------------------------------------------------------------------------------------ */

/* What the workers of a team have counted, together. */
typedef struct sums {
    int64_t tiles, waiting, sources, met, steps;
    bool stop;
} sums;

static void meet(worker *w)
{
    if (w->team) tc_team_meet(w->team);
}

/* All of a team call it, and get the same. */
static sums together(worker *w)
{
    sums all = {0};
    w->stop = tc_cancelled(w->s->params);
    meet(w);
    for (const worker *one = w->mate; one < w->mate + w->mates; one++) {
        all.tiles += (int64_t)(one->end_x - one->first_x) * (one->end_y - one->first_y);
        all.waiting += one->waiting;
        all.sources += one->sources;
        all.met += one->met;
        all.steps += one->steps;
        all.stop = all.stop || one->stop;
    }
    meet(w);
    return all;
}

enum { ROWS_A_HALF = 2 };

/* Gives each band of a team as much to do as another, in each of its halves. */
static void share(worker *w)
{
    const tc_drain *const s = w->s;
    meet(w);
    if (w->number == 0) {
        for (int y = 0; y < s->grid->tiles_y; y++) {
            s->weight[y] = w->queue.row[y].weight + s->grid->tiles_x;
            w->queue.row[y].weight = 0;
        }
        tc_share_rows(s->weight, s->grid->tiles_y, 2 * w->mates, ROWS_A_HALF, s->first_row);
    }
    meet(w);
    w->first_y = s->first_row[2 * w->number];
    w->middle_y = s->first_row[2 * w->number + 1];
    w->end_y = s->first_row[2 * w->number + 2];
    meet(w); /* all know of the others */
}

/* The upper or lower half of the rows of a band. */
static void half_rows(const worker *w, int half, int *first, int *end)
{
    const int middle = w->team ? w->middle_y : w->end_y;
    *first = half ? middle : w->first_y;
    *end = half ? w->end_y : middle;
}

/* ---- Search ----------------------------------------------------------------------------------- */

/* Tells the tiles around which pixels of `level` touch them, where that opens something new to them. */
static void tell_neighbours(worker *w, int tile, int y, int level, const tc_halo *rim)
{
    const int step[TC_NEIGHBOURS] = TC_TILE_STEPS(w->s->grid->tiles_x), next = level + 1;
    tc_board *const board = &w->s->board[tile];

    for (int d = 0; d < TC_NEIGHBOURS; d++) {
        if (!rim->side[d] || !(board->inside >> d & 1)) continue;
        const int there = tile + step[d], row = y + tc_step_down[d];
        const bool ours = row >= w->first_y && row < w->end_y;
        if (!tc_board_tell(board + step[d], d, rim->side[d], ours, next)) continue;
        if (ours) {
            queue_tile(w, there, row, next);
        } else {
            worker *const beside = w + tc_step_down[d];
            const int side = tc_across[d] == TC_UP;
            beside->told[side][next & 1][beside->tolds[side][next & 1]++] = there;
            w->waiting++;
        }
    }
}

/* Row `y` of tiles: only the sinks are seen. */
static void clear_row(worker *w, int y)
{
    w->queue.row[y].queued[0] = w->queue.row[y].queued[1] = 0;
    for (int x = w->first_x; x < w->end_x; x++) w->s->kernel->restart(&w->s->board[y * w->s->grid->tiles_x + x], true);
}

/* The sinks of row `y` are level 0. */
static void start_row(worker *w, int y)
{
    for (int x = w->first_x; x < w->end_x; x++) {
        const int tile = y * w->s->grid->tiles_x + x;
        const uint32_t *const sinks = w->s->board[tile].front;
        if (w->s->kernel->count(sinks) == 0) continue;
        const tc_halo rim = w->s->kernel->rim(sinks);
        tell_neighbours(w, tile, y, 0, &rim);
        queue_tile(w, tile, y, 1);
    }
}

/* Queues what the band above (side 0) or below told about `level`. */
static void listen(worker *w, int side, int y, int level)
{
    int *const told = &w->tolds[side][level & 1];
    for (int i = 0; i < *told; i++) queue_tile(w, w->told[side][level & 1][i], y, level);
    w->waiting -= *told;
    *told = 0;
}

static void advance_row(worker *w, int y, int level)
{
    int count;
    if (y == w->first_y) listen(w, 0, y, level);
    if (y == w->end_y - 1) listen(w, 1, y, level);
    const int *const tiles = take_row(w, y, level, &count);
    if (w->team) w->queue.row[y].weight += count;
    w->steps += count;
    for (int i = 0; i < count; i++) {
        tc_board *const board = &w->s->board[tiles[i]];
        tc_halo rim;
        int sources;
        if (!w->s->kernel->advance_leading(board, level, &rim, &sources)) continue;
        w->met += sources;
        tell_neighbours(w, tiles[i], y, level, &rim);
        queue_tile(w, tiles[i], y, level + 1);
    }
}

enum { CLEAR = -1, START, FIRST_LEVEL };

/* Never for long: all bands are in the same few levels. */
static void wait_until_searched(const int *level_done, int level)
{
    enum { LOOKS = 200 };
    for (int i = 0; __atomic_load_n(level_done, __ATOMIC_ACQUIRE) < level; i++)
        if (i >= LOOKS) sched_yield();
}

static void search_row(worker *w, int y, int level)
{
    const bool first = y == w->first_y, last = y == w->end_y - 1;
    if (first && w > w->mate) wait_until_searched(&w[-1].searched[1], level - 1);
    if (last && w + 1 < w->mate + w->mates) wait_until_searched(&w[1].searched[0], level - 1);
    if (level == CLEAR) clear_row(w, y);
    else if (level == START) start_row(w, y);
    else advance_row(w, y, level);
    if (first) __atomic_store_n(&w->searched[0], level, __ATOMIC_RELEASE);
    if (last) __atomic_store_n(&w->searched[1], level, __ATOMIC_RELEASE);
}

static inline int farther(int reach)
{
    return 2 * reach + 1;
}

/* Finds the shortest ways to the sinks, at least as far as the farthest source or for *reach levels; twice as many
 * where it has met hardly a source, which is not worth searching again, but not beyond TC_DRAIN_FAR. A level of a row
 * needs the level before of the rows beside it and no more, so that several levels follow each other through the rows,
 * while the boards are in the cache: from the top down, and in every other band from the bottom up, so that neighbours
 * come to where they touch at the same time. */
static sums search(worker *w, int *reach)
{
    const int rows = w->end_y - w->first_y, at_once = rows > 1 ? TC_DRAIN_LEVELS : 1;
    sums all = {.waiting = 1, .sources = 1};

    w->met = w->steps = w->waiting = 0;
    __atomic_store_n(&w->searched[0], CLEAR - 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&w->searched[1], CLEAR - 1, __ATOMIC_SEQ_CST);
    memset(w->tolds, 0, sizeof w->tolds);
    meet(w);
    for (int level = CLEAR; level < FIRST_LEVEL || (level < *reach && all.waiting && all.met < all.sources);
         level += at_once) {
        for (int last = 0; last < rows + at_once - 1; last++)
            for (int i = 0; i < at_once; i++) {
                const int row = last - i;
                if (row < 0 || row >= rows) continue;
                search_row(w, w->number & 1 ? w->end_y - 1 - row : w->first_y + row, level + i);
            }
        all = together(w);
        const bool hardly = TC_DRAIN_HARDLY * all.met < all.steps;
        if (level + at_once >= *reach && hardly && farther(*reach) <= TC_DRAIN_FAR) *reach = farther(*reach);
    }
    return all;
}

/* What a complete search did not reach never will reach a sink. */
static void forget_unreached(worker *w)
{
    for (int y = w->first_y; y < w->end_y; y++)
        for (int x = w->first_x; x < w->end_x; x++) {
            tc_board *const board = &w->s->board[y * w->s->grid->tiles_x + x];
            for (int i = 0; i < TC_TILE; i++) board->source[i] &= board->seen[i];
        }
    w->sources = w->met;
}

/* ---- Drain ------------------------------------------------------------------------------------ */

/* Brings the bits of a tile up to date. */
static void read_off(worker *w, const tc_tile_view *tile)
{
    w->sources += w->s->kernel->read_off(tile, tile->board->stale);
    tile->board->stale = 0;
}

/* Drains one tile, and queues it and those it fed for the next turn as needed. */
static void drain_tile(worker *w, int tile, int y, int turn)
{
    const int step[TC_NEIGHBOURS] = TC_TILE_STEPS(w->s->grid->tiles_x);
    const tc_tile_view here = tc_drain_view(w->s, tile);
    tc_tile_view around[TC_NEIGHBOURS];

    for (int d = 0; d < TC_NEIGHBOURS; d++)
        around[d] = here.board->inside >> d & 1 ? tc_drain_view(w->s, tile + step[d]) : here;
    const uint32_t over = w->s->kernel->drain(&here, around, TC_DRAIN_SWEEPS);
    if (here.board->ready) queue_tile(w, tile, y, turn + 1);
    else read_off(w, &here);
    for (int d = 0; d < TC_NEIGHBOURS; d++)
        if (over >> d & 1) queue_tile(w, tile + step[d], y + tc_step_down[d], turn + 1);
}

/* The tiles where something can run down. */
static void queue_ready(worker *w)
{
    w->waiting = 0;
    for (int y = w->first_y; y < w->end_y; y++) {
        w->queue.row[y].queued[0] = w->queue.row[y].queued[1] = 0;
        for (int x = w->first_x; x < w->end_x; x++) {
            const int tile = y * w->s->grid->tiles_x + x;
            w->s->board[tile].queued[0] = w->s->board[tile].queued[1] = -1;
            if (w->s->board[tile].ready) queue_tile(w, tile, y, 0);
        }
    }
}

/* Lets all excess of the rectangle run down, turn by turn over the tiles where any can. */
static void drain(worker *w)
{
    int turn = 0, count, first, end;
    queue_ready(w);
    for (; turn < TC_DRAIN_TURNS && together(w).waiting; turn++)
        for (int half = 0; half < 2; half++) {
            if (half) meet(w);
            half_rows(w, half, &first, &end);
            for (int y = first; y < end; y++) {
                const int *const tiles = take_row(w, y, turn, &count);
                if (w->team) w->queue.row[y].weight += TC_DRAIN_WEIGHT * count;
                for (int i = 0; i < count; i++) drain_tile(w, tiles[i], y, turn);
            }
        }
    for (int y = w->first_y; y < w->end_y; y++) { /* cut short: what is stale is queued */
        const int *const tiles = take_row(w, y, turn, &count);
        for (int i = 0; i < count; i++) {
            const tc_tile_view tile = tc_drain_view(w->s, tiles[i]);
            read_off(w, &tile);
        }
    }
}

/* ---- Descents --------------------------------------------------------------------------------- */

/* Links out of the rectangle, which is a team's together, are held back. */
static inline void set_inside(const worker *w, int x, int y)
{
    const worker *const last = w->mate + w->mates - 1;
    w->s->board[y * w->s->grid->tiles_x + x].inside =
        tc_tiles_beside(x, y, w->first_x, w->mate->first_y, w->end_x, last->end_y);
}

static void enter(worker *w)
{
    w->sources = 0;
    for (int y = w->first_y; y < w->end_y; y++)
        for (int x = w->first_x; x < w->end_x; x++) {
            w->sources += w->s->kernel->count(w->s->board[y * w->s->grid->tiles_x + x].source);
            set_inside(w, x, y);
        }
}

/* Descents in the tile at (x, y) and the eight around it. */
static void run_around(worker *w, int x, int y)
{
    const worker *const last = w->mate + w->mates - 1;
    worker part = {.s = w->s, .mate = &part, .mates = 1, .queue = w->own};

    part.first_x = x > w->first_x ? x - 1 : x, part.end_x = x + 1 < w->end_x ? x + 2 : x + 1;
    part.first_y = y > w->mate->first_y ? y - 1 : y, part.end_y = y + 1 < last->end_y ? y + 2 : y + 1;
    enter(&part);
    const int64_t before = part.sources;
    for (int i = 0; i < TC_DRAIN_AROUND && part.sources > 0; i++) {
        int all = INT_MAX;
        if (search(&part, &all).met == 0) break;
        drain(&part);
    }
    w->sources += part.sources - before;
    for (int i = part.first_y; i < part.end_y; i++)
        for (int k = part.first_x; k < part.end_x; k++) set_inside(w, k, i);
}

/* When few sources are left, and most of them not far from a sink, searching all of the rectangle would take longer
 * than to search around each. */
static void run_around_sources(worker *w)
{
    int first, end;
    for (int half = 0; half < 2; half++) {
        if (half) meet(w);
        half_rows(w, half, &first, &end);
        for (int y = first; y < end; y++)
            for (int x = w->first_x; x < w->end_x; x++)
                if (w->s->kernel->count(w->s->board[y * w->s->grid->tiles_x + x].source) > 0) run_around(w, x, y);
    }
}

bool tc_drain_run(worker *w, int descents)
{
    bool around = true;
    int64_t first = 0; /* sources that the first descent of reach `since` met */
    enter(w);
    sums now = together(w);
    int reach = now.tiles > 1 ? TC_DRAIN_NEAR : INT_MAX, since = 0;
    for (int i = 0; i < descents && now.sources > 0 && !now.stop; i++) {
        if (w->team && i > 0) share(w);
        const sums found = search(w, &reach);
        const bool complete = found.met == found.sources || !found.waiting;
        if (w->sample && i < TC_DRAIN_SAMPLES) w->met_in[i] += found.met;
        if (complete && found.met != found.sources) forget_unreached(w);
        if (found.met > 0) drain(w);
        now = together(w);
        if (!complete) {
            if (reach != since) first = found.met, since = reach;
            if (3 * found.met > 2 * first) continue;
            reach = farther(reach);
            if (reach > TC_DRAIN_FAR) break;
            continue;
        }
        if (found.steps > found.met && 3 * now.sources > 2 * found.met) break;
        if (around && TC_DRAIN_FEW * now.sources < now.tiles) {
            const int64_t before = now.sources;
            run_around_sources(w);
            now = together(w);
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
    const tc_grid *const grid = all->s->grid;
    worker *const w = &all->s->worker[number];
    const int size = tc_team_size(team);

    w->team = size > 1 ? team : NULL;
    w->mate = all->s->worker, w->mates = size, w->number = number;
    w->first_x = 0, w->end_x = grid->tiles_x;
    w->first_y = 0, w->end_y = grid->tiles_y;
    w->queue = w->mate->own;
    if (w->team) share(w);
    const bool finished = tc_drain_run(w, all->descents);
    if (number == 0) all->finished = finished;
}

bool tc_drain_run_whole(tc_drain *s, int descents)
{
    const int most = s->grid->tiles_y / (2 * ROWS_A_HALF), threads = s->threads < most ? s->threads : most;
    whole all = {s, descents, false};
    tc_parallel_team(threads, run_band, &all);
    return all.finished;
}

/* ---- Memory ----------------------------------------------------------------------------------- */

/* A tile is told of a level by each tile in the row beside that touches it. */
enum { TELLERS = TC_DIAGONALS ? 3 : 1 };

static size_t places(const tc_drain *s)
{
    return (size_t)s->grid->tiles_x * (size_t)(2 * s->grid->tiles_y + 4 * TELLERS);
}

size_t tc_drain_bytes(const tc_drain *s)
{
    const size_t rows = (size_t)s->grid->tiles_y, tiles = (size_t)s->grid->tiles_x * rows;
    return tiles * sizeof *s->board + (size_t)s->threads * (places(s) * sizeof(int) + rows * sizeof(tc_drain_row) +
                                                            sizeof *s->worker);
}

static bool take_queues(worker *w)
{
    const size_t across = (size_t)w->s->grid->tiles_x, rows = (size_t)w->s->grid->tiles_y;
    int *place = malloc(places(w->s) * sizeof *place);
    w->own.tile[0] = place;
    w->own.row = calloc(rows, sizeof *w->own.row);
    if (!place || !w->own.row) return false;
    w->own.tile[1] = place += rows * across;
    place += rows * across;
    for (int i = 0; i < 4; i++, place += TELLERS * across) w->told[i / 2][i % 2] = place;
    w->queue = w->own;
    return true;
}

bool tc_drain_take(tc_drain *s)
{
    s->board = tc_boards_take(s->grid->tiles_x * s->grid->tiles_y);
    s->worker = calloc((size_t)s->threads, sizeof *s->worker);
    s->weight = malloc((size_t)s->grid->tiles_y * sizeof *s->weight);
    s->first_row = malloc((size_t)(2 * s->threads + 1) * sizeof *s->first_row);
    if (!s->board || !s->worker || !s->weight || !s->first_row) return false;
    for (int i = 0; i < s->threads; i++) {
        worker *const w = &s->worker[i];
        w->s = s;
        w->mate = w, w->mates = 1;
        if (!take_queues(w)) return false;
    }
    return true;
}

void tc_drain_release(tc_drain *s)
{
    for (int i = 0; s->worker && i < s->threads; i++) {
        free(s->worker[i].own.tile[0]);
        free(s->worker[i].own.row);
    }
    free(s->worker);
    free(s->board);
    free(s->weight);
    free(s->first_row);
}
