/* SPDX-License-Identifier: MIT */
#include "box_and_strokes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "box_evidence.h"
#include "box_fit.h"
#include "box_memo.h"
#include "iterate.h"
#include "islands.h"
#include "large.h"
#include "nested.h"
#include "reach.h"
#include "simd.h"
#include "solve.h"
#include "status.h"

/* True if any pixel of the image has the seed `label`. */
static bool has(const uint8_t *seeds, int width, int height, tc_comm *comm, uint8_t label)
{
    const tc_window all = {0, 0, width, tc_comm_height(comm, height)};
    return tc_box_has(seeds, width, height, comm, &all, label);
}

bool tc_is_painted(const uint8_t *seeds, int width, int height, const tc_setup *setup)
{
    tc_comm *const comm = setup->comm;
    if (setup->effort == 1 || setup->iterations < 0 || !has(seeds, width, height, comm, TILECUT_OUTSIDE)) return false;
    return has(seeds, width, height, comm, TILECUT_FOREGROUND) || has(seeds, width, height, comm, TILECUT_BACKGROUND);
}

/* Copies `count` labels, with `under` in place of strokes. */
TC_VECTOR_LOOP static void copy_under(const uint8_t *restrict painted, size_t count, uint8_t under,
                                      uint8_t *restrict seeds)
{
    for (size_t x = 0; x < count; x++) {
        const bool stroke = (painted[x] == TILECUT_FOREGROUND) | (painted[x] == TILECUT_BACKGROUND);
        seeds[x] = stroke ? under : painted[x];
    }
}

/* Writes the box without its strokes to `seeds`. */
static void leave_out_strokes(const tilecut_image *image, const uint8_t *painted, tc_comm *comm, uint8_t *seeds)
{
    const size_t width = (size_t)image->width;
    tc_window box;
    tc_box_drawn(painted, image->width, image->height, comm, &box);
    const size_t left = (size_t)box.x, right = (size_t)(box.x + box.width);
    for (int row = 0; row < image->height; row++, painted += width, seeds += width) {
        const int y = row + tc_comm_above(comm);
        const bool in = y >= box.y && y < box.y + box.height;
        copy_under(painted, left, TILECUT_OUTSIDE, seeds);
        copy_under(painted + left, right - left, in ? TILECUT_UNKNOWN : TILECUT_OUTSIDE, seeds + left);
        copy_under(painted + right, width - right, TILECUT_OUTSIDE, seeds + right);
    }
}

/* Cuts with the box alone; the mask is a first guess for a cut with both. *found is false if nothing can be learnt from
 * the box, or if the mask is empty. */
static tilecut_status guess_by_box(const tc_painting *p, const tc_setup *setup, uint8_t *guess, tilecut_report *result,
                                   bool *found)
{
    const int width = p->image->width, height = p->image->height;
    const size_t pixels = (size_t)width * (size_t)height;
    const tc_own_rows own = tc_own_rows_of(setup->comm, height);
    tc_comm *const comm = setup->comm;
    tilecut_status status = TILECUT_OK;
    tilecut_report one = {0};
    uint8_t *const seeds = malloc(pixels);
    if (!seeds) return tc_fail(TILECUT_ENOMEM, "no memory for %zu seeds", pixels);
    leave_out_strokes(p->image, p->seeds, comm, seeds);
    *found = has(seeds, width, height, comm, TILECUT_UNKNOWN);
    TRY(tc_comm_check(comm));
    if (!*found) goto done;
    if (p->of_box) memcpy(guess, p->of_box, pixels);
    else TRY(tc_segment_whole(&(tc_source){.image = p->image, .seeds = seeds}, setup, guess, &one));
    tc_report_add_times(result, &one);
    *found = memchr(guess + (size_t)own.first * (size_t)width, 255, (size_t)(own.end - own.first) * (size_t)width);
    TRY(tc_comm_any(comm, found));
done:
    free(seeds);
    return status;
}

bool tc_box_is_vague(const tilecut_image *image, const uint8_t *seeds, tc_comm *comm)
{
    const int width = image->width, rows = image->height, height = tc_comm_height(comm, rows);
    tc_window box;
    return has(seeds, width, rows, comm, TILECUT_FOREGROUND) &&
           tc_box_rectangle(seeds, width, rows, comm, &box) && width - box.width <= 2 + width / 50 &&
           height - box.height <= 2 + height / 50;
}

