/* SPDX-License-Identifier: MIT
 *
 * tilecut.c - the main path: check, describe the graph, build the grid, solve, prove, hand out the mask.
 */
#include "tilecut.h"

#include <stdlib.h>
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

/* ---- Iterations ------------------------------------------------------------------------------- */

static void add_times(tilecut_report *sum, const tilecut_report *more)
{
    sum->model_ms += more->model_ms;
    sum->graph_ms += more->graph_ms;
    sum->copy_ms += more->copy_ms;
    sum->solve_ms += more->solve_ms;
    sum->certify_ms += more->certify_ms;
}

/* Takes the next cut over, with what was told of the iterations so far. */
static void accept(tilecut_graph *graph, tilecut_graph *next, tilecut_report *told, tilecut_report *report)
{
    const tc_energy before = graph->energy;
    told->iterations = report->iterations + 1;
    memcpy(told->iteration_energy, report->iteration_energy, sizeof told->iteration_energy);
    told->iteration_energy[told->iterations] = told->energy + next->energy.shared;
    add_times(told, report);
    *report = *told;
    graph->energy = next->energy;
    next->energy = before; /* to be freed */
}

/* One iteration: a graph with a model learnt from `mask`, cut into `trial`. Both are taken over if that costs no
 * more than before and changes a pixel; else *more becomes false. */
static tilecut_status iterate(tilecut_graph *graph, const tilecut_params *params, uint8_t *mask, uint8_t *trial,
                              tilecut_report *report, bool *more)
{
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    tilecut_graph next = *graph;
    tilecut_report told;
    tilecut_status status = TILECUT_OK;

    *more = false;
    memset(&next.energy, 0, sizeof next.energy);
    TRY(tc_energy_relearn(&graph->energy, mask, &next.energy));
    TRY(tilecut_graph_solve(&next, params, trial, &told));
    *more = memcmp(mask, trial, pixels) != 0 &&
            told.energy + next.energy.shared <= report->iteration_energy[report->iterations];
    if (*more) {
        memcpy(mask, trial, pixels);
        accept(graph, &next, &told, report);
    } else {
        add_times(report, &told);
    }
done:
    tc_energy_free(&next.energy);
    return status;
}

static int iterations_for(const tilecut_graph *graph, const tilecut_params *params)
{
    enum { OF_A_GUESS = 5 };
    if (!graph->energy.color_bits || !graph->energy.totals || params->iterations < 0) return 0;
    if (params->iterations > 0) return params->iterations;
    return graph->energy.lesson.guessed ? OF_A_GUESS : 0;
}

tilecut_status tilecut_graph_segment(tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                     tilecut_report *report)
{
    const tilecut_params defaults = tilecut_params_default();
    tilecut_status status = TILECUT_OK;
    tilecut_report told;
    uint8_t *cut = NULL;
    bool more = true;

    if (!params) params = &defaults;
    if (!mask) return tc_fail(TILECUT_EINVAL, "mask is NULL");
    if (!graph || !graph->from_image) return tc_fail(TILECUT_EINVAL, "graph is NULL or not from an image");
    const int most = iterations_for(graph, params);
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    if (most == 0) return tilecut_graph_solve(graph, params, mask, report);

    cut = malloc(2 * pixels);
    if (!cut) return tc_fail(TILECUT_ENOMEM, "no memory for masks to iterate on");
    TRY(tilecut_graph_solve(graph, params, cut, &told));
    told.iteration_energy[0] = told.energy + graph->energy.shared;
    while (more && told.iterations < most) TRY(iterate(graph, params, cut, cut + pixels, &told, &more));
    memcpy(mask, cut, pixels);
    if (report) *report = told;
done:
    free(cut);
    return status;
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
    TRY(tilecut_graph_segment(graph, params, mask, report));
done:
    tilecut_graph_destroy(graph);
    return status;
}
