/* SPDX-License-Identifier: MIT
 *
 * correction.c - see tilecut_correct.h; this file has the corrections by strokes. The colour model is learnt from the
 * mask and the seeds. The mask is not used as soft evidence as well: pixels that no stroke changes keep their label
 * anyway.
 */
#include "correction.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "door.h"
#include "even_ground.h"
#include "view.h"
#include "segment.h"
#include "session.h"
#include "solve.h"
#include "status.h"
#include "stroke_leak.h"

static void add_up(tilecut_report *sum, const tilecut_report *stroke)
{
    const tilecut_report before = *sum;
    *sum = *stroke;
    tc_report_add_times(sum, &before);
    sum->flow += before.flow, sum->cut += before.cut, sum->energy += before.energy;
}

tilecut_status tc_correct_paint(const tc_correction *c, tilecut_session *session, bool foreground,
                                tilecut_report *report)
{
    const size_t width = (size_t)c->image->width, pixels = width * (size_t)c->image->height;
    tilecut_status status = TILECUT_OK;
    tilecut_report result = {0};
    tilecut_change change = {0};
    const uint8_t *const seeds = c->seeds, *const mask = c->mask;
    uint8_t *const painted = malloc(pixels);
    if (!painted) return tc_fail(TILECUT_ENOMEM, "no memory for a stroke in %zu pixels", pixels);
    for (size_t p = 0; p < pixels; p++) painted[p] = tc_contradicts(seeds, mask, p, foreground);
    const tc_extent box = tc_extent_of(painted, c->image->width, c->image->height, 1);
    if (box.x1 < box.x0) goto done;
    const tilecut_stroke stroke = {.x = box.x0, .y = box.y0, .width = box.x1 - box.x0 + 1,
                                   .height = box.y1 - box.y0 + 1, .stride = width,
                                   .label = foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND,
                                   .painted = painted + (size_t)box.y0 * width + (size_t)box.x0};
    TRY(tc_session_stroke(session, &stroke, c->setup, c->mask, &change, &result));
    add_up(report, &result);
done:
    free(painted);
    return status;
}

/* Returns the report of a call that has not cut anything yet. */
static tilecut_report nothing_yet(const tc_correction *c, const tilecut_graph *graph)
{
    const tc_setup *const s = c->setup;
    tilecut_report result = {.certified = 1, .quantum = graph->energy.quantum, .lambda = s->lambda,
                           .solver = "none", .device = "cpu", .colors = graph->energy.model->name,
                           .connectivity = s->connectivity, .threads = s->threads};
    const size_t pixels = tc_graph_pixels(graph);
    for (size_t p = 0; p < pixels; p++) result.foreground += c->mask[p] != 0;
    return result;
}

/* Returns a copy of the seeds for corrections. Where a box says "outside" but the mask has foreground, the pixel
 * becomes unknown, because the mask may have been cut from that box and reach beyond it. NULL: there is no memory. */
static uint8_t *strokes_of(const uint8_t *seeds, const uint8_t *mask, size_t pixels)
{
    uint8_t *const strokes = malloc(pixels);
    for (size_t p = 0; p < (strokes ? pixels : 0); p++) {
        const uint8_t seed = seeds[p], label = mask[p];
        strokes[p] = seed == TILECUT_OUTSIDE && label ? TILECUT_UNKNOWN : seed;
    }
    return strokes;
}

void tc_correct_hold(const tc_correction *c, tilecut_session *session)
{
    const size_t pixels = (size_t)c->image->width * (size_t)c->image->height;
    const uint8_t *const held = c->held, *const mask = c->mask;
    uint8_t *const seeds = session->seeds;
    for (size_t p = 0; p < pixels; p++) {
        const uint8_t seed = seeds[p], label = mask[p];
        seeds[p] = !held[p] ? seed : label ? TILECUT_FOREGROUND : TILECUT_BACKGROUND;
    }
}

