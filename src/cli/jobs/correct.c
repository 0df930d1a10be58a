/* SPDX-License-Identifier: MIT
 *
 * correct.c - see correct.h. The colour model is learnt from the mask and the seeds. The mask is not passed as a
 * wish: pixels that no stroke changes keep their label anyway.
 */
#include "correct.h"

#include <stdlib.h>
#include <string.h>

/* The seeds of one class that contradict the mask, and their bounding box. */
typedef struct contradiction {
    int64_t pixels;
    int x0, y0, x1, y1; /* columns x0 .. x1 - 1, rows y0 .. y1 - 1 */
    uint8_t *painted;   /* owned          */
} contradiction;

static bool contradicts(const job *j, size_t p, bool foreground)
{
    const uint8_t label = j->seeds.label[p];
    if (label == TILECUT_UNKNOWN || (label == TILECUT_FOREGROUND) != foreground) return false;
    return (j->mask[p] != 0) != foreground;
}

/* Finds the seeds of one class that contradict the mask. False: no memory. */
static bool find(const job *j, bool foreground, contradiction *out)
{
    const int width = j->photo.width, height = j->photo.height;
    *out = (contradiction){.x0 = width, .y0 = height};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            if (!contradicts(j, (size_t)y * (size_t)width + (size_t)x, foreground)) continue;
            out->pixels++;
            if (x < out->x0) out->x0 = x;
            if (x >= out->x1) out->x1 = x + 1;
            if (y < out->y0) out->y0 = y;
            out->y1 = y + 1;
        }
    if (!out->pixels) return true;
    const int w = out->x1 - out->x0, h = out->y1 - out->y0;
    out->painted = malloc((size_t)w * (size_t)h);
    for (int y = 0; out->painted && y < h; y++)
        for (int x = 0; x < w; x++) {
            const size_t p = (size_t)(out->y0 + y) * (size_t)width + (size_t)(out->x0 + x);
            out->painted[(size_t)y * (size_t)w + (size_t)x] = contradicts(j, p, foreground);
        }
    return out->painted != NULL;
}

static void add_up(tilecut_report *sum, const tilecut_report *stroke)
{
    const tilecut_report before = *sum;
    *sum = *stroke;
    sum->model_ms += before.model_ms, sum->graph_ms += before.graph_ms, sum->copy_ms += before.copy_ms;
    sum->solve_ms += before.solve_ms, sum->certify_ms += before.certify_ms;
    sum->flow += before.flow, sum->cut += before.cut, sum->energy += before.energy;
}

/* Applies all contradicting seeds of one class as one stroke. */
static tilecut_status paint(job *j, tilecut_session *session, const tilecut_params *how, bool foreground)
{
    tilecut_status status = TILECUT_OK;
    tilecut_report told = {0};
    contradiction c;
    if (!find(j, foreground, &c)) return TILECUT_ENOMEM;
    if (!c.pixels) return TILECUT_OK;
    const tilecut_stroke stroke = {.x = c.x0, .y = c.y0, .width = c.x1 - c.x0, .height = c.y1 - c.y0,
                                   .label = foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND,
                                   .painted = c.painted};
    tilecut_change change = {0};
    status = tilecut_session_stroke(session, &stroke, how, j->mask, &change, &told);
    free(c.painted);
    if (status != TILECUT_OK) return status;
    *(foreground ? &j->run.added : &j->run.removed) = change.pixels;
    add_up(&j->run.cut, &told);
    return TILECUT_OK;
}

/* The report of a run in which nothing had to be cut. */
static tilecut_report nothing_yet(const job *j, const tilecut_params *how, const tilecut_graph *graph)
{
    return (tilecut_report){.certified = 1, .quantum = tilecut_graph_quantum(graph),
                            .lambda = how->lambda > 0 ? how->lambda : 0,
                            .solver = "none", .device = "cpu",
                            .colors = how->colors ? how->colors : tilecut_colors_name(0),
                            .connectivity = how->connectivity ? how->connectivity : 4,
                            .threads = how->threads ? how->threads : 1, .foreground = j->start.inside};
}

tilecut_status job_correct(job *j, const tilecut_params *how)
{
    const size_t pixels = (size_t)j->photo.width * (size_t)j->photo.height;
    tilecut_session *session = NULL;
    tilecut_params learn = *how;
    tilecut_status status;

    learn.wish_weight = TILECUT_NONE;
    for (size_t p = 0; p < pixels; p++) j->mask[p] = j->start.foreground[p] >= 128 ? 255 : 0;
    tilecut_graph_destroy(j->graph);
    status = tilecut_graph_from_image(&j->graph, &j->view, j->seeds.label, &learn);
    if (status == TILECUT_OK) status = tilecut_session_create(&session, j->graph);
    if (status == TILECUT_OK) status = tilecut_session_begin(session, j->mask, NULL);
    if (status == TILECUT_OK) j->run.cut = nothing_yet(j, &learn, j->graph);
    if (status == TILECUT_OK) status = paint(j, session, &learn, true);
    if (status == TILECUT_OK) status = paint(j, session, &learn, false);
    if (status == TILECUT_OK && !j->run.added && !j->run.removed)
        note(&j->run.notes, "%s: no seed contradicts it, so it stays as it is", j->request->inputs->previous);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(j->graph);
    j->graph = NULL;
    return status;
}
