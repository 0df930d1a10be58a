/* SPDX-License-Identifier: MIT */
#include "fit_box.h"

#include <stdlib.h>
#include <string.h>

#include "box_evidence.h"
#include "box_memo.h"
#include "cuda_backend.h"
#include "iterate.h"
#include "large.h"
#include "box_and_strokes.h"
#include "solve.h"
#include "status.h"

/* ---- One box ----------------------------------------------------------------------------------- */

/* Cuts `p` with the method that suits its seeds. `beyond` says that the library, not a user, has added the strokes
 * among the seeds. p->of_box may be NULL. `setup` refers to *guess afterwards; the caller frees it. */
static tilecut_status segment_in(const tc_painting *p, bool beyond, tc_setup *setup, uint8_t **guess,
                                 tilecut_report *report)
{
    const size_t pixels = (size_t)p->image->width * (size_t)p->image->height;
    const bool painted = !beyond && tc_is_painted(p->seeds, p->image->width, p->image->height, setup);
    *guess = NULL;
    NEED(tc_comm_check(setup->comm));
    if (!painted) return tc_segment_whole(&(tc_source){.image = p->image, .seeds = p->seeds}, setup, p->mask, report);
    *guess = tc_large_alloc(pixels + (setup->comm ? TC_GUESS_CELLS : 0));
    if (!*guess) return tc_fail(TILECUT_ENOMEM, "no memory for a first guess of %zu pixels", pixels);
    return tc_segment_box_and_strokes(p, *guess, setup, report);
}

void tc_cut_plan_free(tc_cut_plan *w)
{
    free(w->guess);
    free(w->seeds);
    free(w->of_box);
    *w = (tc_cut_plan){.guess = NULL};
}

tc_window tc_window_for(const uint8_t *seeds, const tilecut_image *image, tc_comm *comm)
{
    tc_window window;
    if (tc_box_window(seeds, image->width, image->height, comm, &window)) return window;
    return (tc_window){0, 0, image->width, tc_comm_height(comm, image->height)};
}

/* Returns the part of *there that a window of the image is, if all of the window is there. */
static tc_there window_there(const tc_there *there, const tilecut_image *image, const tc_window *w)
{
    const size_t bytes = (size_t)(image->channels * image->depth / 8);
    if (!there || w->x < there->x || w->x + w->width > there->x + there->width || w->y < there->y ||
        w->y + w->height > there->y + there->height)
        return (tc_there){.pixels = NULL};
    return (tc_there){there->pixels + (size_t)(w->y - there->y) * there->stride + (size_t)(w->x - there->x) * bytes,
                      there->stride, 0, 0, w->width, w->height};
}

/* Cuts the rows `local` of the window: all of its rows or, for an image in parts, those of this part. */
static tilecut_status segment_rows(const tilecut_image *image, const uint8_t *seeds, tc_cut_plan *w,
                                   const tc_window *local, uint8_t *mask, tilecut_report *report)
{
    const tc_there *const all = w->setup.there, there = window_there(all, image, local);
    uint8_t *guess = NULL, *of_box = NULL;
    tilecut_status status = TILECUT_OK;
    tc_view p;
    NEED(tc_view_init(&p, image, seeds, local));
    w->setup.there = there.pixels ? &there : NULL;
    TRY(tc_window_take(w->of_box, image->width, local, &of_box));
    status = segment_in(&(tc_painting){&p.image, p.seeds, of_box, p.mask}, w->beyond, &w->setup, &guess, report);
    if (guess) w->guess = guess;
    if (status == TILECUT_OK) tc_window_write(mask, image->width, local, p.mask);
    report->bytes_per_pixel *= (double)local->width * local->height / image->width / image->height;
done:
    w->setup.there = all;
    free(of_box);
    tc_view_free(&p);
    return status;
}

tilecut_status tc_window_share(const tc_window_parts *parts, const tc_setup *setup, tilecut_report *report)
{
    union {
        struct {
            tilecut_report report;
            char solver[32];
        } named;
        int64_t words[(sizeof(tilecut_report) + 32 + 7) / 8];
    } all = {.words = {0}};
    all.named.report = *report;
    if (!parts->alone) return TILECUT_OK;
    if (parts->takes_part && report->solver) strncpy(all.named.solver, report->solver, sizeof all.named.solver - 1);
    NEED(tc_comm_broadcast(parts->all, parts->lowest, all.words, sizeof all.words / sizeof *all.words));
    if (parts->takes_part) return TILECUT_OK;
    *report = all.named.report;
    const tc_solver *const solver = tc_solver_find(all.named.solver);
    report->solver = solver ? solver->name : "auto";
    report->colors = tc_colors_find(setup->colors)->name;
    report->device = solver && solver->can & TC_ON_CUDA ? "cuda" : "cpu";
    report->model_ms = report->graph_ms = report->copy_ms = report->solve_ms = report->certify_ms = 0;
    report->bytes_per_pixel = 0;
    return TILECUT_OK;
}

