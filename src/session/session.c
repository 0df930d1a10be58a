/* SPDX-License-Identifier: MIT
 *
 * session.c - seeds that change while the user paints. The session keeps the flow of the last solve. It also keeps a
 * copy of the seeds, so that callers may change their own seeds in place.
 */
#include <stdlib.h>
#include <string.h>

#include "build_grid.h"
#include "session.h"
#include "status.h"

tilecut_status tc_session_set_mask(tilecut_session *session, const uint8_t *mask)
{
    const size_t pixels = tc_graph_pixels(session->graph);
    if (!session->mask) session->mask = malloc(pixels);
    if (!session->mask) return tc_fail(TILECUT_ENOMEM, "no memory for a mask");
    session->has_mask = true;
    uint8_t *const own = session->mask;
    int64_t foreground = 0;
    for (size_t p = 0; p < pixels; p++) {
        own[p] = (uint8_t)-(mask[p] != 0);
        foreground += mask[p] != 0;
    }
    session->foreground = foreground;
    tc_history_free(&session->history);
    tc_model_update_free(&session->update);
    free(session->strokes);
    session->strokes = NULL;
    return TILECUT_OK;
}

void tc_session_loosen(tilecut_session *session)
{
    tc_kept_flow *const kept = &session->kept;
    /* the flow is dropped: its terminals are on a device and cannot be updated there */
    if (kept->on_device) tc_kept_flow_free(kept);
    else if (kept->flow == TC_FLOW_OF_THIS_GRAPH) kept->flow = TC_FLOW_OF_ANOTHER;
}

tilecut_status tc_session_new(tilecut_session **out, tilecut_graph *graph)
{
    tilecut_status status = TILECUT_OK;
    tilecut_session *session = NULL;

    const size_t pixels = tc_graph_pixels(graph);
    session = calloc(1, sizeof *session);
    if (session && graph->from_image) session->seeds = malloc(pixels);
    if (!session || (graph->from_image && !session->seeds)) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for a session");
        goto done;
    }
    session->graph = graph;
    if (graph->from_image) {
        memcpy(session->seeds, graph->energy.seeds, pixels);
        session->original = graph->energy.seeds;
        graph->energy.seeds = session->seeds;
    }
    *out = session;
    session = NULL;
done:
    tc_session_free(session);
    return status;
}

void tc_session_free(tilecut_session *session)
{
    if (!session) return;
    if (session->original) session->graph->energy.seeds = session->original;
    tc_kept_flow_free(&session->kept);
    tc_model_update_free(&session->update);
    tc_history_free(&session->history);
    free(session->strokes);
    free(session->mask);
    free(session->prior);
    free(session->seeds);
    free(session);
}

tilecut_status tc_session_reseed(tilecut_session *session, const uint8_t *seeds)
{
    if (!session->seeds) return tc_fail(TILECUT_EINVAL, "a graph from arrays has no seeds");
    const tc_energy *const energy = &session->graph->energy;
    tc_kept_flow *const kept = &session->kept;
    NEED(tc_energy_check_seeds(energy, seeds));
    const tilecut_status status = kept->at ? kept->at->reseed(kept, energy, session->seeds, seeds) : TILECUT_OK;
    if (status != TILECUT_OK) tc_kept_flow_free(kept); /* the flow may be half changed */
    NEED(status);
    tc_history_free(&session->history); /* its steps belong to the old seeds, so they cannot be undone any more */
    memcpy(session->seeds, seeds, tc_graph_pixels(session->graph));
    return TILECUT_OK;
}

static tilecut_status check_frame(const tilecut_session *session, const tilecut_image *image, const tc_setup *setup)
{
    if (!session->seeds) return tc_fail(TILECUT_EINVAL, "a graph from arrays has no image that another could follow");
    if (!setup->prior && !session->has_mask)
        return tc_fail(TILECUT_EINVAL, "there is no mask to begin the frame from; solve, or begin with one");
    const tilecut_image *const last = &session->graph->energy.image;
    if (image->width == last->width && image->height == last->height && image->channels == last->channels &&
        image->depth == last->depth)
        return TILECUT_OK;
    return tc_fail(TILECUT_EINVAL, "a frame of %dx%d, %d channels and %d bits follows one of %dx%d, %d and %d",
                   image->width, image->height, image->channels, image->depth, last->width, last->height,
                   last->channels, last->depth);
}

/* Keeps the flow of the last frame as far as the links of this frame can carry it. A flow on a device is dropped. */
static tilecut_status carry_on(tilecut_session *session, int threads)
{
    tc_kept_flow *const kept = &session->kept;
    if (kept->on_device || kept->flow < TC_FLOW_OF_ANOTHER) {
        tc_kept_flow_free(kept);
        return TILECUT_OK;
    }
    const tilecut_status status = tc_refit_flow(&kept->grid, session->graph, threads);
    kept->flow = TC_FLOW_OF_ANOTHER;
    if (status != TILECUT_OK) tc_kept_flow_free(kept);
    return TILECUT_OK; /* if the flow was lost, the next solve starts from nothing */
}

tilecut_status tc_session_advance(tilecut_session *session, const tilecut_image *image, const uint8_t *seeds,
                                  const tc_setup *setup)
{
    tilecut_status status = TILECUT_OK;
    const size_t width = (size_t)image->width, height = (size_t)image->height;
    uint8_t *prior = NULL, *labels = NULL;

    TRY(check_frame(session, image, setup));
    prior = malloc(width * height);
    labels = calloc(width, height);
    if (!prior || !labels) TRY(tc_fail(TILECUT_ENOMEM, "no memory for a frame"));
    memcpy(prior, setup->prior ? setup->prior : session->mask, width * height);
    if (seeds) memcpy(labels, seeds, width * height);
    TRY(tc_energy_check_labelled(labels, width * height));
    TRY(tc_energy_advance(&session->graph->energy, image, labels, seeds != NULL, prior, setup->prior_weight));
    free(session->prior), free(session->seeds);
    session->prior = prior, session->seeds = labels;
    prior = labels = NULL;
    tc_history_free(&session->history);
    tc_model_update_free(&session->update);
    TRY(carry_on(session, setup->threads));
done:
    free(prior);
    free(labels);
    return status;
}

tilecut_status tc_session_solve(tilecut_session *session, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    if (!session->mask) session->mask = malloc(tc_graph_pixels(session->graph));
    if (!session->mask) return tc_fail(TILECUT_ENOMEM, "no memory for a mask");
    /* the caller may have changed the arrays since they were checked */
    const tilecut_graph *const graph = session->graph;
    if (!graph->from_image) NEED(tc_graph_check(graph, 0, graph->height * graph->depth, 0, 1));
    NEED(tc_solve(session->graph, setup, &session->kept, mask, NULL, report));
    /* the flow belongs to this graph if the graph is from an image, where only seeds can change; arrays belong to the
     * caller, who may change them */
    if (session->seeds) session->kept.flow = TC_FLOW_OF_THIS_GRAPH;
    return tc_session_set_mask(session, mask);
}
