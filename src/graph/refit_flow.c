/* SPDX-License-Identifier: MIT
 *
 * refit_flow.c - tc_refit_flow() of build_grid.h. Each link is handled only at its left or upper end. So different
 * threads can work on different rows of tiles, although each also writes to the first row of the next one.
 */
#include "build_grid.h"

#include "simd.h"

/* The two residuals of a link add up to twice its capacity and differ by twice its flow. */
static inline void refit(float *forward, float *back, float capacity)
{
    const float flow = 0.5f * (*back - *forward);
    const float kept = flow > capacity ? capacity : flow < -capacity ? -capacity : flow;
    *forward = capacity - kept;
    *back = capacity + kept;
}

TC_VECTOR_LOOP static void refit_span(float *restrict forward, float *restrict back, const int32_t *restrict capacity,
                                      int n)
{
    for (int i = 0; i < n; i++) {
        const float c = (float)capacity[i], flow = 0.5f * (back[i] - forward[i]);
        const float kept = flow > c ? c : flow < -c ? -c : flow;
        forward[i] = c - kept;
        back[i] = c + kept;
    }
}

/* Refits the links of n pixels with 4 neighbours, beginning at (x0, y). The links lie by row, in one tile. */
static void refit_rows(const tc_grid *grid, const tc_row_view *row, int x0, int n)
{
    const ptrdiff_t p = (ptrdiff_t)tc_grid_at(grid, x0, row->y);
    const int32_t *const right = row->to[TILECUT_RIGHT] + x0;
    refit_span(tc_residual(grid, p, TC_RIGHT), tc_residual(grid, p + 1, TC_LEFT), right, n - 1);
    if (x0 + n < grid->width) {
        const ptrdiff_t next = (ptrdiff_t)tc_grid_at(grid, x0 + n, row->y);
        refit(tc_residual(grid, p + n - 1, TC_RIGHT), tc_residual(grid, next, TC_LEFT), (float)right[n - 1]);
    }
    if (row->y + 1 == grid->height) return;
    const ptrdiff_t below = (ptrdiff_t)tc_grid_at(grid, x0, row->y + 1);
    refit_span(tc_residual(grid, p, TC_DOWN), tc_residual(grid, below, TC_UP), row->to[TILECUT_DOWN] + x0, n);
}

/* Refits all forward links of pixel x, in either layout. */
static void refit_pixel(const tc_grid *grid, const tc_row_view *row, int x)
{
    const ptrdiff_t p = (ptrdiff_t)tc_grid_at(grid, x, row->y);
    for (int k = 0; k < grid->connectivity / 2; k++) {
        const tc_link_steps step = tc_link_step(grid->connectivity, k);
        const int to_x = x + step.x, to_y = row->y + step.y;
        if (to_x < 0 || to_x >= grid->width || to_y >= grid->height) continue;
        const ptrdiff_t q = (ptrdiff_t)tc_grid_at(grid, to_x, to_y);
        refit(tc_residual(grid, p, 2 * k), tc_residual(grid, q, 2 * k + 1), (float)row->to[k][x]);
    }
}

static void refit_row(void *context, const tc_row_view *row, int tile_row)
{
    const tc_grid *const grid = context;
    (void)tile_row;
    for (int x0 = 0; x0 < grid->width; x0 += TC_TILE) {
        const int n = grid->width - x0 < TC_TILE ? grid->width - x0 : TC_TILE;
        const bool spans = grid->by_rows && grid->connectivity == 4;
        if (spans) refit_rows(grid, row, x0, n);
        for (int x = x0; x < x0 + n && !spans; x++) refit_pixel(grid, row, x);
    }
}

tilecut_status tc_refit_flow(tc_grid *grid, const tilecut_graph *graph, int threads)
{
    return tc_graph_stream(graph, threads, refit_row, grid);
}
