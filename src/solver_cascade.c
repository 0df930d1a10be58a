/* SPDX-License-Identifier: MIT
 *
 * solver_cascade.c - excess runs downhill by whole rows of pixels; what is left goes to solver_push.c.
 *
 * A search from the sinks over bitboards (tile_board.h) leaves behind, for each pixel, which of its links
 * lead one level nearer to a sink. That is a graph without circles, so excess may run along it in any order
 * and no heights are needed: each tile is swept from the top down and from the bottom up, and a row pushes
 * in all four directions with a few vector instructions (tile_drain_kernels.h). When nothing can move any
 * more, the next search finds the next shortest ways. This is the push of Goldberg & Tarjan (1988) in waves,
 * as Hussein, Varshney & Davis (2007) do it, but without order among the levels of a wave.
 *
 * First of all, each pixel feeds the sinks right beside it, which needs no search. Then a wave runs in each tile alone,
 * where much of the flow of a photograph ends, then waves in the whole image, and when few sources are left, around the
 * tiles that have them. With threads, strips of the image are solved so side by side before the whole, and then strips
 * across the seams of those, so that little is left for the whole, which is one thread's.
 * When a search costs more steps than it meets sources, and their number does not fall fast either, waves are
 * too blunt, and push-relabel with its windows takes over.
 */
#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "solver_push.h"
#include "status.h"

/* The graph, cut up for the waves: as tile_board.h says, and the links of each tile in planes too. */
typedef struct cascade {
    const tc_board_kernels *kernel;
    const tc_solve_params *params;
    const tc_grid *grid;
    tc_board *board;
    struct worker *worker; /* [threads] */
    int threads;
    int block_x, block_y;  /* regions are blocks of so many tiles, */
    int raised;            /* the first row of them by so many fewer */
    int waves;             /* at most so many in each */
    bool finished;         /* no source can reach a sink any more: the boards are of no use */
} cascade;

/* A rectangle of tiles under work. */
typedef struct worker {
    const cascade *s;
    int first_x, first_y, end_x, end_y;
    int *queue[2];            /* tiles, by parity of level or of turn, row by row of them: tiles_x for each */
    int *queued[2];           /* so many in each row                           */
    int64_t waiting;          /* in all of them                                */
    int64_t sources, met;     /* alive in the region; met by its last search   */
    int64_t entered;          /* of the whole, those in rows that this thread looked at */
    int64_t steps;            /* tiles times levels of that search             */
    bool finished;            /* no source of the region can reach a sink      */
    bool gave_up;             /* in one of its regions                         */
} worker;

/* Row `y` is where the tile lies. */
static inline void queue_tile(worker *w, int tile, int y, int turn)
{
    int32_t *const queued = &w->s->board[tile].queued[turn & 1];
    if (*queued == turn) return;
    *queued = turn;
    w->queue[turn & 1][(size_t)y * (size_t)w->s->grid->tiles_x + (size_t)w->queued[turn & 1][y]++] = tile;
    w->waiting++;
}

/* The tiles of row `y` that wait for this turn, no longer queued; and how many. */
static inline const int *take_row(worker *w, int y, int turn, int *count)
{
    *count = w->queued[turn & 1][y];
    w->queued[turn & 1][y] = 0;
    w->waiting -= *count;
    return w->queue[turn & 1] + (size_t)y * (size_t)w->s->grid->tiles_x;
}

/* ---- Search ----------------------------------------------------------------------------------- */