tilecut_status tc_correct_open(const tc_correction *c, tilecut_graph **graph, tilecut_session **session)
{
    tc_setup setup = *c->setup;
    setup.prior_weight = 0;
    if (setup.slice_rows) setup.spatial = 0; /* no spatial term, because the mask shows where the object is */
    NEED(tc_graph_from_image(graph, c->image, c->seeds, &setup));
    NEED(tc_session_new(session, *graph));
    NEED(tc_session_set_mask(*session, c->mask));
    if (c->held) tc_correct_hold(c, *session);
    return TILECUT_OK;
}

tilecut_status tc_correct(const tc_correction *given, tilecut_report *report)
{
    const size_t pixels = (size_t)given->image->width * (size_t)given->image->height;
    uint8_t *const strokes = strokes_of(given->seeds, given->mask, pixels);
    const tc_correction c = {given->image, strokes, given->setup, given->mask, given->held};
    tilecut_status status = TILECUT_OK;
    tilecut_graph *graph = NULL;
    tilecut_session *session = NULL;

    if (!strokes) TRY(tc_fail(TILECUT_ENOMEM, "no memory for %zu strokes", pixels));
    TRY(tc_correct_open(&c, &graph, &session));
    *report = nothing_yet(&c, graph);
    TRY(tc_correct_paint(&c, session, true, report));
    TRY(tc_correct_paint(&c, session, false, report));
done:
    tc_session_free(session);
    tc_graph_free(graph);
    free(strokes);
    return status;
}

tilecut_status tc_correct_within(const tc_correction *c, const tc_window *window, tilecut_report *report)
{
    const int width = c->image->width;
    tc_setup setup = *c->setup;
    uint8_t *prior = NULL;
    tc_view part;

    NEED(tc_window_take(setup.prior, width, window, &prior));
    setup.prior = prior;
    tilecut_status status = tc_view_init(&part, c->image, c->seeds, window);
    if (status != TILECUT_OK) goto done;
    tc_window_read(c->mask, width, window, part.mask);
    const tc_correction inner = {&part.image, part.seeds, &setup, part.mask, NULL};
    status = tc_correct(&inner, report);
    if (status == TILECUT_OK) tc_window_write(c->mask, width, window, part.mask);
    report->bytes_per_pixel *= (double)window->width * window->height / width / c->image->height;
    tc_view_free(&part);
done:
    free(prior);
    return status;
}

/* Returns the rows in which a map of the photo is 1, and `more` rows on both sides; a window as wide as the photo, or
 * without rows. */
static tc_block rows_of(const uint8_t *map, const tilecut_image *image, int more)
{
    const tc_extent box = tc_extent_of(map, image->width, image->height, 1);
    const int from = tc_most(box.y0 - more, 0), to = tc_least(box.y1 + more + 1, image->height);
    return (tc_block){0, from, 0, image->width, box.y1 < 0 ? 0 : to - from, 1};
}

/* Finds whether the even ground `taken` is more than the seeds `painted` can mean. That is so if it lies deeper in the
 * whole change than the seeds lay in the mask before, or if a line fills too little of the change (stroke_leak.h). A
 * click is not judged. spread.changed is a map of the photo; the window is found here. */
static tilecut_status is_too_much(const tilecut_image *image, tc_spread spread, const uint8_t *before,
                                  const uint8_t *painted, const uint8_t *taken, uint16_t *room, bool *too_much)
{
    const uint8_t *const changed = spread.changed;
    const tc_block seeds = rows_of(painted, image, 1);
    uint8_t *leak = NULL;
    spread.window = rows_of(changed, image, 1);
    tc_block_join(&spread.window, &seeds);
    const size_t first = (size_t)spread.window.y * (size_t)image->width;
    const tilecut_stroke stroke = {.y = spread.window.y, .width = image->width, .height = spread.window.height,
                                   .painted = painted + first};
    spread.changed = changed + first;
    NEED(tc_stroke_leak(&spread, &stroke, &leak));
    *too_much = leak || tc_chamfer_depth(room, taken, changed, image->width, image->height) >
                            tc_chamfer_depth(room, painted, before, image->width, image->height);
    free(leak);
    return TILECUT_OK;
}

