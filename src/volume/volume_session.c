/* SPDX-License-Identifier: MIT
 *
 * volume_session.c - one volume, seeds that change. The grid and its maximum flow are kept from one solve to the next.
 * Links do not depend on seeds, so as a rule only terminals differ. The flow over links stays valid; where a terminal
 * has changed, the pixel has other excess, which the solver moves on (tc_carry_flow()).
 */
#include <stdlib.h>

#include "correction.h"
#include "door.h"
#include "segment.h"
#include "solve.h"
#include "status.h"
#include "volume.h"

struct tilecut_volume_session {
    tilecut_volume voxels;
    tc_kept kept; /* with the flow of the last solve */
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

tilecut_status tc_volume_cut(const tc_volume *volume, struct tc_kept *kept, uint8_t *mask, tilecut_report *report)
{
    NEED(tc_graph_segment_again(volume->graph, &volume->setup, kept, mask, report));
    report->low = volume->low, report->high = volume->high;
    return TILECUT_OK;
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
    TRY(tc_volume_open(&next, voxels, seeds, &v.setup));
    TRY(tc_volume_cut(&next, &session->kept, v.mask.pixel, &v.result));
done:
    tc_volume_close(&next);
    return tc_leave(&v, status);
}

/* ---- Corrections ------------------------------------------------------------------------------ */

tilecut_status tilecut_volume_correct(const tilecut_volume *volume, const uint8_t *seeds, const tilecut_params *params,
                                      int how, uint8_t *mask, tilecut_corrected *corrected, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {.volume = true};
    tilecut_corrected out = {0};
    const tc_solver *solver;
    tilecut_volume voxels;
    tilecut_image image;
    tc_volume grey = {0};

    TRY(tc_sized_check(corrected, "tilecut_corrected"));
    TRY(tc_volume_read(&voxels, volume));
    TRY(tc_enter(&v, params, voxels.width, voxels.height * voxels.depth, mask, true, report));
    if (how != TILECUT_BY_STROKES && how != TILECUT_BY_LEARNING)
        TRY(tc_fail(TILECUT_EINVAL, "how is %d; 0 and 1 are possible", how));
    if (!seeds) TRY(tc_fail(TILECUT_EINVAL, "seeds is NULL"));
    TRY(tc_run_solver(&v.setup, v.setup.connectivity, voxels.width, voxels.height, &solver));
    if (solver && solver->can & TC_ON_CUDA) v.setup.solver = NULL; /* what changes is small; the host gives the same */
    TRY(tc_volume_grey(&grey, &voxels, &v.setup, &image));
    TRY(tc_volume_choose(&v.setup, &image, seeds));
    TRY(tc_correct_mask(&(tc_correction_task){&image, seeds, how, mask}, &v.setup, v.mask.pixel, &out, &v.result));
    TC_WRITE(corrected, &out, corrected);
done:
    tc_volume_close(&grey);
    return tc_leave(&v, status);
}
