/* SPDX-License-Identifier: MIT
 *
 * cascade.c - lets excess run downhill by whole rows of pixels (drain.h) and gives what is left to push.c.
 *
 * First, each pixel pushes into the sinks next to it, which needs no search. Then one descent runs in each tile alone;
 * much of the flow of a photograph ends there. Then descents run in the whole image, and when these give up,
 * push-relabel continues with its windows.
 *
 * Parts of the image are worked on before the whole image, because a part fits into a cache. The method within a part
 * depends on how near flow is to its sinks, which is estimated from the descents in some sample tiles:
 *
 *   - If flow is near, descents do nearly all of the work. They run in blocks of tiles first, and then in the whole
 *     image.
 *   - If not, push-relabel runs in pieces of the image first, and then in the whole image. Each piece has one thread,
 *     which need not wait for others. At first pieces lie side by side, then across the seams between the former, and
 *     they grow to a quarter of the image.
 *
 * In the whole image all threads work in step. A volume is divided only to share it among threads, into slabs, and only
 * if flow is not far, because otherwise the solution of a part is of little use for the whole.
 */
#include <stdlib.h>
#include <string.h>

#include "drain.h"
#include "neighbourhoods.h"
#include "parallel.h"
#include "push.h"
#include "status.h"
#include "tuning.h"

/* The result of pushing in one piece. */
typedef struct piece_result {
    uint32_t base; /* see push.h */
    tilecut_status status;
    tc_solve_stats stats;
} piece_result;

typedef struct cascade {
    tc_drain drain;
    tc_grid *grid;
    const tc_solve_params *params;
    int threads;
    int size;              /* tiles along a side of a piece; in a volume, its slices */
    bool moved;            /* true: pieces are shifted by half a piece up and to the left */
    uint32_t base;         /* all heights in use are below this: *base of push.h */
    piece_result *result;  /* [pieces]; on the heap because the stack may be small */
} cascade;

/* ---- Tiles ------------------------------------------------------------------------------------ */

/* Makes every pixel with excess a source again. Excess that was stuck in a part may reach a sink in a larger part. */
static void revive(const tc_drain *s, int tile)
{
    uint32_t below[TC_TILE];
    s->kernel->scan_excess(tc_tile_view_of(s->grid, s->board, tile).excess, below, s->board[tile].source);
}

/* Makes the board of a tile, and runs its first descent while the tile is in the cache. */
static void run_tile(const tc_drain *s, tc_drain_worker *w, int x, int y)
{
    const int tile = y * s->row_tiles + x;
    const tc_tile_view view = tc_tile_view_of(s->grid, s->board, tile);

    memset(view.board, 0, sizeof *view.board);
    memset(view.board->seen, 0xff, sizeof view.board->seen);
    s->kernel->feed_beside(&view);
    s->kernel->read_off(&view, ~0u);
    w->first_x = x, w->end_x = x + 1;
    w->first_y = y, w->end_y = y + 1;
    if ((x + 5 * y) % TC_DRAIN_SAMPLE == 0) tc_drain_sample(w);
    else (void)tc_drain_run(w, 1);
    revive(s, tile);
}

/* True if most sources have a sink nearby: far fewer sources of the samples reached one in the last descent than in the
 * first. */
static bool is_near(const int64_t met[TC_DRAIN_SAMPLES])
{
    return TC_DRAIN_IS_NEAR * met[TC_DRAIN_SAMPLES - 1] < met[0];
}

static int blocks_across(const tc_drain *s)
{
    return (s->row_tiles + TC_DRAIN_BLOCK - 1) / TC_DRAIN_BLOCK;
}

static int blocks_down(const tc_drain *s)
{
    return (s->rows + TC_DRAIN_BLOCK - 1) / TC_DRAIN_BLOCK;
}

/* Runs descents in the tiles of a block. If flow is near, according to the samples of this worker so far, also runs
 * descents in the whole block. */
