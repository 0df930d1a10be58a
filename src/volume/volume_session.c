/* SPDX-License-Identifier: MIT
 *
 * volume_session.c - one volume with seeds that change. The grid and its maximum flow are kept from one solve to the
 * next. Links do not depend on seeds, so as a rule only terminals differ. The flow over links stays valid; where a
 * terminal has changed, the pixel's excess differs, and the solver moves the difference (tc_carry_flow()). The session
 * also keeps the last mask, and the changes of each correction, so that they can be undone.
 */
#include <stdlib.h>
#include <string.h>

#include "door.h"
#include "iterate.h"
#include "session_history.h"
#include "solve.h"
#include "status.h"
#include "volume.h"

struct tilecut_volume_session {
    tilecut_volume voxels;
    tc_block window; /* the window that was cut last                                     */
    tc_kept_flow kept; /* the flow of that cut                                             */
    uint8_t *mask;   /* [voxels] the last mask, 0 or 255; NULL: there is none yet; owned */
    tc_history history; /* the corrections since the last solve, or since another mask was corrected */
};

tilecut_status tilecut_volume_session_create(tilecut_volume_session **session, const tilecut_volume *volume)
{
    tilecut_status status = TILECUT_OK;
    tilecut_volume_session *s = NULL;

    if (!session) return tc_fail(TILECUT_EINVAL, "session is NULL");
    *session = NULL;
    s = calloc(1, sizeof *s);
    if (!s) return tc_fail(TILECUT_ENOMEM, "no memory for a session");
    TRY(tc_volume_read(&s->voxels, volume));
    *session = s;
    return TILECUT_OK;
done:
    free(s);
    return status;
}

void tilecut_volume_session_destroy(tilecut_volume_session *session)
{
    if (!session) return;
    tc_kept_flow_free(&session->kept);
    tc_history_free(&session->history);
    free(session->mask);
    free(session);
}

/* Cuts from the flow of the last cut, if that helps. */
static tilecut_status solve_from_seeds(tilecut_volume_session *session, const uint8_t *seeds, tc_visit *v)
{
    const tilecut_volume *const voxels = &session->voxels;
    tilecut_status status = TILECUT_OK;
    tc_volume next = {0};
    TRY(tc_volume_open_window(&next, voxels, seeds, &v->setup));
    if (memcmp(&next.window, &session->window, sizeof next.window)) tc_kept_flow_free(&session->kept);
    session->window = next.window;
    TRY(tc_volume_cut(&next, &session->kept, v->mask.to, &v->result));
    TRY(tc_volume_follow_strokes(&next, voxels, seeds, &v->setup, &session->kept, v->mask.to, &v->result));
done:
    tc_volume_close(&next);
    return status;
}

tilecut_status tilecut_volume_session_solve(tilecut_volume_session *session, const uint8_t *seeds,
                                            const tilecut_params *params, uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {.volume = true};
    const tc_solver *solver;
    uint8_t *last = NULL;

    if (!session) return tc_fail(TILECUT_EINVAL, "session is NULL");
    const tilecut_volume *const voxels = &session->voxels;
    TRY(tc_volume_check_voxels(voxels));
    TRY(tc_enter(&v, params, voxels->width, voxels->height * voxels->depth, mask, true, report));
    if (v.setup.connectivity == 26)
        TRY(tc_fail(TILECUT_EINVAL, "connectivity is 26; sessions have 6 neighbours"));
    TRY(tc_run_solver(&v.setup, 6, voxels->width, voxels->height, &solver));
    v.setup.learns_there = tc_learns_on_device;
    TRY(tc_volume_fix_range(&session->voxels, NULL, v.setup.threads)); /* done once; after that the values are set */
    last = session->mask ? session->mask : malloc(tc_volume_voxels(&session->voxels));
    if (!last) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for a mask of %zu voxels", tc_volume_voxels(&session->voxels));
        goto done;
    }
    TRY(tc_prior_open(&v.prior, &v.setup, voxels->width, voxels->height * voxels->depth));
    TRY(tc_volume_refines(&v.setup) ? tc_volume_refine(voxels, seeds, &v.setup, v.mask.to, &v.result)
                                    : solve_from_seeds(session, seeds, &v));
    memcpy(last, v.mask.to, tc_volume_voxels(&session->voxels));
    session->mask = last;
    tc_history_free(&session->history);
done:
    if (last != session->mask) free(last);
    return tc_leave(&v, status);
}

/* Makes `after` the session's mask; a correction made it from `before`. On success the session owns `after`. */
static tilecut_status remember(tilecut_volume_session *session, const uint8_t *before, uint8_t *after)
{
    const tilecut_volume *const v = &session->voxels;
    tc_step step = {0};
    NEED(tc_history_make_room(&session->history));
    NEED(tc_patch_of_masks(before, after, v->width, v->height * v->depth, &step.patch));
    if (!session->mask || memcmp(session->mask, before, tc_volume_voxels(&session->voxels))) {
        for (int i = 0; i < session->history.count; i++) tc_step_free(&session->history.step[i]);
        session->history.count = 0;
    }
    session->history.step[session->history.count++] = step;
    free(session->mask);
    session->mask = after;
    return TILECUT_OK;
}

tilecut_status tilecut_volume_session_correct(tilecut_volume_session *session, const uint8_t *seeds,
                                              const tilecut_params *params, int how, uint8_t *mask,
                                              tilecut_corrected *corrected, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    if (!session || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", session ? "mask" : "session");
    const size_t count = tc_volume_voxels(&session->voxels);
    uint8_t *const before = malloc(count), *after = malloc(count);
    if (!before || !after) TRY(tc_fail(TILECUT_ENOMEM, "no memory for two masks of %zu voxels", count));
    for (size_t p = 0; p < count; p++) before[p] = after[p] = mask[p] ? 255 : 0;
    TRY(tc_volume_correct(&session->voxels, seeds, params, how, after, corrected, report));
    TRY(remember(session, before, after));
    memcpy(mask, after, count);
    after = NULL;
done:
    free(before);
    free(after);
    return status;
}

tilecut_status tilecut_volume_session_undo(tilecut_volume_session *session, uint8_t *mask, int *undone)
{
    if (!session || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", session ? "mask" : "session");
    if (!session->mask) return tc_fail(TILECUT_EINVAL, "there is no mask yet; solve, or correct one");
    tc_history *const history = &session->history;
    const bool any = history->count > 0;
    if (any) {
        tc_step *const step = &history->step[--history->count];
        tc_patch_apply(&step->patch, session->voxels.width, session->mask);
        tc_step_free(step);
    }
    memcpy(mask, session->mask, tc_volume_voxels(&session->voxels));
    if (undone) *undone = any;
    return TILECUT_OK;
}
