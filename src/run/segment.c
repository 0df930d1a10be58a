/* SPDX-License-Identifier: MIT
 *
 * segment.c - whole jobs, from pixels and seeds to the mask.
 *
 * With a box, what lies far from it is left out of the job. Background remains on all sides of the box, so the minimum
 * cut of the rest is one of the whole image.
 */
#include <stdlib.h>
#include <string.h>

#include "coarse.h"
#include "cuda_backend.h"
#include "iterate.h"
#include "painted.h"
#include "segment.h"
#include "solve.h"
#include "status.h"
#include "segment_whole.h"

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

/* Cuts `p` in the way that suits its seeds. *guesses: to be freed; what `how` refers to afterwards. */
static tilecut_status segment_in(const part *p, tc_setup *how, uint8_t **guesses, tilecut_report *report)
{
    const size_t pixels = (size_t)p->image.width * (size_t)p->image.height;
    *guesses = NULL;
    if (!tc_is_painted(p->seeds, pixels, how))
        return tc_segment_whole(&(tc_source){&p->image, p->seeds, NULL}, how, p->mask, report);
    *guesses = malloc(2 * pixels);
    if (!*guesses) return tc_fail(TILECUT_ENOMEM, "no memory for two masks of %zu pixels", pixels);
    return tc_segment_painted(&(tc_painting){&p->image, p->seeds, p->mask}, *guesses, how, report);
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
           tc_is_painted(seeds, (size_t)width * (size_t)height, setup);
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
    if (!found) return tc_segment_whole(source, setup, mask, report);
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
    status = segment_in(&p, &with, &guesses, report); /* finds mask and guess; the energy is then found again */
    const int64_t foreground = report->foreground;
    if (status == TILECUT_OK) status = tc_graph_from_image(&small, &p.image, p.seeds, &with);
    if (status == TILECUT_OK) status = graph_segment_all(small, &with, mask, report); /* `mask` is room enough */
    if (status == TILECUT_OK) {
        report->foreground = foreground;
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
