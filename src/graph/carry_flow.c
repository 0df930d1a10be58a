/* SPDX-License-Identifier: MIT
 *
 * carry_flow.c - tc_carry_flow() and tc_grid_reseed() of build_grid.h.
 */
#include <stdlib.h>
#include <string.h>

#include "build_grid.h"
#include "simd.h"
#include "status.h"

typedef struct carrying {
    tc_grid *grid;
    int64_t (*counts)[2]; /* [tiles_y] violations, and excesses that have changed */
} carrying;

TC_VECTOR_LOOP static int32_t carry_excess(const int32_t *restrict source, const int32_t *restrict sink,
                                           const int32_t *restrict net, float *restrict excess, int n)
{
    int32_t changed = 0;
    for (int i = 0; i < n; i++) {
        const float should = (float)(source[i] - sink[i] - net[i]);
        changed += excess[i] != should;
        excess[i] = should;
    }
    return changed;
}

static void carry_row(void *context, const tc_row_view *row, int tile_row)
{
    const carrying *self = context;
    const tc_grid *grid = self->grid;
    int32_t net[TC_TILE];

    for (int x0 = 0; x0 < grid->width; x0 += TC_TILE) {
        const int n = grid->width - x0 < TC_TILE ? grid->width - x0 : TC_TILE;
        self->counts[tile_row][0] += tc_check_residuals(grid, row, x0, net);
        self->counts[tile_row][1] += carry_excess(row->source + x0, row->sink + x0, net,
                                                  grid->excess + tc_volume_at(grid, x0, row->y, row->z), n);
    }
}

tilecut_status tc_carry_flow(tc_grid *grid, const tilecut_graph *graph, int threads, bool *fits, int64_t *changed)
{
    tilecut_status status = TILECUT_OK;
    carrying r = {.grid = grid};

    *fits = false, *changed = 0;
    r.counts = calloc((size_t)grid->tiles_y, sizeof *r.counts);
    if (!r.counts) return tc_fail(TILECUT_ENOMEM, "no memory to take a flow over");
    TRY(tc_graph_stream(graph, threads, carry_row, &r));
    *fits = true;
    for (int ty = 0; ty < grid->tiles_y; ty++) *fits = *fits && r.counts[ty][0] == 0, *changed += r.counts[ty][1];
done:
    free(r.counts);
    return status;
}

/* ---- Terminals of some pixels ----------------------------------------------------------------- */

tilecut_status tc_grid_reseed(tc_grid *grid, const tc_energy *energy, const uint8_t *before, const uint8_t *after)
{
    const size_t width = (size_t)grid->width;
    tilecut_status status = TILECUT_OK;
    tilecut_row was = {0}, is = {0};

    TRY(tc_row_init(&was, grid->width));
    TRY(tc_row_init(&is, grid->width));
    for (int y = 0; y < grid->height; y++) {
        const uint8_t *const from = before + (size_t)y * width, *const to = after + (size_t)y * width;
        if (memcmp(from, to, width) == 0) continue;
        tc_energy_terminals(energy, y, from, was.source, was.sink);
        tc_energy_terminals(energy, y, to, is.source, is.sink);
        for (int x = 0; x < grid->width; x++)
            grid->excess[tc_grid_at(grid, x, y)] += (float)(is.source[x] - was.source[x] - is.sink[x] + was.sink[x]);
    }
done:
    tc_row_free(&was);
    tc_row_free(&is);
    return status;
}
