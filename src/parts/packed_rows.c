/* SPDX-License-Identifier: MIT */
#include "packed_rows.h"

#include <string.h>

#include "parallel.h"
#include "status.h"

enum { FOUR = 4 * TC_TILE }; /* the number of links of a tile's row in the four directions */

/* Returns the number of directions of links in grid->diagonal. */
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
    bool out; /* true: copy from the grid; false: copy to it */
} trip;

/* Copies the links of a row of a tile, in the first `directions` directions, from a grid to packed words (`out`), or
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

void tc_rows_copy(tc_grid *grid, const tc_strip_rows *rows, float *packed, bool out, int threads)
{
    trip t = {grid, rows, packed, out};
    tc_parallel(threads, rows->count, copy_row, &t);
}

tilecut_status tc_rows_init(const tc_part *part, int width, int rows, tc_grid *grid)
{
    if (part->volume) NEED(tc_grid_init_volume(grid, width, part->lines, rows, 6));
    else NEED(tc_grid_init(grid, width, rows, part->kinds > 1 ? 8 : 4));
    grid->by_rows = true;
    return TILECUT_OK;
}

tilecut_status tc_rows_solve(tc_part *part, tc_grid *grid, const tc_solver *solver, const tc_solve_params *params,
                             tc_solve_stats *stats)
{
    tc_solve_stats now = {0};
    if (!solver || solver->can & TC_ON_CUDA) solver = tc_solver_again(grid, true);
    NEED(tc_solver_solve(solver, grid, params, &now));
    part->comm.report.solves++;
    now.bytes += tc_grid_bytes(grid);
    if (now.bytes > stats->bytes) stats->bytes = now.bytes;
    return TILECUT_OK;
}
