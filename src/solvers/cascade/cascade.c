/* SPDX-License-Identifier: MIT
 *
 * cascade.c - lets excess run downhill by whole rows of pixels (drain.h) and gives what is left to push.c.
 *
 * First, each pixel pushes into the sinks right beside it, which needs no search. Then one descent runs in each tile
 * alone; much of the flow of a photograph ends there. Then descents run in the whole image, and where these give up,
 * push-relabel goes on with its windows. If flow is near, so that descents do nearly all of it, they run in blocks of
 * tiles before they run in the whole image, because a block fits into the cache.
 *
 * In the whole image all threads work together, in step. If flow is neither near nor far, each thread first pushes in
 * strips of its own, and then in strips that lie across the seams between those. (If flow is far, parts of the image
 * say little about the whole.) Several descents in some tiles, the samples, tell whether flow is near or far.
 */
#include <stdlib.h>
#include <string.h>

#include "drain.h"
#include "neighbourhoods.h"
#include "parallel.h"
#include "push.h"
#include "status.h"
#include "tuning.h"

/* The result of pushing in one strip. */
typedef struct strip_result {
    uint32_t base; /* see push.h */
    tilecut_status status;
    tc_solve_stats stats;
} strip_result;

typedef struct cascade {
    tc_drain drain;
    tc_grid *grid;
    const tc_solve_params *params;
    int threads;
    int rows, raised;      /* each strip has so many rows of tiles, the first one `raised` fewer */
    uint32_t base;         /* see push.h: before these strips                         */
    strip_result *result;  /* [strips]; on the heap because the stack may be small    */
} cascade;

/* ---- Tiles ------------------------------------------------------------------------------------ */

/* Makes every pixel with excess a source again. Excess that was stuck in a part may reach a sink in a larger one. */
static void revive(const tc_drain *s, int tile)
{
    uint32_t below[TC_TILE];
    s->kernel->scan_excess(tc_drain_view(s, tile).excess, below, s->board[tile].source);
}

/* Makes the board of a tile, and runs its first descent while the tile is in the cache. */
static void run_tile(const tc_drain *s, tc_drain_worker *w, int x, int y)
{
    const int tile = y * s->row_tiles + x;
    const tc_tile_view here = tc_drain_view(s, tile);

    memset(here.board, 0, sizeof *here.board);
    memset(here.board->seen, 0xff, sizeof here.board->seen);
    s->kernel->feed_beside(&here);
    s->kernel->read_off(&here, ~0u);
    w->first_x = x, w->end_x = x + 1;
    w->first_y = y, w->end_y = y + 1;
    if ((x + 5 * y) % TC_DRAIN_SAMPLE == 0) tc_drain_sample(w);
    else (void)tc_drain_run(w, 1);
    revive(s, tile);
}

/* Whether flow is near: far fewer sources reached a sink in the last descent of the samples than in the first. */
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

/* Runs the tiles of a block. If flow is near by the samples of this worker so far, also descents in the whole block. */
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

/* Recomputes sources and sinks for push. Descents drop sources that are stuck, but push wants all excess. */
static void hand_on_tile(void *context, int tile, int number)
{
    const tc_drain *const s = &((cascade *)context)->drain;
    (void)number;
    s->kernel->scan_excess(tc_drain_view(s, tile).excess, s->board[tile].sink, s->board[tile].source);
}

/* ---- Strips ----------------------------------------------------------------------------------- */

static int strip_count(const cascade *c)
{
    return (c->drain.rows + c->raised + c->rows - 1) / c->rows;
}

/* The rows of tiles of a strip: *first .. *end - 1. */
static void strip_rows(const cascade *c, int strip, int *first, int *end)
{
    *first = strip ? strip * c->rows - c->raised : 0;
    *end = (strip + 1) * c->rows - c->raised;
    if (*end > c->drain.rows) *end = c->drain.rows;
}

/* Pushes in one strip, as if it were a whole grid. */
static void push_in_strip(void *context, int i, int number)
{
    cascade *const c = context;
    const size_t nodes_a_row = (size_t)c->drain.row_tiles * TC_TILE_NODES;
    strip_result *const result = &c->result[i];
    tc_solve_params params = *c->params;
    tc_grid part = *c->grid;
    int first, end;

    (void)number;
    params.threads = 1;
    strip_rows(c, i, &first, &end);
    part.tiles_y = (end - first) * (TC_SLICES ? part.slice_rows : 1);
    part.nodes = nodes_a_row * (size_t)(end - first);
    part.residual += nodes_a_row * (size_t)first;
    if (TC_LINK_ARRAYS > 1) part.diagonal += nodes_a_row * (size_t)first;
    part.excess += nodes_a_row * (size_t)first;
    result->base = c->base;
    result->status = tc_push_on(&part, tc_push_memory_of(c->grid, c->drain.board, first * c->drain.row_tiles), &params,
                                TC_PUSH_REACH_ON, &result->base, &result->stats);
}