/* Tells the tiles around which pixels of `level` touch them, where that opens something new to them. */
static void tell_neighbours(worker *w, int tile, int y, int level, uint32_t left, uint32_t right)
{
    tc_board *const board = &w->s->board[tile];
    const int across = w->s->grid->tiles_x, next = level + 1;
    const uint32_t up = board->front[0], down = board->front[TC_TILE - 1];

    if (up && board->inside >> TC_UP & 1) {
        tc_board *const other = board - across;
        const uint32_t news = up & other->open[TC_DOWN][TC_TILE - 1] & ~other->seen[TC_TILE - 1];
        if (news) other->halo[next & 1].bottom = news, queue_tile(w, tile - across, y - 1, next);
    }
    if (down && board->inside >> TC_DOWN & 1) {
        tc_board *const other = board + across;
        const uint32_t news = down & other->open[TC_UP][0] & ~other->seen[0];
        if (news) other->halo[next & 1].top = news, queue_tile(w, tile + across, y + 1, next);
    }
    if (left && board->inside >> TC_LEFT & 1) {
        tc_board *const other = board - 1;
        const uint32_t news = left & w->s->kernel->column(other->open[TC_RIGHT], other->seen, TC_TILE - 1);
        if (news) other->halo[next & 1].right = news, queue_tile(w, tile - 1, y, next);
    }
    if (right && board->inside >> TC_RIGHT & 1) {
        tc_board *const other = board + 1;
        const uint32_t news = right & w->s->kernel->column(other->open[TC_LEFT], other->seen, 0);
        if (news) other->halo[next & 1].left = news, queue_tile(w, tile + 1, y, next);
    }
}

/* Row `y` of tiles: only the sinks are seen. */
static void clear_row(worker *w, int y)
{
    w->queued[0][y] = w->queued[1][y] = 0;
    for (int x = w->first_x; x < w->end_x; x++) w->s->kernel->restart(&w->s->board[y * w->s->grid->tiles_x + x], true);
}

/* The sinks of row `y` are level 0. */
static void start_row(worker *w, int y)
{
    static const uint32_t nothing[TC_TILE];
    for (int x = w->first_x; x < w->end_x; x++) {
        const int tile = y * w->s->grid->tiles_x + x;
        const uint32_t *const sinks = w->s->board[tile].front;
        if (w->s->kernel->count(sinks) == 0) continue;
        tell_neighbours(w, tile, y, 0, w->s->kernel->column(sinks, nothing, 0),
                        w->s->kernel->column(sinks, nothing, TC_TILE - 1));
        queue_tile(w, tile, y, 1);
    }
}

static void advance_row(worker *w, int y, int level)
{
    int count;
    const int *const tiles = take_row(w, y, level, &count);
    w->steps += count;
    for (int i = 0; i < count; i++) {
        tc_board *const board = &w->s->board[tiles[i]];
        const tc_halo halo = board->halo[level & 1];
        uint32_t left, right;
        int sources;
        memset(&board->halo[level & 1], 0, sizeof halo);
        if (!w->s->kernel->advance_leading(board, &halo, true, &left, &right, &sources)) continue;
        w->met += sources;
        tell_neighbours(w, tiles[i], y, level, left, right);
        queue_tile(w, tiles[i], y, level + 1);
    }
}

/* Finds the shortest ways to the sinks, at least as far as the farthest source. A level of a row needs the level before
 * of the rows beside it and no more, so that several levels follow each other through the rows, while the boards
 * are in the cache. */
static void search(worker *w)
{
    enum { CLEAR = -1, START, FIRST_LEVEL, LEVELS = 6 };
    const int at_once = w->end_y - w->first_y > 1 ? LEVELS : 1;

    w->met = w->steps = w->waiting = 0;
    for (int level = CLEAR; level < FIRST_LEVEL || (w->waiting && w->met < w->sources); level += at_once)
        for (int last = w->first_y; last < w->end_y + at_once - 1; last++)
            for (int i = 0; i < at_once; i++) {
                const int y = last - i;
                if (y < w->first_y || y >= w->end_y) continue;
                if (level + i == CLEAR) clear_row(w, y);
                else if (level + i == START) start_row(w, y);
                else advance_row(w, y, level + i);
            }
}

/* What a complete search did not reach never will reach a sink. */
static void forget_unreached(worker *w)
{
    if (w->met == w->sources) return;
    for (int y = w->first_y; y < w->end_y; y++)
        for (int x = w->first_x; x < w->end_x; x++) {
            tc_board *const board = &w->s->board[y * w->s->grid->tiles_x + x];
            for (int i = 0; i < TC_TILE; i++) board->source[i] &= board->seen[i];
        }
    w->sources = w->met;
}