/* Sets `held` to 1 where a pixel is farther from the pixels `even` than `near`, in fifths of a pixel, else to 0. Both
 * maps may be one. Returns false if there are no even pixels. */
static bool hold_far(const uint8_t *even, const tilecut_image *image, int near, uint16_t *away, uint8_t *held)
{
    const tc_block rows = rows_of(even, image, near / TC_CHAMFER_PIXEL + 1);
    const size_t pixels = (size_t)image->width * (size_t)image->height, count = tc_block_pixels(&rows);
    const size_t first = (size_t)rows.y * (size_t)rows.width;
    if (!count) return false;
    for (size_t p = 0; p < count; p++) away[p] = even[first + p] ? 0 : TC_CHAMFER_NOWHERE;
    tc_chamfer(away, rows.width, rows.height);
    memset(held, 1, pixels);
    for (size_t p = 0; p < count; p++) held[first + p] = away[p] > near;
    return true;
}

/* A background stroke in even texture stands for all of that texture, if it contradicted the mask `before`. Removes the
 * rest of the texture, unless that is too much; in that case only pixels near the stroke may change. */
static tilecut_status take_even_ground(const tc_correction *c, const uint8_t *before, tilecut_report *report)
{
    const size_t pixels = (size_t)c->image->width * (size_t)c->image->height;
    const int near = 2 * tc_even_side(c->image) * TC_CHAMFER_PIXEL;
    const uint8_t *const given = c->seeds;
    uint8_t *const mask = c->mask;
    tilecut_report result = {0};
    tilecut_status status = TILECUT_OK;
    uint8_t any = 0;
    bool left;
    for (size_t p = 0; p < pixels; p++) any |= tc_contradicts(given, before, p, false);
    if (!any) return TILECUT_OK;
    uint16_t *const away = malloc(pixels * (sizeof *away + 3));
    if (!away) return tc_fail(TILECUT_ENOMEM, "no memory to look for even ground in %zu pixels", pixels);

    uint8_t *const seeds = (uint8_t *)(away + pixels), *const held = seeds + pixels, *const taken = held + pixels;
    tc_spread spread = {.slice_rows = c->image->height, .changed = held, .object = INT64_MAX, .depth = INT_MAX};
    for (size_t p = 0; p < pixels; p++) {
        const uint8_t seed = given[p], label = before[p];
        seeds[p] = seed == TILECUT_BACKGROUND && !label ? 0 : seed;
    }
    TRY(tc_even_ground(c->image, seeds, held));
    for (size_t p = 0; p < pixels; p++) {
        const uint8_t seed = given[p], even = held[p], label = mask[p];
        held[p] = even && label;
        seeds[p] = even && label ? TILECUT_BACKGROUND : seed;
        taken[p] = label;
    }
    if (!hold_far(held, c->image, near, away, held)) goto done;
    TRY(tc_correct(&(tc_correction){c->image, seeds, c->setup, mask, held}, &result));
    for (size_t p = 0; p < pixels; p++) {
        const uint8_t was = before[p], label = mask[p], in_ground = taken[p];
        seeds[p] = tc_contradicts(given, before, p, false);
        spread.pixels += held[p] = was && !label;
        taken[p] = in_ground && !label;
    }
    TRY(is_too_much(c->image, spread, before, seeds, taken, away, &left));
    for (size_t p = 0; p < pixels && left; p++) mask[p] |= taken[p] ? 255 : 0;
    tc_report_add_times(left ? report : &result, left ? &result : report);
    if (!left) *report = result;
done:
    free(away);
    return status;
}

/* ---- The door --------------------------------------------------------------------------------- */

