/* SPDX-License-Identifier: MIT
 *
 * packed_rows.c - see packed_rows.h.
 */
#include "packed_rows.h"

#include <string.h>

#include "parallel.h"

enum { FOUR = 4 * TC_TILE }; /* links of a row of a tile */

size_t tc_packed_words(int width, int kinds)
{
    const size_t tiles = ((size_t)width + TC_TILE - 1) / TC_TILE;
    return tiles * (size_t)((kinds > 1 ? 2 * FOUR : FOUR) + TC_TILE);
}

/* Rows that go to and fro. */
typedef struct rows {
    tc_grid *grid;
    int first, closed, side; /* as in packed_rows.h */
    float *packed;
    bool out;                /* from the grid       */
} rows;

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

static void copy_row(void *context, int row)
{
    const rows *const r = context;
    const tc_grid *const grid = r->grid;
    const size_t all = tc_packed_words(grid->width, grid->diagonal ? TC_KINDS : 1), words = all / (size_t)grid->tiles_x;
    const int y = r->first + row;
    const bool kept = !r->out && y == r->closed;
    float *packed = r->packed + (size_t)row * all, saved[TC_KINDS][TC_TILE];
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

void tc_rows_pack(tc_grid *grid, int first, int count, float *packed, int threads)
{
    rows r = {.grid = grid, .first = first, .closed = -1, .packed = packed, .out = true};
    tc_parallel(threads, count, copy_row, &r);
}

void tc_rows_unpack(tc_grid *grid, int first, int count, float *packed, int closed, int side, int threads)
{
    rows r = {.grid = grid, .first = first, .closed = closed, .side = side, .packed = packed};
    tc_parallel(threads, count, copy_row, &r);
}
