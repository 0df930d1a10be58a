/* SPDX-License-Identifier: MIT
 *
 * corrected.c - see corrected.h. The colour model is learnt from the mask and the seeds. The mask is no soft evidence
 * besides: pixels that no stroke changes keep their label anyway.
 */
#include "corrected.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct correcting {
    const uint8_t *seeds;
    int width, height;
    uint8_t *mask;
} correcting;

/* The seeds of one class that contradict the mask, and their bounding box. */
typedef struct contradiction {
    int64_t pixels;
    int x0, y0, x1, y1; /* columns x0 .. x1 - 1, rows y0 .. y1 - 1 */
    uint8_t *painted;   /* owned          */
} contradiction;

static bool contradicts(const correcting *k, size_t p, bool foreground)
{
    const uint8_t label = k->seeds[p];
    if (label == TILECUT_UNKNOWN || (label == TILECUT_FOREGROUND) != foreground) return false;
    return (k->mask[p] != 0) != foreground;
}

/* Finds the seeds of one class that contradict the mask. False: no memory. */
static bool find(const correcting *k, bool foreground, contradiction *out)
{
    *out = (contradiction){.x0 = k->width, .y0 = k->height};
    for (int y = 0; y < k->height; y++)
        for (int x = 0; x < k->width; x++) {
            if (!contradicts(k, (size_t)y * (size_t)k->width + (size_t)x, foreground)) continue;
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
            const size_t p = (size_t)(out->y0 + y) * (size_t)k->width + (size_t)(out->x0 + x);
            out->painted[(size_t)y * (size_t)w + (size_t)x] = contradicts(k, p, foreground);
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
static tilecut_status paint(const correcting *k, tilecut_session *session, const tilecut_params *how, bool foreground,
                            corrected *out)
{
    tilecut_report told = {0};
    tilecut_change change = {0};
    contradiction c;
    if (!find(k, foreground, &c)) return TILECUT_ENOMEM;
    if (!c.pixels) return TILECUT_OK;
    const tilecut_stroke stroke = {.x = c.x0, .y = c.y0, .width = c.x1 - c.x0, .height = c.y1 - c.y0,
                                   .label = foreground ? TILECUT_FOREGROUND : TILECUT_BACKGROUND,
                                   .painted = c.painted};
    const tilecut_status status = tilecut_session_stroke(session, &stroke, how, k->mask, &change, &told);
    free(c.painted);
    if (status != TILECUT_OK) return status;
    *(foreground ? &out->added : &out->removed) = change.pixels;
    add_up(&out->cut, &told);
    return TILECUT_OK;
}

/* The report of a run in which nothing had to be cut. */
static tilecut_report nothing_yet(const correcting *k, const tilecut_params *how, const tilecut_graph *graph)
{
    tilecut_report told = {.certified = 1, .quantum = tilecut_graph_quantum(graph),
                           .lambda = how->lambda > 0 ? how->lambda : 0,
                           .solver = "none", .device = "cpu",
                           .colors = how->colors ? how->colors : tilecut_colors_name(0),
                           .connectivity = how->connectivity ? how->connectivity : 4,
                           .threads = how->threads ? how->threads : 1};
    for (size_t p = 0; p < (size_t)k->width * (size_t)k->height; p++) told.foreground += k->mask[p] != 0;
    return told;
}

/* The seeds, but foreground of the mask is open where a box says "outside": the mask may have been cut from that box,
 * and reach beyond it. NULL: no memory. */
static uint8_t *strokes_of(const uint8_t *seeds, const uint8_t *mask, size_t pixels)
{
    uint8_t *const strokes = malloc(pixels);
    for (size_t p = 0; strokes && p < pixels; p++)
        strokes[p] = seeds[p] == TILECUT_OUTSIDE && mask[p] ? TILECUT_UNKNOWN : seeds[p];
    return strokes;
}

tilecut_status corrected_mask(const tilecut_image *photo, const uint8_t *seeds, const tilecut_params *how,
                              uint8_t *mask, corrected *out)
{
    uint8_t *const strokes = strokes_of(seeds, mask, (size_t)photo->width * (size_t)photo->height);
    const correcting k = {strokes, photo->width, photo->height, mask};
    tilecut_graph *graph = NULL;
    tilecut_session *session = NULL;
    tilecut_params learn = *how;
    *out = (corrected){.added = 0};
    learn.wish_weight = TILECUT_NONE;
    if (!strokes) return TILECUT_ENOMEM;
    tilecut_status status = tilecut_graph_from_image(&graph, photo, strokes, &learn);
    if (status == TILECUT_OK) status = tilecut_session_create(&session, graph);
    if (status == TILECUT_OK) status = tilecut_session_begin(session, mask, NULL);
    if (status == TILECUT_OK) out->cut = nothing_yet(&k, &learn, graph);
    if (status == TILECUT_OK) status = paint(&k, session, &learn, true, out);
    if (status == TILECUT_OK) status = paint(&k, session, &learn, false, out);
    tilecut_session_destroy(session);
    tilecut_graph_destroy(graph);
    free(strokes);
    return status;
}
