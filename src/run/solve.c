/* SPDX-License-Identifier: MIT
 *
 * solve.c - one solve, for all who want one: a backend fills a grid, solves it, labels it, proves it and hands out the
 * mask.
 */
#include "solve.h"

#include <string.h>

#include "parallel.h"
#include "params.h"
#include "status.h"

const tc_backend *const tc_backends[] = {&tc_backend_cuda, &tc_backend_host};

tilecut_status tc_run_open(tc_run *run, const tilecut_params *params, int connectivity, tc_kept *kept)
{
    const bool choose = !params->solver || strcmp(params->solver, "auto") == 0;
    const tc_solver *const solver = choose ? NULL : tc_solver_find(params->solver);

    memset(run, 0, sizeof *run);
    if (params->threads < 0 || params->threads > TC_MAX_THREADS)
        return tc_fail(TILECUT_EINVAL, "threads is %d; 1 to %d are possible", params->threads, TC_MAX_THREADS);
    if (!choose && !solver) return tc_fail(TILECUT_EINVAL, "there is no solver '%s'", params->solver);
    if (solver && connectivity == 8 && !(solver->can & TC_SOLVES_8))
        return tc_fail(TILECUT_EINVAL, "solver '%s' is for 4 neighbours only", params->solver);
    run->params = params;
    run->solver = solver;
    run->how = (tc_solve_params){.threads = params->threads > 0 ? params->threads : 1, .cancel = params->cancel};
    run->kept = kept;
    return TILECUT_OK;
}

/* Gets a maximum flow into run->kept, or one that its backend has given up. */
static tilecut_status push(tc_run *run, tilecut_report *report)
{
    const tc_backend *const *row = tc_backends;
    tc_kept *const kept = run->kept;
    tilecut_status status = TILECUT_OK;

    while (!(*row)->takes(run)) row++;
    if (kept->at && kept->at != *row) tc_kept_free(kept); /* its flow is elsewhere */
    kept->at = *row;
    TRY((*row)->build(run, report));
    TRY((*row)->solve(run, report));
done:
    return status;
}

tilecut_status tc_run_cut(tc_run *run, uint8_t *mask, tilecut_report *report)
{
    tc_kept *const kept = run->kept;
    tilecut_status status = TILECUT_OK;

    *report = run->facts;
    if (kept->flow != TC_FLOW_UNFINISHED) TRY(push(run, report));
    if (kept->flow == TC_FLOW_UNFINISHED) {
        run->gave_up = !run->graph; /* nothing here to prove an answer against */
        if (run->gave_up) goto done;
        TRY(kept->at->finish(run, report));
    }
    TRY(kept->at->conclude(run, mask, report));
    report->certified = 1;
    report->energy = (double)report->cut * report->quantum;
    kept->flow = TC_FLOW_OF_ANOTHER; /* until somebody knows better */
done:
    if (status != TILECUT_OK) tc_kept_free(kept);
    return status;
}

void tc_report_add_times(tilecut_report *sum, const tilecut_report *more)
{
    sum->model_ms += more->model_ms;
    sum->graph_ms += more->graph_ms;
    sum->copy_ms += more->copy_ms;
    sum->solve_ms += more->solve_ms;
    sum->certify_ms += more->certify_ms;
}

void tc_report_iterated(tilecut_report *report, const tilecut_report *next, double energy)
{
    const tilecut_report before = *report;
    *report = *next;
    memcpy(report->iteration_energy, before.iteration_energy, sizeof before.iteration_energy);
    report->iterations = before.iterations + 1;
    report->iteration_energy[report->iterations] = energy;
    tc_report_add_times(report, &before);
}

tilecut_status tc_solve(const tilecut_graph *graph, const tilecut_params *params, tc_kept *kept, uint8_t *mask,
                        const tilecut_flow *flow, tilecut_report *report)
{
    const tilecut_params defaults = tc_params_default();
    tilecut_status status = TILECUT_OK;
    tilecut_report told;
    tc_kept own = {0};
    tc_run run;

    if (!graph || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", graph ? "mask" : "graph");
    TRY(tc_run_open(&run, params ? params : &defaults, graph->connectivity, kept ? kept : &own));
    run.how.preflow = flow != NULL;
    run.flow = flow;
    run.again = kept != NULL;
    tc_run_adopt(&run, graph, NULL);
    TRY(tc_run_cut(&run, mask, &told));
    if (report) *report = told;
done:
    if (kept && status != TILECUT_OK) tc_kept_free(kept);
    tc_kept_free(&own);
    return status;
}
