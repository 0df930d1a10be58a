/* SPDX-License-Identifier: MIT
 *
 * segment.c - whole jobs, from pixels and seeds to the mask. Asks each learner that can learn the job, until one has
 * done it.
 *
 * With a box, what lies far from it is left out of the job. Background remains on all sides of the box, so the minimum
 * cut of the rest is one of the whole image.
 */
#include <stdlib.h>
#include <string.h>

#include "coarse.h"
#include "cuda_backend.h"
#include "iterate.h"
#include "segment.h"
#include "solve.h"
#include "status.h"

/* Makes a run in which `learner` learns. On entry *told has the times of learners that have given up. */
static tilecut_status segment_by(const tc_backend *learner, const tc_source *source, const tc_setup *params,
                                 tc_kept *kept, uint8_t *mask, tilecut_report *told, bool *gave_up)
{
    const size_t pixels = (size_t)source->image->width * (size_t)source->image->height;
    const double bytes_before = told->bytes_per_pixel;
    tilecut_status status = TILECUT_OK;
    tc_fetched here = {.image = *source->image, .seeds = source->seeds};
    tc_run run;

    TRY(tc_run_open(&run, params, params->connectivity, source->image->width, source->image->height, kept));
    if (!learner->reads_device_memory) TRY(tc_source_fetch(source, &here));
    run.learner = learner;
    run.source = here.mask ? (tc_source){&here.image, here.seeds, NULL} : *source;
    TRY(learner->learn(&run));
    TRY(tc_run_iterate(&run, here.mask ? here.mask : mask));
    *gave_up = run.gave_up;
    if (here.mask && source->stream && !run.gave_up) TRY(tc_cuda_copy(mask, here.mask, pixels, *source->stream));
    tc_report_add_times(&run.told, told);
    *told = run.told;
    if (told->bytes_per_pixel < bytes_before) told->bytes_per_pixel = bytes_before;
done:
    tc_run_close(&run);
    free(here.memory);
    return status;
}

/* The whole image. */
static tilecut_status segment_all(const tc_source *source, const tc_setup *setup, uint8_t *mask,
                                  tilecut_report *report)
{
    const tilecut_image *const image = source->image;
    const tc_backend *const *row = tc_backends;
    tilecut_status status = TILECUT_OK;
    tc_kept kept = {0};
    bool gave_up = true;
    tc_run run;

    TRY(tc_run_open(&run, setup, setup->connectivity, image->width, image->height, &kept));
    for (; gave_up; row++)
        if ((*row)->learns(&run))
            TRY(segment_by(*row, source, setup, &kept, mask, report, &gave_up));
done:
    tc_kept_free(&kept);
    return status;
}

/* ---- The part that a box needs ---------------------------------------------------------------- */

/* Whether colours are learnt from what is around a box; where they are from a wish, that says where to begin. */
static bool box_teaches(const tc_setup *setup)
{
    return !setup->wish && !setup->soft_seeds && tc_colors_learn(tc_colors_find(setup->colors));
}

/* What of an image and its seeds lies in a window, and room for its mask. */
typedef struct part {
    tilecut_image image; /* a view  */
    uint8_t *seeds, *mask; /* [window]; owned */
} part;

static void part_free(part *p)
{
    free(p->seeds);
    free(p->mask);
}

/* On failure there is nothing to be freed. */
static tilecut_status part_init(part *p, const tilecut_image *image, const uint8_t *seeds, const tc_window *w)
{
    const size_t pixels = (size_t)w->width * (size_t)w->height, bytes = (size_t)(image->channels * image->depth / 8);
    *p = (part){.image = *image, .seeds = malloc(pixels), .mask = malloc(pixels)};
    if (!p->seeds || !p->mask) {
        part_free(p);
        return tc_fail(TILECUT_ENOMEM, "no memory for the %dx%d pixels around a box", w->width, w->height);
    }
    p->image.width = w->width;
    p->image.height = w->height;
    p->image.stride = tc_image_stride(image);
    p->image.pixels = (const uint8_t *)tc_image_row(image, w->y) + (size_t)w->x * bytes;
    for (int y = 0; y < w->height; y++)
        memcpy(p->seeds + (size_t)y * (size_t)w->width,
               seeds + (size_t)(w->y + y) * (size_t)image->width + (size_t)w->x, (size_t)w->width);
    return TILECUT_OK;
}

