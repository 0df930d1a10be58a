/* SPDX-License-Identifier: MIT
 *
 * solver_push.c - push-relabel in windowed waves: for large weights, few terminals and long corridors.
 *
 * Goldberg & Tarjan, "A New Approach to the Maximum-Flow Problem" (JACM 1988), the first phase only: excess
 * is pushed along residual links that descend one level of `height`, a lower bound of the distance to a
 * pixel with room left to the sink; a pixel that cannot get rid of its excess is lifted. On a grid three
 * things make it fast:
 *
 *  1. Exact heights come from searching back from the sinks (global relabelling, Cherkassky & Goldberg 1997)
 *     on the bitboards of tile_board.h. Pixels that a search does not reach are stuck for good.
 *  2. The search writes no heights. Each tile keeps a log of the levels that came through it, and is
 *     unpacked when a push first needs its heights: late in the solve few tiles are ever touched.
 *  3. Waves with a window. A sweep takes active pixels from the highest level down to 0. A lifted pixel
 *     takes part in the running sweep again only while it is at most `window` levels above the lowest level
 *     that the sweep has come to; what rises further waits. So excess finds its way round small obstacles at
 *     once, as with highest-label selection, but excess behind a full cut does not climb for nothing: the
 *     next search tells.
 *
 * Heights are `base` + level, and every search moves `base` beyond all heights in use, so words of older
 * searches need not be erased: they read as unreached.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "solver_push.h"
#include "status.h"

enum { NONE = -1 };

/* What one level of a search reached in a tile. */
typedef struct record {
    uint32_t front[TC_TILE];
    uint32_t level;
    int32_t next; /* the next one of the same tile, or NONE */
} record;

typedef struct push {
    const tc_board_kernels *kernel;
    const tc_solve_params *params;
    tc_node *node; /* height, and `link` of the lists by level */
    float *excess;
    tc_float4 *residual;
    tc_board *board; /* `snapshot` of a board: its first record not yet unpacked, or NONE */
    int tiles, tiles_x;
    int32_t inner[4], outer[4];     /* index steps to a neighbour in the tile, and to the next tile */
    uint32_t edge_mask[4], edge[4]; /* p is at edge d of its tile if (p & edge_mask[d]) == edge[d] */

    int *queue[2], queued[2]; /* tiles the search comes to, by parity of level */
    record *record;
    int32_t records, room;
    uint64_t steps;           /* tiles times levels of the last search */

    uint32_t base;            /* height of level 0 */
    int32_t *list;            /* active pixels by level: the first of a list through `link` */
    uint32_t levels, used;    /* lists there are; lists that may not be empty */
    uint32_t highest;         /* no pixel of the running sweep is above */
    uint32_t waiting;         /* highest level of those that wait for the next */
    uint32_t floor, window;   /* see above */
    uint32_t ceiling;         /* the last search says nothing of levels above */
    int64_t active;           /* pixels with excess not known to be stuck */
    uint64_t work;            /* pushes and lifts since the search */
    bool no_memory;
} push;

/* A height of an older search, as a level of this one: they wrap round. */
static inline bool unreached(uint32_t level)
{
    return level > INT32_MAX;
}

/* ---- Active pixels by level -------------------------------------------------------------------- */

static bool reserve_level(push *s, uint32_t level)
{
    if (level < s->levels) return true;
    const uint32_t levels = level + level / 4 + 1024;
    int32_t *list = realloc(s->list, levels * sizeof *list);
    if (!list) {
        s->no_memory = true;
        return false;
    }
    for (uint32_t i = s->levels; i < levels; i++) list[i] = NONE;
    s->list = list;
    s->levels = levels;
    return true;
}

static inline void enlist(push *s, int32_t p, uint32_t level)
{
    s->node[p].link = s->list[level];
    s->list[level] = p;
}

/* ---- Search ----------------------------------------------------------------------------------- */

static void write_heights(push *s, int tile, const uint32_t front[TC_TILE], uint32_t level)
{
    tc_node *node = s->node + (size_t)tile * TC_TILE_NODES;
    const int32_t height = (int32_t)(s->base + level);
    for (int y = 0; y < TC_TILE; y++, node += TC_TILE)
        for (uint32_t bits = front[y]; bits; bits &= bits - 1) node[__builtin_ctz(bits)].height = height;
}

static void unpack(push *s, tc_board *board)
{
    for (int32_t i = board->snapshot; i != NONE; i = s->record[i].next)
        write_heights(s, (int)(board - s->board), s->record[i].front, s->record[i].level);
    board->snapshot = NONE;
}

