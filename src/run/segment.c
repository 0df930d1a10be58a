/* SPDX-License-Identifier: MIT
 *
 * segment.c - whole jobs, from pixels and seeds to the mask.
 *
 * With a box, what lies far from it is left out of the job. Background remains on all sides of the box, so the minimum
 * cut of the rest is one of the whole image. A box that cuts through its object is widened (box_fit.h).
 */
#include <stdlib.h>
#include <string.h>

#include "box_fit.h"
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

/* How an image was cut in the end. */
typedef struct way {
    tc_window window;
    tc_setup how;      /* how.guess lies in `guesses`                     */
    uint8_t *guesses;  /* owned                                           */
    uint8_t *seeds;    /* owned; NULL: the caller's                       */
    int64_t foreground;
} way;

static void way_free(way *w)
{
    free(w->guesses);
    free(w->seeds);
    *w = (way){.guesses = NULL};
}

/* Cuts what lies in w->window, with the setup w->how. Pixels and seeds are on the host. */
static tilecut_status segment_part(const tilecut_image *image, const uint8_t *seeds, way *w, uint8_t *mask,
                                   tilecut_report *report)
{
    const tc_window *const window = &w->window;
    tilecut_status status = TILECUT_OK;
    uint8_t *guesses = NULL;
    part p;
    TRY(part_init(&p, image, seeds, window));
    status = segment_in(&p, &w->how, &guesses, report);
    if (guesses) w->guesses = guesses;
    if (status == TILECUT_OK) spread(&p, window, image->width, image->height, mask);
    w->foreground = report->foreground;
    report->bytes_per_pixel *= (double)window->width * window->height / image->width / image->height;
    part_free(&p);
done:
    return status;
}

/* ---- A box that cuts through its object ------------------------------------------------------- */

/* Cuts another box. `guess`: a mask of the image with which learning begins, or NULL. *w is to be freed in any case. */
static tilecut_status segment_box(const tilecut_image *image, const tc_window *box, const uint8_t *guess,
                                  const tc_setup *setup, way *w, uint8_t *mask, tilecut_report *report)
{
    const size_t width = (size_t)image->width, pixels = width * (size_t)image->height;
    tilecut_status status = TILECUT_OK;
    *report = (tilecut_report){0};
    tc_window window;
    *w = (way){.how = *setup};
    w->seeds = malloc(pixels);
    if (!w->seeds) TRY(tc_fail(TILECUT_ENOMEM, "no memory for %zu seeds", pixels));
    memset(w->seeds, TILECUT_OUTSIDE, pixels);
    for (int y = box->y; y < box->y + box->height; y++)
        memset(w->seeds + (size_t)y * width + (size_t)box->x, TILECUT_UNKNOWN, (size_t)box->width);
    if (!tc_box_window(w->seeds, image->width, image->height, &window))
        window = (tc_window){0, 0, image->width, image->height};
    const tc_window *const in = &window;
    w->window = window;
    if (guess) {
        w->guesses = malloc((size_t)in->width * (size_t)in->height);
        if (!w->guesses) TRY(tc_fail(TILECUT_ENOMEM, "no memory for a guess in a box"));
        for (int y = 0; y < in->height; y++)
            memcpy(w->guesses + (size_t)y * (size_t)in->width, guess + (size_t)(in->y + y) * width + (size_t)in->x,
                   (size_t)in->width);
        w->how.guess = w->guesses;
        w->how.guess_width = in->width;
        w->how.guess_height = in->height;
    }
    // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): *w is the caller's to free, also after a failure
    TRY(segment_part(image, w->seeds, w, mask, report));
done:
    return status;
}

/* The box, its mask, and how that was cut. */
typedef struct fitting {
    const tilecut_image *image;
    const tc_setup *setup;
    uint8_t *masks[2];     /* of `box`, and room for another; owned */
    tilecut_report report, spent;
    tc_window box;
    way w;
} fitting;

/* Makes `next` the mask of f->box, with masks[1]. */
static void take(fitting *f, way *next, const tilecut_report *told)
{
    uint8_t *const before = f->masks[0];
    f->masks[0] = f->masks[1], f->masks[1] = before;
    way_free(&f->w);
    f->w = *next;
    f->report = *told;
    *next = (way){.guesses = NULL};
}

/* Widens the box until the object no longer goes on. *found: false if it leaks, or goes on and on. */
static tilecut_status widen(fitting *f, tc_window wide, bool *found)
{
    enum { WIDENINGS = 3 };
    const tilecut_image *const image = f->image;
    tilecut_status status = TILECUT_OK;
    tilecut_report told;
    way next = {.guesses = NULL};

    *found = false;
    for (int i = 0; i < WIDENINGS && !*found; i++) {
        TRY(segment_box(image, &wide, f->masks[0], f->setup, &next, f->masks[1], &told));
        tc_report_add_times(&f->spent, &told);
        if (!tc_box_goes_on(f->masks[0], f->masks[1], image->width, image->height, &f->box)) goto done;
        take(f, &next, &told);
        f->box = wide;
        wide = tc_box_widened(image, f->masks[0], told.foreground, told.beta, &f->box);
        *found = tc_same_window(&wide, &f->box);
    }
done:
    way_free(&next);
    return status;
}

/* The energy of an answer, including the cost that all labellings share. */
static double energy_of(const tilecut_report *report)
{
    return report->iteration_energy[report->iterations];
}