/* Cuts the window of an image in parts: the parts that have rows of the window cut it, and the other parts stand by. */
static tilecut_status segment_in_parts(const tilecut_image *image, const uint8_t *seeds, tc_cut_plan *w, uint8_t *mask,
                                       tilecut_report *report)
{
    tc_comm *const comm = w->setup.comm;
    tilecut_status status = TILECUT_OK;
    tc_window_parts parts;
    TRY(tc_window_begin(&parts, comm, w->window.y, w->window.height));
    const tc_window local = {w->window.x, parts.from, w->window.width, parts.rows};
    w->setup.comm = &parts.comm;
    if (!parts.takes_part) {
        TRY(tc_window_stand_by(&parts));
    } else {
        TRY(segment_rows(image, seeds, w, &local, mask, report));
        TRY(tc_window_end(&parts));
    }
    TRY(tc_window_share(&parts, &w->setup, report));
done:
    w->setup.comm = comm;
    return status;
}

tilecut_status tc_segment_part(const tilecut_image *image, const uint8_t *seeds, tc_cut_plan *w, uint8_t *mask,
                               tilecut_report *report)
{
    memset(mask, 0, (size_t)image->width * (size_t)image->height); /* background around the window */
    NEED(w->setup.comm ? segment_in_parts(image, seeds, w, mask, report)
                      : segment_rows(image, seeds, w, &w->window, mask, report));
    w->foreground = report->foreground;
    return TILECUT_OK;
}

/* ---- A box that leaks --------------------------------------------------------------------------- */

tilecut_status tc_strips_open(tc_strips *s, const tilecut_image *image, const tc_window *box, const tc_setup *setup)
{
    const size_t bytes = (size_t)(image->channels * image->depth / 8);
    size_t at = 0;
    *s = (tc_strips){.memory = NULL};
    if (image->pixels) return TILECUT_OK;
    uint8_t *const memory = s->memory = malloc(4 * ((size_t)box->width + (size_t)box->height) * bytes);
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory for the sides of a box");
    for (int i = 0; i < TC_BOX_SIDES; i++) {
        const tc_window w = tc_box_strip(box, i, image->width, image->height);
        const tc_there there = window_there(setup->there, image, &w);
        const size_t row = (size_t)w.width * bytes;
        s->strip[i] = *image;
        s->strip[i].width = w.width, s->strip[i].height = w.height;
        s->strip[i].stride = row, s->strip[i].pixels = memory + at;
        if (!w.width) continue;
        NEED(tc_cuda_fetch_rows(memory + at, there.pixels, there.stride, row, w.height, setup->device));
        at += row * (size_t)w.height;
    }
    s->of = s->strip;
    return TILECUT_OK;
}

void tc_strips_close(tc_strips *s)
{
    free(s->memory);
}

/* Makes the seeds of a box. If its mask leaks through a side, similar pixels beyond that side are painted as
 * background. The caller frees *seeds. */
static tilecut_status seeds_beyond(const tc_boxed *b, uint8_t **seeds)
{
    const size_t width = (size_t)b->image->width, pixels = width * (size_t)b->image->height;
    const tc_window *const box = &b->box;
    *seeds = tc_large_alloc(pixels);
    if (!*seeds) return tc_fail(TILECUT_ENOMEM, "no memory for the seeds of a box");
    memset(*seeds, TILECUT_OUTSIDE, pixels);
    for (int row = 0; row < b->image->height; row++) {
        const int y = row + tc_comm_above(b->comm);
        if (y >= box->y && y < box->y + box->height)
            memset(*seeds + (size_t)row * width + (size_t)box->x, TILECUT_UNKNOWN, (size_t)box->width);
    }
    return tc_box_paint_beyond(b, *seeds);
}

/* Returns the rows of a window that lie among `height` rows of an image, or of a part of one. */
static tc_window rows_of_part(const tc_window *window, const tc_comm *comm, int height)
{
    const int from = window->y - tc_comm_above(comm), to = from + window->height;
    const int first = from < 0 ? 0 : from, last = to < height ? to : height;
    return (tc_window){window->x, first, window->width, last > first ? last - first : 0};
}

/* Makes the window's part of `guess` the first guess of *w. */
static tilecut_status begin_with(tc_cut_plan *w, const uint8_t *guess, int width, int height)
{
    const tc_window in = rows_of_part(&w->window, w->setup.comm, height);
    NEED(tc_window_take(guess, width, &in, &w->guess));
    w->setup.guess = w->guess;
    w->setup.guess_width = in.width;
    w->setup.guess_height = in.height;
    return TILECUT_OK;
}

