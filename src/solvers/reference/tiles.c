/* SPDX-License-Identifier: MIT
 *
 * tiles.c - waves over bitboards: exact distances to the sinks by a breadth-first search of whole
 * tiles at a time, then one sweep from the farthest level down in which each pixel pushes what it has to
 * pixels one level nearer; and again, until no excess reaches a sink.
 *
 * The sweep is the wave of Hussein, Varshney & Davis (2007), itself the preflow of Goldberg & Tarjan (1988)
 * with labels that are exact and never changed while pushing. On photographs that is some 4 pushes a pixel
 * in all, a fraction of the work of augmenting paths or of relabelling pixels one by one; the price is many
 * searches, and those are what the boards of tile_board.h make cheap: one step of 1024 pixels costs about
 * as much as one cache miss. A search logs a snapshot of its front for each tile and level. The sweep
 * walks the log backwards, and finds who may push where with the same shifts.
 *
 * Excess that the search does not reach is cut off from the sinks for good, and is forgotten. A search stops
 * as soon as it has met every source that is left.
 *
 * The same routine runs on any rectangle of tiles, links out of it held back. It runs on single tiles first:
 * much of the flow is local, and a tile fits the innermost cache.
 */
#include <stdlib.h>
#include <string.h>

#include "solver.h"
#include "status.h"
#include "tile_board.h"

typedef struct waves {
    const tc_board_kernels *kernel;
    float *excess;
    tc_float4 *residual;
    tc_snapshot *snapshot; /* the log, in the nodes of the grid */
    tc_board *board;
    int tiles_x, tiles_y;
    int first_x, first_y, end_x, end_y; /* the region that is searched, in tiles */
    int *queue[2], queued[2];           /* tiles for this level and for the next */
    int snapshots, room;
    bool complete;        /* the last search left nothing out for lack of room */
    int64_t sources, met; /* in the region: alive; met by the last search      */
} waves;

static inline float *excess_of(const waves *w, int tile)
{
    return w->excess + (ptrdiff_t)tile * TC_TILE_NODES;
}

/* ---- Search ----------------------------------------------------------------------------------- */

static inline void queue_tile(waves *w, int tile, int level)
{
    if (w->board[tile].queued[level & 1] == level) return;
    w->board[tile].queued[level & 1] = level;
    w->queue[level & 1][w->queued[level & 1]++] = tile;
}

/* Tells the tiles around which pixels of `level` touch them, where that opens something new to them. */
static inline void tell_neighbours(waves *w, int tile, int level, const tc_halo *rim)
{
    tc_board *const board = &w->board[tile];
    const int step[4] = {1, -1, w->tiles_x, -w->tiles_x}, next = level + 1;

    for (int d = 0; d < 4; d++) {
        if (!rim->side[d] || !(board->inside >> d & 1)) continue;
        if (tc_board_tell(board + step[d], d, rim->side[d], true, next)) queue_tile(w, tile + step[d], next);
    }
}

static inline void log_front(waves *w, int tile, int level, int previous, const tc_halo *halo)
{
    tc_board *const board = &w->board[tile];
    tc_snapshot *shot = &w->snapshot[w->snapshots];
    shot->tile = tile;
    shot->previous = previous;
    shot->halo = *halo;
    memcpy(shot->front, board->front, sizeof shot->front);
    board->level = level;
    board->snapshot = w->snapshots++;
}

static inline void advance(waves *w, int tile, int level)
{
    tc_board *const board = &w->board[tile];
    const bool go_on = board->level == level - 1;
    const tc_halo halo = board->halo[level & 1];
    tc_halo rim;
    int sources;

    memset(&board->halo[level & 1], 0, sizeof halo);
    if (w->snapshots == w->room) {
        w->complete = false;
        return;
    }
    if (!w->kernel->advance(board, &halo, go_on, &rim, &sources)) return;
    w->met += sources;
    log_front(w, tile, level, go_on ? board->snapshot : TC_NO_SNAPSHOT, &halo);
    tell_neighbours(w, tile, level, &rim);
    queue_tile(w, tile, level + 1);
}

static void start_search(waves *w)
{
    static const tc_halo none;

    w->queued[0] = w->queued[1] = 0;
    w->snapshots = 0;
    w->met = 0;
    w->complete = true;
    for (int y = w->first_y; y < w->end_y; y++)
        for (int x = w->first_x; x < w->end_x; x++) {
            tc_board *board = &w->board[y * w->tiles_x + x];
            w->kernel->restart(board, false);
            board->level = -1;
        }
    for (int y = w->first_y; y < w->end_y; y++)
        for (int x = w->first_x; x < w->end_x; x++) {
            const int tile = y * w->tiles_x + x;
            tc_board *board = &w->board[tile];
            uint32_t any = 0;
            for (int i = 0; i < TC_TILE; i++) any |= board->sink[i];
            if (!any) continue;
            log_front(w, tile, 0, TC_NO_SNAPSHOT, &none);
            const tc_halo rim = w->kernel->rim(board->front);
            tell_neighbours(w, tile, 0, &rim);
            queue_tile(w, tile, 1);
        }
}

