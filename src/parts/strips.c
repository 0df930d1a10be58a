/* SPDX-License-Identifier: MIT
 *
 * strips.c - see strips.h. A row is sent as the part's memory has it: of each tile the links of 32 pixels, by row
 * (grid.h), then diagonals, then excesses.
 */
#include "strips.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "status.h"

/* Rows on either side, at most, the first time; twice as many the next time. Of eight images in four parts, six need
 * more after strips of 64 rows, two after 128. Those of 256 at once take more time than that (docs/design/parts.md). */
enum { ROWS_FIRST = 128, TURNS = 2, BYTES_SENT = 1 << 20 /* at a time */ };

enum { FOUR = 4 * TC_TILE }; /* links of a row of a tile */

/* Rows that go to and fro. */
typedef struct rows {
    tc_grid *grid;
    int first;      /* of the grid's rows, the first one */
    float *packed;  /* [..][tiles_x][words_of()]         */
    int closed;     /* this row's links to `side` are not those of the strip: they stay as they are. -1: no row */
    int side;
    bool out;       /* from the grid */
} rows;

static size_t words_of(const tc_grid *grid)
{
    return (grid->diagonal ? 2 * FOUR : FOUR) + TC_TILE;
}

/* Copies links of a row of a tile between a grid and a row of words, where they lie by row. */
static void copy_links(float *links, bool by_rows, float *packed, bool out)
{
    if (by_rows) {
        memcpy(out ? packed : links, out ? links : packed, FOUR * sizeof *links);
        return;
    }
    for (int x = 0; x < TC_TILE; x++)
        for (int d = 0; d < 4; d++) {
            float *const one = links + 4 * x + d, *const other = packed + d * TC_TILE + x;
            if (out) *other = *one;
            else *one = *other;
        }
}

/* Exchanges the links of row y to a side, in the grid, with those in `saved`. */
static void keep_links(const tc_grid *grid, int y, int side, int x0, float saved[TC_KINDS][TC_TILE], bool save)
{
    const ptrdiff_t p = (ptrdiff_t)tc_grid_at(grid, x0, y);
    for (int k = 0; k < (grid->diagonal ? TC_KINDS : 1); k++)
        for (int x = 0; x < TC_TILE; x++) {
            float *const link = tc_residual(grid, p + x, tc_side_direction[side][k]);
            if (save) saved[k][x] = *link;
            else *link = saved[k][x];
        }
}

static void copy_row(void *context, int row, int worker)
{
    const rows *const r = context;
    const tc_grid *const grid = r->grid;
    const size_t words = words_of(grid);
    const int y = r->first + row;
    const bool kept = !r->out && y == r->closed;
    float *packed = r->packed + (size_t)row * (size_t)grid->tiles_x * words, saved[TC_KINDS][TC_TILE];
    (void)worker;
    for (int x = 0; x < grid->tiles_x * TC_TILE; x += TC_TILE, packed += words) {
        const size_t p = tc_grid_at(grid, x, y);
        float *const excess = packed + words - TC_TILE;
        if (kept) keep_links(grid, y, r->side, x, saved, true);
        copy_links(grid->residual[p].to, grid->by_rows, packed, r->out);
        if (grid->diagonal) copy_links(grid->diagonal[p].to, grid->by_rows, packed + FOUR, r->out);
        memcpy(r->out ? excess : grid->excess + p, r->out ? grid->excess + p : excess, TC_TILE * sizeof *excess);
        if (kept) keep_links(grid, y, r->side, x, saved, false);
    }
}

static void copy_rows(rows *r, int count, int threads)
{
    tc_parallel(threads, count, copy_row, r);
}

/* Closes the links of a row of the strip that lead out of it. */
static void shut(const tc_grid *strip, int y, int side)
{
    for (int x = 0; x < strip->width; x++)
        for (int k = 0; k < (strip->diagonal ? TC_KINDS : 1); k++)
            *tc_residual(strip, (ptrdiff_t)tc_grid_at(strip, x, y), tc_side_direction[side][k]) = 0;
}

/* All that a part does with its two borders. */
typedef struct visit {
    tc_part *part;
    const tc_solve_params *params;
    int depth;
    tc_grid strip;             /* along the border below */
    size_t row, most;          /* words of a row; rows that are sent at a time */
    float *out, *in, *unused;  /* [most][row] */
} visit;

/* Copies the part's own rows beside the border below into the strip, or back. */
static void copy_own(visit *v, bool back)
{
    tc_grid *const grid = v->part->grid;
    const int first = v->part->side[TC_BELOW].own + 1 - v->depth;
    for (int y = 0; y < v->depth; y += (int)v->most) {
        const int some = v->depth - y < (int)v->most ? v->depth - y : (int)v->most;
        rows from = {.grid = back ? &v->strip : grid, .first = back ? y : first + y, .packed = v->out, .out = true};
        rows to = {.grid = back ? grid : &v->strip, .first = back ? first + y : y, .packed = v->out,
                   .closed = back ? first : -1, .side = TC_ABOVE};
        copy_rows(&from, some, v->params->threads);
        copy_rows(&to, some, v->params->threads);
    }
}

