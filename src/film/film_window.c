/* SPDX-License-Identifier: MIT
 *
 * film_window.c - the frames of a window as a volume: capacities, the cut, masks. Capacities within a frame are those
 * of energy.c with the colour model that was learnt on the painted frame. A link along time weighs by the contrast
 * between a pixel and the same pixel of the next frame.
 */
#include <stdlib.h>

#include "energy_math.h"
#include "film_state.h"
#include "parallel.h"
#include "segment.h"
#include "status.h"

/* ---- Learning ----------------------------------------------------------------------------------- */

static tilecut_status tabulate_time(const tilecut_film *f, tc_trail *t)
{
    const tc_energy *const e = &t->graph->energy;
    free(t->along);
    t->along = malloc((size_t)e->keys * sizeof *t->along);
    if (!t->along) return tc_fail(TILECUT_ENOMEM, "no memory for %d link capacities", e->keys);
    for (int32_t key = 0; key < e->keys; key++) t->along[key] = tc_capacity(e->straight[key], f->shape.time);
    return TILECUT_OK;
}

tilecut_status tc_film_teach(tilecut_film *f, tc_trail *t, int i, const uint8_t *prior)
{
    const tilecut_image image = tc_film_image(f, i);
    uint8_t *const mask = f->mask + (size_t)i * f->pixels, *const seeds = f->seeds + (size_t)i * f->pixels;
    tilecut_status status = TILECUT_OK;
    tc_setup how = f->teach;
    tilecut_report told = {0};
    tilecut_graph *graph = NULL;

    how.prior = prior;
    TRY(tc_graph_from_image(&graph, &image, seeds, &how));
    TRY(tc_graph_segment(graph, &how, mask, &told));
    TRY(tc_energy_advance(&graph->energy, &image, seeds, false, mask, f->shape.carry));
    tc_graph_free(t->graph);
    t->graph = graph;
    graph = NULL;
    TRY(tabulate_time(f, t));
done:
    tc_graph_free(graph);
    return status;
}

/* ---- Capacities --------------------------------------------------------------------------------- */

typedef struct reading {
    const tilecut_film *film;
    const tc_trail *trail;
    int first, count;
    size_t all;                 /* pixels of a window: from one kind of capacity to the next */
} reading;

/* Seeds hold against links along time, too. */
static void bind(const tc_trail *t, const uint8_t *seeds, int width, int32_t *source, int32_t *sink)
{
    const int32_t most = t->graph->energy.seed_capacity + 4 * t->along[0];
    for (int x = 0; x < width; x++) {
        if (seeds[x] == TILECUT_UNKNOWN) continue;
        source[x] = seeds[x] == TILECUT_FOREGROUND ? most : 0;
        sink[x] = seeds[x] == TILECUT_FOREGROUND ? 0 : most;
    }
}

static void link_time(const tilecut_film *f, const tc_trail *t, const uint8_t *here, const uint8_t *there, int width,
                      int32_t *to)
{
    const int channels = f->shape.channels, last = t->graph->energy.keys - 1;
    for (int x = 0; x < width; x++) {
        int key = 0;
        for (int c = 0; c < channels; c++) {
            const int d = here[x * channels + c] - there[x * channels + c];
            key += d * d;
        }
        to[x] = t->along[key < last ? key : last];
    }
}

/* Row i of all frames, one below the other. */
static void read_row(void *context, int i)
{
    const reading *const r = context;
    const tilecut_film *const f = r->film;
    const int width = f->shape.width, height = f->shape.height, n = i / height, y = i % height;
    const size_t at = (size_t)i * (size_t)width, from = (size_t)r->first * f->pixels;
    const tilecut_image image = tc_film_image(f, r->first + n);
    int32_t *const to = f->capacity + at;
    tilecut_row row = {.source = to, .sink = to + r->all, .to = {to + 2 * r->all, to + 3 * r->all}};
    tc_energy e = r->trail->graph->energy;
    e.image = image;
    e.seeds = f->seeds + from + (size_t)n * f->pixels;
    e.nearness = f->level + from + (size_t)n * f->pixels;
    tc_energy_row(&e, y, &row);
    bind(r->trail, e.seeds + (size_t)y * (size_t)width, width, row.source, row.sink);
    const size_t step = (size_t)width * (size_t)f->shape.channels;
    const uint8_t *const here = (const uint8_t *)image.pixels + (size_t)y * step;
    const uint8_t *const there = here + f->pixels * (size_t)f->shape.channels;
    if (n + 1 < r->count) link_time(f, r->trail, here, there, width, to + 4 * r->all);
}

/* ---- The cut ------------------------------------------------------------------------------------ */

tilecut_status tc_film_cut(tilecut_film *f, const tc_trail *t, int first, int count)
{
    const tc_energy *const e = &t->graph->energy;
    reading r = {f, t, first, count, (size_t)f->shape.window * f->pixels};
    tilecut_report told = {.size = sizeof told};
    tilecut_status status = TILECUT_OK;
    double clock = tc_now_ms();

    tc_parallel(f->setup.threads, count * f->shape.height, read_row, &r);
    const double read_ms = tc_lap_ms(&clock);
    const int32_t *const c = f->capacity;
    f->cut = (tc_volume){.arrays = {.size = sizeof f->cut.arrays, .width = f->shape.width, .height = f->shape.height,
                                    .depth = count, .source = c, .sink = c + r.all,
                                    .to = {c + 2 * r.all, c + 3 * r.all, c + 4 * r.all}},
                         .links = 3, .quantum = e->quantum, .lambda = e->lambda, .beta = e->beta,
                         .colors = e->model ? e->model->name : "none"};
    TRY(tc_volume_check(&f->cut.arrays, f->setup.threads));
    TRY(tc_volume_solve(&f->cut, &f->setup, f->solver, f->mask + (size_t)first * f->pixels, &told));
    told.graph_ms += read_ms;
    for (int i = first; i < first + count; i++) f->report[i] = told;
done:
    if (status != TILECUT_OK) f->cut = (tc_volume){0};
    return status;
}
