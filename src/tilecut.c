/* SPDX-License-Identifier: MIT
 *
 * tilecut.c - the main path: check, describe the graph, build the grid, solve, prove, hand out the mask.
 */
#include "tilecut.h"

#include <string.h>

#include "cut.h"
#include "flow.h"
#include "graph.h"
#include "grid.h"
#include "parallel.h"
#include "solver.h"
#include "status.h"
#include "tc_cuda.h"

#define STRING(x) #x
#define DOTTED(a, b, c) STRING(a) "." STRING(b) "." STRING(c)

const char *tilecut_version(void)
{
    return DOTTED(TILECUT_VERSION_MAJOR, TILECUT_VERSION_MINOR, TILECUT_VERSION_PATCH);
}

tilecut_status tilecut_cuda_device(char *name, size_t size)
{
    return tc_cuda_device(name, size);
}

int tilecut_cuda_built(void)
{
    return tc_cuda_built;
}

tilecut_params tilecut_params_default(void)
{
    return (tilecut_params){.lambda = 50, .spatial = 2};
}

/* The row that params name, NULL for "auto"; EINVAL when there is none or it cannot take the graph. */
static tilecut_status resolve_solver(const tilecut_params *params, int connectivity, const tc_solver **solver)
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

static double lap(double *since)
{
    const double now = tc_now_ms(), passed = now - *since;
    *since = now;
    return passed;
}

/* `flow` may be NULL. */
static tilecut_status solve_graph(const tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                  const tilecut_flow *flow, tilecut_report *report)
{
    const tilecut_params defaults = tilecut_params_default();
    tilecut_status status = TILECUT_OK;
    const tc_solver *solver = NULL;
    tc_solve_params how = {0};
    tc_solve_stats stats = {0};
    tilecut_report result;
    tc_labels labels = {0};
    tc_grid grid = {0};
    double clock;

    if (!params) params = &defaults;
    if (!graph || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", graph ? "mask" : "graph");
    TRY(resolve_solver(params, graph->connectivity, &solver));
    describe(graph, params, &result);
    how = (tc_solve_params){.threads = result.threads, .cancel = params->cancel};

    clock = tc_now_ms();
    TRY(tc_grid_init(&grid, graph->width, graph->height, graph->connectivity));
    TRY(tc_grid_build(&grid, graph, how.threads));
    result.graph_ms = lap(&clock);
    if (!solver) solver = tc_solver_auto(&grid, how.threads);
    TRY(solver->solve(&grid, &how, &stats));
    result.solve_ms = lap(&clock) - stats.copy_ms;
    TRY(tc_cut(&grid, how.threads, &labels));
    TRY(tc_certify(&grid, graph, &labels, how.threads, &result.flow, &result.cut));
    result.foreground = tc_labels_mask(&grid, &labels, mask); /* outputs only after all went well */
    result.certify_ms = lap(&clock);

    result.certified = 1;
    result.energy = (double)result.cut * result.quantum;
    result.solver = solver->name;
    result.device = solver->can & TC_ON_CUDA ? "cuda" : "cpu";
    result.copy_ms = stats.copy_ms;
    result.decisions = stats.decisions;
    memcpy(result.decision, stats.decision, sizeof result.decision);
    result.bytes_per_pixel = (double)(tc_grid_bytes(&grid) + stats.bytes) / graph->width / graph->height;
    if (flow) TRY(tc_flow_read(&grid, graph, &how, flow));
    if (report) *report = result;
done:
    tc_labels_free(&labels);
    tc_grid_free(&grid);
    return status;
}

tilecut_status tilecut_graph_solve(const tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                   tilecut_report *report)
{
    return solve_graph(graph, params, mask, NULL, report);
}

tilecut_status tilecut_graph_flow(const tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                  const tilecut_flow *flow, tilecut_report *report)
{
    if (!flow || !flow->source || !flow->sink || !flow->to[TILECUT_RIGHT] || !flow->to[TILECUT_DOWN])
        return tc_fail(TILECUT_EINVAL, "flow is NULL, or an array of it is");
    if (graph && graph->connectivity == 8 && (!flow->to[TILECUT_DOWN_RIGHT] || !flow->to[TILECUT_DOWN_LEFT]))
        return tc_fail(TILECUT_EINVAL, "the flow of a graph with 8 neighbours needs arrays for diagonals");
    return solve_graph(graph, params, mask, flow, report);
}

tilecut_status tilecut_segment(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                               uint8_t *mask, tilecut_report *report)
{
    const tilecut_params defaults = tilecut_params_default();
    tilecut_status status = TILECUT_OK;
    tilecut_graph *graph = NULL;
    const tc_solver *solver = NULL;

    if (!params) params = &defaults;
    TRY(resolve_solver(params, params->connectivity, &solver)); /* before any work is done */
    TRY(tilecut_graph_from_image(&graph, image, seeds, params));
    TRY(tilecut_graph_solve(graph, params, mask, report));
done:
    tilecut_graph_destroy(graph);
    return status;
}