/* The mask of the whole image, background around the window. */
static void spread(const part *p, const tc_window *w, int width, int height, uint8_t *mask)
{
    memset(mask, 0, (size_t)width * (size_t)height);
    for (int y = 0; y < w->height; y++)
        memcpy(mask + (size_t)(w->y + y) * (size_t)width + (size_t)w->x, p->mask + (size_t)y * (size_t)w->width,
               (size_t)w->width);
}

/* Whether there are strokes beside the box, for which a search is wanted. */
static bool is_painted(const uint8_t *seeds, size_t pixels, const tc_setup *setup)
{
    if (setup->effort == 1 || setup->iterations < 0 || !memchr(seeds, TILECUT_OUTSIDE, pixels)) return false;
    return memchr(seeds, TILECUT_FOREGROUND, pixels) || memchr(seeds, TILECUT_BACKGROUND, pixels);
}

/* The box without its strokes. */
static void leave_out_strokes(const part *p, uint8_t *seeds)
{
    const int width = p->image.width, height = p->image.height;
    tc_window box;
    tc_box_rectangle(p->seeds, width, height, &box);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t at = (size_t)y * (size_t)width + (size_t)x;
            const bool in = x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
            const bool stroke = p->seeds[at] == TILECUT_FOREGROUND || p->seeds[at] == TILECUT_BACKGROUND;
            seeds[at] = !stroke ? p->seeds[at] : in ? TILECUT_UNKNOWN : TILECUT_OUTSIDE;
        }
}

/* The strokes without their box. */
static void leave_out_box(const part *p, uint8_t *seeds)
{
    const size_t pixels = (size_t)p->image.width * (size_t)p->image.height;
    for (size_t at = 0; at < pixels; at++) seeds[at] = p->seeds[at] == TILECUT_OUTSIDE ? 0 : p->seeds[at];
}

/* What one half of the evidence says alone: a guess for both. *found: false if that half is no evidence. */
static tilecut_status guess_from(const part *p, bool strokes, const tc_setup *setup, uint8_t *guess,
                                 tilecut_report *told, bool *found)
{
    const size_t pixels = (size_t)p->image.width * (size_t)p->image.height;
    tilecut_status status = TILECUT_OK;
    tilecut_report one = {0};
    uint8_t *const seeds = malloc(pixels);
    if (!seeds) return tc_fail(TILECUT_ENOMEM, "no memory for %zu seeds", pixels);
    if (strokes) leave_out_box(p, seeds);
    else leave_out_strokes(p, seeds);
    *found = memchr(seeds, TILECUT_UNKNOWN, pixels) &&
             (!strokes || (memchr(seeds, TILECUT_FOREGROUND, pixels) && memchr(seeds, TILECUT_BACKGROUND, pixels)));
    if (!*found) goto done;
    TRY(segment_all(&(tc_source){&p->image, seeds, NULL}, setup, guess, &one));
    tc_report_add_times(told, &one);
    *found = memchr(guess, 255, pixels) != NULL;
done:
    free(seeds);
    return status;
}

/* The energy of an answer, including the cost that all labellings share. */
static double energy_of(const tilecut_report *report)
{
    return report->iteration_energy[report->iterations];
}

/* Strokes in a box. Learning begins with the ellipse, with what the box alone says, and with what the strokes alone
 * say. The answer of least energy is taken: so little evidence leaves what the box says, and much evidence overrules
 * it (docs/guide/quality.md). how->guess is then what led to p->mask; it lies in `guesses`, of two masks. */
