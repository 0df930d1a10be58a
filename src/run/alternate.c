/* SPDX-License-Identifier: MIT
 *
 * alternate.c - the alternation of GrabCut (Rother, Kolmogorov & Blake 2004). The colour model is learnt from the last
 * cut, the new model changes the terminal links, and the graph is cut again, starting from its present flow. The code
 * serves all backends, through their table of functions.
 */
#include <stdlib.h>
#include <string.h>

#include "large.h"
#include "search.h"
#include "solve.h"
#include "status.h"

/* Finds whether the last cut differs from masks[0]; for an image in parts, whether it does in any part. */
static tilecut_status find_changed(const tc_run *run, bool *changed)
{
    *changed = run->masks[0] ? memcmp(run->masks[0], run->masks[1], run->pixels) != 0 : run->changed;
    return tc_comm_any(run->params->comm, changed);
}

tilecut_status tc_run_cut_into(tc_run *run, uint8_t *mask, tilecut_report *result)
{
    NEED(tc_run_cut(run, mask, result));
    if (run->gave_up || !tc_run_drops_islands(run)) return TILECUT_OK;
    const int64_t all = result->foreground;
    NEED(run->learner->drop_islands(run, mask, result));
    result->islands = all - result->foreground;
    return TILECUT_OK;
}

/* One iteration: learns from masks[0] and cuts into masks[1]. Both the model and the mask are kept if the mask has
 * changed and, without strokes, if the energy has not risen; otherwise *more becomes false. With strokes the energy may
 * rise, because the strokes' colours have a fixed share of the model, whatever the mask is. */
static tilecut_status iterate(tc_run *run, bool *more)
{
    tilecut_status status = TILECUT_OK;
    tilecut_report next;
    bool changed = false;

    *more = false;
    TRY(run->learner->relearn(run));
    TRY(tc_run_cut_into(run, run->masks[1], &next));
    const double energy = next.energy + run->shared;
    if (!run->gave_up) TRY(find_changed(run, &changed));
    *more = changed && (run->painted || energy <= tc_final_energy(&run->report));
    if (*more) {
        run->learner->keep(run);
        tc_report_iterated(&run->report, &next, energy);
    } else {
        tc_report_add_times(&run->report, &next);
    }
done:
    if (!*more) run->learner->drop(run);
    return status;
}

tilecut_status tc_iterate_on(tc_run *run, int most)
{
    bool more = true;
    while (more && run->report.iterations < most) NEED(iterate(run, &more));
    return TILECUT_OK;
}

tilecut_status tc_cut_learnt(tc_run *run)
{
    NEED(tc_run_cut_into(run, run->masks[1], &run->report));
    if (run->gave_up) return TILECUT_OK;
    run->report.iteration_energy[0] = run->report.energy + run->shared;
    run->learner->keep(run);
    return TILECUT_OK;
}

tilecut_status tc_cut_and_iterate(tc_run *run, int most)
{
    NEED(tc_cut_learnt(run));
    if (!run->gave_up) NEED(tc_iterate_on(run, most));
    return TILECUT_OK;
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

/* The run is not on the stack, because a call may use only 64 KB of stack. */
tilecut_status tc_run_new(tc_run **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? TILECUT_OK : tc_fail(TILECUT_ENOMEM, "no memory for another model to try");
}

void tc_run_delete(tc_run *run)
{
    if (run) tc_run_close(run);
    free(run);
}

tilecut_status tc_run_masks(tc_run *run, uint8_t *masks[TC_RUN_MASKS], uint8_t **memory)
{
    run->masks = masks;
    run->again = true;
    for (size_t i = 0; i < TC_RUN_MASKS; i++) masks[i] = NULL;
    if (run->learner->keeps_masks) return TILECUT_OK;
    *memory = tc_large_alloc(TC_RUN_MASKS * run->pixels);
    if (!*memory) return tc_fail(TILECUT_ENOMEM, "no memory for masks to iterate on");
    for (size_t i = 0; i < TC_RUN_MASKS; i++) masks[i] = *memory + i * run->pixels;
    return TILECUT_OK;
}
