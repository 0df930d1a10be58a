/* SPDX-License-Identifier: MIT
 *
 * segment.c - whole jobs, from pixels and seeds to the mask.
 *
 * With a box, pixels far from it are left out of the job. Background remains on all sides of the box, so a minimum cut
 * of the rest is a minimum cut of the whole image.
 */
#include <stdlib.h>
#include <string.h>

#include "coarse.h"
#include "cuda_backend.h"
#include "choice.h"
#include "fit_box.h"
#include "islands.h"
#include "iterate.h"
#include "large.h"
#include "prior_evidence.h"
#include "prior_outline.h"
#include "box_and_strokes.h"
#include "parallel.h"
#include "prior_fit.h"
#include "segment.h"
#include "solve.h"
#include "stroke.h"
#include "status.h"
#include "model_update.h"

/* ---- The part that a box needs ---------------------------------------------------------------- */

/* True if colours are learnt from the surroundings of a box. With a prior mask they are not, because learning starts
 * from that mask. */
static bool learns_around_box(const tc_setup *setup)
{
    return !setup->prior && !setup->soft_seeds && tc_colors_learn(tc_colors_find(setup->colors));
}

/* True if only a part of the image has to be cut, because there is a box. Finds that window, which may still be the
 * whole image. */
static bool wants_part(const uint8_t *seeds, int width, int height, const tc_setup *setup, tc_window *window)
{
    const tc_window all = {0, 0, width, tc_comm_height(setup->comm, height)};
    if (!tc_box_has(seeds, width, height, setup->comm, &all, TILECUT_OUTSIDE)) return false;
    if (tc_box_window(seeds, width, height, setup->comm, window)) return true;
    *window = all;
    return tc_box_has(seeds, width, height, setup->comm, &all, TILECUT_UNKNOWN);
}

/* Returns the seeds in host memory. */
static const uint8_t *seeds_of(const tc_source *source)
{
    return source->stream ? source->seeds_here : source->seeds;
}

/* Finds the window of a source. */
static tilecut_status find_window(const tc_source *source, const tc_setup *setup, tc_window *window, bool *found)
{
    const tilecut_image *const image = source->image;
    *found = false;
    if (source->boxless || !learns_around_box(setup)) return TILECUT_OK;
    *found = wants_part(seeds_of(source), image->width, image->height, setup, window);
    return tc_comm_check(setup->comm);
}

/* The pixels of a job in a window, where they are. Close it with placed_close() after a failure, too. */
typedef struct placed {
    tilecut_image image; /* pixels NULL: only a device has them */
    tc_there there;
    tc_setup setup;      /* the caller's, with `there` if a device has them */
    void *here, *copy;   /* owned: memory on the host, and on the device */
} placed;

/* Copies the pixels of a window to the device that will learn from them, once for all cuts. If it has no memory for
 * them, each cut copies its own. */
static tilecut_status place_there(placed *p, const tc_window *w)
{
    const tilecut_image *const image = &p->image;
    const size_t bytes = (size_t)(image->channels * image->depth / 8), row = (size_t)w->width * bytes;
    const tilecut_status status = tc_cuda_take(&p->copy, row * (size_t)w->height, p->setup.device);
    if (status == TILECUT_ENOMEM) return TILECUT_OK;
    NEED(status);
    p->there = (tc_there){p->copy, row, w->x, w->y, w->width, w->height};
    p->setup.there = &p->there;
    return tc_cuda_send_rows(p->copy, (const uint8_t *)tc_image_row(image, w->y) + (size_t)w->x * bytes,
                             tc_image_stride(image), row, w->height, p->setup.device, p->setup.threads);
}