/* Reads the results of all strips. `bytes` grows by the memory that they took together. */
static tilecut_status read_results(cascade *c, size_t *bytes)
{
    for (int i = 0; i < strip_count(c); i++) {
        const strip_result *const result = &c->result[i];
        /* The failure's sentence is stored per thread, and the strip's thread is gone. */
        if (result->status == TILECUT_ECANCELLED) return tc_fail(result->status, "cancelled while solving");
        if (result->status != TILECUT_OK) return tc_fail(result->status, "no memory to solve strip %d", i);
        *bytes += result->stats.bytes;
        if (result->base > c->base) c->base = result->base;
    }
    return TILECUT_OK;
}

/* Pushes in all strips. `bytes`: the most memory held at a time, updated. */
static tilecut_status push_in_strips(cascade *c, size_t *bytes)
{
    tilecut_status status = TILECUT_OK;
    const size_t most = (size_t)strip_count(c) + 1; /* with raised > 0 there may be one more */

    c->result = calloc(most, sizeof *c->result);
    if (!c->result) return tc_fail(TILECUT_ENOMEM, "no memory for %zu strips", most);
    for (int turn = 0; turn < 2; turn++) {
        size_t taken = most * sizeof *c->result;
        c->raised = turn * (c->rows / 2);
        tc_parallel(c->threads, strip_count(c), push_in_strip, c);
        TRY(read_results(c, &taken));
        if (taken > *bytes) *bytes = taken;
    }
done:
    free(c->result);
    c->result = NULL;
    return status;
}

/* Whether flow is neither near nor far. Far means that few sources reached a sink in the second descent of samples. */
static bool strips_pay(const cascade *c)
{
    int64_t met[TC_DRAIN_SAMPLES] = {0};
    for (int i = 0; i < c->threads; i++)
        for (int k = 0; k < TC_DRAIN_SAMPLES; k++) met[k] += c->drain.worker[i].met_in[k];
    return !is_near(met) && TC_DRAIN_IS_FAR * met[1] >= met[0];
}

/* ---- The solver ------------------------------------------------------------------------------- */

static tilecut_status solve(cascade *c, tc_solve_stats *stats)
{
    tilecut_status status = TILECUT_OK;
    const int tiles = c->grid->tiles_x * c->grid->tiles_y;
    size_t bytes = 0;

    tc_parallel(c->threads, blocks_across(&c->drain) * blocks_down(&c->drain), run_block, c);
    const bool finished = tc_drain_run_whole(&c->drain, TC_DRAIN_WHOLE);
    if (tc_cancelled(c->params)) return tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
    if (finished) return TILECUT_OK;
    tc_grid_arrange(c->grid, false, c->threads);
    tc_parallel(c->threads, tiles, hand_on_tile, c);
    if (c->threads > 1 && c->rows < c->drain.rows && strips_pay(c)) TRY(push_in_strips(c, &bytes));
    TRY(tc_push_on(c->grid, tc_push_memory_of(c->grid, c->drain.board, 0), c->params, TC_PUSH_REACH_ON, &c->base,
                   stats));
    if (bytes > stats->bytes) stats->bytes = bytes;
done:
    return status;
}

tilecut_status TC_OF(tc_cascade_solve)(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    tilecut_status status = TILECUT_OK;
    const int threads = params->threads < TC_MAX_THREADS ? params->threads : TC_MAX_THREADS;
    const int even = (tc_rows(grid) + TC_STRIPS_A_THREAD * threads - 1) / (TC_STRIPS_A_THREAD * threads);
    cascade c = {
        .drain = {.kernel = tc_board_kernels_get(), .params = params, .grid = grid, .threads = threads},
        .grid = grid,
        .params = params,
        .threads = threads,
        .rows = even < TC_CASCADE_ROWS_A_STRIP ? TC_CASCADE_ROWS_A_STRIP : even,
    };

    if (tc_drain_take(&c.drain)) status = solve(&c, stats);
    else status = tc_fail(TILECUT_ENOMEM, "no memory for the boards of %d tiles", grid->tiles_x * grid->tiles_y);
    stats->bytes += tc_drain_bytes(&c.drain);
    tc_drain_release(&c.drain);
    return status;
}
