/* SPDX-License-Identifier: MIT
 *
 * branches.c - other models that a search tries. Each is a branch of a run, which is cut and iterated. Branches are
 * tried one by one when they are needed, or in advance and at the same time, each by a thread of its own.
 */
#include <stdlib.h>

#include "parallel.h"
#include "search.h"
#include "solve.h"
#include "status.h"

/* Cuts `other`, a branch of `from`, and iterates. After a large move it iterates only if the first cut has less energy
 * than `from`. */
static tilecut_status grow(const tc_run *from, tc_branch what, int most, tc_run *other)
{
    NEED(tc_cut_learnt(other));
    const bool worse = tc_final_energy(&other->report) >= tc_final_energy(&from->report);
    return other->gave_up || (what.kind == TC_OTHER_MOVE && worse) ? TILECUT_OK : tc_iterate_on(other, most);
}

/* A branch that a thread of its own tries. */
typedef struct beside {
    tc_branch what;
    int most;
    tc_run *run; /* NULL: another run has taken it over, or it has not begun */
    bool trunk;  /* true: `run` is the main run itself, not a branch of it   */
    tc_energy *larger; /* neither a branch nor the run: an energy that this thread prepares */
    uint8_t *memory, *masks[TC_RUN_MASKS];
} beside;

/* Branches on a device, if there are more than four, have at most BESIDE_PIXELS pixels together. */
enum { BESIDE = 16, BESIDE_ON_DEVICE = 10, BESIDE_PIXELS = 1 << 22 };
struct tc_ahead {
    tc_run from; /* a copy of the run from which they branch off; it does not change meanwhile */
    tilecut_graph graph;
    int count;
    beside branch[BESIDE];
    tc_kept_flow kept[BESIDE]; /* the flow that each thread keeps */
    tc_failures failures;
};

static tilecut_status fork_beside(const tc_ahead *a, beside *b)
{
    NEED(tc_run_new(&b->run));
    return a->from.learner->fork(&a->from, b->what, b->run);
}

static tilecut_status grow_beside(tc_ahead *a, beside *b, int worker)
{
    /* this branch was made already, for a learner that keeps masks */
    if (b->run) return grow(&a->from, b->what, b->most, b->run);
    NEED(fork_beside(a, b));
    NEED(tc_run_masks(b->run, b->masks, &b->memory));
    b->run->kept = &a->kept[worker];
    return grow(&a->from, b->what, b->most, b->run);
}

static void grow_one(void *context, int i, int worker)
{
    tc_ahead *const a = context;
    beside *const b = &a->branch[i];
    tilecut_status status;
    if (b->larger) status = tc_energy_prepare(b->larger);
    else status = b->trunk ? tc_cut_and_iterate(b->run, b->most) : grow_beside(a, b, worker);
    tc_failures_add(&a->failures, i, status);
}

tc_ahead *tc_ahead_new(void) { return calloc(1, sizeof(tc_ahead)); }

void tc_ahead_forget(tc_ahead *a)
{
    for (int i = 0; i < a->count; i++) {
        if (!a->branch[i].trunk) tc_run_delete(a->branch[i].run);
        free(a->branch[i].memory);
        a->branch[i] = (beside){.run = NULL};
    }
    a->count = 0;
}

void tc_ahead_free(tc_ahead *a)
{
    if (!a) return;
    tc_ahead_forget(a);
    for (int i = 0; i < BESIDE; i++) tc_kept_flow_free(&a->kept[i]);
    free(a);
}

bool tc_tries_branches_at_once(const tc_run *run)
{
    if (run->learner->keeps_masks) return run->params->threads > 1;
    return run->learner == &tc_backend_host && run->params->threads > 1 && run->solve_params.threads == 1 &&
           !run->params->comm && !(run->solver && run->solver->can & TC_ON_CUDA);
}

int tc_most_ahead(const tc_run *run)
{
    const int fit = (int)(BESIDE_PIXELS / run->pixels), on_device = fit < 4 ? 4 : fit;
    if (!run->learner->keeps_masks) return run->params->threads;
    return on_device < BESIDE_ON_DEVICE ? on_device : BESIDE_ON_DEVICE;
}

tilecut_status tc_try_ahead(tc_ahead *a, tc_run *run, tc_branch first, int count, int most, int trunk)
{
    const bool device = run->learner->keeps_masks;
    tc_ahead_forget(a);
    a->failures = (tc_failures)TC_NO_FAILURE;
    a->from = *run;
    if (!device) {
        a->graph = *run->graph;
        a->from.graph = &a->graph;
        a->from.energy = &a->graph.energy;
    }
    if (trunk >= 0) a->branch[a->count++] = (beside){.run = run, .most = trunk, .trunk = true};
    const int branches = count < BESIDE - a->count ? count : BESIDE - a->count;
    for (int i = 0; i < branches; i++)
        a->branch[a->count++] = (beside){.what = {first.kind, first.number + i, branches}, .most = most};
    if (trunk >= 0 && run->larger && a->count < BESIDE) a->branch[a->count++] = (beside){.larger = run->larger};
    /* done at this point, because the main run will change the state from which the branches start */
    for (int i = 0; device && i < a->count; i++)
        if (!a->branch[i].trunk) NEED(fork_beside(a, &a->branch[i]));
    tc_parallel_apart(run->params->threads, a->count, grow_one, a);
    return tc_failures_raise(&a->failures);
}

static beside *find(tc_ahead *a, tc_branch what)
{
    for (int i = 0; i < a->count; i++) {
        beside *const b = &a->branch[i];
        if (b->run && !b->trunk && b->what.kind == what.kind && b->what.number == what.number) return b;
    }
    return NULL;
}

const tc_run *tc_find_ahead(tc_ahead *a, tc_branch what)
{
    const beside *const b = find(a, what);
    return b ? b->run : NULL;
}

tilecut_status tc_take_branch(tc_ahead *a, const tc_run *run, tc_branch what, int most, tc_run **other)
{
    beside *const b = find(a, what);
    if (b) {
        *other = b->run;
        b->run = NULL;
        if (!run->learner->keeps_masks) (*other)->kept = run->kept;
        return TILECUT_OK;
    }
    NEED(tc_run_new(other));
    NEED(run->learner->fork(run, what, *other));
    return grow(run, what, most, *other);
}