static void run_block(void *context, int block, int number)
{
    const tc_drain *const s = &((cascade *)context)->drain;
    const int first_x = block % blocks_across(s) * TC_DRAIN_BLOCK;
    const int first_y = block / blocks_across(s) * TC_DRAIN_BLOCK;
    const int end_x = first_x + TC_DRAIN_BLOCK < s->row_tiles ? first_x + TC_DRAIN_BLOCK : s->row_tiles;
    const int end_y = first_y + TC_DRAIN_BLOCK < s->rows ? first_y + TC_DRAIN_BLOCK : s->rows;
    tc_drain_worker *const w = &s->worker[number];

    for (int y = first_y; y < end_y; y++)
        for (int x = first_x; x < end_x; x++) run_tile(s, w, x, y);
    if (!is_near(w->met_in)) return;
    w->first_x = first_x, w->end_x = end_x;
    w->first_y = first_y, w->end_y = end_y;
    (void)tc_drain_run(w, TC_DRAIN_IN_BLOCK);
    for (int y = first_y; y < end_y; y++)
        for (int x = first_x; x < end_x; x++) revive(s, y * s->row_tiles + x);
}

/* Recomputes sources and sinks for push. Descents drop sources that are stuck, but push needs all excess. */
static void hand_on_tile(void *context, int tile)
{
    const tc_drain *const s = &((cascade *)context)->drain;
    s->kernel->scan_excess(tc_tile_view_of(s->grid, s->board, tile).excess, s->board[tile].sink, s->board[tile].source);
}

/* ---- Pieces ----------------------------------------------------------------------------------- */

/* Returns the number of pieces along `tiles` tiles. */
static int pieces_along(const cascade *c, int tiles)
{
    return (tiles + (c->moved ? c->size / 2 : 0) + c->size - 1) / c->size;
}

/* A volume is divided into slabs of whole slices. */
static int piece_columns(const cascade *c)
{
    return TC_SLICES ? 1 : pieces_along(c, c->drain.row_tiles);
}

static int piece_count(const cascade *c)
{
    return pieces_along(c, c->drain.rows) * piece_columns(c);
}

/* Finds the tiles of the i-th piece along a side of the grid: *first .. *end - 1. */
static void piece_side(const cascade *c, int i, int tiles, int *first, int *end)
{
    const int moved = c->moved ? c->size / 2 : 0;
    *first = i ? i * c->size - moved : 0;
    *end = (i + 1) * c->size - moved;
    if (*end > tiles) *end = tiles;
}

/* Pushes in one piece, as if it were a whole grid. */
static void push_in_piece(void *context, int i)
{
    cascade *const c = context;
    piece_result *const result = &c->result[i];
    tc_solve_params params = *c->params;
    tc_grid part = *c->grid;
    int first_x = 0, end_x = c->drain.row_tiles, first_y, end_y;

    params.threads = 1;
    if (!TC_SLICES) piece_side(c, i % piece_columns(c), c->drain.row_tiles, &first_x, &end_x);
    piece_side(c, i / piece_columns(c), c->drain.rows, &first_y, &end_y);
    const int tile = first_y * c->drain.row_tiles + first_x;
    const size_t node = (size_t)tile * TC_TILE_NODES;
    part.tiles_y = (end_y - first_y) * (TC_SLICES ? part.slice_rows : 1);
    part.nodes = (size_t)(end_x - first_x) * (size_t)(end_y - first_y) * TC_TILE_NODES;
    part.residual += node;
    if (TC_LINK_ARRAYS > 1) part.diagonal += node;
    part.excess += node;
    result->base = c->base;
    result->status = tc_push_on(&part, tc_push_memory_of(c->grid, c->drain.board, tile, end_x - first_x), &params,
                                TC_PUSH_REACH_ON, &result->base, &result->stats);
}

/* Reads the results of all pieces. Adds to `bytes` the memory that they took together. */
static tilecut_status read_results(cascade *c, size_t *bytes)
{
    for (int i = 0; i < piece_count(c); i++) {
        const piece_result *const result = &c->result[i];
        /* an error message is stored per thread, and the thread that worked on the piece has ended */
        if (result->status == TILECUT_ECANCELLED) return tc_fail(result->status, "cancelled while solving");
        if (result->status != TILECUT_OK) return tc_fail(result->status, "no memory to solve piece %d", i);
        *bytes += result->stats.bytes;
        if (result->base > c->base) c->base = result->base;
    }
    return TILECUT_OK;
}