/* ---- Drain ------------------------------------------------------------------------------------ */

static inline tc_tile_view view(const cascade *s, int tile)
{
    const size_t first = (size_t)tile * TC_TILE_NODES;
    return (tc_tile_view){&s->board[tile], s->grid->excess + first, s->grid->residual[first].to};
}

/* Brings the bits of a tile up to date. */
static void read_off(worker *w, const tc_tile_view *tile)
{
    w->sources += w->s->kernel->read_off(tile, tile->board->stale);
    tile->board->stale = 0;
}

/* Drains one tile, and queues it and those it fed for the next turn as needed. */
static void drain_tile(worker *w, int tile, int y, int turn)
{
    enum { SWEEPS = 4 };
    const int step[4] = {1, -1, w->s->grid->tiles_x, -w->s->grid->tiles_x}, step_y[4] = {0, 0, 1, -1};
    const tc_tile_view here = view(w->s, tile);
    tc_tile_view around[4];

    for (int d = 0; d < 4; d++) around[d] = here.board->inside >> d & 1 ? view(w->s, tile + step[d]) : here;
    const uint32_t over = w->s->kernel->drain(&here, around, SWEEPS);
    if (here.board->ready) queue_tile(w, tile, y, turn + 1);
    else read_off(w, &here);
    for (int d = 0; d < 4; d++)
        if (over >> d & 1) queue_tile(w, tile + step[d], y + step_y[d], turn + 1);
}

/* The tiles where something can run down. */
static void queue_ready(worker *w)
{
    w->waiting = 0;
    for (int y = w->first_y; y < w->end_y; y++) {
        w->queued[0][y] = w->queued[1][y] = 0;
        for (int x = w->first_x; x < w->end_x; x++) {
            const int tile = y * w->s->grid->tiles_x + x;
            w->s->board[tile].queued[0] = w->s->board[tile].queued[1] = -1;
            if (w->s->board[tile].ready) queue_tile(w, tile, y, 0);
        }
    }
}

/* Lets all excess of the region run down, turn by turn over the tiles where any can. */
static void drain(worker *w)
{
    enum { TURNS = 64 }; /* a few pixels on a very long way need not hold up the next search */
    int turn = 0, count;
    queue_ready(w);
    for (; turn < TURNS && w->waiting; turn++)
        for (int y = w->first_y; y < w->end_y; y++) {
            const int *const tiles = take_row(w, y, turn, &count);
            for (int i = 0; i < count; i++) drain_tile(w, tiles[i], y, turn);
        }
    for (int y = w->first_y; y < w->end_y && w->waiting; y++) { /* cut short: what is stale is queued */
        const int *const tiles = take_row(w, y, turn, &count);
        for (int i = 0; i < count; i++) {
            const tc_tile_view tile = view(w->s, tiles[i]);
            read_off(w, &tile);
        }
    }
}

/* ---- Regions ---------------------------------------------------------------------------------- */

/* Rows of tiles [*first, *end) of strip `index`, each `rows` of `all` high but the last, and the first if the
 * strips are `raised`. */
static void strip_rows(int index, int rows, int raised, int all, int *first, int *end)
{
    *first = index ? index * rows - raised : 0;
    *end = (index + 1) * rows - raised < all ? (index + 1) * rows - raised : all;
}

static int strip_count(int rows, int raised, int all)
{
    return (all + raised + rows - 1) / rows;
}

/* Links out of the region are held back. */
static inline void set_inside(const worker *w, int x, int y)
{
    w->s->board[y * w->s->grid->tiles_x + x].inside =
        (uint32_t)((x + 1 < w->end_x) << TC_RIGHT | (x > w->first_x) << TC_LEFT | (y + 1 < w->end_y) << TC_DOWN |
                   (y > w->first_y) << TC_UP);
}

/* Row `y` of tiles. Counts into `sources`. */
static void enter_row(const worker *w, int y, int64_t *sources)
{
    for (int x = w->first_x; x < w->end_x; x++) {
        const tc_board *board = &w->s->board[y * w->s->grid->tiles_x + x];
        *sources += w->s->kernel->count(board->source);
        set_inside(w, x, y);
    }
}

