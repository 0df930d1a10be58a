/* SPDX-License-Identifier: MIT
 *
 * film_order.c - the order in which frames are begun and cut. At first a frame is cut alone, with the evidence of the
 * frames before it. If a later frame with strokes is known already, the object is also tracked backwards from that
 * frame, and this evidence counts, too. A complete window is then cut as a volume: its first frames become final, and
 * the others begin the next window.
 */
#include <stdlib.h>
#include <string.h>

#include "film_state.h"
#include "status.h"

tilecut_status tc_track_init(tc_track *t, int width, int height, int step)
{
    *t = (tc_track){.step = step, .painted_at = -1};
    for (int k = 0; k <= TC_FILM_PAST; k++) NEED(tc_small_init(&t->small[k], width, height));
    NEED(tc_small_init(&t->painted, width, height));
    NEED(tc_small_init(&t->moved, width, height));
    t->last = calloc((size_t)width * (size_t)height, 1);
    if (!t->last) return tc_fail(TILECUT_ENOMEM, "no memory for a mask of %dx%d", width, height);
    return TILECUT_OK;
}

void tc_track_free(tc_track *t)
{
    for (int k = 0; k <= TC_FILM_PAST; k++) tc_small_free(&t->small[k]);
    tc_small_free(&t->painted);
    tc_small_free(&t->moved);
    tc_graph_free(t->graph);
    free(t->along), free(t->last);
    *t = (tc_track){0};
}

tc_marks tc_film_marks(const uint8_t *seeds, size_t pixels, bool painted, bool prior)
{
    const bool both = memchr(seeds, TILECUT_FOREGROUND, pixels) &&
                      (memchr(seeds, TILECUT_BACKGROUND, pixels) || memchr(seeds, TILECUT_OUTSIDE, pixels));
    return (tc_marks){painted, both, prior};
}

static uint8_t *mask_of(const tilecut_film *f, int i) { return f->mask + (size_t)i * f->pixels; }
static uint8_t *level_of(const tilecut_film *f, int i) { return f->level + (size_t)i * f->pixels; }

static bool has_marks_to_learn(const tilecut_film *f, int i) { return f->marked[i].both || f->marked[i].prior; }

/* Learns track `t` from frame i, and keeps that frame for the track. */
static tilecut_status learn_track(tilecut_film *f, tc_track *t, int i)
{
    NEED(tc_film_learn(f, t, i, f->marked[i].prior ? level_of(f, i) : NULL));
    tc_film_keep(f, t, i);
    tc_film_remember(f, t, i);
    return TILECUT_OK;
}

/* Learns the forward track from frame i. The backward track may have been learnt from it already. */
static tilecut_status learn_forward(tilecut_film *f, int i)
{
    tc_track *const t = &f->forward, *const back = &f->back;
    if (f->from == i) {
        tilecut_graph *const graph = t->graph;
        int32_t *const along = t->along;
        t->graph = back->graph, t->along = back->along;
        back->graph = graph, back->along = along;
        tc_film_keep(f, t, i);
        tc_film_remember(f, t, i);
    } else {
        NEED(learn_track(f, t, i));
    }
    f->from = -1;
    memcpy(level_of(f, i), t->graph->energy.nearness, f->pixels); /* the prior mask is no longer needed */
    return TILECUT_OK;
}

/* Finds masks and levels of the frames before frame `key`, back to frame `to`, from frame `key` alone. */
static tilecut_status lead_back(tilecut_film *f, int key, int to)
{
    f->back.past = 0;
    NEED(learn_track(f, &f->back, key));
    for (int i = key - 1; i >= to; i--) {
        NEED(tc_film_evidence(f, &f->back, i, level_of(f, i)));
        NEED(tc_film_cut(f, &f->back, i, 1));
        tc_film_remember(f, &f->back, i);
    }
    f->from = key;
    return TILECUT_OK;
}

/* Mixes the evidence of frame i from tracking forward with the evidence from tracking backward. */
static void mix_levels(tilecut_film *f, int i)
{
    const int before = i - f->forward.painted_at, behind = f->from - i, all = before + behind;
    uint8_t *const level = level_of(f, i);
    for (size_t p = 0; p < f->pixels; p++)
        level[p] = (uint8_t)((behind * f->mixed[p] + before * level[p] + all / 2) / all);
}

const tc_track *tc_film_colors(const tilecut_film *f, int i)
{
    const bool nearer = f->from > i && f->from - i < i - f->forward.painted_at;
    return f->forward.graph && !nearer ? &f->forward : &f->back;
}

/* Finds the next frame with strokes of both classes, if it is held. */
static tilecut_status look_ahead(tilecut_film *f, int i)
{
    int key = i + 1;
    if (f->from > i || !f->shape.ahead) return TILECUT_OK;
    f->from = -1;
    while (key < f->count && !has_marks_to_learn(f, key)) key++;
    return key < f->count ? lead_back(f, key, i) : TILECUT_OK;
}

/* Makes the first mask of frame i. */
static tilecut_status begin_frame(tilecut_film *f, int i)
{
    const tc_marks *const m = &f->marked[i];
    tc_track *const t = &f->forward;
    if (has_marks_to_learn(f, i)) return learn_forward(f, i);
    NEED(look_ahead(f, i));
    const bool back = f->from > i;
    if (!t->graph) {
        if (back) return TILECUT_OK; /* its mask exists already */
        memset(mask_of(f, i), 0, f->pixels);
        f->report[i] = (tilecut_report){.size = sizeof *f->report};
        return TILECUT_OK;
    }
    NEED(tc_film_evidence(f, t, i, back ? f->mixed : level_of(f, i)));
    if (back) mix_levels(f, i);
    NEED(tc_film_cut(f, tc_film_colors(f, i), i, 1));
    if (m->painted) tc_film_keep(f, t, i);
    tc_film_remember(f, t, i);
    return TILECUT_OK;
}

tilecut_status tc_film_cut_window(tilecut_film *f, int final)
{
    const int first = f->ready;
    NEED(tc_film_cut(f, tc_film_colors(f, (first + f->begun) / 2), first, f->begun - first));
    f->ready = final;
    f->again = f->begun;
    tc_film_relabel(f, &f->forward, f->begun - 1);
    return TILECUT_OK;
}

tilecut_status tc_film_go_on(tilecut_film *f, int ahead)
{
    const int window = f->shape.window;
    while (f->count - f->begun > ahead) {
        NEED(begin_frame(f, f->begun));
        f->begun++;
        if (!f->forward.graph) f->ready = f->begun;
        /* the frame has just been cut */
        else if (window == 1 && !has_marks_to_learn(f, f->begun - 1)) f->ready = f->again = f->begun;
        else if (f->begun - f->ready == window) NEED(tc_film_cut_window(f, f->ready + window - f->shape.overlap));
    }
    return TILECUT_OK;
}