/* Sends the rows beside the border above to the part there, and takes those from below into the strip; or back. Each
 * part sends in both directions at once; what goes the other way is of no use. */
static tilecut_status send_rows(visit *v, bool back)
{
    const tc_part *const part = v->part;
    const bool above = part->side[TC_ABOVE].there, below = part->side[TC_BELOW].there;
    const bool gives = back ? below : above, takes = back ? above : below;
    for (int y = 0; y < v->depth; y += (int)v->most) {
        const int some = v->depth - y < (int)v->most ? v->depth - y : (int)v->most;
        const int own = part->side[TC_ABOVE].own + y, strip = v->depth + y;
        rows given = {.grid = back ? &v->strip : part->grid, .first = back ? strip : own, .packed = v->out,
                      .out = true};
        rows taken = {.grid = back ? part->grid : &v->strip, .first = back ? own : strip, .packed = v->in,
                      .closed = back ? part->side[TC_ABOVE].own + v->depth - 1 : -1, .side = TC_BELOW};
        if (gives) copy_rows(&given, some, v->params->threads);
        NEED(tc_whole_swap(part->cut, v->out, v->out, back ? v->in : v->unused, back ? v->unused : v->in,
                           (size_t)some * v->row * sizeof(float)));
        if (takes) copy_rows(&taken, some, v->params->threads);
    }
    return TILECUT_OK;
}

static tilecut_status solve_strip(visit *v, const tc_solver *solver, tc_solve_stats *stats)
{
    tc_solve_stats now = {0};
    copy_own(v, false);
    shut(&v->strip, 0, TC_ABOVE);
    shut(&v->strip, 2 * v->depth - 1, TC_BELOW);
    if (!solver) solver = tc_solver_again(&v->strip, true);
    NEED(tc_solver_solve(solver, &v->strip, v->params, &now));
    v->part->whole.told.solves++;
    now.bytes += tc_grid_bytes(&v->strip);
    if (now.bytes > stats->bytes) stats->bytes = now.bytes;
    copy_own(v, true);
    return TILECUT_OK;
}

/* How many rows strips have on either side: in no part two of them overlap. A part on a device or on disk offers none,
 * and then there are no strips. */
static tilecut_status agree_depth(tc_part *part, int turn, int *depth)
{
    tc_whole *const cut = part->cut;
    const size_t parts = (size_t)cut->with->parts;
    const bool able = part->ground == &tc_ground_host && !part->whole.store;
    const int64_t own = able ? cut->rows / 2 : 0;
    int64_t *const all = calloc(parts, sizeof *all);
    if (!all) return tc_fail(TILECUT_ENOMEM, "no memory to compare %zu parts", parts);
    const tilecut_status status = tc_whole_gather(cut, &own, 1, all);
    *depth = ROWS_FIRST << turn;
    for (size_t i = 0; i < parts; i++)
        if (all[i] < *depth) *depth = (int)all[i];
    free(all);
    return status;
}

static tilecut_status open_visit(visit *v)
{
    const tc_part *const part = v->part;
    const tc_grid *const grid = part->grid;
    v->row = (size_t)grid->tiles_x * words_of(grid);
    v->most = BYTES_SENT / (v->row * sizeof(float)) + 1;
    if (v->most > (size_t)v->depth) v->most = (size_t)v->depth;
    v->out = calloc(3 * v->most * v->row, sizeof *v->out);
    if (!v->out) return tc_fail(TILECUT_ENOMEM, "no memory for rows of %d columns", grid->width);
    v->in = v->out + v->most * v->row;
    v->unused = v->in + v->most * v->row;
    if (!part->side[TC_BELOW].there) return TILECUT_OK;
    NEED(tc_grid_init(&v->strip, grid->width, 2 * v->depth, grid->connectivity));
    v->strip.by_rows = true;
    return TILECUT_OK;
}

tilecut_status tc_strips_solve(tc_part *part, int turn, const tc_solver *solver, const tc_solve_params *params,
                               tc_solve_stats *stats, bool *done)
{
    visit v = {.part = part, .params = params};
    tilecut_status status = TILECUT_OK;

    *done = false;
    if (turn >= TURNS || part->cut->with->parts == 1) return TILECUT_OK;
    NEED(agree_depth(part, turn, &v.depth));
    if (v.depth <= (turn ? ROWS_FIRST << (turn - 1) : 0)) return TILECUT_OK; /* none, or no deeper than before */
    *done = true;
    TRY(open_visit(&v));
    TRY(send_rows(&v, false));
    if (part->side[TC_BELOW].there) TRY(solve_strip(&v, solver, stats));
    TRY(send_rows(&v, true));
done:
    tc_grid_free(&v.strip);
    free(v.out);
    return status;
}
