/* SPDX-License-Identifier: MIT
 *
 * label_session.c - corrects labels by strokes, one stroke at a time. With its first stroke, a label gets a session of
 * its own, in which it is cut against all other labels; the session keeps its colour models. All these sessions share
 * one label map and one map of strokes.
 */
#include <stdlib.h>
#include <string.h>

#include "alloc_list.h"
#include "coarse.h"
#include "door.h"
#include "label_strokes.h"
#include "labels_cut.h"
#include "session.h"
#include "status.h"
#include "tilecut_labels.h"
#include "view.h"

/* The session in which one label is cut against all others. */
typedef struct one_vs_rest {
    tc_setup setup;
    uint8_t *two, *prior; /* [pixels] seeds and mask from which the graph was made; one owned allocation for both */
    tilecut_graph *graph;
    tilecut_session *session;
} one_vs_rest;

/* One step that can be undone: a stroke, or a new labelling of everything, and what was there before it. */
typedef struct stroked {
    int label;        /* 0: the step labelled everything                                          */
    bool first, cut;  /* first: it was the first stroke of the label's session; cut: that session made a cut */
    tc_window window; /* around all pixels that it painted or changed                                 */
    int64_t pixels;   /* the number of pixels that got another label                                  */
    uint8_t *before;  /* [window] first the labels, then the seeds; owned                             */
} stroked;

struct tilecut_labels_session {
    tc_label_strokes now;
    tc_volume grey; /* the volume and its grey range; {0} for an image */
    bool volume;
    tc_setup given; /* the parameters as the caller set them, before `now` adapts them to the volume */
    uint8_t *seeds; /* [pixels] owned; now.seeds */
    one_vs_rest *of[TILECUT_MAX_LABELS + 1]; /* NULL: the label has no stroke yet */
    stroked *steps;
    size_t count, room;
};

static void free_one_vs_rest(one_vs_rest *d)
{
    if (!d) return;
    tc_session_free(d->session);
    tc_graph_free(d->graph);
    free(d->two);
    free(d);
}

void tilecut_labels_session_destroy(tilecut_labels_session *s)
{
    if (!s) return;
    for (int label = 0; label <= TILECUT_MAX_LABELS; label++) free_one_vs_rest(s->of[label]);
    for (size_t i = 0; i < s->count; i++) free(s->steps[i].before);
    free(s->steps);
    free(s->seeds);
    tc_label_strokes_close(&s->now);
    tc_volume_close(&s->grey);
    free(s);
}

/* ---- Making a session -------------------------------------------------------------------------- */

/* Copies labels and seeds. A seed on a pixel that has another label is dropped. */
static tilecut_status begin(tilecut_labels_session *s, tc_visit *v, const uint8_t *labels, const uint8_t *seeds)
{
    const int width = s->now.image.width, height = s->now.image.height;
    NEED(tc_labels_check(&s->now.setup, width, height));
    NEED(tc_bytes_open(&v->before, "labels", labels, v->setup.mask_stride, width, height));
    if (seeds) NEED(tc_bytes_open(&v->seeds, "seeds", seeds, v->setup.seeds_stride, width, height));
    NEED(tc_label_strokes_open(&s->now, v->before.from));
    s->seeds = calloc(s->now.pixels, 1);
    if (!s->seeds) return tc_fail(TILECUT_ENOMEM, "no memory for strokes of %zu pixels", s->now.pixels);
    s->now.seeds = s->seeds;
    for (size_t p = 0; seeds && p < s->now.pixels; p++)
        if (v->seeds.from[p] == s->now.labels[p]) s->seeds[p] = v->seeds.from[p];
    return TILECUT_OK;
}

/* The common part of the public calls, after entering with an image or a volume. */
static tilecut_status create(tilecut_labels_session **out, tc_visit *v, tilecut_status entered, const uint8_t *labels,
                             const uint8_t *seeds)
{
    tilecut_status status = TILECUT_OK;
    tilecut_labels_session *s = NULL;

    if (out) *out = NULL;
    TRY(entered);
    if (!out || !labels) TRY(tc_fail(TILECUT_EINVAL, "%s is NULL", out ? "labels" : "session"));
    s = calloc(1, sizeof *s);
    if (!s) TRY(tc_fail(TILECUT_ENOMEM, "no memory for a session"));
    s->volume = v->volume;
    s->now.image = v->image;
    s->now.setup = s->given = v->setup;
    if (v->volume) TRY(tc_volume_grey(&s->grey, &v->voxels, &s->now.setup, true, &s->now.image));
    TRY(begin(s, v, labels, seeds));
    s->now.setup.cancel = s->given.cancel = NULL;
    *out = s;
    s = NULL;
done:
    tilecut_labels_session_destroy(s);
    return tc_leave(v, status);
}