/* Pixels that a device has stay there, unless the host has to look at all of them: it learns, or there are clicks. */
static tilecut_status place(placed *p, const tc_source *source, const tc_window *window, const tc_setup *setup)
{
    const tilecut_image *const image = source->image;
    const bool learns = tc_learns_on_device(image, setup);
    tilecut_status status = TILECUT_OK;
    tc_fetched fetched = {0};
    *p = (placed){.image = *image, .setup = *setup};
    if (!source->stream) return learns ? place_there(p, window) : TILECUT_OK;
    if (learns && !tc_box_is_vague(image, source->seeds_here, setup->comm)) {
        p->there = (tc_there){image->pixels, tc_image_stride(image), 0, 0, image->width, image->height};
        p->setup.there = &p->there;
        p->image.pixels = NULL;
        return TILECUT_OK;
    }
    TRY(tc_source_fetch(source, setup, &fetched));
    p->image = fetched.image;
    p->here = fetched.memory;
done:
    if (status != TILECUT_OK) free(fetched.memory);
    return status;
}

static void placed_close(placed *p)
{
    tc_cuda_give(p->copy, p->setup.device);
    free(p->here);
}

tilecut_status tc_graph_segment_again(tilecut_graph *graph, const tc_setup *setup, tc_kept_flow *kept, uint8_t *mask,
                                      tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_kept_flow own = {0};
    tc_run run;

    TRY(tc_run_open(&run, setup, graph->connectivity, graph->width, graph->height * graph->depth,
                    kept ? kept : &own));
    run.again = kept != NULL;
    run.source = (tc_source){.image = &graph->energy.image, .seeds = graph->energy.seeds};
    tc_run_adopt(&run, graph, &graph->energy);
    TRY(tc_run_iterate(&run, mask));
    *report = run.report;
done:
    tc_run_close(&run);
    if (kept && status != TILECUT_OK) tc_kept_flow_free(kept);
    tc_kept_flow_free(&own);
    return status;
}

/* ---- A prior mask ----------------------------------------------------------------------------------- */

/* A prior mask is first refined without strokes: its outline is moved to where it fits best, colours are learnt from
 * it, and it is cut. Then all strokes correct the result, at once and in no order, as they correct any mask (stroke.h):
 * a further stroke never takes away pixels that others of its label have added. */

static bool refines(const tc_setup *setup)
{
    return setup->prior && !setup->soft_seeds;
}

static bool is_stroke(uint8_t seed)
{
    return seed == TILECUT_FOREGROUND || seed == TILECUT_BACKGROUND;
}

/* A prior mask (setup->prior) while it is refined. Masks have the image's size, in packed rows. */
typedef struct refining {
    const tilecut_image *image;
    const uint8_t *open;   /* the seeds without strokes           */
    const tc_setup *setup;
    tc_setup from_prior;   /* a copy of `setup` that starts from `prior` */
    uint8_t *prior;        /* a copy of the mask, whose outline may be moved */
    uint8_t *offered;      /* a mask that was learnt from `prior`        */
    uint8_t *room;
    tilecut_graph **graph; /* the graph made from `prior` and `open` */
    tilecut_report *report;
    bool strokes;          /* true: there are strokes that correct the mask */
} refining;

/* Returns how far, in pixels, the outline may be off where a part of the offered mask was taken. */
static double near_of(const refining *r)
{
    return 4 * tc_outline_unit(r->image->width, r->image->height);
}

static tilecut_status measure_outline(const refining *r, const uint8_t *prior, double reach, tc_outline *outline)
{
    const tc_nearness_lattice lattice = tc_energy_lattice(&(*r->graph)->energy);
    return tc_outline_measure(prior, &lattice, reach, outline);
}

/* Makes the graph anew. */
static tilecut_status make_graph(const refining *r)
{
    tc_graph_free(*r->graph);
    *r->graph = NULL;
    NEED(tc_graph_from_image(r->graph, r->image, r->open, &r->from_prior));
    (*r->graph)->energy.shares = true; /* neither seeds nor the prior mask change before it is made anew */
    return TILECUT_OK;
}

/* Replaces *report by the report of one more cut, with the times of both. The iterations remain those of the earlier
 * cuts. */
static void take_over(tilecut_report *report, tilecut_report *result)
{
    tc_report_add_times(result, report);
    result->islands = report->islands;
    result->doubted = report->doubted;
    result->iterations = report->iterations;
    memcpy(result->iteration_energy, report->iteration_energy, sizeof result->iteration_energy);
    *report = *result;
}

