/* SPDX-License-Identifier: MIT
 *
 * session_strokes.c - corrections of a session's mask, and undoing them. Everything that can fail comes before the
 * first change of the session, so after a failure it is as before.
 */
#include <stdlib.h>
#include <string.h>

#include "view.h"
#include "session.h"
#include "status.h"

static void hand_out(const tilecut_session *session, const tc_patch *patch, uint8_t *mask, tilecut_change *change)
{
    const tc_window *const w = &patch->window;
    if (mask) memcpy(mask, session->mask, tc_graph_pixels(session->graph));
    *change = (tilecut_change){.x = w->x, .y = w->y, .width = w->width, .height = w->height, .pixels = patch->pixels};
}

/* ---- Strokes ---------------------------------------------------------------------------------- */

tilecut_status tc_stroke_check(const tilecut_stroke *s, int width, int height)
{
    if (s->x < 0 || s->y < 0 || s->width < 1 || s->height < 1 || s->width > width - s->x || s->height > height - s->y)
        return tc_fail(TILECUT_EINVAL, "a stroke of %dx%d at %d,%d is not within %dx%d", s->width, s->height, s->x,
                       s->y, width, height);
    return tc_rows_check(s->painted, s->stride, (size_t)s->width, s->height, "the stroke");
}

static tilecut_status check_stroke(const tilecut_session *session, const tilecut_stroke *s)
{
    if (!session->has_mask) return tc_fail(TILECUT_EINVAL, "there is no mask to correct; solve, or begin with one");
    if (s->label != TILECUT_FOREGROUND && s->label != TILECUT_BACKGROUND)
        return tc_fail(TILECUT_EINVAL, "a stroke of label %d; it is foreground or background", s->label);
    return tc_stroke_check(s, session->graph->width, session->graph->height * session->graph->depth);
}

/* Finds where the labels of painted pixels are stored: in the strokes or in the seeds. */
static tilecut_status labels_of(tilecut_session *session, uint8_t **labels)
{
    const size_t pixels = tc_graph_pixels(session->graph);
    *labels = session->seeds ? session->seeds : session->strokes;
    if (*labels) return TILECUT_OK;
    *labels = session->strokes = calloc(pixels, 1);
    return *labels ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for strokes");
}

static void paint_labels(uint8_t *labels, int width, const tilecut_stroke *s)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++)
            if (tc_stroke_row(s, y)[x])
                labels[(size_t)(s->y + y) * (size_t)width + (size_t)(s->x + x)] = (uint8_t)s->label;
}

/* Prepares the history's step for a stroke, without its patch. */
static tilecut_status step_init(tilecut_session *session, const tilecut_stroke *s, uint8_t *labels, tc_step *step)
{
    *step = (tc_step){.painted = {s->x, s->y, s->width, s->height}, .update = session->update.strokes};
    step->seeds = malloc((size_t)s->width * (size_t)s->height);
    if (!step->seeds) return tc_fail(TILECUT_ENOMEM, "no memory to undo a stroke of %dx%d", s->width, s->height);
    tc_window_read(labels, session->graph->width, &step->painted, step->seeds);
    return tc_history_make_room(&session->history);
}

/* Cuts the change of a stroke. Before it, the session's model has learnt from the stroke, and nothing else has
 * changed. */
static tilecut_status cut_stroke(tilecut_session *session, const tilecut_stroke *stroke, const uint8_t *labels,
                                 const tc_setup *setup, tc_stroke_change *change, tilecut_report *report)
{
    tilecut_graph update = *session->graph;
    if (update.from_image) {
        NEED(tc_model_update_add(&session->update, &session->graph->energy, stroke));
        update.energy = tc_model_update_energy(&session->update, &session->graph->energy);
        /* drops the levels that keep pixels at the prior mask, because the new stroke may change them */
        if (update.energy.holds) update.energy.nearness = NULL;
    }
    const tc_stroke_task task = {&update, labels, stroke, session->mask, session->foreground, NULL, false};
    return tc_stroke_cut(&task, setup, change, report);
}