void tc_corrected_count(const uint8_t *before, const uint8_t *after, size_t pixels, tilecut_corrected *out)
{
    int64_t added = 0, removed = 0;
    for (size_t p = 0; p < pixels; p++) {
        const uint8_t was = before[p], is = after[p];
        added += is && !was;
        removed += !is && was;
    }
    out->added = added, out->removed = removed;
}

tilecut_status tc_correct_mask(const tc_correction_task *task, tc_setup *setup, uint8_t *mask, tilecut_corrected *out,
                               tilecut_report *report)
{
    const tilecut_image *const image = task->image;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    tilecut_status status = TILECUT_OK;
    uint8_t *const prior = malloc(2 * pixels);
    if (!prior) return tc_fail(TILECUT_ENOMEM, "no memory to correct a mask of %zu pixels", pixels);

    uint8_t *const work = prior + pixels;
    const tc_correction c = {image, task->seeds, setup, work, NULL};
    for (size_t p = 0; p < pixels; p++) work[p] = prior[p] = task->before[p] ? 255 : 0;
    if (!setup->prior) setup->prior = prior;
    /* in a volume, learning anew gains nothing (docs/lab/volumes.md) */
    TRY((task->how == TILECUT_BY_LEARNING && !setup->slice_rows ? tc_correct_learning : tc_correct)(&c, report));
    if (!setup->slice_rows) TRY(take_even_ground(&c, task->before, report));
    tc_corrected_count(prior, work, pixels, out);
    memcpy(mask, work, pixels);
done:
    free(prior);
    return status;
}

/* The kind of correction that a caller asks for: `how` is 0 to `last`; `memo` has results of earlier calls. */
typedef struct way {
    int how, last;
    tilecut_memo *memo;
} way;

static tilecut_status enter_correction(const tilecut_image *image, const uint8_t *seeds,
                                       const tilecut_params *params, way by, uint8_t *mask,
                                       tilecut_corrected *corrected, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tilecut_corrected out = {0};
    const tc_solver *solver;
    tc_visit v = {0};

    TRY(tc_sized_check(corrected, "tilecut_corrected"));
    TRY(tc_enter_image(&v, image, params, mask, true, report));
    const int width = v.image.width, height = v.image.height;
    v.setup.memo = by.memo;
    if (by.how < 0 || by.how > by.last)
        TRY(tc_fail(TILECUT_EINVAL, "how is %d; 0 to %d are possible", by.how, by.last));
    /* the solver is checked even if nothing is cut */
    TRY(tc_run_solver(&v.setup, v.setup.connectivity, width, height, &solver));
    TRY(tc_bytes_open(&v.seeds, "seeds", seeds, v.setup.seeds_stride, width, height));
    if (by.how != TILECUT_ANEW) TRY(tc_bytes_open(&v.before, "mask", mask, v.setup.mask_stride, width, height));
    TRY(tc_prior_open(&v.prior, &v.setup, width, height));
    TRY(tc_seeds_settle(&v.seeds, &v.setup, NULL));
    const tc_source source = {.image = &v.image, .seeds = v.seeds.from};
    if (by.how == TILECUT_ANEW) TRY(tc_segment(&source, &v.setup, v.mask.to, &v.result));
    else TRY(tc_correct_mask(&(tc_correction_task){&v.image, v.seeds.from, by.how, v.before.from}, &v.setup,
                             v.mask.to, &out, &v.result));
    TC_WRITE(corrected, &out, corrected);
done:
    return tc_leave(&v, status);
}

tilecut_status tilecut_correct(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params, int how,
                               uint8_t *mask, tilecut_corrected *corrected, tilecut_report *report)
{
    return enter_correction(image, seeds, params, (way){how, TILECUT_BY_LEARNING, NULL}, mask, corrected, report);
}

tilecut_status tilecut_memo_cut(tilecut_memo *memo, const tilecut_image *image, const uint8_t *seeds,
                                const tilecut_params *params, int how, uint8_t *mask, tilecut_report *report)
{
    return enter_correction(image, seeds, params, (way){how, TILECUT_ANEW, memo}, mask, NULL, report);
}
