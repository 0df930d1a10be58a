/* SPDX-License-Identifier: MIT
 *
 * drain.c - see drain.h.
 *
 * A rectangle may be shared by a team of workers. Each has a band of it, some rows of tiles, and neighbouring bands
 * touch in two rows of tiles. A search goes on in all bands at once; a row at the edge of a band waits until the row
 * beside it in the next band has finished the level before. Draining a tile also changes the tiles beside it. So all
 * upper halves of bands are drained first and then all lower ones; no two neighbouring halves are drained at the same
 * time.
 */
#include "drain.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "steps.h"
#include "tuning.h"

typedef tc_drain_worker worker;

/* Queues a tile for a turn, or for a level; `y` is its row of tiles. */
static inline void queue_tile(worker *w, int tile, int y, int turn)
{
    int32_t *const queued = &w->s->board[tile].queued[turn & 1];
    if (*queued == turn) return;
    *queued = turn;
    const size_t first = (size_t)y * (size_t)w->s->row_tiles;
    w->queue.tile[turn & 1][first + (size_t)w->queue.row[y].queued[turn & 1]++] = tile;
    w->waiting++;
}

/* Takes the tiles of row `y` that are queued for this turn off the queue; *count says how many. */
static inline const int *take_row(worker *w, int y, int turn, int *count)
{
    *count = w->queue.row[y].queued[turn & 1];
    w->queue.row[y].queued[turn & 1] = 0;
    w->waiting -= *count;
    return w->queue.tile[turn & 1] + (size_t)y * (size_t)w->s->row_tiles;
}

/* ---- Teams ------------------------------------------------------------------------------------ */

/* Counts of all workers of a team together. */
typedef struct sums {
    int64_t tiles, waiting, sources, met, steps;
    bool stop;
} sums;

static void meet(worker *w)
{
    if (w->team) tc_team_meet(w->team);
}

/* Adds up the counts of the team. All its workers call this, and all get the same sums. */
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

/* Places the bands of a team anew, so that all bands, and their halves, have about the same work. */
static void share(worker *w)
{
    const tc_drain *const s = w->s;
    meet(w);
    if (w->number == 0) {
        for (int y = 0; y < s->rows; y++) {
            s->weight[y] = w->queue.row[y].weight + s->row_tiles;
            w->queue.row[y].weight = 0;
        }
        tc_share_rows(s->weight, s->rows, 2 * w->mates, ROWS_A_HALF, s->first_row);
    }
    meet(w);
    w->first_y = s->first_row[2 * w->number];
    w->middle_y = s->first_row[2 * w->number + 1];
    w->end_y = s->first_row[2 * w->number + 2];
    meet(w); /* now all bands are placed */
}

/* The rows of tiles in the upper (0) or lower (1) half of a band. */
static void half_rows(const worker *w, int half, int *first, int *end)
{
    const int middle = w->team ? w->middle_y : w->end_y;
    *first = half ? middle : w->first_y;
    *end = half ? w->end_y : middle;
}

/* ---- Search ----------------------------------------------------------------------------------- */

/* Tells the tile in direction d of `board`, whose front is new; see tc_board_tell(). */
static inline bool tell(const worker *w, const tc_board *board, tc_board *other, int d, const tc_halo *rim, bool ours,
                        int next)
{
#if TC_NEIGHBOURS == 6
    if (d >= TC_TILE_SIDES) return w->s->kernel->tell_slice(other, d, board->front, ours, next);
#else
    (void)w, (void)board;
#endif
    return tc_board_tell(other, d, rim->side[d], ours, next);
}

/* Writes to the halos of the tiles around which pixels along the edges were reached at `level`. Queues those tiles to
 * which this is new. */