tilecut_status tilecut_labels_session_create(tilecut_labels_session **session, const tilecut_image *image,
                                             const uint8_t *labels, const uint8_t *seeds,
                                             const tilecut_params *params)
{
    tc_visit v = {0};
    return create(session, &v, tc_enter_image(&v, image, params, NULL, false, NULL), labels, seeds);
}

tilecut_status tilecut_volume_labels_session_create(tilecut_labels_session **session, const tilecut_volume *volume,
                                                    const uint8_t *labels, const uint8_t *seeds,
                                                    const tilecut_params *params)
{
    tc_visit v = {0};
    return create(session, &v, tc_enter_volume(&v, volume, params, NULL, false, NULL), labels, seeds);
}

/* ---- Strokes ----------------------------------------------------------------------------------- */

/* Makes the session of a label at its first stroke. It learns from the present labels and strokes. */
static tilecut_status make_one_vs_rest(tilecut_labels_session *s, const tc_correction *c, const tc_setup *setup,
                                       one_vs_rest **out)
{
    tilecut_status status = TILECUT_OK;
    uint8_t *const two = malloc(2 * s->now.pixels);
    one_vs_rest *d = two ? calloc(1, sizeof *d) : NULL;
    if (!d) {
        free(two);
        return tc_fail(TILECUT_ENOMEM, "no memory for the session of a label");
    }
    d->two = two;
    d->prior = d->two + s->now.pixels;
    memcpy(d->two, s->now.two, s->now.pixels);
    memcpy(d->prior, s->now.prior, s->now.pixels);
    d->setup = *setup;
    d->setup.prior = d->prior;
    if (d->setup.slice_rows) TRY(tc_volume_choose(&d->setup, c->image, d->two));
    TRY(tc_correct_open(&(tc_correction){c->image, d->two, &d->setup, s->now.mask, NULL}, &d->graph, &d->session));
    *out = d;
    d = NULL;
done:
    free_one_vs_rest(d);
    return status;
}

/* Cuts with the present seeds of `label`, and gives the label the pixels that it gains. */
static tilecut_status cut_stroke(tilecut_labels_session *s, const tc_setup *setup, stroked *step, int64_t *gained)
{
    tilecut_status status = TILECUT_OK;
    tilecut_report report = {0};
    one_vs_rest **const d = &s->of[step->label];
    const tc_correction c = tc_label_strokes_of(&s->now, step->label, setup);
    step->first = !*d;
    if (!*d) TRY(make_one_vs_rest(s, &c, setup, d));
    tc_setup own = (*d)->setup;
    own.cancel = setup->cancel, own.threads = setup->threads, own.solver = setup->solver, own.device = setup->device;
    memcpy((*d)->session->mask, s->now.mask, s->now.pixels);
    memcpy((*d)->session->seeds, s->now.two, s->now.pixels);
    tc_correct_hold(&c, (*d)->session);
    TRY(tc_correct_paint(&(tc_correction){c.image, c.seeds, &own, c.mask, c.held}, (*d)->session, true, &report));
    *gained = tc_label_strokes_take(&s->now, step->label);
    step->cut = true;
done:
    if (status != TILECUT_OK && step->first) free_one_vs_rest(*d), *d = NULL;
    return status;
}

static tilecut_change change_of(const tc_window *w, int64_t pixels)
{
    return (tilecut_change){.x = w->x, .y = w->y, .width = w->width, .height = w->height, .pixels = pixels};
}

static tc_window around_both(tc_window a, tc_window b)
{
    if (!a.width || !b.width) return a.width ? a : b;
    const int x0 = a.x < b.x ? a.x : b.x, x1 = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    const int y0 = a.y < b.y ? a.y : b.y, y1 = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return (tc_window){x0, y0, x1 - x0, y1 - y0};
}