/* Cuts the band in which the outline of `prior` may be off (prior_evidence.h). The cut uses only links and the colours
 * on both sides of the outline, not the model learnt from the whole image. If `near` is not NULL, the band is limited
 * to near_of() pixels around its nonzero pixels. */
static tilecut_status cut_outline(const refining *r, const uint8_t *prior, tc_outline *outline, const uint8_t *near,
                                  uint8_t *mask)
{
    const double nat = 6; /* docs/lab/quality.md */
    tilecut_graph *const graph = *r->graph;
    const int bits = graph->energy.color_bits;
    const double start = tc_now_ms();
    tilecut_report result = {0};
    NEED(tc_energy_hold(&graph->energy, nat));
    NEED(tc_prior_evidence(&graph->energy.image, prior, outline, near, near_of(r), graph->energy.nearness));
    const double ready = tc_now_ms();
    graph->energy.color_bits = 0;
    const tilecut_status status = tc_solve(graph, &r->from_prior, NULL, mask, NULL, &result);
    graph->energy.color_bits = bits;
    result.model_ms = ready - start;
    if (status == TILECUT_OK) take_over(r->report, &result);
    return status;
}

/* Corrects `before`, the refined mask, by the strokes. Colours are learnt from that mask alone. *r->graph becomes the
 * graph with these colours. The report's iterations remain those of `before`. */
static tilecut_status correct(const refining *r, const uint8_t *seeds, const uint8_t *before, uint8_t *mask)
{
    tc_setup setup = *r->setup;
    tilecut_report result = {0};
    setup.prior = before;
    setup.prior_weight = setup.spatial = 0;
    tc_graph_free(*r->graph);
    *r->graph = NULL;
    NEED(tc_graph_from_image(r->graph, r->image, r->open, &setup));
    NEED(tc_strokes_correct(&(tc_all_strokes){*r->graph, r->open, seeds, before}, &setup, mask, &result));
    (*r->graph)->energy.prior_weight = r->setup->prior_weight;
    if (result.solver) take_over(r->report, &result);
    return TILECUT_OK;
}

/* Learns a new mask from the prior mask, and writes it to r->offered. If the prior mask is too small or too large all
 * around, its outline is moved first, unless less than a quarter of the mask would be left. */
static tilecut_status offer(const refining *r)
{
    enum { MOVES = 3, KEPT = 4 };
    const int width = r->image->width, height = r->image->height;
    size_t given = 0;
    int by = 1;
    for (size_t p = 0; p < (size_t)width * (size_t)height; p++) given += r->prior[p] >= 128;
    for (int move = 0; move < MOVES && by; move++) {
        NEED(tc_prior_fit(*r->graph, &by));
        if (!by) break;
        NEED(tc_prior_move(r->prior, width, height, by));
        NEED(make_graph(r));
    }
    NEED(tc_graph_segment_again(*r->graph, &r->from_prior, NULL, r->offered, r->report));
    if ((size_t)r->report->foreground >= given / KEPT) return TILECUT_OK;
    memcpy(r->prior, r->setup->prior, (size_t)r->image->width * (size_t)r->image->height);
    NEED(make_graph(r));
    return tc_graph_segment_again(*r->graph, &r->from_prior, NULL, r->offered, r->report);
}

/* Takes those parts of r->offered that edges of the image support, and refines their outline. Overwrites r->offered. */
static tilecut_status take_parts(const refining *r, const tc_edges *edges, uint8_t *mask, bool *taken)
{
    const int width = r->image->width, height = r->image->height;
    tilecut_status status = TILECUT_OK;
    tc_outline outline = {0};
    int64_t doubted;
    int32_t count;
    for (size_t p = 0; p < (size_t)width * (size_t)height; p++) r->room[p] = r->prior[p] >= 128 ? 255 : 0;
    NEED(tc_choose_parts(edges, r->offered, r->room, &count, &doubted));
    *taken = count > 0;
    if (doubted) r->report->doubted = doubted;
    if (!*taken) return TILECUT_OK;
    TRY(measure_outline(r, r->room, near_of(r), &outline));
    TRY(cut_outline(r, r->room, &outline, r->offered, mask));
done:
    tc_outline_free(&outline);
    return status;
}