/* Returns the number of snapshots of level 0, the first ones in the log. */
static int search(waves *w)
{
    start_search(w);
    const int sinks = w->snapshots;
    for (int level = 1; w->queued[level & 1] && w->met < w->sources; level++) {
        const int parity = level & 1, n = w->queued[parity];
        w->queued[parity ^ 1] = 0;
        for (int i = 0; i < n; i++) advance(w, w->queue[parity][i], level);
    }
    return sinks;
}

/* After a complete search: what was not reached never will be. */
static void forget_unreached(waves *w)
{
    if (!w->complete || w->met == w->sources) return;
    for (int y = w->first_y; y < w->end_y; y++)
        for (int x = w->first_x; x < w->end_x; x++) {
            tc_board *board = &w->board[y * w->tiles_x + x];
            for (int i = 0; i < TC_TILE; i++) board->source[i] &= board->seen[i];
        }
    w->sources = w->met;
}

/* ---- Sweep ------------------------------------------------------------------------------------ */

/* Pushes from the pixels `bits` of a row in direction d. `e`, `c`: excesses and links of that row's tile
 * from its first pixel; `e_to`, `c_to`: of the pixels that receive, `step` columns on. */
static inline void push_row(waves *w, tc_board *board, tc_board *board_to, int y, int y_to, int step, int d,
                            uint32_t bits, float *e, tc_float4 *c, float *e_to, tc_float4 *c_to)
{
    uint32_t emptied = 0, filled = 0, fed = 0, drowned = 0;
    for (uint32_t rest = bits; rest; rest &= rest - 1) {
        const int x = __builtin_ctz(rest), x_to = x + step;
        const float has = e[x], room = c[x].to[d], flow = has < room ? has : room;
        const float got = e_to[x_to] + flow;
        e[x] = has - flow;
        c[x].to[d] = room - flow;
        c_to[x_to].to[d ^ 1] += flow;
        e_to[x_to] = got;
        emptied |= (uint32_t)(has == flow) << x;
        filled |= (uint32_t)(room == flow) << x;
        fed |= (uint32_t)(got > 0) << (x_to & (TC_TILE - 1));
        drowned |= (uint32_t)(got >= 0) << (x_to & (TC_TILE - 1));
    }
    const uint32_t to = step < 0 ? bits >> -step : bits << step;
    board->source[y] &= ~emptied;
    board->open[d][y] &= ~filled;
    board_to->open[d ^ 1][y_to] |= to;
    w->sources -= __builtin_popcount(emptied);
    w->sources += __builtin_popcount(fed & ~board_to->source[y_to]);
    board_to->source[y_to] |= fed;
    board_to->sink[y_to] &= ~drowned;
}

static inline void push_tile(waves *w, int tile, uint32_t rows, uint32_t push[4][TC_TILE])
{
    tc_board *const board = &w->board[tile];
    float *const e = excess_of(w, tile);
    tc_float4 *const c = w->residual + (size_t)tile * TC_TILE_NODES;

    for (; rows; rows &= rows - 1) {
        const int y = __builtin_ctz(rows), at = y * TC_TILE;
        for (int d = 0; d < 4; d++) {
            const uint32_t bits = push[d][y] & board->source[y];
            if (!bits) continue;
            if (d >= TC_DOWN) {
                const int y_to = (d == TC_DOWN ? y + 1 : y - 1) & (TC_TILE - 1);
                const bool across = d == TC_DOWN ? y == TC_TILE - 1 : y == 0;
                const int other = !across ? 0 : d == TC_DOWN ? w->tiles_x : -w->tiles_x;
                push_row(w, board, board + other, y, y_to, 0, d, bits, e + at, c + at,
                         excess_of(w, tile + other) + y_to * TC_TILE,
                         c + (ptrdiff_t)other * TC_TILE_NODES + y_to * TC_TILE);
                continue;
            }
            const uint32_t rim = d == TC_RIGHT ? 1u << (TC_TILE - 1) : 1;
            const int step = d == TC_RIGHT ? 1 : -1;
            if (bits & ~rim)
                push_row(w, board, board, y, y, step, d, bits & ~rim, e + at, c + at, e + at, c + at);
            if (bits & rim) /* over the tile's edge: column 32 of this row is column 0 of the next tile */
                push_row(w, board, board + step, y, y, -step * (TC_TILE - 1), d, bits & rim, e + at, c + at,
                         excess_of(w, tile + step) + at,
                         c + (ptrdiff_t)step * TC_TILE_NODES + at);
        }
    }
}

