/* SPDX-License-Identifier: MIT
 *
 * film_window.c - the frames of a window as a volume: its graph, its cut and its masks. Capacities are those of
 * energy.c, with the colour model that was learnt from the frame with strokes. A link along time is weighted by the
 * contrast between a pixel and the same pixel of the next frame, from a separate table.
 */
#include <stdlib.h>
#include <string.h>

#include "confidence.h"
#include "energy_math.h"
#include "film_state.h"
#include "segment.h"
#include "solve.h"
#include "status.h"

/* ---- Learning ----------------------------------------------------------------------------------- */

static tilecut_status tabulate_time(const tilecut_film *f, tc_track *t)
{
    const tc_energy *const e = &t->graph->energy;
    free(t->along);
    t->along = malloc((size_t)e->keys * sizeof *t->along);
    if (!t->along) return tc_fail(TILECUT_ENOMEM, "no memory for %d link capacities", e->keys);
    for (int32_t key = 0; key < e->keys; key++) t->along[key] = tc_capacity(e->link[0][key], f->shape.time);
    return TILECUT_OK;
}

tilecut_status tc_film_learn(tilecut_film *f, tc_track *t, int i, const uint8_t *prior)
{
    const tilecut_image image = tc_film_image(f, i);
    uint8_t *const mask = f->mask + (size_t)i * f->pixels, *const seeds = f->seeds + (size_t)i * f->pixels;
    tilecut_status status = TILECUT_OK;
    tc_setup setup = f->training;
    tilecut_report result = {0};
    tilecut_graph *graph = NULL;

    setup.prior = prior;
    TRY(tc_graph_from_image(&graph, &image, seeds, &setup));
    TRY(tc_graph_segment(graph, &setup, mask, &result));
    TRY(tc_energy_advance(&graph->energy, &image, seeds, false, mask, f->shape.carry));
    tc_graph_free(t->graph);
    t->graph = graph;
    graph = NULL;
    f->cut.width = 0; /* the tables to which the graph refers may have been freed */
    TRY(tabulate_time(f, t));
done:
    tc_graph_free(graph);
    return status;
}

/* ---- The cut ------------------------------------------------------------------------------------ */

/* Returns the graph of `count` frames, beginning with frame `first`: with the colours of the track, and links along
 * time from a separate table. Seeds are stronger than these links, too. */
static tilecut_graph graph_of(const tilecut_film *f, const tc_track *t, int first, int count)
{
    const size_t from = (size_t)first * f->pixels;
    tilecut_graph graph = {.width = f->shape.width, .height = f->shape.height, .depth = count, .connectivity = 6,
                           .from_image = true, .energy = t->graph->energy};
    tc_energy *const e = &graph.energy;
    e->image = tc_film_image(f, first);
    e->image.height = f->shape.height * count;
    e->slice_rows = f->shape.height, e->connectivity = 6;
    e->seeds = f->seeds + from;
    e->nearness = f->level + from;
    e->link[2] = t->along;
    e->seed_capacity += 4 * t->along[0];
    return graph;
}

tilecut_status tc_film_cut(tilecut_film *f, const tc_track *t, int first, int count)
{
    tilecut_report result = {.size = sizeof result};
    f->cut = graph_of(f, t, first, count);
    const tilecut_status status =
        tc_solve(&f->cut, &f->setup, NULL, f->mask + (size_t)first * f->pixels, NULL, &result);
    result.model_ms = 0;
    if (status != TILECUT_OK) f->cut.width = 0;
    else for (int i = first; i < first + count; i++) f->report[i] = result;
    return status;
}

tilecut_status tc_film_alone(tilecut_film *f, int i)
{
    const size_t from = (size_t)i * f->pixels;
    const tc_track *const t = tc_film_colors(f, i);
    if (!t->graph || !f->report[i].certified) return tc_fail(TILECUT_EINVAL, "nothing is known of the object there");
    f->alone = (tilecut_graph){.width = f->shape.width, .height = f->shape.height, .depth = 1, .connectivity = 4,
                               .from_image = true, .energy = t->graph->energy};
    f->alone.energy.image = tc_film_image(f, i);
    f->alone.energy.seeds = f->seeds + from;
    f->alone.energy.nearness = f->level + from;
    return TILECUT_OK;
}

/* ---- How sure the masks are --------------------------------------------------------------------- */

/* Allocates f->sure and f->doubt when they are first asked for. */
static tilecut_status take_room(tilecut_film *f)
{
    const size_t n = (size_t)f->room;
    if (!f->sure) f->sure = malloc(n * f->pixels);
    if (!f->doubt) f->doubt = malloc(n * sizeof *f->doubt);
    if (!f->sure || !f->doubt) return tc_fail(TILECUT_ENOMEM, "no memory for how sure %zu masks are", n);
    return TILECUT_OK;
}

/* Sets the doubt of each frame that is ready. `all` is the doubt of all of them, as a volume that begins at `first`. */
static void share_doubt(tilecut_film *f, int first, const tilecut_doubt *all)
{
    for (int i = 0; i < f->ready; i++) {
        const bool here = all->x >= 0 && all->z == i - first;
        f->doubt[i] = here ? *all : (tilecut_doubt){.unsure = all->unsure, .x = -1, .y = -1};
        f->doubt[i].size = sizeof *f->doubt, f->doubt[i].z = here ? 0 : -1;
        if (i < first) f->doubt[i].unsure = 0;
    }
}

tilecut_status tc_film_look(tilecut_film *f, bool doubt)
{
    tilecut_doubt all = {.x = -1, .y = -1, .z = -1};
    const bool known = f->looked > 0;
    int first = 0;
    NEED(take_room(f));
    while (first < f->ready && !f->report[first].certified) first++; /* nothing was known of the object there */
    if (!known) memset(f->sure, 128, (size_t)first * f->pixels);
    if (first < f->ready) {
        const int count = f->begun - first;
        const tilecut_graph graph = graph_of(f, tc_film_colors(f, first + count / 2), first, count);
        const size_t from = (size_t)first * f->pixels;
        tc_places places = {0};
        double unsure = 0;
        NEED(tc_confidence(&graph, f->mask + from, &f->setup, known ? NULL : f->sure + from, &unsure,
                           doubt ? &places : NULL));
        all = tc_doubt_of(unsure, &places);
    }
    if (doubt) share_doubt(f, first, &all);
    f->looked = f->ready, f->doubted = doubt;
    return TILECUT_OK;
}