/* Cuts again with the pixels beyond the box, where its mask leaks, as examples of background. The first guess is that
 * mask. The caller frees *w. */
static tilecut_status learn_beyond_box(const tc_boxed *b, const tc_setup *setup, tc_cut_plan *w, uint8_t *mask,
                                       tilecut_report *report)
{
    const tilecut_image *const image = b->image;
    *report = (tilecut_report){0};
    *w = (tc_cut_plan){.setup = *setup, .beyond = true};
    /* NOLINTBEGIN(clang-analyzer-unix.Malloc): the caller frees *w, also after a failure */
    NEED(seeds_beyond(b, &w->seeds));
    w->window = tc_window_for(w->seeds, image, setup->comm);
    NEED(tc_comm_check(setup->comm));
    NEED(begin_with(w, b->mask, image->width, image->height));
    NEED(tc_segment_part(image, w->seeds, w, mask, report));
    // NOLINTEND(clang-analyzer-unix.Malloc)
    return TILECUT_OK;
}

/* ---- What a memo knows ------------------------------------------------------------------------- */

static void keep_fit(const tc_boxed *b, const tc_setup *setup, bool mended, const uint8_t *mask)
{
    if (!setup->memo) return;
    const tc_memo_key key = tc_memo_key_of(b->image, setup, &b->box);
    tc_memo_keep_fit(setup->memo, &key, mended ? TC_FIT_BEYOND : TC_FIT_AS_IT_IS, mask);
}

tilecut_status tc_fit_recall(const tilecut_image *image, const tc_window *box, const tc_setup *setup, uint8_t *mask,
                             const tilecut_report *result, tc_cut_plan *w, bool *known)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    tilecut_status status = TILECUT_OK;
    uint8_t *mended = NULL;

    *known = false;
    if (!setup->memo || !mask) return TILECUT_OK;
    const tc_memo_key key = tc_memo_key_of(image, setup, box);
    mended = tc_large_alloc(pixels);
    if (!mended) return tc_fail(TILECUT_ENOMEM, "no memory for %zu pixels of a mask", pixels);
    const tc_fit fit = tc_memo_recall_fit(setup->memo, &key, mended);
    *known = fit != TC_FIT_UNKNOWN;
    if (fit != TC_FIT_BEYOND) goto done;
    tc_cut_plan_free(w);
    *w = (tc_cut_plan){.setup = *setup, .beyond = true};
    TRY(seeds_beyond(&(tc_boxed){image, setup->comm, mask, result->foreground, result->beta, *box, NULL}, &w->seeds));
    memcpy(mask, mended, pixels);
done:
    free(mended);
    return status;
}

/* ---- All of it --------------------------------------------------------------------------------- */

tilecut_status tc_fit_box(const tilecut_image *image, const tc_window *box, const tc_setup *setup, uint8_t *mask,
                          tilecut_report *report, tc_cut_plan *w)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    tilecut_status status = TILECUT_OK;
    tc_cut_plan next = {.guess = NULL};
    tilecut_report result;
    uint8_t *mended = NULL;
    tc_strips strips;

    if (setup->effort == 1 || setup->iterations < 0) return TILECUT_OK;
    TRY(tc_strips_open(&strips, image, box, setup));
    const tc_boxed given = {image, setup->comm, mask, report->foreground, report->beta, *box, strips.of};
    const double before = tc_box_contact(&given);
    TRY(tc_comm_check(setup->comm));
    if (!tc_box_leaks(before)) goto done;
    mended = tc_large_alloc(pixels);
    if (!mended) return tc_fail(TILECUT_ENOMEM, "no memory for %zu pixels of a mask", pixels);
    TRY(learn_beyond_box(&given, setup, &next, mended, &result));
    const double after =
        tc_box_contact(&(tc_boxed){image, setup->comm, mended, result.foreground, result.beta, *box, strips.of});
    TRY(tc_comm_check(setup->comm));
    const bool found = !tc_box_lacks_object(result.foreground, box->width, box->height) &&
                       tc_box_no_longer_leaks(before, after);
    keep_fit(&given, setup, found, found ? mended : mask);
    if (found) {
        memcpy(mask, mended, pixels);
        tc_cut_plan_free(w);
        *w = next;
        next = (tc_cut_plan){.guess = NULL};
        tc_report_add_times(&result, report);
        *report = result;
    } else {
        tc_report_add_times(report, &result);
    }
done:
    tc_strips_close(&strips);
    tc_cut_plan_free(&next);
    free(mended);
    return status;
}