/* Guesses the object: all pixels nearer to the foreground's strokes than to any background. Works in a smaller copy,
 * unless strokes would be lost in it. */
static tilecut_status guess_by_reach(const tc_painting *p, uint8_t *guess, tc_setup *with)
{
    const double enough = 40000; /* cells */
    const double pixels = (double)p->image->width * tc_comm_height(with->comm, p->image->height);
    const int factor = (int)ceil(sqrt(pixels / enough));
    tilecut_status status = TILECUT_OK;
    tc_coarse coarse = {0};
    bool has_all_classes;
    TRY(tc_coarse_init(&coarse, with->comm, p->image, p->seeds, factor, with->threads, &has_all_classes));
    if (!has_all_classes) {
        tc_coarse_free(&coarse);
        if (with->comm && pixels > TC_GUESS_CELLS)
            TRY(tc_fail(TILECUT_EINVAL, "foreground and background are painted within the same %d pixels, and an image "
                        "in parts has no copy fine enough; paint them farther apart, or draw a box", factor));
        TRY(tc_coarse_init(&coarse, with->comm, p->image, p->seeds, 1, with->threads, &has_all_classes));
    }
    status = tc_reach(&coarse.image, coarse.seeds, guess);
    with->guess_width = coarse.image.width;
    with->guess_height = coarse.image.height;
done:
    tc_coarse_free(&coarse);
    return status;
}

tilecut_status tc_guess_by_clicks(const tc_painting *p, tc_click_are *are, uint8_t *guess, tc_setup *with, bool *found)
{
    const double pixels = (double)p->image->width * tc_comm_height(with->comm, p->image->height);
    const int factor = (int)ceil(sqrt(pixels / TC_CLICK_CELLS));
    const tc_cell cell = {factor, factor, 1, 0};
    tilecut_status status = TILECUT_OK;
    tc_coarse coarse = {0};
    uint8_t *before = NULL; /* p->mask, in cells */
    bool has_all_classes;

    *found = false;
    TRY(tc_coarse_in_space(&coarse, with->comm, p->image, p->seeds, &cell, with->threads, &has_all_classes));
    if (!has_all_classes || !are(coarse.seeds, coarse.image.width, coarse.image.height)) goto done;
    TRY(tc_coarse_mask(&before, with->comm, p->image, p->mask, p->seeds, &cell, with->threads));
    const tc_click_cells copy = {.image = coarse.image, .seeds = coarse.seeds, .threads = with->threads};
    TRY(tc_guess_by_sizes(&copy, tc_solve_small, with->cancel, before, guess, found));
    if (!*found) goto done;
    with->guess_width = coarse.image.width;
    with->guess_height = coarse.image.height;
done:
    free(before);
    tc_coarse_free(&coarse);
    return status;
}

/* Cuts box and strokes. Learning starts from `guess`, or if that is NULL from the ellipse in the box. *all is the
 * report, which includes the times of earlier cuts. */
static tilecut_status cut_from(const tc_painting *p, const uint8_t *guess, tc_setup *setup, tilecut_report *all)
{
    tilecut_report result = {0};
    setup->guess = guess;
    NEED(tc_segment_whole(&(tc_source){.image = p->image, .seeds = p->seeds}, setup, p->mask, &result));
    tc_report_add_times(&result, all);
    *all = result;
    return TILECUT_OK;
}

/* Does the work of tc_segment_box_and_strokes() for a vague box. */
static tilecut_status cut_vague(const tc_painting *p, uint8_t *guess, tc_setup *setup, tilecut_report *report)
{
    bool found;
    /* more effort would also try models without some of the colours, which has never changed such a mask */
    setup->effort = 2;
    setup->guess_of_all = setup->guess_has_evidence = true;
    NEED(guess_by_reach(p, guess, setup));
    NEED(cut_from(p, guess, setup, report));
    NEED(tc_guess_by_clicks(p, tc_is_one_click, guess, setup, &found));
    if (found) NEED(cut_from(p, guess, setup, report));
    const tc_islands all = tc_islands_of(p->mask, p->image->width, p->image->height, 1, setup->connectivity);
    return tc_drop_islands(setup->comm, p->seeds, all, &report->foreground);
}

