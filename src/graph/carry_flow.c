/* SPDX-License-Identifier: MIT
 *
 * carry_flow.c - tc_carry_flow(), tc_carry_colors() and tc_grid_reseed() of build_grid.h.
 */
#include <stdlib.h>
#include <string.h>

#include "build_grid.h"
#include "parallel.h"
#include "shared_array.h"
#include "simd.h"
#include "status.h"

typedef struct carrying {
    tc_grid *grid;
    int64_t (*counts)[3]; /* [tiles_y] violations, changed excesses, and capacity to the sink */
} carrying;

TC_VECTOR_LOOP int64_t tc_sum_of(const int32_t *numbers, int count)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++) sum += numbers[i];
    return sum;
}

/* Returns the residual capacity to the sink of one row of a tile, as a number <= 0. */
TC_VECTOR_LOOP static int64_t room_of(const float *excess)
{
    int64_t sum = 0;
    for (int i = 0; i < TC_TILE; i++) sum += (int32_t)(excess[i] < 0 ? excess[i] : 0.0f);
    return sum;
}

int64_t tc_flow_value(const tc_grid *grid)
{
    int64_t value = grid->sinks;
    for (size_t p = 0; p < grid->nodes; p += TC_TILE) value += room_of(grid->excess + p);
    return value;
}

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
    self->counts[tile_row][2] += tc_sum_of(row->sink, grid->width);
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
    grid->sinks = 0;
    for (int ty = 0; ty < grid->tiles_y; ty++) {
        *fits = *fits && r.counts[ty][0] == 0, *changed += r.counts[ty][1];
        grid->sinks += r.counts[ty][2];
    }
done:
    free(r.counts);
    return status;
}

/* ---- Terminals by colour ----------------------------------------------------------------------- */

void tc_color_terminals_free(tc_color_terminals *t)
{
    tc_palette_drop(t->of.training.palette);
    tc_shared_drop(t->of.nearness);
    free(t->source);
    *t = (tc_color_terminals){0};
}

void tc_color_terminals_keep(tc_color_terminals *t, const tc_energy *energy)
{
    tc_palette *const palette = energy->training.palette;
    if (!energy->shares || !palette || !palette->pixel || energy->soft_seeds) {
        tc_color_terminals_free(t);
        return;
    }
    if (t->of.training.palette != palette || t->of.nearness != energy->nearness) {
        tc_color_terminals_free(t);
        t->source = malloc(4 * palette->count * sizeof *t->source);
        if (!t->source) return; /* there are no tables by colour, so flow is carried by tc_carry_flow() */
        t->sink = t->source + palette->count;
        (void)tc_palette_hold(palette);
        (void)tc_shared_hold(energy->nearness);
    }
    t->of = *energy;
    for (size_t i = 0; i < palette->count; i++) {
        t->source[i] = energy->source_cost[palette->bin[i]];
        t->sink[i] = energy->sink_cost[palette->bin[i]];
    }
}

/* True if two energies can differ only in their costs of colours. */
static bool only_colors_differ(const tc_energy *a, const tc_energy *b)
{
    return a->training.palette == b->training.palette && a->nearness == b->nearness && a->seeds == b->seeds &&
           a->image.pixels == b->image.pixels && a->connectivity == b->connectivity && a->beta == b->beta &&
           a->lambda == b->lambda && a->quantum == b->quantum && a->seed_capacity == b->seed_capacity &&
           memcmp(a->near_cost, b->near_cost, sizeof a->near_cost) == 0;
}

/* A change of the terminals: for each colour, by how much the excess and the capacity to the sink grow. */
typedef struct moving {
    tc_grid *grid;
    const tc_energy *energy;
    const int32_t *excess, *sink;
    int64_t sinks;
} moving;

TC_VECTOR_LOOP static int64_t move_row(const uint32_t *restrict color, const uint8_t *restrict seed,
                                       const int32_t *restrict by, const int32_t *restrict sink_by,
                                       float *restrict excess, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++) {
        const int32_t open = -(seed[i] == TILECUT_UNKNOWN);
        excess[i] += (float)(by[color[i]] & open);
        sum += sink_by[color[i]] & open;
    }
    return sum;
}

static void move_tile_row(void *context, int ty)
{
    moving *const m = context;
    const tc_grid *const grid = m->grid;
    const int end = (ty + 1) * TC_TILE < grid->height ? (ty + 1) * TC_TILE : grid->height;
    int64_t sum = 0;
    for (int y = ty * TC_TILE; y < end; y++)
        for (int x0 = 0; x0 < grid->width; x0 += TC_TILE) {
            const size_t p = (size_t)y * (size_t)grid->width + (size_t)x0;
            const int n = grid->width - x0 < TC_TILE ? grid->width - x0 : TC_TILE;
            sum += move_row(m->energy->training.palette->pixel + p, m->energy->seeds + p, m->excess, m->sink,
                            grid->excess + tc_grid_at(grid, x0, y), n);
        }
    __atomic_fetch_add(&m->sinks, sum, __ATOMIC_RELAXED);
}

bool tc_carry_colors(tc_grid *grid, const tc_color_terminals *t, const tc_energy *energy, int threads)
{
    const tc_palette *const palette = energy->training.palette;
    if (!t->source || !only_colors_differ(&t->of, energy)) return false;
    int32_t *const excess = t->sink + palette->count, *const sink = excess + palette->count;
    for (size_t i = 0; i < palette->count; i++) {
        const size_t bin = palette->bin[i];
        sink[i] = energy->sink_cost[bin] - t->sink[i];
        excess[i] = energy->source_cost[bin] - t->source[i] - sink[i];
    }
    moving m = {grid, energy, excess, sink, grid->sinks};
    tc_parallel(threads, grid->tiles_y, move_tile_row, &m);
    grid->sinks = m.sinks;
    return true;
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
