/* SPDX-License-Identifier: MIT
 *
 * solve.c - one solve, for all who want one: fill the grid, solve it, label it, prove it, hand out the mask.
 */
#include "solve.h"

#include <string.h>

#include "build_grid.h"
#include "cut.h"
#include "flow.h"
#include "parallel.h"
#include "carry_flow.h"
#include "resident.h"
#include "status.h"

tilecut_status tc_solve_check(const tilecut_params *params, int connectivity, const tc_solver **solver)
{
    *solver = NULL;
    if (params->threads < 0 || params->threads > TC_MAX_THREADS)
        return tc_fail(TILECUT_EINVAL, "threads is %d; 1 to %d are possible", params->threads, TC_MAX_THREADS);
    if (!params->solver || strcmp(params->solver, "auto") == 0) return TILECUT_OK;
    *solver = tc_solver_find(params->solver);
    if (!*solver) return tc_fail(TILECUT_EINVAL, "there is no solver '%s'", params->solver);
    if (connectivity == 8 && !((*solver)->can & TC_SOLVES_8))
        return tc_fail(TILECUT_EINVAL, "solver '%s' is for 4 neighbours only", params->solver);
    return TILECUT_OK;
}

/* What of the report is known without solving. */
static void describe(const tilecut_graph *graph, const tilecut_params *params, tilecut_report *report)
{
    memset(report, 0, sizeof *report);
    report->connectivity = graph->connectivity;
    report->threads = params->threads > 0 ? params->threads : 1;
    report->quantum = 1;
    report->colors = "none";
    if (!graph->from_image) return;
    report->quantum = graph->energy.quantum;
    report->lambda = graph->energy.lambda;
    report->beta = graph->energy.beta;
    report->colors = graph->energy.model->name;
    report->model_ms = graph->energy.model_ms;
}

/* Puts `graph` into the grid that was kept, with the flow it holds if that is one of this graph. `solver`: that will be
 * asked; or NULL. */
static tilecut_status load(tc_kept *kept, const tilecut_graph *graph, const tc_solver *solver, int threads, bool *warm)
{
    tilecut_status status = TILECUT_OK;
    tc_grid *grid = &kept->grid;

    *warm = kept->flow == TC_FLOW_OF_THIS_GRAPH;
    if (kept->flow != TC_NO_FLOW) tc_grid_clear(grid);
    if (kept->flow == TC_FLOW_OF_ANOTHER) TRY(tc_grid_renew(grid, graph, threads, warm));
    if (*warm) goto done;
    if (kept->flow == TC_NO_FLOW) TRY(tc_grid_init(grid, graph->width, graph->height, graph->connectivity));
    grid->by_rows = graph->connectivity == 4 && tc_solver_wants_rows(solver);
    TRY(tc_grid_build(grid, graph, threads));
done:
    return status;
}

void tc_describe_solve(const tilecut_graph *graph, const tc_grid *grid, const tc_solver *solver,
                       const tc_solve_stats *stats, tilecut_report *report)
{
    report->solve_ms = stats->device_ms > 0 ? stats->device_ms : report->solve_ms - stats->copy_ms;
    report->copy_ms += stats->copy_ms;
    report->decisions = stats->decisions;
    memcpy(report->decision, stats->decision, sizeof report->decision);
    report->bytes_per_pixel = (double)(tc_grid_bytes(grid) + stats->bytes) / graph->width / graph->height;
    report->solver = solver->name;
    report->device = solver->can & TC_ON_CUDA ? "cuda" : "cpu";
}

tilecut_status tc_conclude(const tilecut_graph *graph, tc_grid *grid, const tc_solve_params *how, uint8_t *mask,
                           const tilecut_flow *flow, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_labels labels = {0};
    double clock = tc_now_ms();

    TRY(tc_cut(grid, how->threads, &labels));
    TRY(tc_certify(grid, graph, &labels, how->threads, &report->flow, &report->cut));
    report->certify_ms = tc_lap_ms(&clock);
    if (flow) TRY(tc_flow_read(grid, graph, how, flow));
    clock = tc_now_ms();
    report->foreground = tc_labels_mask(grid, &labels, mask); /* after all went well */
    report->certify_ms += tc_lap_ms(&clock);
done:
    tc_labels_free(&labels);
    return status;
}

static tilecut_status solve_here(const tilecut_graph *graph, const tc_solver *solver, const tc_solve_params *how,
                                 tc_kept *kept, uint8_t *mask, const tilecut_flow *flow, tilecut_report *report)
{
    const bool few = kept->flow == TC_FLOW_OF_THIS_GRAPH;
    tilecut_status status = TILECUT_OK;
    tc_solve_stats stats = {0};
    double clock = tc_now_ms();
    bool warm = false;

    if (kept->resident) tc_kept_free(kept); /* its flow is elsewhere */
    TRY(load(kept, graph, solver, how->threads, &warm));
    report->warm = warm;
    report->graph_ms = tc_lap_ms(&clock);
    if (!solver && warm) solver = tc_solver_again(&kept->grid, few);
    /* Where few terminals are others, what is stuck says nothing of how far the rest has to go. */
    TRY(few ? tc_solver_solve(solver, &kept->grid, how, &stats) : tc_solver_run(&solver, &kept->grid, how, &stats));
    report->solve_ms = tc_lap_ms(&clock);
    tc_describe_solve(graph, &kept->grid, solver, &stats, report);
    TRY(tc_conclude(graph, &kept->grid, how, mask, flow, report));
done:
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
    const tilecut_params defaults = tilecut_params_default();
    tilecut_status status = TILECUT_OK;
    const tc_solver *solver = NULL;
    tc_solve_params how = {0};
    tilecut_report result;
    tc_kept own = {0};

    if (!params) params = &defaults;
    if (!graph || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", graph ? "mask" : "graph");
    TRY(tc_solve_check(params, graph->connectivity, &solver));
    describe(graph, params, &result);
    how = (tc_solve_params){.threads = result.threads, .cancel = params->cancel, .preflow = flow != NULL};
    const bool image = graph->from_image && graph->connectivity == 4 && !flow;
    if (image && solver && solver->can & TC_ARBITRATED && !kept)
        TRY(tc_resident_hybrid(graph, solver, &how, mask, &result));
    else if (image && solver && solver->can & TC_RESIDENT)
        TRY(tc_resident_solve(graph, solver, &how, kept ? kept : &own, mask, &result));
    else
        TRY(solve_here(graph, solver, &how, kept ? kept : &own, mask, flow, &result));
    result.certified = 1;
    result.energy = (double)result.cut * result.quantum;
    if (report) *report = result;
    if (kept) kept->flow = TC_FLOW_OF_ANOTHER; /* until somebody knows better */
done:
    if (kept && status != TILECUT_OK) tc_kept_free(kept);
    tc_kept_free(&own);
    return status;
}

void tc_kept_free(tc_kept *kept)
{
    tc_grid_free(&kept->grid);
    tc_cuda_graph_destroy(kept->resident);
    kept->resident = NULL;
    kept->flow = TC_NO_FLOW;
}