static tilecut_status segment_painted(const part *p, uint8_t *guesses, tc_setup *how, tilecut_report *report)
{
    const size_t pixels = (size_t)p->image.width * (size_t)p->image.height;
    const tc_source source = {&p->image, p->seeds, NULL};
    uint8_t *const mask = malloc(pixels);
    tilecut_status status = TILECUT_OK;
    tilecut_report all = {0}, best = {0};
    enum { FROM_THE_ELLIPSE, BOX_ALONE, STROKES_ALONE, STARTS };
    tc_setup with = *how;
    const uint8_t *chosen = NULL;
    bool found, any = false;

    if (!mask) return tc_fail(TILECUT_ENOMEM, "no memory for %zu pixels of a mask", pixels);
    with.guess_width = p->image.width;
    with.guess_height = p->image.height;
    for (int start = 0; start < STARTS; start++) {
        uint8_t *const guess = guesses + (start == STROKES_ALONE ? pixels : 0);
        tilecut_report told = {0};
        if (start != FROM_THE_ELLIPSE) TRY(guess_from(p, start == STROKES_ALONE, how, guess, &all, &found));
        if (start != FROM_THE_ELLIPSE && !found) continue;
        with.guess = start == FROM_THE_ELLIPSE ? NULL : guess;
        TRY(segment_all(&source, &with, mask, &told));
        tc_report_add_times(&all, &told);
        if (any && energy_of(&told) >= energy_of(&best)) continue;
        any = true;
        best = told;
        memcpy(p->mask, mask, pixels);
        chosen = with.guess;
    }
    how->guess = chosen;
    how->guess_width = with.guess_width;
    how->guess_height = with.guess_height;
    *report = best;
    report->model_ms = all.model_ms, report->graph_ms = all.graph_ms, report->copy_ms = all.copy_ms;
    report->solve_ms = all.solve_ms, report->certify_ms = all.certify_ms;
done:
    free(mask);
    return status;
}

/* Cuts `p` in the way that suits its seeds. *guesses: to be freed; what `how` refers to afterwards. */
static tilecut_status segment_in(const part *p, tc_setup *how, uint8_t **guesses, tilecut_report *report)
{
    const size_t pixels = (size_t)p->image.width * (size_t)p->image.height;
    *guesses = NULL;
    if (!is_painted(p->seeds, pixels, how))
        return segment_all(&(tc_source){&p->image, p->seeds, NULL}, how, p->mask, report);
    *guesses = malloc(2 * pixels);
    if (!*guesses) return tc_fail(TILECUT_ENOMEM, "no memory for two masks of %zu pixels", pixels);
    return segment_painted(p, *guesses, how, report);
}

/* Pixels and seeds are on the host. */
static tilecut_status segment_part(const tilecut_image *image, const uint8_t *seeds, const tc_window *window,
                                   const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_setup how = *setup;
    uint8_t *guesses;
    part p;
    TRY(part_init(&p, image, seeds, window));
    status = segment_in(&p, &how, &guesses, report);
    if (status == TILECUT_OK) spread(&p, window, image->width, image->height, mask);
    report->bytes_per_pixel *= (double)window->width * window->height / image->width / image->height;
    free(guesses);
    part_free(&p);
done:
    return status;
}

/* The window to be cut, if there is a box: less than the image, or all of it with strokes. */
static bool wants_part(const uint8_t *seeds, int width, int height, const tc_setup *setup, tc_window *window)
{
    if (tc_box_window(seeds, width, height, window)) return true;
    *window = (tc_window){0, 0, width, height};
    return memchr(seeds, TILECUT_UNKNOWN, (size_t)width * (size_t)height) &&
           is_painted(seeds, (size_t)width * (size_t)height, setup);
}

/* The window of a source; the seeds of one in device memory are fetched for that. */
static tilecut_status find_window(const tc_source *source, const tc_setup *setup, tc_window *window, bool *found)
{
    const tilecut_image *const image = source->image;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    tilecut_status status = TILECUT_OK;
    uint8_t *here = NULL;

    *found = false;
    if (!box_teaches(setup)) return TILECUT_OK;
    if (source->stream) {
        here = malloc(pixels);
        if (!here) return tc_fail(TILECUT_ENOMEM, "no memory for %zu seeds", pixels);
        TRY(tc_cuda_copy(here, source->seeds, pixels, *source->stream));
    }
    *found = wants_part(here ? here : source->seeds, image->width, image->height, setup, window);
done:
    free(here);
    return status;
}