static inline void queue_tile(push *s, int tile, int level)
{
    if (s->board[tile].queued[level & 1] == level) return;
    s->board[tile].queued[level & 1] = level;
    s->queue[level & 1][s->queued[level & 1]++] = tile;
}

/* Tells the tiles around which of its pixels `level` reached, where that opens something new to them. */
static void tell_neighbours(push *s, int tile, int level, uint32_t left, uint32_t right)
{
    tc_board *const board = &s->board[tile];
    const int next = level + 1;
    const uint32_t rim[4] = {[TC_RIGHT] = right, [TC_LEFT] = left, [TC_DOWN] = board->front[TC_TILE - 1],
                             [TC_UP] = board->front[0]};
    const int step[4] = {1, -1, s->tiles_x, -s->tiles_x};

    for (int d = 0; d < 4; d++) {
        if (!rim[d] || !(board->inside >> d & 1)) continue;
        tc_board *other = board + step[d];
        const int far = d == TC_RIGHT || d == TC_DOWN ? 0 : TC_TILE - 1;
        const uint32_t news = rim[d] & (d < TC_DOWN ? s->kernel->column(other->open[d ^ 1], other->seen, far)
                                                    : other->open[d ^ 1][far] & ~other->seen[far]);
        if (!news) continue;
        tc_halo *halo = &other->halo[next & 1];
        *(d == TC_RIGHT ? &halo->left : d == TC_LEFT ? &halo->right : d == TC_DOWN ? &halo->top : &halo->bottom) =
            news;
        queue_tile(s, tile + step[d], next);
    }
}

/* Keeps note of what `level` reached in a tile, `sources` of it active, and hands it on. */
static void settle(push *s, int tile, int level, int sources, uint32_t left, uint32_t right)
{
    tc_board *const board = &s->board[tile];
    if (s->records < s->room) {
        record *r = &s->record[s->records];
        memcpy(r->front, board->front, sizeof r->front);
        r->level = (uint32_t)level;
        r->next = board->snapshot;
        board->snapshot = s->records++;
    } else {
        write_heights(s, tile, board->front, (uint32_t)level);
    }
    if (sources) {
        s->active += sources;
        s->highest = (uint32_t)level;
        for (int y = 0; y < TC_TILE; y++)
            for (uint32_t bits = board->front[y] & board->source[y]; bits; bits &= bits - 1)
                enlist(s, tile * TC_TILE_NODES + y * TC_TILE + __builtin_ctz(bits), (uint32_t)level);
    }
    tell_neighbours(s, tile, level, left, right);
    queue_tile(s, tile, level + 1);
}

static void start_search(push *s)
{
    static const uint32_t nothing[TC_TILE];

    for (uint32_t i = 0; i < s->used; i++) s->list[i] = NONE;
    if (s->base > INT32_MAX - s->used - 2) {
        for (size_t p = 0; p < (size_t)s->tiles * TC_TILE_NODES; p++) s->node[p].height = 0;
        s->base = 0;
    }
    s->base += s->used + 2; /* base - 1 must be nobody's height: it is one below level 0 */
    s->ceiling = UINT32_MAX;
    s->highest = 0;
    s->records = 0;
    s->queued[0] = s->queued[1] = 0;
    for (int tile = 0; tile < s->tiles; tile++) {
        tc_board *board = &s->board[tile];
        s->kernel->restart(board, false);
        board->snapshot = NONE;
    }
    for (int tile = 0; tile < s->tiles; tile++) {
        const tc_board *board = &s->board[tile];
        uint32_t any = 0;
        for (int y = 0; y < TC_TILE; y++) any |= board->sink[y];
        if (any)
            settle(s, tile, 0, 0, s->kernel->column(board->front, nothing, 0),
                   s->kernel->column(board->front, nothing, TC_TILE - 1));
    }
}

/* Finds the distance of every pixel to the nearest sink and lists the active ones; or only as far as the
 * farthest of `wanted` active pixels, and a little further for those that will be lifted. */
static void search(push *s, int64_t wanted)
{
    enum { FURTHER = 4 };
    s->active = 0;
    s->steps = 0;
    start_search(s);
    int level = 1;
    for (; s->queued[level & 1] && s->ceiling == UINT32_MAX && reserve_level(s, (uint32_t)level); level++) {
        const int parity = level & 1, n = s->queued[parity];
        for (int i = 0; i < n; i++) {
            const int tile = s->queue[parity][i];
            tc_board *board = &s->board[tile];
            const tc_halo halo = board->halo[parity];
            uint32_t left, right;
            int sources;
            memset(&board->halo[parity], 0, sizeof halo);
            if (s->kernel->advance(board, &halo, true, &left, &right, &sources))
                settle(s, tile, level, sources, left, right);
        }
        s->queued[parity] = 0;
        s->steps += (uint64_t)n;
        if (s->active == wanted && (uint32_t)level >= s->highest + FURTHER) s->ceiling = (uint32_t)level + 1;
    }
    s->used = (uint32_t)level;
}