/* Cuts the box that was found as if it had been given, and takes the answer of less energy. */
static tilecut_status begin_anew(fitting *f)
{
    tilecut_status status = TILECUT_OK;
    tilecut_report told;
    way next = {.guesses = NULL};
    TRY(segment_box(f->image, &f->box, NULL, f->setup, &next, f->masks[1], &told));
    tc_report_add_times(&f->spent, &told);
    if (energy_of(&told) < energy_of(&f->report)) take(f, &next, &told);
done:
    way_free(&next);
    return status;
}

/* Widens a box if it cuts through its object. On entry, `mask`, `report` and `w` are those of the box; they become
 * those of the wider box if there is one. */
static tilecut_status fit_box(const tilecut_image *image, const uint8_t *seeds, const tc_setup *setup, uint8_t *mask,
                              tilecut_report *report, way *w)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    tilecut_status status = TILECUT_OK;
    fitting f = {.image = image, .setup = setup, .report = *report};
    bool found = false;

    if (setup->effort == 1 || setup->iterations < 0) return TILECUT_OK;
    if (!tc_box_alone(seeds, image->width, image->height, &f.box)) return TILECUT_OK;
    const tc_window wide = tc_box_widened(image, mask, report->foreground, report->beta, &f.box);
    if (tc_same_window(&wide, &f.box)) return TILECUT_OK;
    for (int i = 0; i < 2; i++) {
        f.masks[i] = malloc(pixels);
        if (!f.masks[i]) TRY(tc_fail(TILECUT_ENOMEM, "no memory for %zu pixels of a mask", pixels));
    }
    memcpy(f.masks[0], mask, pixels);
    TRY(widen(&f, wide, &found));
    if (found) TRY(begin_anew(&f));
    if (found) {
        memcpy(mask, f.masks[0], pixels);
        way_free(w);
        *w = f.w;
        f.w = (way){.guesses = NULL};
        tc_report_add_times(&f.spent, report);
        *report = f.report;
        report->model_ms = f.spent.model_ms, report->graph_ms = f.spent.graph_ms, report->copy_ms = f.spent.copy_ms;
        report->solve_ms = f.spent.solve_ms, report->certify_ms = f.spent.certify_ms;
    } else {
        tc_report_add_times(report, &f.spent);
    }
done:
    way_free(&f.w);
    free(f.masks[0]);
    free(f.masks[1]);
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
    way w = {.guesses = NULL};
    uint8_t *own = NULL;
    tc_window window;
    bool found;

    TRY(tc_energy_check_params(setup));
    /* Before a pixel is looked at. */
    TRY(tc_run_solver(setup, setup->connectivity, source->image->width, source->image->height, &solver));
    TRY(find_window(source, setup, &window, &found));
    if (!found) return tc_segment_whole(source, setup, mask, report);
    TRY(tc_source_fetch(source, &here));
    own = malloc(pixels); /* `mask` is touched only after success */
    if (!own) TRY(tc_fail(TILECUT_ENOMEM, "no memory for %zu pixels of a mask", pixels));
    w = (way){.window = window, .how = *setup};
    TRY(segment_part(&here.image, here.seeds, &w, own, report));
    TRY(fit_box(&here.image, here.seeds, setup, own, report, &w));
    if (here.mask) TRY(tc_cuda_copy(mask, own, pixels, *source->stream));
    else memcpy(mask, own, pixels);
done:
    way_free(&w);
    free(own);
    free(here.memory);
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

/* Gives `graph` the capacities with which `w` was cut, by cutting that again, into `mask`, which has room enough. */
static tilecut_status graph_take(tilecut_graph *graph, const uint8_t *seeds, const way *w, uint8_t *mask,
                                 tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tilecut_graph *small = NULL;
    part p;

    TRY(part_init(&p, &graph->energy.image, seeds, &w->window));
    status = tc_graph_from_image(&small, &p.image, p.seeds, &w->how);
    if (status == TILECUT_OK) status = graph_segment_all(small, &w->how, mask, report);
    if (status == TILECUT_OK) tc_energy_take(&graph->energy, &small->energy);
    tc_graph_free(small);
    part_free(&p);
done:
    return status;
}

/* As tc_segment() does, and `graph` has the capacities that it found; if the box was widened, the seeds, too. */
static tilecut_status graph_segment_part(tilecut_graph *graph, const tc_window *window, const tc_setup *how,
                                         uint8_t *mask, tilecut_report *report)
{
    const tilecut_image *const image = &graph->energy.image;
    const uint8_t *const seeds = graph->energy.seeds;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    way w = {.window = *window, .how = *how};
    tilecut_status status = TILECUT_OK;
    uint8_t *const found = malloc(pixels);

    if (!found) return tc_fail(TILECUT_ENOMEM, "no memory for %zu pixels of a mask", pixels);
    TRY(segment_part(image, seeds, &w, found, report));
    TRY(fit_box(image, seeds, how, found, report, &w));
    TRY(graph_take(graph, w.seeds ? w.seeds : seeds, &w, mask, report));
    report->foreground = w.foreground;
    report->bytes_per_pixel *= (double)w.window.width * w.window.height / image->width / image->height;
    memcpy(mask, found, pixels);
    if (w.seeds) {
        free(graph->widened);
        graph->energy.seeds = graph->widened = w.seeds;
        w.seeds = NULL;
    }
done:
    way_free(&w);
    free(found);
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