static void tell_neighbours(worker *w, int tile, int y, int level, const tc_halo *rim)
{
    const int step[TC_NEIGHBOURS] = TC_TILE_STEPS(w->s->grid->tiles_x, w->s->row_tiles), next = level + 1;
    tc_board *const board = &w->s->board[tile];

    for (int d = 0; d < TC_NEIGHBOURS; d++) {
        if ((d < TC_TILE_SIDES && !rim->side[d % TC_TILE_SIDES]) || !(board->inside >> d & 1)) continue;
        const int there = tile + step[d], row = y + tc_step_down[d];
        const bool ours = row >= w->first_y && row < w->end_y;
        if (!tell(w, board, board + step[d], d, rim, ours, next)) continue;
        if (ours) {
            queue_tile(w, there, row, next);
        } else {
            worker *const beside = w + tc_step_down[d];
            const int side = tc_step_down[d] < 0;
            beside->told[side][next & 1][beside->tolds[side][next & 1]++] = there;
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
        const tc_halo rim = w->s->kernel->rim(sinks);
        tell_neighbours(w, tile, y, 0, &rim);
        queue_tile(w, tile, y, 1);
    }
}

/* Queues the tiles that the band above (side 0) or below (side 1) has named for `level`. */
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

/* Waits for a neighbouring band. That is never long, because all bands are within a few levels of each other. */
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

/* Finds shortest paths to the sinks, as far as the farthest source, or for *reach levels. If the search has then
 * reached hardly any source for its work, *reach doubles, but not beyond TC_DRAIN_FAR: searching again later would
 * cost more.
 *
 * A level of a row only needs the level before in that row and the rows beside it. So one pass over the rows computes
 * TC_DRAIN_LEVELS levels, each one row behind the level before, while the boards are in the cache. Passes go from the
 * top down, and in every other band from the bottom up, so that neighbouring bands reach their common edge at the
 * same time. */
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

/* After a complete search: drops the sources that it did not reach. They will never reach a sink. */
static void forget_unreached(worker *w)
{
    for (int y = w->first_y; y < w->end_y; y++)
        for (int x = w->first_x; x < w->end_x; x++) {
            tc_board *const board = &w->s->board[y * w->s->row_tiles + x];
            for (int i = 0; i < TC_TILE; i++) board->source[i] &= board->seen[i];
        }
    w->sources = w->met;
}

/* ---- Drain ------------------------------------------------------------------------------------ */

/* Recomputes the bits of the tile's stale rows. */
static void read_off(worker *w, const tc_tile_view *tile)
{
    w->sources += w->s->kernel->read_off(tile, tile->board->stale);
    tile->board->stale = 0;
}

/* In a volume, turns go forwards and back through the slices: the i-th row of first .. end - 1 in a turn. */
static inline int in_turn(int i, int first, int end, int turn)
{
    return TC_SLICES && turn & 1 ? first + end - 1 - i : i;
}

/* The turn in which a tile of row `to` drains that row y has fed: in a volume this one, if it has not come to that
 * slice yet; rows first .. end - 1 are this thread's for the time being. */
static inline int turn_for(int y, int to, int first, int end, int turn)
{
    if (!TC_SLICES) return turn + 1;
    return (turn & 1 ? to < y && to >= first : to > y && to < end) ? turn : turn + 1;
}

/* Drains one tile. Queues it if it can push more, and queues the tiles that it has fed. */
static void drain_tile(worker *w, int tile, int y, int first, int end, int turn)
{
    const int step[TC_NEIGHBOURS] = TC_TILE_STEPS(w->s->grid->tiles_x, w->s->row_tiles);
    const tc_tile_view here = tc_drain_view(w->s, tile);
    tc_tile_view around[TC_NEIGHBOURS];

    for (int d = 0; d < TC_NEIGHBOURS; d++)
        around[d] = here.board->inside >> d & 1 ? tc_drain_view(w->s, tile + step[d]) : here;
    const uint32_t over = w->s->kernel->drain(&here, around, TC_DRAIN_SWEEPS);
    if (here.board->ready) queue_tile(w, tile, y, turn + 1);
    else read_off(w, &here);
    for (int d = 0; d < TC_NEIGHBOURS; d++)
        if (over >> d & 1)
            queue_tile(w, tile + step[d], y + tc_step_down[d], turn_for(y, y + tc_step_down[d], first, end, turn));
}

static void drain_row_of_tiles(worker *w, int y, int first, int end, int turn)
{
    int count;
    const int *const tiles = take_row(w, y, turn, &count);
    if (w->team) w->queue.row[y].weight += TC_DRAIN_WEIGHT * count;
    for (int i = 0; i < count; i++) drain_tile(w, tiles[i], y, first, end, turn);
}

/* Queues the tiles in which excess can run down. */
static void queue_ready(worker *w)
{
    w->waiting = 0;
    for (int y = w->first_y; y < w->end_y; y++) {
        w->queue.row[y].queued[0] = w->queue.row[y].queued[1] = 0;
        for (int x = w->first_x; x < w->end_x; x++) {
            const int tile = y * w->s->row_tiles + x;
            w->s->board[tile].queued[0] = w->s->board[tile].queued[1] = -1;
            if (w->s->board[tile].ready) queue_tile(w, tile, y, 0);
        }
    }
}

/* Lets excess run down in the rectangle, in turns over the tiles in which some can. */
static void drain(worker *w)
{
    int turn = 0, count, first, end;
    queue_ready(w);
    for (; turn < TC_DRAIN_TURNS && together(w).waiting; turn++)
        for (int half = 0; half < 2; half++) {
            if (half) meet(w);
            half_rows(w, half, &first, &end);
            for (int i = first; i < end; i++) drain_row_of_tiles(w, in_turn(i, first, end, turn), first, end, turn);
        }
    for (int y = w->first_y; y < w->end_y; y++) { /* if the turns ran out, queued tiles still have stale rows */
        const int *const tiles = take_row(w, y, turn, &count);
        for (int i = 0; i < count; i++) {
            const tc_tile_view tile = tc_drain_view(w->s, tiles[i]);
            read_off(w, &tile);
        }
    }
}

/* ---- Descents --------------------------------------------------------------------------------- */

/* Closes the links out of the rectangle, which is that of the whole team. */
static inline void set_inside(const worker *w, int x, int y)
{
    const worker *const last = w->mate + w->mates - 1;
    w->s->board[y * w->s->row_tiles + x].inside =
        tc_tiles_beside(w->s->grid->tiles_x, x, y, w->first_x, w->mate->first_y, w->end_x, last->end_y);
}

static void enter(worker *w)
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

/* Runs descents around each tile with sources. When few sources are left and most are near a sink, that is faster
 * than searching the whole rectangle. */
static void run_around_sources(worker *w)
{
    int first, end;
    for (int half = 0; half < 2; half++) {
        if (half) meet(w);
        half_rows(w, half, &first, &end);
        for (int y = first; y < end; y++)
            for (int x = w->first_x; x < w->end_x; x++)
                if (w->s->kernel->count(w->s->board[y * w->s->row_tiles + x].source) > 0) run_around(w, x, y);
    }
}

bool tc_drain_run(worker *w, int descents)
{
    bool around = true;
    int64_t first = 0; /* sources reached by the first descent since reach was set to `since` */
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

/* ---- Memory ----------------------------------------------------------------------------------- */

/* How many tiles of the next row can name the same tile for a level: those that touch it. */
enum { TELLERS = TC_DIAGONALS ? 3 : 1 };

static size_t places(const tc_drain *s)
{
    return (size_t)s->row_tiles * (size_t)(2 * s->rows + 4 * TELLERS);
}

size_t tc_drain_bytes(const tc_drain *s)
{
    const size_t rows = (size_t)s->rows, tiles = (size_t)s->row_tiles * rows;
    return tiles * sizeof *s->board + (size_t)s->threads * (places(s) * sizeof(int) + rows * sizeof(tc_drain_row) +
                                                            sizeof *s->worker);
}

static bool take_queues(worker *w)
{
    const size_t across = (size_t)w->s->row_tiles, rows = (size_t)w->s->rows;
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
    s->row_tiles = tc_row_tiles(s->grid);
    s->rows = tc_rows(s->grid);
    s->board = tc_boards_take(s->row_tiles * s->rows);
    s->worker = calloc((size_t)s->threads, sizeof *s->worker);
    s->weight = malloc((size_t)s->rows * sizeof *s->weight);
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