/* ---- Sweep ------------------------------------------------------------------------------------ */

static inline void set_bit(uint32_t row[TC_TILE], int32_t p)
{
    row[p / TC_TILE % TC_TILE] |= 1u << p % TC_TILE;
}

static inline void clear_bit(uint32_t row[TC_TILE], int32_t p)
{
    row[p / TC_TILE % TC_TILE] &= ~(1u << p % TC_TILE);
}

/* Moves `flow` from p to q, its neighbour in direction d, which is at `level`. */
static inline void move(push *s, tc_board *from, int32_t p, tc_board *to, int32_t q, int d, float flow,
                        uint32_t level)
{
    float *const link = &s->residual[p].to[d];
    const float before = s->excess[q], after = before + flow;
    s->excess[q] = after;
    if (before <= 0) {
        if (after >= 0) clear_bit(to->sink, q);
        if (after > 0) {
            set_bit(to->source, q);
            enlist(s, q, level);
            s->active++;
        }
    }
    s->residual[q].to[d ^ 1] += flow;
    set_bit(to->open[d ^ 1], q);
    *link -= flow;
    if (*link <= 0) clear_bit(from->open[d], p);
}

/* Pushes what p has to the neighbours one level lower. Returns whether any is left; if so, `lowest` is the
 * lowest level of the others that p has a link to. */
static inline bool push_down(push *s, tc_board *board, int32_t p, uint32_t level, uint32_t *lowest)
{
    const float *const link = s->residual[p].to;
    float excess = s->excess[p];
    *lowest = UINT32_MAX;
    for (int d = 0; d < 4; d++) {
        if (link[d] <= 0) continue;
        int32_t q = p + s->inner[d];
        tc_board *other = board;
        if (((uint32_t)p & s->edge_mask[d]) == s->edge[d]) {
            if (!(board->inside >> d & 1)) continue; /* the grid may be a part of a larger one */
            q = p + s->outer[d];
            other = &s->board[q / TC_TILE_NODES];
            if (other->snapshot != NONE) unpack(s, other);
        }
        const uint32_t there = (uint32_t)s->node[q].height - s->base;
        if (there == level - 1) {
            const float flow = excess < link[d] ? excess : link[d];
            s->work++;
            move(s, board, p, other, q, d, flow, there);
            excess -= flow;
            if (excess <= 0) break;
        } else if (there < *lowest) {
            *lowest = there;
        }
    }
    s->excess[p] = excess;
    return excess > 0;
}

/* Pushes the excess of p downhill, lifting p while it has any left, until it is above the running sweep. */
static void discharge(push *s, int32_t p)
{
    tc_node *const node = &s->node[p];
    tc_board *const board = &s->board[p / TC_TILE_NODES];
    uint32_t lowest;
    if (board->snapshot != NONE) unpack(s, board);
    for (uint32_t level = (uint32_t)node->height - s->base; push_down(s, board, p, level, &lowest);) {
        s->work++;
        if (unreached(lowest) || lowest >= s->ceiling || !reserve_level(s, lowest + 1)) {
            /* Stuck for good, or until a search goes further. */
            node->height = (int32_t)(s->base - 2);
            if (s->ceiling == UINT32_MAX) s->active--;
            return;
        }
        level = lowest + 1;
        node->height = (int32_t)(s->base + level);
        if (level >= s->used) s->used = level + 1;
        if (level > s->highest) {
            enlist(s, p, level);
            if (level > s->waiting) s->waiting = level;
            if (level <= s->floor + s->window) s->highest = level;
            return;
        }
    }
    clear_bit(board->source, p);
    s->active--;
}

/* From the highest active pixel down to the sinks. */
static void sweep(push *s)
{
    s->waiting = 0;
    for (s->floor = s->highest; !tc_cancelled(s->params); s->highest--) {
        if (s->highest < s->floor) s->floor = s->highest;
        while (s->list[s->highest] != NONE) {
            const int32_t p = s->list[s->highest], next = s->node[p].link;
            s->list[s->highest] = next;
            if (next != NONE) {
                __builtin_prefetch(&s->node[next]);
                __builtin_prefetch(&s->residual[next]);
            }
            discharge(s, p);
        }
        if (s->highest == 0) break;
    }
}

/* ---- The solver ------------------------------------------------------------------------------- */

