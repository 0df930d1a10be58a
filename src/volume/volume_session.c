/* SPDX-License-Identifier: MIT
 *
 * volume_session.c - one volume, seeds that change. The grid and its maximum flow are kept from one solve to the next.
 * Links do not depend on seeds, so as a rule only terminals differ. The flow over links stays valid; where a terminal
 * has changed, the pixel has other excess, which the solver moves on (Kohli & Torr, "Dynamic Graph Cuts for Efficient
 * Inference in Markov Random Fields", PAMI 2007).
 */
#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "sized.h"
#include "status.h"
#include "volume.h"

struct tilecut_volume_session {
    tilecut_volume voxels;
    tc_volume solved; /* capacities of the grid; without memory: there is none */
    tc_grid grid;     /* with a maximum flow of them                           */
};

tilecut_status tilecut_volume_session_create(tilecut_volume_session **session, const tilecut_volume *volume)
{
    tilecut_status status = TILECUT_OK;
    tilecut_volume_session *s = NULL;

    if (!session) return tc_fail(TILECUT_EINVAL, "session is NULL");
    *session = NULL;
    if (!volume) return tc_fail(TILECUT_EINVAL, "volume is NULL");
    s = calloc(1, sizeof *s);
    if (!s) return tc_fail(TILECUT_ENOMEM, "no memory for a session");
    TRY(tc_sized_read(&s->voxels, sizeof s->voxels, sizeof s->voxels, volume, "tilecut_volume"));
    *session = s;
    return TILECUT_OK;
done:
    free(s);
    return status;
}

/* Forgets the flow. */
static void forget(tilecut_volume_session *s)
{
    tc_grid_free(&s->grid);
    tc_volume_free(&s->solved);
}

void tilecut_volume_session_destroy(tilecut_volume_session *session)
{
    if (!session) return;
    forget(session);
    free(session);
}

static bool same_links(const tilecut_volume_arrays *one, const tilecut_volume_arrays *other)
{
    const size_t bytes = tc_volume_voxels(one) * sizeof **one->to;
    for (int k = 0; k < TILECUT_VOLUME_LINKS; k++)
        if (memcmp(one->to[k], other->to[k], bytes) != 0 || memcmp(one->from[k], other->from[k], bytes) != 0)
            return false;
    return true;
}

/* Adds to all excesses what terminals have changed by. Returns how many have. Bounds hold: an excess is its terminal
 * plus flow over links, and tc_volume_check() has bounded their sum. */
static int64_t change_terminals(tc_grid *grid, const tilecut_volume_arrays *before, const tilecut_volume_arrays *after)
{
    int64_t changed = 0;
    size_t i = 0;
    for (int z = 0; z < after->depth; z++)
        for (int y = 0; y < after->height; y++)
            for (int x = 0; x < after->width; x++, i++) {
                const int32_t more = after->source[i] - after->sink[i] - (before->source[i] - before->sink[i]);
                if (more == 0) continue;
                grid->excess[tc_volume_at(grid, x, y, z)] += (float)more;
                changed++;
            }
    return changed;
}

/* Makes the grid that of `next`, which it takes over. *few: it holds a maximum flow but for a few terminals. */
static tilecut_status prepare(tilecut_volume_session *s, tc_volume *next, int threads, bool *few,
                              tilecut_report *report)
{
    const tilecut_volume_arrays *const a = &next->arrays;
    double clock = tc_now_ms();

    *few = false;
    report->warm = s->solved.memory && same_links(&s->solved.arrays, a);
    if (report->warm) {
        tc_grid_clear(&s->grid);
        *few = 4 * change_terminals(&s->grid, &s->solved.arrays, a) < (int64_t)tc_volume_voxels(a);
        tc_volume_free(&s->solved);
    } else {
        forget(s);
        NEED(tc_grid_init_volume(&s->grid, a->width, a->height, a->depth, 6));
        tc_volume_build(&s->grid, a, threads);
    }
    s->solved = *next;
    *next = (tc_volume){0};
    report->graph_ms = tc_lap_ms(&clock);
    return TILECUT_OK;
}

tilecut_status tilecut_volume_session_solve(tilecut_volume_session *session, const uint8_t *seeds,
                                            const tilecut_params *params, uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    const tc_solver *solver;
    tilecut_report told = {0};
    tc_volume next = {0};
    bool few, began = false;
    tc_thread_pool *pool = NULL;
    tc_setup setup;
    int links;

    if (!session || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", session ? "mask" : "session");
    TRY(tc_sized_check(report, "tilecut_report"));
    TRY(tc_volume_setup(params, &setup, &links));
    if (links != 3) return tc_fail(TILECUT_EINVAL, "connectivity is 26; sessions have 6 neighbours");
    TRY(tc_volume_solver(setup.solver, links, session->voxels.width, session->voxels.height, &solver));
    const double start = tc_now_ms();
    pool = tc_thread_pool_open(setup.threads);
    TRY(tc_volume_from_voxels(&next, &session->voxels, seeds, links, &setup));
    told.model_ms = tc_now_ms() - start;
    TRY(tc_volume_check(&next.arrays, setup.threads));
    began = true;
    TRY(prepare(session, &next, setup.threads, &few, &told));
    if (told.warm && !solver) solver = tc_solver_again(&session->grid, few);
    TRY(tc_volume_solve_in(&session->grid, &session->solved, &setup, solver, few && solver, mask, &told));
    TC_WRITE(report, &told, report);
done:
    tc_thread_pool_close(pool);
    if (status != TILECUT_OK && began) forget(session);
    tc_volume_free(&next);
    return status;
}