/* Leaves out what was learnt from the prior mask. */
static tilecut_status forget(const refining *r)
{
    const tilecut_report learnt = *r->report;
    *r->report = (tilecut_report){0};
    tc_report_add_times(r->report, &learnt);
    return TILECUT_OK;
}

/* Learns a mask from the prior mask. If that mask is clearly better, writes it to `mask` and sets *taken. */
static tilecut_status learn_from_prior(const refining *r, const tc_edges *edges, const tc_choice *choice, uint8_t *mask,
                                       bool *taken)
{
    NEED(offer(r));
    memcpy(r->prior, r->setup->prior, (size_t)r->image->width * (size_t)r->image->height);
    int64_t doubted;
    *taken = tc_choice_is_offer(choice, edges, r->prior, r->offered, &doubted);
    if (!*taken) {
        NEED(forget(r));
        r->report->doubted = doubted;
        return TILECUT_OK;
    }
    memcpy(mask, r->offered, (size_t)r->image->width * (size_t)r->image->height);
    return TILECUT_OK;
}

/* Moves the outline by a few pixels, and keeps the result if the outline then lies on much better edges. */
static tilecut_status move_near(const refining *r, const tc_edges *edges, const tc_choice *choice, uint8_t *mask,
                                bool *taken)
{
    tilecut_status status = TILECUT_OK;
    tc_outline outline = {0};
    TRY(measure_outline(r, r->prior, near_of(r), &outline));
    TRY(cut_outline(r, r->prior, &outline, NULL, mask));
    *taken = tc_choice_is_near(choice, edges, mask);
done:
    tc_outline_free(&outline);
    return status;
}

/* Measures the outline as far as the caller says that it may be off. In a photo a prior mask that follows its object
 * pixel by pixel, and lies on edges, is right: then it may be off by no more than if the caller had said nothing. */
static tilecut_status measure_given(const refining *r, tc_edges *edges, tc_outline *outline)
{
    if (r->setup->slice_rows) return measure_outline(r, r->prior, r->setup->prior_reach, outline);
    NEED(measure_outline(r, r->prior, 0, outline));
    NEED(tc_edges_find(*r->graph, r->image, r->prior, edges));
    if (tc_choice_is_right(edges, outline, r->prior)) return TILECUT_OK;
    tc_outline_free(outline);
    return measure_outline(r, r->prior, r->setup->prior_reach, outline);
}

/* Refines the prior mask without strokes, by moving its outline as far as it may be off. If the caller did not give
 * that distance, and the outline does not lie on edges, a mask is learnt from the prior mask instead, unless that
 * cannot be believed. In a volume no mask is learnt. */
static tilecut_status refine_alone(const refining *r, uint8_t *mask)
{
    const int width = r->image->width, height = r->image->height;
    const bool given = r->setup->prior_reach > 0 || r->setup->slice_rows;
    tilecut_status status = TILECUT_OK;
    tc_choice choice = {0};
    tc_outline outline = {0};
    tc_edges edges = {0};
    bool taken = false;

    TRY(make_graph(r));
    if (!given && !(r->from_prior.prior_weight > 0)) {
        TRY(offer(r));
        memcpy(mask, r->offered, (size_t)width * (size_t)height);
        return TILECUT_OK;
    }
    if (given) TRY(measure_given(r, &edges, &outline));
    if (!given) {
        TRY(measure_outline(r, r->prior, 0, &outline));
        TRY(tc_edges_find(*r->graph, r->image, r->prior, &edges));
        TRY(tc_choice_find(&edges, &outline, r->prior, &choice));
    }
    if (choice.below > 0) TRY(learn_from_prior(r, &edges, &choice, mask, &taken));
    if (!taken && choice.steady > 0) TRY(move_near(r, &edges, &choice, mask, &taken));
    if (!taken && choice.parts) {
        if (choice.below > 0 || choice.steady > 0) TRY(make_graph(r));
        if (!(choice.below > 0)) TRY(learn_from_prior(r, &edges, &choice, mask, &taken));
        TRY(take_parts(r, &edges, mask, &taken));
    }
    if (taken) r->report->doubted = 0;
    else TRY(cut_outline(r, r->prior, &outline, NULL, mask));
done:
    tc_outline_free(&outline);
    tc_edges_free(&edges);
    return status;
}