/* Where paths are long, obstacles are far apart and detours long. The numbers are measured. */
static uint32_t window_for(uint32_t highest)
{
    const uint32_t window = (uint32_t)(0.07 * cbrt((double)highest * highest));
    return window > 2 ? window : 2;
}

static void solve(push *s)
{
    enum { WORK_A_STEP = 2 }; /* another sweep while searching was more work than pushing */
    int64_t wanted = INT64_MAX;
    while (!s->no_memory && !tc_cancelled(s->params)) {
        search(s, wanted);
        s->work = 0;
        s->window = window_for(s->highest);
        s->waiting = s->highest;
        while (s->active && s->waiting && s->work <= WORK_A_STEP * s->steps && !tc_cancelled(s->params)) {
            s->highest = s->waiting;
            sweep(s);
        }
        if (!s->active) return;
        wanted = s->active;
    }
}

tilecut_status tc_push_on(tc_grid *grid, tc_push_boards *boards, const tc_solve_params *params, tc_solve_stats *stats)
{
    enum { RECORDS_A_TILE = 4 };
    tilecut_status status = TILECUT_OK;
    const int tiles = grid->tiles_x * grid->tiles_y;
    const int32_t row = grid->tiles_x * TC_TILE_NODES, last = TC_TILE - 1, last_row = last * TC_TILE;
    push s = {
        .kernel = tc_board_kernels_get(),
        .params = params,
        .node = grid->node,
        .excess = grid->excess,
        .residual = grid->residual,
        .board = boards->board,
        .base = boards->base,
        .tiles = tiles,
        .tiles_x = grid->tiles_x,
        .inner = {1, -1, TC_TILE, -TC_TILE},
        .outer = {TC_TILE_NODES - last, last - TC_TILE_NODES, row - last_row, last_row - row},
        .edge_mask = {(uint32_t)last, (uint32_t)last, (uint32_t)last_row, (uint32_t)last_row},
        .edge = {(uint32_t)last, 0, (uint32_t)last_row, 0},
        .room = tiles * RECORDS_A_TILE,
    };
    s.record = malloc((size_t)s.room * sizeof *s.record);
    s.queue[0] = malloc((size_t)tiles * 2 * sizeof *s.queue[0]);
    if (!s.record || !s.queue[0] || !reserve_level(&s, 0)) {
        status = tc_fail(TILECUT_ENOMEM, "no memory to search %d tiles", tiles);
        goto done;
    }
    s.queue[1] = s.queue[0] + tiles;
    for (int tile = 0; tile < tiles; tile++) {
        const int x = tile % s.tiles_x;
        s.board[tile].snapshot = NONE;
        s.board[tile].inside = (uint32_t)((x + 1 < s.tiles_x) << TC_RIGHT | (x > 0) << TC_LEFT |
                                          (tile + s.tiles_x < tiles) << TC_DOWN | (tile >= s.tiles_x) << TC_UP);
    }
    solve(&s);
    boards->base = s.base + s.used;
    stats->bytes = grid->nodes * sizeof *grid->node + s.levels * sizeof *s.list +
                   (size_t)tiles * (RECORDS_A_TILE * sizeof *s.record + 2 * sizeof *s.queue[0]);
    if (s.no_memory) status = tc_fail(TILECUT_ENOMEM, "no memory for the lists of %u levels", s.levels);
    else if (tc_cancelled(params)) status = tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
done:
    free(s.list);
    free(s.queue[0]);
    free(s.record);
    return status;
}

/* What set_up_tile() works on. */
typedef struct setting {
    const tc_grid *grid;
    const tc_board_kernels *kernel;
    tc_board *board;
} setting;

static void set_up_tile(void *context, int tile, int number)
{
    const setting *const s = context;
    tc_board *const board = &s->board[tile];
    const size_t first = (size_t)tile * TC_TILE_NODES;

    (void)number;
    memset(board, 0, sizeof *board);
    s->kernel->scan_excess(s->grid->excess + first, board->sink, board->source);
    s->kernel->scan_links(s->grid->residual + first, board->open);
}

tilecut_status tc_solver_push(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    const int tiles = grid->tiles_x * grid->tiles_y;
    tc_push_boards boards = {.board = tc_boards_take(tiles)};
    setting set = {grid, tc_board_kernels_get(), boards.board};

    if (!boards.board) return tc_fail(TILECUT_ENOMEM, "no memory for the boards of %d tiles", tiles);
    tc_parallel(params->threads, tiles, set_up_tile, &set);
    const tilecut_status status = tc_push_on(grid, &boards, params, stats);
    stats->bytes += (size_t)tiles * sizeof *boards.board;
    free(boards.board);
    return status;
}
