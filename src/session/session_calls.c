/* SPDX-License-Identifier: MIT
 *
 * session_calls.c - the public functions on a session. See door.h.
 */
#include "coarse.h"
#include "door.h"
#include "session.h"
#include "status.h"

tilecut_status tilecut_session_create(tilecut_session **out, tilecut_graph *graph)
{
    if (!out || !graph) return tc_fail(TILECUT_EINVAL, "%s is NULL", out ? "graph" : "session");
    *out = NULL;
    return tc_session_new(out, graph);
}

void tilecut_session_destroy(tilecut_session *session)
{
    tc_session_free(session);
}

/* Does the same as tc_enter(), with the size of the session's graph. */
static tilecut_status enter_session(tc_visit *v, const tilecut_session *session, const tilecut_params *params,
                                    uint8_t *mask, bool needed, tilecut_report *report)
{
    if (!session) return tc_fail(TILECUT_EINVAL, "session is NULL");
    v->weighed = true;
    return tc_enter(v, params, session->graph->width, session->graph->height, mask, needed, report);
}

/* Passes rows of bytes to the session: seeds, or a mask. */
static tilecut_status give_rows(tilecut_session *session, const uint8_t *bytes, bool seeds,
                                const tilecut_params *params)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {0};

    TRY(enter_session(&v, session, params, NULL, false, NULL));
    TRY(tc_bytes_open(&v.seeds, seeds ? "seeds" : "mask", bytes, seeds ? v.setup.seeds_stride : v.setup.mask_stride,
                      session->graph->width, session->graph->height));
    if (seeds) TRY(tc_seeds_settle(&v.seeds, &v.setup, NULL));
    TRY(seeds ? tc_session_reseed(session, v.seeds.from) : tc_session_set_mask(session, v.seeds.from));
done:
    return tc_leave(&v, status);
}

tilecut_status tilecut_session_reseed(tilecut_session *session, const uint8_t *seeds, const tilecut_params *params)
{
    return give_rows(session, seeds, true, params);
}

tilecut_status tilecut_session_advance(tilecut_session *session, const tilecut_image *image, const uint8_t *seeds,
                                       const tilecut_params *params)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {0};

    TRY(enter_session(&v, session, params, NULL, false, NULL));
    TRY(tc_image_read(&v.image, image));
    if (seeds) TRY(tc_bytes_open(&v.seeds, "seeds", seeds, v.setup.seeds_stride, v.image.width, v.image.height));
    TRY(tc_prior_open(&v.prior, &v.setup, v.image.width, v.image.height));
    TRY(tc_session_advance(session, &v.image, v.seeds.from, &v.setup));
done:
    return tc_leave(&v, status);
}

tilecut_status tilecut_session_solve(tilecut_session *session, const tilecut_params *params, uint8_t *mask,
                                     tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {0};
    TRY(enter_session(&v, session, params, mask, true, report));
    TRY(tc_session_solve(session, &v.setup, v.mask.to, &v.result));
done:
    return tc_leave(&v, status);
}

tilecut_status tilecut_session_begin(tilecut_session *session, const uint8_t *mask, const tilecut_params *params)
{
    return give_rows(session, mask, false, params);
}

/* ---- Corrections ------------------------------------------------------------------------------ */

/* Does the same as tc_leave(), and also copies `change` to the caller. */
static tilecut_status leave_session(tc_visit *v, tilecut_status status, tilecut_change *to,
                                    const tilecut_change *change)
{
    if (status == TILECUT_OK) TC_WRITE(to, change, change);
    return tc_leave(v, status);
}

tilecut_status tilecut_session_stroke(tilecut_session *session, const tilecut_stroke *stroke,
                                      const tilecut_params *params, uint8_t *mask, tilecut_change *change,
                                      tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tilecut_change changed = {0};
    tilecut_stroke whole;
    tc_visit v = {0};

    TRY(enter_session(&v, session, params, mask, false, report));
    TRY(tc_sized_check(change, "tilecut_change"));
    if (!stroke) TRY(tc_fail(TILECUT_EINVAL, "stroke is NULL"));
    TRY(TC_READ(&whole, stroke, stroke));
    TRY(tc_session_stroke(session, &whole, &v.setup, v.mask.to, &changed, &v.result));
done:
    return leave_session(&v, status, change, &changed);
}

tilecut_status tilecut_session_learn(tilecut_session *session, const tilecut_params *params, uint8_t *mask,
                                     tilecut_change *change, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tilecut_change changed = {0};
    tc_visit v = {0};

    TRY(enter_session(&v, session, params, mask, false, report));
    TRY(tc_sized_check(change, "tilecut_change"));
    TRY(tc_session_learn(session, &v.setup, v.mask.to, &changed, &v.result));
done:
    return leave_session(&v, status, change, &changed);
}

tilecut_status tilecut_session_undo(tilecut_session *session, const tilecut_params *params, uint8_t *mask,
                                    tilecut_change *change, int *undone)
{
    tilecut_status status = TILECUT_OK;
    tilecut_change changed = {0};
    bool any = false;
    tc_visit v = {0};

    TRY(enter_session(&v, session, params, mask, false, NULL));
    TRY(tc_sized_check(change, "tilecut_change"));
    TRY(tc_session_undo(session, v.mask.to, &changed, &any));
    if (undone) *undone = any;
done:
    return leave_session(&v, status, change, &changed);
}
