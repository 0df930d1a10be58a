/* SPDX-License-Identifier: MIT
 *
 * session.c - seeds that change under a hand: the flow of the solve before is kept, and so is a copy of the seeds,
 * for the caller to change his in place.
 */
#include <stdlib.h>
#include <string.h>

#include "solve.h"
#include "status.h"

struct tilecut_session {
    tilecut_graph *graph;    /* the caller's                                */
    const uint8_t *original; /* its seeds, the caller's; it gets them back  */
    uint8_t *seeds;          /* those of now; NULL for a graph from arrays  */
    tc_kept kept;
};

tilecut_status tilecut_session_create(tilecut_session **out, tilecut_graph *graph)
{
    tilecut_status status = TILECUT_OK;
    tilecut_session *session = NULL;

    if (!out || !graph) return tc_fail(TILECUT_EINVAL, "%s is NULL", out ? "graph" : "session");
    *out = NULL;
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
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
    tilecut_session_destroy(session);
    return status;
}

void tilecut_session_destroy(tilecut_session *session)
{
    if (!session) return;
    if (session->original) session->graph->energy.seeds = session->original;
    tc_kept_free(&session->kept);
    free(session->seeds);
    free(session);
}

tilecut_status tilecut_session_reseed(tilecut_session *session, const uint8_t *seeds)
{
    tilecut_status status = TILECUT_OK;

    if (!session || !seeds) return tc_fail(TILECUT_EINVAL, "%s is NULL", session ? "seeds" : "session");
    if (!session->seeds) return tc_fail(TILECUT_EINVAL, "a graph from arrays has no seeds");
    const tc_energy *const energy = &session->graph->energy;
    tc_kept *const kept = &session->kept;
    TRY(tc_energy_check_seeds(energy, seeds));
    if (kept->at) status = kept->at->reseed(kept, energy, session->seeds, seeds);
    if (status != TILECUT_OK) tc_kept_free(kept); /* whatever it has become */
    TRY(status);
    memcpy(session->seeds, seeds, (size_t)session->graph->width * (size_t)session->graph->height);
done:
    return status;
}

tilecut_status tilecut_session_solve(tilecut_session *session, const tilecut_params *params, uint8_t *mask,
                                     tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    if (!session) return tc_fail(TILECUT_EINVAL, "session is NULL");
    TRY(tc_solve(session->graph, params, &session->kept, mask, NULL, report));
    /* Nothing but seeds changes in a graph from an image; arrays are the caller's, and may. */
    if (session->seeds) session->kept.flow = TC_FLOW_OF_THIS_GRAPH;
done:
    return status;
}