/* All excess is alive again: what is stuck in a region need not be in a larger one. */
static void leave_row(const worker *w, int y)
{
    uint32_t below[TC_TILE];
    for (int tile = y * w->s->grid->tiles_x + w->first_x; tile < y * w->s->grid->tiles_x + w->end_x; tile++)
        w->s->kernel->scan_excess(view(w->s, tile).excess, below, w->s->board[tile].source);
}

/* Waves in the tile at (x, y) and the eight around it. */
static void run_around(worker *w, int x, int y)
{
    enum { WAVES = 8 };
    worker part = *w; /* with its queues */
    int64_t before = 0;

    part.first_x = x > w->first_x ? x - 1 : x, part.end_x = x + 1 < w->end_x ? x + 2 : x + 1;
    part.first_y = y > w->first_y ? y - 1 : y, part.end_y = y + 1 < w->end_y ? y + 2 : y + 1;
    for (int i = part.first_y; i < part.end_y; i++) enter_row(&part, i, &before);
    part.sources = before;
    for (int i = 0; i < WAVES && part.sources > 0; i++) {
        search(&part);
        if (part.met == 0) break;
        drain(&part);
    }
    w->sources += part.sources - before;
    for (int i = part.first_y; i < part.end_y; i++)
        for (int k = part.first_x; k < part.end_x; k++) set_inside(w, k, i);
}

/* When few sources are left, and most of them not far from a sink, searching all of the region would take longer
 * than to search around each. Returns whether half of them or more could be helped so. */
static bool run_around_sources(worker *w)
{
    const int64_t before = w->sources;
    for (int y = w->first_y; y < w->end_y && w->sources > 0; y++)
        for (int x = w->first_x; x < w->end_x; x++)
            if (w->s->kernel->count(w->s->board[y * w->s->grid->tiles_x + x].source) > 0) run_around(w, x, y);
    return 2 * w->sources <= before;
}

static void run_waves(worker *w)
{
    enum { FEW = 8 }; /* tiles for each source */
    const int64_t tiles = (int64_t)(w->end_x - w->first_x) * (w->end_y - w->first_y);
    bool around = true;
    w->finished = w->sources == 0;
    for (int i = 0; i < w->s->waves && !w->finished && !tc_cancelled(w->s->params); i++) {
        search(w);
        forget_unreached(w);
        if (w->met > 0) drain(w);
        if (w->steps > w->met && 3 * w->sources > 2 * w->met) return;
        if (around && FEW * w->sources < tiles) around = run_around_sources(w);
        w->finished = w->sources == 0;
    }
}

static void run_region(void *context, int index, int number)
{
    const cascade *const s = context;
    const int tiles_x = s->grid->tiles_x, across = (tiles_x + s->block_x - 1) / s->block_x;
    worker *const w = &s->worker[number];

    w->first_x = index % across * s->block_x;
    w->end_x = w->first_x + s->block_x < tiles_x ? w->first_x + s->block_x : tiles_x;
    strip_rows(index / across, s->block_y, s->raised, s->grid->tiles_y, &w->first_y, &w->end_y);
    w->sources = 0;
    for (int y = w->first_y; y < w->end_y; y++) enter_row(w, y, &w->sources);
    run_waves(w);
    w->gave_up = w->gave_up || !w->finished;
    for (int y = w->first_y; y < w->end_y; y++) leave_row(w, y);
}

static void set_up_tile(const cascade *s, int tile)
{
    const tc_tile_view here = view(s, tile);
    s->kernel->split_links(here.links);
    memset(here.board, 0, sizeof *here.board);
    memset(here.board->seen, 0xff, sizeof here.board->seen);
    s->kernel->feed_beside(&here);
    s->kernel->read_off(&here, ~0u);
}

/* Makes the board of a tile, and its first waves while the tile is in the cache. */
static void run_tile(void *context, int tile, int number)
{
    set_up_tile(context, tile);
    run_region(context, tile, number);
}

static void enter_row_of_whole(void *context, int y, int number)
{
    const cascade *const s = context;
    enter_row(&s->worker[0], y, &s->worker[number].entered);
}

