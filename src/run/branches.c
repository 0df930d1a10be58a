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
typedef struct branch_run {
    tc_branch what;
    int most;
    tc_run *run; /* NULL: another run has taken it over, or it has not begun */
    bool trunk;  /* true: `run` is the main run itself, not a branch of it   */
    tc_energy *larger; /* neither a branch nor the run: an energy that this thread prepares */
    uint8_t *memory, *masks[TC_RUN_MASKS];
} branch_run;

/* Branches on a device, if there are more than four, have at most MOST_PIXELS pixels together. */
enum { MOST_BRANCHES = 16, MOST_ON_DEVICE = 10, MOST_PIXELS = 1 << 22 };
struct tc_branches {
    tc_run from; /* a copy of the run from which the branches start; it does not change while they run */
    tilecut_graph graph;
    int count;
    branch_run branch[MOST_BRANCHES];
    tc_kept_flow kept[MOST_BRANCHES]; /* the flow that each thread keeps */
    tc_failures failures;
};

static tilecut_status fork_branch(const tc_branches *a, branch_run *b)
{
    NEED(tc_run_new(&b->run));
    return a->from.learner->fork(&a->from, b->what, b->run);
}

static tilecut_status grow_branch(tc_branches *a, branch_run *b, int worker)
{
    /* for a learner that keeps masks, the run of this branch exists already */
    if (b->run) return grow(&a->from, b->what, b->most, b->run);
    NEED(fork_branch(a, b));
    NEED(tc_run_masks(b->run, b->masks, &b->memory));
    b->run->kept = &a->kept[worker];
    return grow(&a->from, b->what, b->most, b->run);
}

static void grow_one(void *context, int i, int worker)
{
    tc_branches *const a = context;
    branch_run *const b = &a->branch[i];
    tilecut_status status;
    if (b->larger) status = tc_energy_prepare(b->larger);
    else status = b->trunk ? tc_cut_and_iterate(b->run, b->most) : grow_branch(a, b, worker);
    tc_failures_add(&a->failures, i, status);
}

tc_branches *tc_branches_new(void) { return calloc(1, sizeof(tc_branches)); }

void tc_branches_clear(tc_branches *a)
{
    for (int i = 0; i < a->count; i++) {
        if (!a->branch[i].trunk) tc_run_delete(a->branch[i].run);
        free(a->branch[i].memory);
        a->branch[i] = (branch_run){.run = NULL};
    }
    a->count = 0;
}

void tc_branches_free(tc_branches *a)
{
    if (!a) return;
    tc_branches_clear(a);
    for (int i = 0; i < MOST_BRANCHES; i++) tc_kept_flow_free(&a->kept[i]);
    free(a);
}

bool tc_tries_branches_at_once(const tc_run *run)
{
    if (run->learner->keeps_masks) return run->params->threads > 1;
    return run->learner == &tc_backend_host && run->params->threads > 1 && run->solve_params.threads == 1 &&
           !run->params->comm && !(run->solver && run->solver->can & TC_ON_CUDA);
}

int tc_most_branches(const tc_run *run)
{
    const int fit = (int)(MOST_PIXELS / run->pixels), on_device = fit < 4 ? 4 : fit;
    if (!run->learner->keeps_masks) return run->params->threads;
    return on_device < MOST_ON_DEVICE ? on_device : MOST_ON_DEVICE;
}

tilecut_status tc_try_branches(tc_branches *a, tc_run *run, tc_branch first, int count, int most, int trunk)
{
    const bool device = run->learner->keeps_masks;
    tc_branches_clear(a);
    a->failures = (tc_failures)TC_NO_FAILURE;
    a->from = *run;
    if (!device) {
        a->graph = *run->graph;
        a->from.graph = &a->graph;
        a->from.energy = &a->graph.energy;
    }
    if (trunk >= 0) a->branch[a->count++] = (branch_run){.run = run, .most = trunk, .trunk = true};
    const int branches = count < MOST_BRANCHES - a->count ? count : MOST_BRANCHES - a->count;
    for (int i = 0; i < branches; i++)
        a->branch[a->count++] = (branch_run){.what = {first.kind, first.number + i, branches}, .most = most};
    if (trunk >= 0 && run->larger && a->count < MOST_BRANCHES)
        a->branch[a->count++] = (branch_run){.larger = run->larger};
    /* done at this point, because the main run will change the state from which the branches start */
    for (int i = 0; device && i < a->count; i++)
        if (!a->branch[i].trunk) NEED(fork_branch(a, &a->branch[i]));
    tc_parallel_apart(run->params->threads, a->count, grow_one, a);
    return tc_failures_raise(&a->failures);
}

static branch_run *find(tc_branches *a, tc_branch what)
{
    for (int i = 0; i < a->count; i++) {
        branch_run *const b = &a->branch[i];
        if (b->run && !b->trunk && b->what.kind == what.kind && b->what.number == what.number) return b;
    }
    return NULL;
}

const tc_run *tc_find_branch(tc_branches *a, tc_branch what)
{
    const branch_run *const b = find(a, what);
    return b ? b->run : NULL;
}

tilecut_status tc_take_branch(tc_branches *a, const tc_run *run, tc_branch what, int most, tc_run **other)
{
    branch_run *const b = find(a, what);
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