tilecut_status tc_session_stroke(tilecut_session *session, const tilecut_stroke *stroke, const tc_setup *setup,
                                 uint8_t *mask, tilecut_change *out, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_stroke_change change = {0};
    uint8_t *labels = NULL;
    tc_step step = {0};

    TRY(check_stroke(session, stroke));
    TRY(labels_of(session, &labels));
    TRY(step_init(session, stroke, labels, &step));
    TRY(cut_stroke(session, stroke, labels, setup, &change, report));
    TRY(tc_patch_of_change(&change, &step.patch));
    tc_session_loosen(session);
    paint_labels(labels, session->graph->width, stroke);
    tc_patch_apply(&step.patch, session->graph->width, session->mask);
    step.foreground = session->foreground;
    session->foreground += stroke->label == TILECUT_FOREGROUND ? step.patch.pixels : -step.patch.pixels;
    report->foreground = session->foreground;
    session->history.step[session->history.count++] = step;
    hand_out(session, &step.patch, mask, out);
done:
    tc_stroke_change_free(&change);
    if (status != TILECUT_OK) tc_model_update_undo(&session->update, step.update);
    if (status != TILECUT_OK) tc_step_free(&step);
    return status;
}

tilecut_status tc_session_try(tilecut_session *session, const tilecut_stroke *stroke, const tc_setup *setup,
                              int64_t *pixels)
{
    const int strokes = session->update.strokes;
    tc_stroke_change change = {0};
    tilecut_report report = {0};
    uint8_t *labels = NULL;
    NEED(check_stroke(session, stroke));
    NEED(labels_of(session, &labels));
    const tilecut_status status = cut_stroke(session, stroke, labels, setup, &change, &report);
    *pixels = change.pixels;
    tc_stroke_change_free(&change);
    tc_model_update_undo(&session->update, strokes);
    return status;
}

/* ---- Learning --------------------------------------------------------------------------------- */

tilecut_status tc_session_learn(tilecut_session *session, const tc_setup *setup, uint8_t *mask, tilecut_change *out,
                                tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_step step = {0};
    uint8_t *found = NULL;

    if (!session->seeds) return tc_fail(TILECUT_EINVAL, "a graph from arrays has no model that could learn");
    if (!session->has_mask) return tc_fail(TILECUT_EINVAL, "there is no mask to learn from; solve the session first");
    tilecut_graph *const graph = session->graph;
    tilecut_graph next = *graph;
    memset(&next.energy, 0, sizeof next.energy);
    found = malloc(tc_graph_pixels(graph));
    if (!found) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for a mask");
        goto done;
    }
    TRY(tc_history_make_room(&session->history));
    TRY(tc_energy_relearn(&graph->energy, session->mask, &next.energy));
    tc_session_loosen(session);
    TRY(tc_solve(&next, setup, &session->kept, found, NULL, report));
    TRY(tc_patch_of_masks(session->mask, found, graph->width, graph->height * graph->depth, &step.patch));
    step.foreground = session->foreground;
    session->foreground = report->foreground;
    step.energy = graph->energy;
    step.trainings = session->update;
    graph->energy = next.energy;
    memset(&next.energy, 0, sizeof next.energy);
    memset(&session->update, 0, sizeof session->update);
    session->history.step[session->history.count++] = step;
    tc_patch_apply(&step.patch, graph->width, session->mask);
    session->kept.flow = TC_FLOW_OF_THIS_GRAPH;
    hand_out(session, &step.patch, mask, out);
done:
    tc_energy_free(&next.energy);
    free(found);
    return status;
}

/* ---- Undoing ---------------------------------------------------------------------------------- */

tilecut_status tc_session_undo(tilecut_session *session, uint8_t *mask, tilecut_change *out, bool *undone)
{
    if (!session->has_mask) return tc_fail(TILECUT_EINVAL, "there is no mask yet; solve, or begin with one");
    const tc_patch nothing = {0};
    *undone = session->history.count > 0;
    if (session->history.count == 0) {
        hand_out(session, &nothing, mask, out);
        return TILECUT_OK;
    }
    tc_step step = session->history.step[--session->history.count];
    const int width = session->graph->width;
    tc_session_loosen(session);
    tc_patch_apply(&step.patch, width, session->mask);
    session->foreground = step.foreground;
    if (step.seeds) {
        tc_window_write(session->seeds ? session->seeds : session->strokes, width, &step.painted, step.seeds);
        tc_model_update_undo(&session->update, step.update);
    } else {
        tc_energy_free(&session->graph->energy);
        tc_model_update_free(&session->update);
        session->graph->energy = step.energy;
        session->update = step.trainings;
        memset(&step.energy, 0, sizeof step.energy);
        memset(&step.trainings, 0, sizeof step.trainings);
    }
    hand_out(session, &step.patch, mask, out);
    tc_step_free(&step);
    return TILECUT_OK;
}