/* The whole image is one thread's, but for looking at all of it. */
static bool run_whole(cascade *s, int waves)
{
    worker *const w = &s->worker[0];
    s->waves = waves;
    w->first_x = w->first_y = 0;
    w->end_x = s->grid->tiles_x, w->end_y = s->grid->tiles_y;
    tc_parallel(s->threads, w->end_y, enter_row_of_whole, s);
    w->sources = 0;
    for (int i = 0; i < s->threads; i++) w->sources += s->worker[i].entered;
    run_waves(w);
    return w->finished;
}

/* Returns whether all regions were finished. */
static bool run_regions(cascade *s, void (*run)(void *, int, int), int block_x, int block_y, int raised, int waves)
{
    bool finished = true;
    const int across = (s->grid->tiles_x + block_x - 1) / block_x;
    const int along = strip_count(block_y, raised, s->grid->tiles_y);
    s->block_x = block_x;
    s->block_y = block_y;
    s->raised = raised;
    s->waves = waves;
    for (int i = 0; i < s->threads; i++) s->worker[i].gave_up = false;
    tc_parallel(s->threads, across * along, run, s);
    for (int i = 0; i < s->threads; i++) finished = finished && !s->worker[i].gave_up;
    return finished;
}

/* ---- Handing back ----------------------------------------------------------------------------- */

static void hand_back_tile(void *context, int tile, int number)
{
    const cascade *const s = context;
    const tc_tile_view here = view(s, tile);
    (void)number;
    s->kernel->join_links(here.links);
    /* Waves forget what is stuck. */
    if (!s->finished) s->kernel->scan_excess(here.excess, here.board->sink, here.board->source);
}

/* ---- Strips ----------------------------------------------------------------------------------- */

/* Strips are unequal work, so there are more of them than threads. */
enum { STRIPS_A_THREAD = 4 };

/* Whole rows of tiles, so that a strip is a grid by itself; solver_push.c keeps off the links that leave it. */
typedef struct strips {
    const tc_grid *grid;
    tc_push_boards boards;  /* of all strips */
    tc_solve_params params; /* for one thread */
    int rows, raised;       /* as strip_rows() has them */
    uint32_t base[STRIPS_A_THREAD * TC_MAX_THREADS + 1]; /* as each strip leaves it */
    tilecut_status status[STRIPS_A_THREAD * TC_MAX_THREADS + 1];
    tc_solve_stats stats[STRIPS_A_THREAD * TC_MAX_THREADS + 1];
} strips;

static void push_in_strip(void *context, int i, int number)
{
    strips *const s = context;
    const size_t nodes_a_row = (size_t)s->grid->tiles_x * TC_TILE_NODES;
    tc_push_boards boards = s->boards;
    tc_grid part = *s->grid;
    int first, end;

    (void)number;
    strip_rows(i, s->rows, s->raised, s->grid->tiles_y, &first, &end);
    part.tiles_y = end - first;
    part.nodes = nodes_a_row * (size_t)part.tiles_y;
    part.residual += nodes_a_row * (size_t)first;
    part.excess += nodes_a_row * (size_t)first;
    part.node += nodes_a_row * (size_t)first;
    boards.board += (size_t)s->grid->tiles_x * (size_t)first;
    s->status[i] = tc_push_on(&part, &boards, &s->params, &s->stats[i]);
    s->base[i] = boards.base;
}

/* `bytes`, in and out: the most that was taken at a time. */
static tilecut_status push_in_strips(strips *s, int threads, size_t *bytes)
{
    const int count = strip_count(s->rows, s->raised, s->grid->tiles_y);
    size_t taken = 0;

    tc_parallel(threads, count, push_in_strip, s);
    for (int i = 0; i < count; i++) {
        /* The sentence about a failure stayed in the strip's thread. */
        if (s->status[i] == TILECUT_ECANCELLED) return tc_fail(s->status[i], "cancelled while solving");
        if (s->status[i] != TILECUT_OK) return tc_fail(s->status[i], "no memory to solve strip %d", i);
        taken += s->stats[i].bytes;
        if (s->base[i] > s->boards.base) s->boards.base = s->base[i];
    }
    if (taken > *bytes) *bytes = taken;
    return TILECUT_OK;
}

