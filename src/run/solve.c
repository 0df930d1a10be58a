/* SPDX-License-Identifier: MIT
 *
 * solve.c - a single solve, used by all other code. A backend builds a grid, solves it, labels it, proves the answer
 * and returns the mask.
 */
#include "solve.h"

#include <string.h>

#include "parallel.h"
#include "status.h"

const tc_backend *const tc_backends[] = {&tc_backend_parts, &tc_backend_cuda, &tc_backend_host};

tilecut_status tc_run_solver(const tc_setup *params, int connectivity, int width, int height, const tc_solver **solver)
{
    *solver = params->solver ? tc_solver_find(params->solver) : NULL;
    if (*solver) return tc_solver_check(*solver, connectivity, width, height);
    if (params->solver) return tc_fail(TILECUT_EINVAL, "there is no solver '%s'", params->solver);
    return tc_solver_check_any(connectivity, width, height);
}

tilecut_status tc_run_open(tc_run *run, const tc_setup *params, int connectivity, int width, int height,
                           tc_kept_flow *kept)
{
    memset(run, 0, sizeof *run);
    NEED(tc_run_solver(params, connectivity, width, height, &run->solver));
    run->params = params;
    run->solve_params = (tc_solve_params){.threads = tc_threads_that_pay(params->threads, (int64_t)width * height),
                                 .device = params->device, .cancel = params->cancel};
    run->kept = kept;
    return TILECUT_OK;
}

/* Computes a maximum flow and leaves it in run->kept. If the backend gives up, the flow there is unfinished. */
static tilecut_status push(tc_run *run, tilecut_report *report)
{
    const tc_backend *const *row = tc_backends;
    tc_kept_flow *const kept = run->kept;

    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the last row accepts everything */
    while (!(*row)->takes(run)) row++;
    if (kept->at && kept->at != *row) tc_kept_flow_free(kept); /* the kept flow belongs to another backend */
    kept->at = *row;
    NEED(kept->at->build(run, report));
    return kept->at->solve(run, report);
}

tilecut_status tc_run_cut(tc_run *run, uint8_t *mask, tilecut_report *report)
{
    tc_kept_flow *const kept = run->kept;
    tilecut_status status = TILECUT_OK;

    *report = run->facts;
    if (kept->flow != TC_FLOW_UNFINISHED) TRY(push(run, report));
    if (kept->flow == TC_FLOW_UNFINISHED) {
        run->gave_up = !run->graph; /* without a graph on the host no answer can be proved */
        if (run->gave_up) goto done;
        TRY(kept->at->finish(run, report));
    }
    TRY(kept->at->conclude(run, mask, report));
    report->certified = 1;
    report->energy = (double)report->cut * report->quantum;
    /* the safe assumption; a caller that knows better changes it */
    kept->flow = run->once ? TC_NO_FLOW : TC_FLOW_OF_ANOTHER;
done:
    if (run->own) {
        /* keeps the pixels after a failure, because another solver may try */
        tc_row_cache_end(run->own->rest, status != TILECUT_OK);
        run->own->rest = NULL;
    }
    if (status != TILECUT_OK) tc_kept_flow_free(kept);
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

tilecut_status tc_solve(const tilecut_graph *graph, const tc_setup *params, tc_kept_flow *kept, uint8_t *mask,
                        const tilecut_flow *flow, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_kept_flow own = {0};
    tc_run run;

    TRY(tc_run_open(&run, params, graph->connectivity, graph->width, graph->height * graph->depth,
                    kept ? kept : &own));
    run.solve_params.preflow = flow != NULL;
    run.flow = flow;
    run.again = kept != NULL;
    run.once = !kept;
    tc_run_adopt(&run, graph, NULL);
    TRY(tc_run_cut(&run, mask, report));
done:
    if (kept && status != TILECUT_OK) tc_kept_flow_free(kept);
    tc_kept_flow_free(&own);
    return status;
}

tilecut_status tc_solve_small(const void *cancel, const tilecut_graph *graph, uint8_t *mask)
{
    tilecut_report result = {0};
    tc_setup alone;
    NEED(tc_setup_resolve(&alone, NULL));
    alone.cancel = cancel;
    return tc_solve(graph, &alone, NULL, mask, NULL, &result);
}