tilecut_status tc_segment(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    const size_t pixels = (size_t)source->image->width * (size_t)source->image->height;
    tc_fetched here = {0};
    tilecut_status status = TILECUT_OK;
    const tc_solver *solver;
    tc_window window;
    bool found;

    TRY(tc_energy_check_params(setup));
    /* Before a pixel is looked at. */
    TRY(tc_run_solver(setup, setup->connectivity, source->image->width, source->image->height, &solver));
    TRY(find_window(source, setup, &window, &found));
    if (!found) return segment_all(source, setup, mask, report);
    TRY(tc_source_fetch(source, &here));
    TRY(segment_part(&here.image, here.seeds, &window, setup, here.mask ? here.mask : mask, report));
    if (here.mask) TRY(tc_cuda_copy(mask, here.mask, pixels, *source->stream));
done:
    free(here.memory);
    return status;
}

tilecut_status tc_segment_there(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    const size_t width = (size_t)source->image->width, pixels = width * (size_t)source->image->height;
    const size_t seeds_stride = setup->seeds_stride ? setup->seeds_stride : width;
    const size_t mask_stride = setup->mask_stride ? setup->mask_stride : width;
    const int height = source->image->height;
    uint8_t *own_seeds = NULL, *own_mask = NULL;
    tc_source packed = *source;
    tc_setup there = *setup;
    tilecut_status status = TILECUT_OK;

    if (!there.solver) there.solver = "cuda";
    TRY(tc_cuda_device_of(source->image->pixels, &there.device));
    if (seeds_stride != width) {
        TRY(tc_cuda_take((void **)&own_seeds, pixels, there.device));
        TRY(tc_cuda_copy_rows(own_seeds, width, source->seeds, seeds_stride, width, height, *source->stream));
        packed.seeds = own_seeds;
    }
    if (mask_stride != width) TRY(tc_cuda_take((void **)&own_mask, pixels, there.device));
    TRY(tc_segment(&packed, &there, own_mask ? own_mask : mask, report));
    if (own_mask) TRY(tc_cuda_copy_rows(mask, mask_stride, own_mask, width, width, height, *source->stream));
done:
    tc_cuda_give(own_seeds, there.device);
    tc_cuda_give(own_mask, there.device);
    return status;
}

/* All of a graph's image. */
static tilecut_status graph_segment_all(tilecut_graph *graph, const tc_setup *how, uint8_t *mask,
                                        tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_kept kept = {0};
    tc_run run;

    TRY(tc_run_open(&run, how, graph->connectivity, graph->width, graph->height, &kept));
    run.source = (tc_source){&graph->energy.image, graph->energy.seeds, NULL};
    tc_run_adopt(&run, graph, &graph->energy);
    TRY(tc_run_iterate(&run, mask));
    *report = run.told;
done:
    tc_run_close(&run);
    tc_kept_free(&kept);
    return status;
}

/* As tc_segment() does, and `graph` has the capacities that it found. */
static tilecut_status graph_segment_part(tilecut_graph *graph, const tc_window *window, const tc_setup *how,
                                         uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tilecut_graph *small = NULL;
    tc_setup with = *how;
    uint8_t *guesses;
    part p;

    TRY(part_init(&p, &graph->energy.image, graph->energy.seeds, window));
    status = segment_in(&p, &with, &guesses, report); /* finds the guess; what it leads to is found again, and kept */
    if (status == TILECUT_OK) status = tc_graph_from_image(&small, &p.image, p.seeds, &with);
    if (status == TILECUT_OK) status = graph_segment_all(small, &with, p.mask, report);
    if (status == TILECUT_OK) {
        tc_energy_take(&graph->energy, &small->energy);
        spread(&p, window, graph->width, graph->height, mask);
        report->bytes_per_pixel *= (double)window->width * window->height / graph->width / graph->height;
    }
    tc_graph_free(small);
    free(guesses);
    part_free(&p);
done:
    return status;
}

tilecut_status tc_graph_segment(tilecut_graph *graph, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    const tc_energy *const energy = &graph->energy;
    tc_setup how = *setup;
    tc_window window;

    how.colors = energy->model->name; /* whatever the graph was made with */
    how.wish = energy->wish;
    how.soft_seeds = energy->soft_seeds;
    if (!box_teaches(&how) || !wants_part(energy->seeds, graph->width, graph->height, &how, &window))
        return graph_segment_all(graph, &how, mask, report);
    how.connectivity = energy->connectivity;
    how.lambda = energy->lambda;
    how.spatial = energy->spatial;
    how.data_weight = energy->data_weight;
    return graph_segment_part(graph, &window, &how, mask, report);
}