/* What waves left: in strips side by side if `rows` is less than all, across their seams, then in the whole. */
static tilecut_status push_the_rest(tc_grid *grid, tc_board *board, const tc_solve_params *params, int rows,
                                    tc_solve_stats *stats)
{
    tilecut_status status = TILECUT_OK;
    strips s = {.grid = grid, .boards = {board, 0}, .params = *params, .rows = rows};
    size_t bytes = 0;

    s.params.threads = 1;
    for (int turn = 0; turn < 2 && rows < grid->tiles_y; turn++) {
        s.raised = turn * (rows / 2);
        TRY(push_in_strips(&s, params->threads, &bytes));
    }
    TRY(tc_push_on(grid, &s.boards, params, stats));
    if (bytes > stats->bytes) stats->bytes = bytes;
done:
    return status;
}

/* ---- The solver ------------------------------------------------------------------------------- */

static void forget(cascade *s)
{
    for (int i = 0; s->worker && i < s->threads; i++) free(s->worker[i].queue[0]);
    free(s->worker);
    free(s->board);
}

static bool prepare(cascade *s)
{
    const size_t rows = (size_t)s->grid->tiles_y, tiles = (size_t)s->grid->tiles_x * rows;
    s->board = tc_boards_take((int)tiles);
    s->worker = calloc((size_t)s->threads, sizeof *s->worker);
    if (!s->board || !s->worker) return false;
    for (int i = 0; i < s->threads; i++) {
        worker *const w = &s->worker[i];
        w->s = s;
        w->queue[0] = malloc(2 * (tiles + rows) * sizeof *w->queue[0]);
        if (!w->queue[0]) return false;
        w->queue[1] = w->queue[0] + tiles;
        w->queued[0] = w->queue[1] + tiles;
        w->queued[1] = w->queued[0] + rows;
    }
    return true;
}

/* False: push has to go on. Where strips were given up, and strips across their seams too, the whole is not tried. */
static bool run_all(cascade *s, int rows)
{
    enum { TILE_WAVES = 1, WAVES = 32 };
    const int tiles_x = s->grid->tiles_x, tiles_y = s->grid->tiles_y;
    bool finished = rows >= tiles_y; /* no strips */
    (void)run_regions(s, run_tile, 1, 1, 0, TILE_WAVES);
    for (int turn = 0; turn < 2 && rows < tiles_y; turn++)
        if (run_regions(s, run_region, tiles_x, rows, turn * (rows / 2), WAVES)) finished = true;
    return finished && run_whole(s, WAVES);
}

tilecut_status tc_solver_cascade(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    enum { ROWS_A_STRIP = 4 }; /* at least: else too much crosses strips */
    const int tiles_y = grid->tiles_y, tiles = grid->tiles_x * tiles_y;
    const int threads = params->threads < TC_MAX_THREADS ? params->threads : TC_MAX_THREADS;
    const int wanted = threads > 1 ? STRIPS_A_THREAD * threads : 1, even = (tiles_y + wanted - 1) / wanted;
    const int rows = even < ROWS_A_STRIP ? ROWS_A_STRIP : even;
    cascade s = {.kernel = tc_board_kernels_get(), .params = params, .grid = grid, .threads = threads};
    tc_solve_stats rest = {0};

    if (!prepare(&s)) {
        forget(&s);
        return tc_fail(TILECUT_ENOMEM, "no memory for the boards of %d tiles", tiles);
    }
    s.finished = run_all(&s, rows);
    tc_parallel(threads, tiles, hand_back_tile, &s);
    tilecut_status status = TILECUT_OK;
    if (tc_cancelled(params)) status = tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
    else if (!s.finished) status = push_the_rest(grid, s.board, params, rows, &rest);
    stats->bytes = (size_t)tiles * (sizeof *s.board + 2 * sizeof(int) * (size_t)threads) + rest.bytes;
    forget(&s);
    return status;
}