/* Refines the prior mask of `setup`, and corrects the result by strokes. The mask is a minimum cut of *graph, apart
 * from specks and from pixels that tc_nest() restores. *graph has `seeds` and the caller's prior mask. */
static tilecut_status refine(const tilecut_image *image, const uint8_t *seeds, const tc_setup *setup,
                             tilecut_graph **graph, uint8_t *mask, tilecut_report *report)
{
    const size_t width = (size_t)image->width, height = (size_t)image->height, pixels = width * height;
    uint8_t *const memory = tc_large_alloc(5 * pixels);
    tilecut_status status = TILECUT_OK;

    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory to refine a mask of %zu pixels", pixels);
    uint8_t *const open = memory + pixels, *const alone = memory + 3 * pixels, *const corrected = memory + 4 * pixels;
    refining r = {.image = image, .open = open, .setup = setup, .from_prior = *setup, .prior = memory,
                  .offered = memory + 2 * pixels, .room = corrected, .graph = graph, .report = report};
    for (size_t p = 0; p < pixels; p++) {
        r.strokes |= is_stroke(seeds[p]);
        open[p] = is_stroke(seeds[p]) ? TILECUT_UNKNOWN : seeds[p];
    }
    memcpy(r.prior, setup->prior, pixels);
    r.from_prior.prior = r.prior;
    TRY(refine_alone(&r, alone));
    if (!setup->islands)
        TRY(tc_give_back_specks(&(tc_prior_mask){setup->prior, open, image->width, image->height,
                                                 setup->connectivity, setup->slice_rows}, alone,
                                &report->foreground, &report->islands));
    if (r.strokes) TRY(correct(&r, seeds, alone, corrected));
    (*graph)->energy.seeds = seeds;
    (*graph)->energy.prior = setup->prior;
    memcpy(mask, r.strokes ? corrected : alone, pixels);
done:
    free(memory);
    return status;
}

/* Does the same for a source. */
static tilecut_status segment_prior(const tc_source *source, const tc_setup *setup, uint8_t *mask,
                                   tilecut_report *report)
{
    const size_t pixels = (size_t)source->image->width * (size_t)source->image->height;
    tc_fetched fetched = {.image = *source->image, .seeds = source->seeds};
    tilecut_status status = TILECUT_OK;
    tilecut_graph *graph = NULL;

    TRY(tc_source_fetch(source, setup, &fetched));
    TRY(refine(&fetched.image, fetched.seeds, setup, &graph, fetched.mask ? fetched.mask : mask, report));
    if (fetched.mask) TRY(tc_cuda_copy(mask, fetched.mask, pixels, *source->stream));
done:
    tc_graph_free(graph);
    free(fetched.memory);
    return status;
}

tilecut_status tc_graph_refine(tilecut_graph *graph, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    const tc_energy *const energy = &graph->energy;
    tilecut_status status = TILECUT_OK;
    tilecut_graph *refined = NULL;
    tc_setup own = *setup;

    own.colors = energy->model->name; /* the model of the graph counts, not that of the parameters */
    own.prior = energy->prior;
    own.prior_weight = energy->prior_weight;
    own.soft_seeds = energy->soft_seeds;
    own.connectivity = energy->connectivity;
    own.lambda = energy->lambda;
    own.data_weight = energy->data_weight;
    if (!refines(&own)) return tc_graph_segment(graph, setup, mask, report);
    TRY(refine(&energy->image, energy->seeds, &own, &refined, mask, report));
    tc_energy_take(&graph->energy, &refined->energy);
done:
    tc_graph_free(refined);
    return status;
}