/* Pushes in all pieces. Updates `bytes`, the most memory held at a time. */
static tilecut_status push_in_all(cascade *c, size_t *bytes)
{
    tilecut_status status = TILECUT_OK;
    const size_t count = (size_t)piece_count(c);
    size_t taken = count * sizeof *c->result;

    c->result = calloc(count, sizeof *c->result);
    if (!c->result) return tc_fail(TILECUT_ENOMEM, "no memory for %zu pieces", count);
    tc_parallel(c->threads, (int)count, push_in_piece, c);
    TRY(read_results(c, &taken));
    if (taken > *bytes) *bytes = taken;
done:
    free(c->result);
    c->result = NULL;
    return status;
}

/* Pushes in pieces, then in pieces across the seams between them. Small pieces come first, because they fit into a
 * cache. */
static tilecut_status push_in_pieces(cascade *c, size_t *bytes)
{
    const tc_drain *const s = &c->drain;
    const int longest = s->row_tiles > s->rows ? s->row_tiles : s->rows;
    for (c->size = TC_CASCADE_PIECE; TC_CASCADE_PIECES * c->size <= longest; c->size *= 2)
        for (int turn = 0; turn < 2; turn++) {
            c->moved = turn == 1;
            NEED(push_in_all(c, bytes));
        }
    return TILECUT_OK;
}

/* Pushes in slabs of a volume, several slabs for each thread. */
static tilecut_status push_in_slabs(cascade *c, size_t *bytes)
{
    const int slabs = TC_STRIPS_A_THREAD * c->threads, even = (c->drain.rows + slabs - 1) / slabs;
    c->size = even < TC_CASCADE_SLAB ? TC_CASCADE_SLAB : even;
    for (int turn = 0; turn < 2 && c->size < c->drain.rows; turn++) {
        c->moved = turn == 1;
        NEED(push_in_all(c, bytes));
    }
    return TILECUT_OK;
}

/* Decides by the samples whether flow has short ways to the sinks, and whether it has long ones: then hardly any source
 * of the samples reached a sink in their second descent. */
static void judge(const cascade *c, bool *near, bool *far)
{
    int64_t met[TC_DRAIN_SAMPLES] = {0};
    for (int i = 0; i < c->threads; i++)
        for (int k = 0; k < TC_DRAIN_SAMPLES; k++) met[k] += c->drain.worker[i].met_in[k];
    *near = is_near(met);
    *far = TC_DRAIN_IS_FAR * met[1] < met[0];
}

/* ---- The solver ------------------------------------------------------------------------------- */

static tilecut_status run_cascade(cascade *c, tc_solve_stats *stats)
{
    const int tiles = c->grid->tiles_x * c->grid->tiles_y;
    size_t bytes = 0;
    bool near, far;

    tc_parallel_workers(c->threads, blocks_across(&c->drain) * blocks_down(&c->drain), run_block, c);
    const bool finished = tc_drain_run_whole(&c->drain, TC_DRAIN_WHOLE);
    if (tc_cancelled(c->params)) return tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
    if (finished) return TILECUT_OK;
    tc_grid_arrange(c->grid, false, c->threads);
    tc_parallel(c->threads, tiles, hand_on_tile, c);
    judge(c, &near, &far);
    if (!TC_SLICES && !near) NEED(push_in_pieces(c, &bytes));
    if (TC_SLICES && c->threads > 1 && !near && !far) NEED(push_in_slabs(c, &bytes));
    NEED(tc_push_on(c->grid, tc_push_memory_of(c->grid, c->drain.board, 0, c->drain.row_tiles), c->params,
                    TC_PUSH_REACH_ON, &c->base, stats));
    if (bytes > stats->bytes) stats->bytes = bytes;
    return TILECUT_OK;
}

tilecut_status TC_OF(tc_cascade_solve)(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    tilecut_status status = TILECUT_OK;
    const int threads = params->threads < TC_MAX_THREADS ? params->threads : TC_MAX_THREADS;
    cascade c = {
        .drain = {.kernel = tc_board_kernels_get(), .params = params, .grid = grid, .threads = threads},
        .grid = grid,
        .params = params,
        .threads = threads,
    };

    if (tc_drain_take(&c.drain)) status = run_cascade(&c, stats);
    else status = tc_fail(TILECUT_ENOMEM, "no memory for the boards of %d tiles", grid->tiles_x * grid->tiles_y);
    stats->bytes += tc_drain_bytes(&c.drain);
    tc_drain_release(&c.drain);
    return status;
}