tilecut_status tc_segment_box_and_strokes(const tc_painting *p, uint8_t *guess, tc_setup *setup,
                                          tilecut_report *report)
{
    const bool vague = tc_box_is_vague(p->image, p->seeds, setup->comm);
    bool found;

    *report = (tilecut_report){0};
    NEED(tc_comm_check(setup->comm));
    if (vague) return cut_vague(p, guess, setup, report);
    NEED(guess_by_box(p, setup, guess, report, &found));
    setup->guess_width = p->image->width;
    setup->guess_height = p->image->height;
    NEED(cut_from(p, found ? guess : NULL, setup, report));
    if (!found) return TILECUT_OK;
    return tc_nest(&(tc_nested){p->image->width, p->image->height, setup->connectivity, setup->comm, p->seeds, guess,
                                p->mask, true, 0, TC_VANISHES}, &report->foreground);
}

/* ---- A box that does not fit, with strokes ---------------------------------------------------- */

/* The box without its strokes, and the result of cutting it alone. */
typedef struct plain_box {
    uint8_t *seeds, *mask; /* owned; the mask is NULL if the seeds contain no box that could be cut alone */
    tc_window box;
    tc_cut_plan w;
    tilecut_report report;
} plain_box;

static void plain_box_free(plain_box *b)
{
    free(b->seeds);
    free(b->mask);
    tc_cut_plan_free(&b->w);
}

/* Cuts the box once more, with the ellipse in it seeded as foreground in w->seeds, and the rest as background, except
 * for the strokes among `seeds`. *report is the report, which includes the times of earlier cuts. */
static tilecut_status take_ellipse(const tilecut_image *image, const uint8_t *seeds, const tc_window *box,
                                   tc_cut_plan *w, uint8_t *mask, tilecut_report *report)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const tc_extent in = {box->x, box->x + box->width - 1, box->y, box->y + box->height - 1};
    const int above = tc_comm_above(w->setup.comm);
    const tilecut_report before = *report;
    *report = (tilecut_report){0};
    free(w->guess);
    w->setup.guess = w->guess = NULL;
    w->seeds = tc_large_alloc(pixels);
    if (!w->seeds) return tc_fail(TILECUT_ENOMEM, "no memory for the seeds of a box");
    for (size_t p = 0; p < pixels; p++) {
        const int x = (int)(p % (size_t)image->width), y = (int)(p / (size_t)image->width) + above;
        w->seeds[p] = seeds[p] != TILECUT_UNKNOWN     ? seeds[p]
                      : tc_in_ellipse(&in, 1, x, y) ? (uint8_t)TILECUT_FOREGROUND
                                                    : (uint8_t)TILECUT_BACKGROUND;
    }
    w->beyond = true; /* the user has not drawn these seeds */
    NEED(tc_segment_part(image, w->seeds, w, mask, report));
    tc_report_add_times(report, &before);
    report->doubted = report->foreground;
    return TILECUT_OK;
}

/* A mask that is nearly empty, or that nearly fills the box, is taken to be wrong: then outlines cost too much compared
 * with colours. So the cut is repeated with half of lambda until the mask is neither. If there is still no object in
 * the end, because the box is tiny or its colours are those around it, the ellipse in the box becomes the object. A
 * mask that fills the box after all of this stays: the object is a rectangle. *done is true if the cut was repeated. */
static tilecut_status cut_with_less_lambda(const tilecut_image *image, const uint8_t *seeds, const tc_window *box,
                                           tc_cut_plan *w, uint8_t *mask, tilecut_report *report, bool *done)
{
    enum { HALVINGS = 7 };
    const double area = (double)box->width * box->height;
    *done = false;
    for (int i = 0; i < HALVINGS && tc_box_mask_is_trivial((double)report->foreground / area); i++) {
        const tilecut_report before = *report;
        *report = (tilecut_report){0};
        w->setup.lambda /= 2;
        NEED(tc_segment_part(image, seeds, w, mask, report));
        tc_report_add_times(report, &before);
        *done = true;
    }
    if (!tc_box_lacks_object(report->foreground, box->width, box->height)) return TILECUT_OK;
    *done = true;
    return take_ellipse(image, seeds, box, w, mask, report);
}

