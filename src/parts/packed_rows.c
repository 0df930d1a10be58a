/* SPDX-License-Identifier: MIT
 *
 * packed_rows.c - see packed_rows.h.
 */
#include "packed_rows.h"

#include <string.h>

#include "parallel.h"

enum { FOUR = 4 * TC_TILE }; /* links of a row of a tile */

/* The number of directions of links in grid->diagonal. */
static int more_of(int kinds, bool volume)
{
    return volume ? 2 : kinds > 1 ? 4 : 0;
}

static size_t words_of(int more)
{
    return FOUR + (size_t)(more + 1) * TC_TILE;
}

size_t tc_packed_words(const tc_part *part)
{
    return words_of(more_of(part->kinds, part->volume));
}

/* Rows to copy. */
typedef struct trip {
    tc_grid *grid;
    const tc_strip_rows *rows;
    float *packed;
    bool out; /* from the grid */
} trip;

/* Copies the links of a row of a tile, in the first `directions` directions, from a grid to packed words (`out`) or
 * back. Packed links lie by row. */
static void copy_links(float *links, bool by_rows, float *packed, int directions, bool out)
{
    if (by_rows) {
        memcpy(out ? packed : links, out ? links : packed, (size_t)directions * TC_TILE * sizeof *links);
        return;
    }
    for (int x = 0; x < TC_TILE; x++)
        for (int d = 0; d < directions; d++) {
            float *const one = links + 4 * x + d, *const other = packed + d * TC_TILE + x;
            if (out) *other = *one;
            else *one = *other;
        }
}

static void copy_row(void *context, int row)
{
    const trip *const t = context;
    const tc_grid *const grid = t->grid;
    const int more = grid->diagonal ? more_of(TC_KINDS, grid->slice_rows > 0) : 0;
    const size_t words = words_of(more);
    float *packed = t->packed + (size_t)row * (size_t)t->rows->columns * words;
    for (int i = 0; i < t->rows->columns; i++, packed += words) {
        const size_t p = tc_packed_at(grid, t->rows->column[i] * TC_TILE, t->rows->first + row);
        float *const excess = packed + words - TC_TILE;
        copy_links(grid->residual[p].to, grid->by_rows, packed, 4, t->out);
        if (more) copy_links(grid->diagonal[p].to, grid->by_rows, packed + FOUR, more, t->out);
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
