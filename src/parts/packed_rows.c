/* SPDX-License-Identifier: MIT
 *
 * packed_rows.c - see packed_rows.h.
 */
#include "packed_rows.h"

#include <string.h>

#include "parallel.h"

enum { FOUR = 4 * TC_TILE }; /* links of a row of a tile */

size_t tc_packed_words(int kinds)
{
    return (kinds > 1 ? 2 * FOUR : FOUR) + TC_TILE;
}

/* Rows that go to and fro. */
typedef struct trip {
    tc_grid *grid;
    const tc_strip_rows *rows;
    float *packed;
    bool out; /* from the grid */
} trip;

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

static void copy_row(void *context, int row)
{
    const trip *const t = context;
    const tc_grid *const grid = t->grid;
    const size_t words = tc_packed_words(grid->diagonal ? TC_KINDS : 1);
    float *packed = t->packed + (size_t)row * (size_t)t->rows->columns * words;
    for (int i = 0; i < t->rows->columns; i++, packed += words) {
        const size_t p = tc_grid_at(grid, t->rows->column[i] * TC_TILE, t->rows->first + row);
        float *const excess = packed + words - TC_TILE;
        copy_links(grid->residual[p].to, grid->by_rows, packed, t->out);
        if (grid->diagonal) copy_links(grid->diagonal[p].to, grid->by_rows, packed + FOUR, t->out);
        memcpy(t->out ? excess : grid->excess + p, t->out ? grid->excess + p : excess, TC_TILE * sizeof *excess);
    }
}

void tc_rows_pack(tc_grid *grid, const tc_strip_rows *rows, float *packed, int threads)
{
    trip t = {grid, rows, packed, true};
    tc_parallel(threads, rows->count, copy_row, &t);
}

void tc_rows_unpack(tc_grid *grid, const tc_strip_rows *rows, float *packed, int threads)
{
    trip t = {grid, rows, packed, false};
    tc_parallel(threads, rows->count, copy_row, &t);
}