/* Cuts a box without its strokes, unless the memo has its mask. */
static tilecut_status cut_box(const tilecut_image *image, const tc_setup *setup, plain_box *b)
{
    tc_memo_key key;
    bool done;
    b->w = (tc_cut_plan){.window = tc_window_for(b->seeds, image, setup->comm), .setup = *setup};
    if (setup->memo) key = tc_memo_key_of(image, setup, &b->box);
    if (setup->memo && tc_memo_recall(setup->memo, &key, b->mask, &b->report)) return TILECUT_OK;
    NEED(tc_segment_part(image, b->seeds, &b->w, b->mask, &b->report));
    NEED(cut_with_less_lambda(image, b->seeds, &b->box, &b->w, b->mask, &b->report, &done));
    free(b->w.seeds); /* from here on only the mask is needed */
    b->w.seeds = NULL;
    if (setup->memo) tc_memo_keep(setup->memo, &key, b->mask, &b->report);
    return TILECUT_OK;
}

/* Cuts the box without its strokes, if the seeds are a plain box once the strokes are left out. */
static tilecut_status cut_plain_box(const tilecut_image *image, const uint8_t *seeds, const tc_setup *setup,
                                    plain_box *b)
{
    const int width = image->width, height = image->height;
    const size_t pixels = (size_t)width * (size_t)height;
    const bool painted = tc_is_painted(seeds, width, height, setup) && !tc_box_is_vague(image, seeds, setup->comm);
    NEED(tc_comm_check(setup->comm));
    if (!painted) return TILECUT_OK;
    b->seeds = tc_large_alloc(pixels);
    if (!b->seeds) return tc_fail(TILECUT_ENOMEM, "no memory for the seeds of a box");
    leave_out_strokes(image, seeds, setup->comm, b->seeds);
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the caller frees them by plain_box_free() */
    const bool is_box = tc_box_alone(b->seeds, width, height, setup->comm, &b->box);
    NEED(tc_comm_check(setup->comm));
    if (!is_box) return TILECUT_OK;
    b->mask = tc_large_alloc(pixels);
    if (!b->mask) return tc_fail(TILECUT_ENOMEM, "no memory for %zu pixels of a mask", pixels);
    return cut_box(image, setup, b);
}

/* Finds whether a mask seems to leak through a side of the box. */
static tilecut_status find_leak(const tilecut_image *image, const plain_box *b, const tc_setup *setup,
                                const uint8_t *mask,
                                const tilecut_report *report, bool *leaks)
{
    tilecut_status status = TILECUT_OK;
    tc_strips strips;
    TRY(tc_strips_open(&strips, image, &b->box, setup));
    *leaks = tc_box_leaks(
        tc_box_contact(&(tc_boxed){image, setup->comm, mask, report->foreground, report->beta, b->box, strips.of}));
    TRY(tc_comm_check(setup->comm));
done:
    tc_strips_close(&strips);
    return status;
}

/* Corrects a box that does not fit, unless lambda was reduced when the box was cut without strokes
 * (cut_with_less_lambda()). */
static tilecut_status fit_plain_box(const tilecut_image *image, const tc_setup *setup, plain_box *b)
{
    bool known;
    if (b->report.lambda < setup->lambda) return TILECUT_OK;
    NEED(tc_fit_recall(image, &b->box, setup, b->mask, &b->report, &b->w, &known));
    return known ? TILECUT_OK : tc_fit_box(image, &b->box, setup, b->mask, &b->report, &b->w);
}

TC_VECTOR_LOOP static void take_strokes(size_t pixels, const uint8_t *restrict strokes, uint8_t *restrict seeds)
{
    for (size_t p = 0; p < pixels; p++) {
        const bool stroke = (strokes[p] == TILECUT_FOREGROUND) | (strokes[p] == TILECUT_BACKGROUND);
        seeds[p] = stroke ? strokes[p] : seeds[p];
    }
}

