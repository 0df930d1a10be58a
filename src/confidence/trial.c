/* SPDX-License-Identifier: MIT
 *
 * trial.c - tc_places_try() and tc_places_try_anew() of confidence.h. The cuts estimate how likely a label is wrong. To
 * find how much a stroke would change, one is tried: a small disc of the label that the mask does not have.
 */
#include <math.h>
#include <stdlib.h>

#include "confidence.h"
#include "session.h"
#include "status.h"

/* Makes a stroke: a disc at a place, without the pixels that have the stroke's label already. `room`: memory for the
 * painted pixels, (2 * radius + 1)^2 bytes. */
static tilecut_stroke disc_at(const tilecut_session *session, const struct tc_place *at, int radius, uint8_t *room)
{
    const int w = session->graph->width, h = session->graph->height;
    const int left = at->x > radius ? at->x - radius : 0, top = at->y > radius ? at->y - radius : 0;
    const int right = at->x < w - radius ? at->x + radius : w - 1;
    const int bottom = at->y < h - radius ? at->y + radius : h - 1;
    const tilecut_stroke stroke = {.x = left, .y = top, .width = right + 1 - left, .height = bottom + 1 - top,
                                   .label = at->label, .painted = room};
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            const bool object = session->mask[(size_t)y * (size_t)w + (size_t)x] != 0;
            const int dx = x - at->x, dy = y - at->y;
            *room++ = dx * dx + dy * dy <= radius * radius && object == (at->label == TILECUT_BACKGROUND);
        }
    return stroke;
}

tilecut_status tc_places_try(tilecut_session *session, const tc_setup *setup, tc_places *places)
{
    static const double SHARE = 0.015; /* a share of the side of a square image */
    const tilecut_graph *const g = session->graph;
    const double side = SHARE * sqrt((double)g->width * (double)g->height);
    const int radius = side > 2 ? (int)side : 2;
    const size_t across = 2 * (size_t)radius + 1;
    tilecut_status status = TILECUT_OK;
    tc_setup how = *setup;
    double most = 0;
    int best = 0;
    how.solver = NULL, how.comm = NULL; /* this process tries strokes alone, so it chooses the solver and has no
                                           communicator */
    if (g->depth > 1 || places->count < 2) return TILECUT_OK;
    uint8_t *const room = malloc(across * across);
    if (!room) return tc_fail(TILECUT_ENOMEM, "no memory for a stroke of radius %d", radius);
    for (int i = 0; i < places->count; i++) {
        const tilecut_stroke stroke = disc_at(session, &places->at[i], radius, room);
        int64_t pixels = 0;
        TRY(tc_session_try(session, &stroke, &how, &pixels));
        const double score = places->at[i].wrong * (double)pixels;
        if (score > most) most = score, best = i;
    }
    const struct tc_place first = places->at[0];
    places->at[0] = places->at[best], places->at[best] = first;
done:
    free(room);
    return status;
}

tilecut_status tc_places_try_anew(const tilecut_graph *graph, const uint8_t *mask, const tc_setup *setup,
                                  tc_places *places)
{
    tilecut_graph own = *graph; /* the session replaces the seeds of its graph, so it gets a copy */
    tilecut_session *session = NULL;
    tilecut_status status = TILECUT_OK;
    if (graph->depth > 1 || places->count < 2) return TILECUT_OK;
    TRY(tc_session_new(&session, &own));
    TRY(tc_session_set_mask(session, mask));
    TRY(tc_places_try(session, setup, places));
done:
    tc_session_free(session);
    return status;
}