/* Shrinks step->before, which holds labels and seeds of all pixels, to the window that the stroke has changed. */
static void keep_changed(const tilecut_labels_session *s, stroked *step, tilecut_change *change)
{
    const int width = s->now.image.width, height = s->now.image.height;
    const uint8_t *const labels = step->before, *const seeds = labels + s->now.pixels;
    int64_t gained, sown;
    const tc_window moved = tc_changed_window(labels, s->now.labels, width, height, &gained);
    const tc_window all = around_both(moved, tc_changed_window(seeds, s->seeds, width, height, &sown));
    const size_t kept = (size_t)all.width * (size_t)all.height;
    *change = change_of(&moved, gained);
    tc_window_read(labels, width, &all, s->now.mask);
    tc_window_read(seeds, width, &all, s->now.prior);
    memcpy(step->before, s->now.mask, kept);
    memcpy(step->before + kept, s->now.prior, kept);
    step->window = all, step->pixels = gained;
    void *const less = realloc(step->before, 2 * kept + 1);
    if (less) step->before = less;
}

/* Begins a step: copies labels and seeds, so that the step can be undone. */
static tilecut_status begin_step(tilecut_labels_session *s, stroked *step)
{
    const size_t n = s->now.pixels;
    stroked *const steps = tc_list_grow(s->steps, s->count, &s->room, sizeof *steps);
    if (steps) s->steps = steps, step->before = malloc(2 * n);
    if (!step->before) return tc_fail(TILECUT_ENOMEM, "no memory to undo a stroke of %zu pixels", n);
    memcpy(step->before, s->now.labels, n);
    memcpy(step->before + n, s->seeds, n);
    return TILECUT_OK;
}

/* Ends a step. After a failure the session is as before the step. */
static tilecut_status end_step(tilecut_labels_session *s, stroked *step, tilecut_status status, tilecut_change *change)
{
    const size_t n = s->now.pixels;
    if (status == TILECUT_OK) {
        keep_changed(s, step, change);
        s->steps[s->count++] = *step;
        return TILECUT_OK;
    }
    memcpy(s->now.labels, step->before, n);
    memcpy(s->seeds, step->before + n, n);
    free(step->before);
    return status;
}

static tilecut_status check_stroke(const tilecut_labels_session *s, const tilecut_stroke *k)
{
    const int width = s->now.image.width, height = s->now.image.height;
    if (k->label < 1 || k->label > TILECUT_MAX_LABELS)
        return tc_fail(TILECUT_EINVAL, "a stroke of label %d; 1 to %d are possible", k->label, TILECUT_MAX_LABELS);
    return tc_stroke_check(k, width, height);
}

static tilecut_status stroke(tilecut_labels_session *s, const tilecut_stroke *k, const tc_setup *setup,
                             tilecut_change *change)
{
    tilecut_status status = TILECUT_OK;
    stroked step = {.label = k->label};
    tc_setup with = s->now.setup;
    bool contradicts = false;
    int64_t gained = 0;

    with.cancel = setup->cancel, with.threads = setup->threads, with.solver = setup->solver;
    NEED(check_stroke(s, k));
    NEED(begin_step(s, &step));
    for (int y = 0; y < k->height; y++)
        for (int x = 0; x < k->width; x++) {
            const size_t p = (size_t)(k->y + y) * (size_t)s->now.image.width + (size_t)(k->x + x);
            if (!tc_stroke_row(k, y)[x]) continue;
            s->seeds[p] = (uint8_t)k->label;
            contradicts |= s->now.labels[p] != k->label;
        }
    if (contradicts) status = cut_stroke(s, &with, &step, &gained);
    return end_step(s, &step, status, change);
}

/* Labels everything anew from the strokes. The pixels come from the session's image, or from `volume` if that is
 * given. */
static tilecut_status label_all(tilecut_labels_session *s, const tilecut_volume *volume, const tc_setup *setup,
                                const tilecut_labels_params *how, tilecut_change *change, tilecut_labels_report *report)
{
    const tc_labels_source from = {.image = volume ? NULL : &s->now.image, .volume = volume, .seeds = s->seeds};
    stroked step = {0};
    tc_setup with = s->given;
    with.cancel = setup->cancel, with.threads = setup->threads, with.solver = setup->solver;
    with.seeds_stride = 0;
    NEED(begin_step(s, &step));
    return end_step(s, &step, tc_labels_cut(&from, &with, how, s->now.labels, report), change);
}