tilecut_status tc_segment(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    const size_t pixels = (size_t)source->image->width * (size_t)source->image->height;
    tilecut_status status = TILECUT_OK;
    placed job = {.copy = NULL};
    const tc_solver *solver;
    tc_cut_plan w = {.guess = NULL};
    uint8_t *own = NULL;
    tc_window window;
    bool found;

    TRY(tc_energy_check_params(setup));
    /* Checks the solver before any pixel is read. */
    TRY(tc_run_solver(setup, setup->connectivity, source->image->width, source->image->height, &solver));
    if (refines(setup)) return segment_prior(source, setup, mask, report);
    TRY(find_window(source, setup, &window, &found));
    if (!found) return tc_segment_whole(source, setup, mask, report);
    TRY(place(&job, source, &window, setup));
    own = tc_large_alloc(pixels); /* `mask` is written only on success */
    if (!own) TRY(tc_fail(TILECUT_ENOMEM, "no memory for %zu pixels of a mask", pixels));
    w = (tc_cut_plan){.window = window, .setup = job.setup};
    TRY(tc_segment_window(&job.image, seeds_of(source), &job.setup, &w, own, report));
    if (source->stream) TRY(tc_cuda_copy(mask, own, pixels, *source->stream));
    else memcpy(mask, own, pixels);
done:
    tc_cut_plan_free(&w);
    free(own);
    placed_close(&job);
    return status;
}

/* Gives `graph` the capacities of the cut that made `w`, by repeating that cut. `mask` is memory for its mask. */
static tilecut_status graph_take(tilecut_graph *graph, const uint8_t *seeds, const tc_cut_plan *w, uint8_t *mask,
                                 tilecut_report *report)
{
    tilecut_graph *small = NULL;
    tc_view p;

    NEED(tc_view_init(&p, &graph->energy.image, seeds, &w->window));
    tilecut_status status = tc_graph_from_image(&small, &p.image, p.seeds, &w->setup);
    if (status == TILECUT_OK) status = tc_graph_segment_again(small, &w->setup, NULL, mask, report);
    if (status == TILECUT_OK) tc_energy_take(&graph->energy, &small->energy);
    tc_graph_free(small);
    tc_view_free(&p);
    return status;
}

/* Segments like tc_segment(); afterwards `graph` has the capacities of that cut. */
static tilecut_status graph_segment_part(tilecut_graph *graph, const tc_window *window, const tc_setup *own,
                                         uint8_t *mask, tilecut_report *report)
{
    const tilecut_image *const image = &graph->energy.image;
    const uint8_t *const seeds = graph->energy.seeds;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    tc_cut_plan w = {.window = *window, .setup = *own};
    tilecut_status status = TILECUT_OK;
    uint8_t *const found = tc_large_alloc(pixels);

    if (!found) return tc_fail(TILECUT_ENOMEM, "no memory for %zu pixels of a mask", pixels);
    TRY(tc_segment_window(image, seeds, own, &w, found, report));
    TRY(graph_take(graph, w.seeds ? w.seeds : seeds, &w, mask, report));
    report->foreground = w.foreground;
    report->bytes_per_pixel *= (double)w.window.width * w.window.height / image->width / image->height;
    memcpy(mask, found, pixels);
done:
    tc_cut_plan_free(&w);
    free(found);
    return status;
}

tilecut_status tc_graph_segment(tilecut_graph *graph, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    const tc_energy *const energy = &graph->energy;
    tc_setup own = *setup;
    tc_window window;

    own.colors = energy->model->name; /* the model of the graph counts, not that of the parameters */
    own.prior = energy->prior;
    own.soft_seeds = energy->soft_seeds;
    own.connectivity = energy->connectivity;
    own.lambda = energy->lambda;
    own.spatial = energy->spatial; /* strokes may have raised it */
    own.data_weight = energy->data_weight;
    if (!learns_around_box(&own) || !wants_part(energy->seeds, graph->width, graph->height, &own, &window))
        return tc_graph_segment_again(graph, &own, NULL, mask, report);
    return graph_segment_part(graph, &window, &own, mask, report);
}