/* Makes *w a plan for cutting the strokes together with the corrected seeds of the box. */
static void take_seeds(plain_box *b, const tilecut_image *image, const uint8_t *strokes, const tc_setup *setup,
                       tc_cut_plan *w)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    tc_cut_plan_free(w);
    *w = (tc_cut_plan){.setup = *setup, .seeds = b->w.seeds, .of_box = b->mask};
    b->w.seeds = NULL;
    b->mask = NULL;
    take_strokes(pixels, strokes, w->seeds);
    w->window = tc_window_for(w->seeds, image, setup->comm);
}

/* Corrects a box that does not fit, if the seeds were a box without strokes. */
static tilecut_status fit_given(const tilecut_image *image, const uint8_t *seeds, const tc_setup *setup, uint8_t *mask,
                                tilecut_report *report, tc_cut_plan *w)
{
    tc_window box;
    bool done;
    const bool alone = tc_box_alone(seeds, image->width, image->height, setup->comm, &box);
    NEED(tc_comm_check(setup->comm));
    if (!alone || setup->iterations < 0) return TILECUT_OK;
    NEED(cut_with_less_lambda(image, seeds, &box, w, mask, report, &done));
    if (setup->memo) {
        const tc_memo_key key = tc_memo_key_of(image, setup, &box);
        tc_memo_keep(setup->memo, &key, mask, report);
    }
    return done ? TILECUT_OK : tc_fit_box(image, &box, setup, mask, report, w);
}

/* Background that is painted beyond the box says nothing that the box does not say. *own becomes a copy of the seeds in
 * which it is outside; NULL if there is none. Without this a stroke far from the box, beyond the window that is cut,
 * would make the box count as one with strokes. */
static tilecut_status leave_out_beyond(const tilecut_image *image, const uint8_t *seeds, tc_comm *comm, uint8_t **own)
{
    const size_t width = (size_t)image->width, pixels = width * (size_t)image->height;
    const bool boxed = has(seeds, image->width, image->height, comm, TILECUT_OUTSIDE);
    tc_window box;
    *own = NULL;
    if (!boxed || !tc_box_drawn(seeds, image->width, image->height, comm, &box)) return tc_comm_check(comm);
    const uint8_t *const end = seeds + pixels;
    for (const uint8_t *at = seeds; (at = memchr(at, TILECUT_BACKGROUND, (size_t)(end - at))) != NULL; at++) {
        const size_t p = (size_t)(at - seeds);
        const int x = (int)(p % width), y = (int)(p / width) + tc_comm_above(comm);
        const bool in = x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
        if (in) continue;
        if (!*own) {
            *own = tc_large_alloc(pixels);
            if (!*own) return tc_fail(TILECUT_ENOMEM, "no memory for %zu seeds", pixels);
            memcpy(*own, seeds, pixels);
        }
        (*own)[p] = TILECUT_OUTSIDE;
    }
    return tc_comm_check(comm);
}

tilecut_status tc_segment_window(const tilecut_image *image, const uint8_t *given, const tc_setup *setup,
                                 tc_cut_plan *w, uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    plain_box b = {.seeds = NULL};
    bool leaks = false;
    uint8_t *own = NULL;
    const uint8_t *seeds = given;

    TRY(leave_out_beyond(image, given, setup->comm, &own));
    if (own) seeds = own;
    TRY(cut_plain_box(image, seeds, setup, &b));
    w->of_box = b.mask;
    status = tc_segment_part(image, seeds, w, mask, report);
    w->of_box = NULL;
    if (status == TILECUT_OK && !b.mask) status = fit_given(image, seeds, setup, mask, report, w);
    if (status != TILECUT_OK || !b.mask) goto done;
    if (b.report.doubted && tc_box_lacks_object(report->foreground, b.box.width, b.box.height)) {
        status = take_ellipse(image, seeds, &b.box, w, mask, report); /* nor do the strokes show an object */
        tc_report_add_times(report, &b.report);
        goto done;
    }
    TRY(find_leak(image, &b, setup, mask, report, &leaks));
    if (leaks) TRY(fit_plain_box(image, setup, &b));
    tc_report_add_times(report, &b.report);
    if (!leaks || !b.w.seeds) goto done;
    b.report = *report;
    take_seeds(&b, image, seeds, setup, w);
    TRY(tc_comm_check(setup->comm));
    TRY(tc_segment_part(image, w->seeds, w, mask, report));
    tc_report_add_times(report, &b.report);
done:
    plain_box_free(&b);
    free(own);
    return status;
}