/* From the last snapshot, the farthest level, to the first above level 0. */
static void sweep(waves *w, int sinks)
{
    uint32_t push[4][TC_TILE];
    for (int i = w->snapshots; i-- > sinks;) {
        const tc_snapshot *shot = &w->snapshot[i];
        const uint32_t *previous =
            shot->previous == TC_NO_SNAPSHOT ? NULL : w->snapshot[shot->previous].front;
        const uint32_t rows =
            w->kernel->aim(&w->board[shot->tile], shot->front, previous, &shot->halo, push);
        if (rows) push_tile(w, shot->tile, rows, push);
    }
}

/* ---- Regions ---------------------------------------------------------------------------------- */

/* Makes tiles first .. end - 1 the region: all its excess is alive again, links out of it are held back. */
static void enter_region(waves *w, int first_x, int first_y, int end_x, int end_y)
{
    uint32_t below[TC_TILE];
    w->first_x = first_x, w->first_y = first_y;
    w->end_x = end_x < w->tiles_x ? end_x : w->tiles_x;
    w->end_y = end_y < w->tiles_y ? end_y : w->tiles_y;
    w->sources = 0;
    for (int y = w->first_y; y < w->end_y; y++)
        for (int x = w->first_x; x < w->end_x; x++) {
            const int tile = y * w->tiles_x + x;
            tc_board *board = &w->board[tile];
            w->kernel->scan_excess(excess_of(w, tile), below, board->source);
            w->sources += w->kernel->count(board->source);
            board->inside = (uint32_t)((x + 1 < w->end_x) << TC_RIGHT | (x > w->first_x) << TC_LEFT |
                                       (y + 1 < w->end_y) << TC_DOWN | (y > w->first_y) << TC_UP);
        }
}

/* Up to `most` waves in the region. True when none is left to do. */
static bool run_waves(waves *w, int most, const tc_solve_params *params)
{
    for (int i = 0; i < most && !tc_cancelled(params); i++) {
        const int sinks = search(w);
        forget_unreached(w);
        if (w->met == 0) return w->complete;
        sweep(w, sinks);
    }
    return false;
}

/* ---- The solver ------------------------------------------------------------------------------- */

static void set_up_tile(waves *w, int tile)
{
    tc_board *board = &w->board[tile];
    uint32_t above[TC_TILE];

    memset(board, 0, sizeof *board);
    w->kernel->scan_links(w->residual + (size_t)tile * TC_TILE_NODES, board->open);
    w->kernel->scan_excess(excess_of(w, tile), board->sink, above);
}

enum { WAVES_A_TILE = 4, MOST_WAVES = 100000 };

tilecut_status tc_solver_tiles(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    tilecut_status status = TILECUT_OK;
    const int tiles = grid->tiles_x * grid->tiles_y;
    waves w = {.kernel = tc_board_kernels_get(), .excess = grid->excess, .residual = grid->residual,
               .snapshot = (tc_snapshot *)(void *)grid->node,
               .room = tiles * (int)(TC_TILE_NODES * sizeof *grid->node / sizeof *w.snapshot),
               .tiles_x = grid->tiles_x, .tiles_y = grid->tiles_y};
    bool done = false;

    w.board = tc_boards_take(tiles);
    w.queue[0] = malloc((size_t)tiles * 2 * sizeof *w.queue[0]);
    if (!w.board || !w.queue[0]) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for the boards of %d tiles", tiles);
        goto done;
    }
    w.queue[1] = w.queue[0] + tiles;
    stats->bytes = grid->nodes * sizeof *grid->node + (size_t)tiles * (sizeof *w.board + 2 * sizeof *w.queue[0]);

    for (int tile = 0; tile < tiles; tile++) set_up_tile(&w, tile);
    for (int y = 0; y < w.tiles_y; y++)
        for (int x = 0; x < w.tiles_x; x++) {
            enter_region(&w, x, y, x + 1, y + 1);
            (void)run_waves(&w, WAVES_A_TILE, params);
        }
    enter_region(&w, 0, 0, w.tiles_x, w.tiles_y);
    done = run_waves(&w, MOST_WAVES, params);
    if (tc_cancelled(params)) status = tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
    else if (!done) status = tc_solver_bk(grid, params, stats);
done:
    free(w.board);
    free(w.queue[0]);
    return status;
}
