/* SPDX-License-Identifier: MIT
 *
 * volume_session.c - one volume, seeds that change. The grid and its maximum flow are kept from one solve to the next.
 * Links do not depend on seeds, so as a rule only terminals differ. The flow over links stays valid; where a terminal
 * has changed, the pixel has other excess, which the solver moves on (tc_carry_flow()).
 */
#include <stdlib.h>
#include <string.h>

#include "door.h"
#include "solve.h"
#include "status.h"
#include "volume.h"

struct tilecut_volume_session {
    tilecut_volume voxels;
    tc_block window; /* that was cut last */
    tc_kept kept;    /* with the flow of that */
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
    tc_kept_free(&session->kept);
    free(session);
}

tilecut_status tilecut_volume_session_solve(tilecut_volume_session *session, const uint8_t *seeds,
                                            const tilecut_params *params, uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {.volume = true};
    const tc_solver *solver;
    tc_volume next = {0};

    if (!session) return tc_fail(TILECUT_EINVAL, "session is NULL");
    const tilecut_volume *const voxels = &session->voxels;
    TRY(tc_volume_check_voxels(voxels));
    TRY(tc_enter(&v, params, voxels->width, voxels->height * voxels->depth, mask, true, report));
    if (v.setup.connectivity == 26)
        TRY(tc_fail(TILECUT_EINVAL, "connectivity is 26; sessions have 6 neighbours"));
    TRY(tc_run_solver(&v.setup, 6, voxels->width, voxels->height, &solver));
    TRY(tc_volume_fix_range(&session->voxels, NULL, v.setup.threads)); /* once: then it is given */
    TRY(tc_volume_open_window(&next, voxels, seeds, &v.setup));
    if (memcmp(&next.window, &session->window, sizeof next.window)) tc_kept_free(&session->kept);
    session->window = next.window;
    TRY(tc_volume_cut(&next, &session->kept, v.mask.pixel, &v.result));
done:
    tc_volume_close(&next);
    return tc_leave(&v, status);
}

tilecut_status tilecut_volume_session_correct(tilecut_volume_session *session, const uint8_t *seeds,
                                              const tilecut_params *params, int how, uint8_t *mask,
                                              tilecut_corrected *corrected, tilecut_report *report)
{
    if (!session) return tc_fail(TILECUT_EINVAL, "session is NULL");
    return tc_volume_correct(&session->voxels, seeds, params, how, mask, corrected, report);
}