static tilecut_status undo(tilecut_labels_session *s, tilecut_change *change)
{
    *change = (tilecut_change){0};
    if (!s->count) return TILECUT_OK;
    const stroked step = s->steps[s->count - 1];
    const tc_window *const w = &step.window;
    one_vs_rest **const d = &s->of[step.label];
    tilecut_change unused = {0};
    bool back;
    if (step.first) free_one_vs_rest(*d), *d = NULL;
    else if (step.cut) NEED(tc_session_undo((*d)->session, NULL, &unused, &back));
    s->count--;
    *change = change_of(w, step.pixels);
    tc_window_write(s->now.labels, s->now.image.width, w, step.before);
    tc_window_write(s->seeds, s->now.image.width, w, step.before + (size_t)w->width * (size_t)w->height);
    free(step.before);
    return TILECUT_OK;
}

/* ---- The calls --------------------------------------------------------------------------------- */

/* The common part of stroke and undo. `k` is NULL to undo. */
static tilecut_status call(tilecut_labels_session *s, const tilecut_stroke *k, const tilecut_params *params,
                           uint8_t *labels, tilecut_change *change)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {.volume = s && s->volume};
    tilecut_change changed = {0};
    tilecut_stroke whole;

    if (!s) return tc_fail(TILECUT_EINVAL, "session is NULL");
    TRY(tc_enter(&v, params, s->now.image.width, s->now.image.height, labels, false, NULL));
    TRY(tc_sized_check(change, "tilecut_change"));
    if (k) {
        const tc_solver *solver;
        TRY(TC_READ(&whole, k, stroke));
        TRY(tc_run_solver(&v.setup, s->now.setup.connectivity, s->now.image.width, s->now.image.height, &solver));
        TRY(stroke(s, &whole, &v.setup, &changed));
    } else TRY(undo(s, &changed));
    if (labels) memcpy(v.mask.to, s->now.labels, s->now.pixels);
    TC_WRITE(change, &changed, change);
done:
    return tc_leave(&v, status);
}

tilecut_status tilecut_labels_session_stroke(tilecut_labels_session *session, const tilecut_stroke *stroke,
                                             const tilecut_params *params, uint8_t *labels, tilecut_change *change)
{
    if (!stroke) return tc_fail(TILECUT_EINVAL, "stroke is NULL");
    return call(session, stroke, params, labels, change);
}

tilecut_status tilecut_labels_session_label(tilecut_labels_session *s, const tilecut_volume *volume,
                                            const tilecut_params *params, const tilecut_labels_params *how,
                                            uint8_t *labels, tilecut_change *change, tilecut_labels_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {.volume = s && s->volume};
    tilecut_change changed = {0};
    tilecut_volume voxels;

    if (!s) return tc_fail(TILECUT_EINVAL, "session is NULL");
    if (!volume != !s->volume)
        return tc_fail(TILECUT_EINVAL, "volume is %s", volume ? "given, of a session of an image"
                                                              : "NULL, of a session of a volume");
    if (volume) NEED(tc_volume_read(&voxels, volume));
    if (volume && (voxels.width != s->now.image.width || voxels.height * voxels.depth != s->now.image.height ||
                   voxels.channels != s->now.image.channels))
        return tc_fail(TILECUT_EINVAL, "a volume of %dx%dx%d and %d channels, which is not the session's", voxels.width,
                       voxels.height, voxels.depth, voxels.channels);
    TRY(tc_enter(&v, params, s->now.image.width, s->now.image.height, labels, false, NULL));
    TRY(tc_sized_check(change, "tilecut_change"));
    TRY(label_all(s, volume ? &voxels : NULL, &v.setup, how, &changed, report));
    if (labels) memcpy(v.mask.to, s->now.labels, s->now.pixels);
    TC_WRITE(change, &changed, change);
done:
    return tc_leave(&v, status);
}

tilecut_status tilecut_labels_session_undo(tilecut_labels_session *session, const tilecut_params *params,
                                           uint8_t *labels, tilecut_change *change, int *undone)
{
    const int any = session && session->count > 0;
    const tilecut_status status = call(session, NULL, params, labels, change);
    if (status == TILECUT_OK && undone) *undone = any;
    return status;
}
