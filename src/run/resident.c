/* SPDX-License-Identifier: MIT
 *
 * resident.c - see resident.h: a graph that is there already. What the device gives up is finished here.
 */
#include "resident.h"

#include <stdlib.h>
#include <string.h>

#include "build_grid.h"
#include "parallel.h"
#include "hybrid.h"
#include "status.h"

tilecut_status tc_resident_finish(const tilecut_graph *graph, const tc_solve_params *how, tc_kept *kept, uint8_t *mask,
                                  tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_solve_stats stats = {0};
    double clock = tc_now_ms();

    TRY(tc_grid_init(&kept->grid, graph->width, graph->height, graph->connectivity));
    TRY(tc_cuda_graph_fetch(kept->resident, &kept->grid));
    report->copy_ms += tc_lap_ms(&clock);
    TRY(tc_solver_solve(tc_solver_find("push"), &kept->grid, how, &stats));
    report->solve_ms += tc_lap_ms(&clock);
    tc_cuda_graph_destroy(kept->resident);
    kept->resident = NULL;
    TRY(tc_conclude(graph, &kept->grid, how, mask, NULL, report));
done:
    return status;
}

tilecut_status tc_resident_answer(const tc_cuda_answer *answer, double pixels, tilecut_report *report)
{
    report->device = "cuda";
    report->solve_ms = answer->solve_ms;
    report->certify_ms = answer->certify_ms;
    report->copy_ms += answer->copy_ms;
    report->bytes_per_pixel = (double)answer->bytes / pixels;
    if (answer->unfinished) return TILECUT_OK;
    if (answer->violations)
        return tc_fail(TILECUT_EUNPROVEN, "the flow is not feasible at %lld places", (long long)answer->violations);
    if (answer->flow != answer->cut)
        return tc_fail(TILECUT_EUNPROVEN, "the flow is %lld but the cut costs %lld", (long long)answer->flow,
                       (long long)answer->cut);
    report->flow = answer->flow;
    report->cut = answer->cut;
    report->foreground = answer->foreground;
    return TILECUT_OK;
}

tilecut_status tc_resident_solve(const tilecut_graph *graph, const tc_solver *solver, const tc_solve_params *how,
                                 tc_kept *kept, uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_cuda_origin origin;
    tc_cuda_answer answer;

    report->solver = solver->name;
    report->warm = kept->resident && kept->solver == solver && kept->flow == TC_FLOW_OF_THIS_GRAPH;
    if (!report->warm) {
        tc_kept_free(kept);
        TRY(tc_cuda_graph_create(&kept->resident, &graph->energy, solver->name, &origin));
        kept->solver = solver;
        report->copy_ms = origin.copy_ms;
        report->graph_ms = origin.build_ms;
    }
    TRY(tc_cuda_graph_solve(kept->resident, how, mask, &answer));
    TRY(tc_resident_answer(&answer, (double)graph->width * graph->height, report));
    if (answer.unfinished) TRY(tc_resident_finish(graph, how, kept, mask, report));
done:
    return status;
}

/* tc_survey_grid() of a graph that is in no grid yet. */
static tilecut_status survey(const tilecut_graph *graph, tc_survey *out)
{
    const size_t width = (size_t)graph->width;
    int32_t *const memory = malloc((3 + TILECUT_LINKS) * width * sizeof *memory);
    tilecut_row row;
    int first, step;

    *out = (tc_survey){0};
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory for a row of %d pixels", graph->width);
    row.source = memory, row.sink = memory + width;
    for (int k = 0; k < TILECUT_LINKS; k++) {
        row.to[k] = memory + (size_t)(2 + k) * width;
        row.from[k] = memory + 6 * width; /* not looked at */
    }
    tc_survey_rows(graph->width, graph->height, &first, &step);
    for (int y = first; y < graph->height; y += step) {
        tilecut_graph_row(graph, y, &row);
        for (int x = 0; x + 1 < graph->width; x++)
            tc_survey_pixel(out, (row.source[x] > row.sink[x]) - (row.source[x] < row.sink[x]),
                            row.to[TILECUT_RIGHT][x] != 0, row.to[TILECUT_DOWN][x] != 0);
    }
    free(memory);
    return TILECUT_OK;
}

/* tc_hybrid_go_on() for a graph that the device makes by itself, in *build_ms. *there: where it came to its end, owned by
 * the caller; NULL: in `grid`. */
static tilecut_status go_on_there(const tilecut_graph *graph, const tc_costs *costs, tc_grid *grid,
                                  const tc_solve_params *how, tc_solve_stats *stats, double *build_ms,
                                  tc_cuda_graph **there)
{
    tilecut_status status = TILECUT_OK;
    tc_cuda_hybrid_told told;
    bool kept = false;
    void *self = NULL;

    TRY(tc_cuda_hybrid_graph_open(&graph->energy, &self));
    TRY(tc_hybrid_go_on(&tc_cuda_hybrid_graph, self, costs, grid, how, stats, &kept));
done:
    told = tc_cuda_hybrid_graph_close(self, kept ? there : NULL);
    *build_ms = told.build_ms;
    stats->copy_ms -= told.build_ms;
    stats->bytes += told.bytes;
    return status;
}

tilecut_status tc_resident_hybrid(const tilecut_graph *graph, const tc_solver *solver, const tc_solve_params *how,
                                  uint8_t *mask, tilecut_report *report)
{
    tc_costs costs = tc_costs_default();
    tilecut_status status = TILECUT_OK;
    tc_cuda_graph *there = NULL;
    tc_cuda_answer answer = {0};
    tc_solve_stats stats = {0};
    const tc_solver *best = NULL;
    tc_survey seen;
    tc_grid grid = {0};
    double clock = tc_now_ms();

    TRY(tc_cuda_device(NULL, 0));
    const double waking = stats.copy_ms = tc_lap_ms(&clock);
    TRY(tc_grid_init(&grid, graph->width, graph->height, graph->connectivity));
    TRY(survey(graph, &seen));
    costs.tiny = costs.local = 8500; /* no grid has to travel: waking a few hundred blocks counts */
    const int64_t pixels = (int64_t)graph->width * graph->height;
    const bool here = tc_hybrid_starts_on_cpu(&costs, &seen, pixels, tc_grid_bytes(&grid), &stats);
    if (here) {
        grid.by_rows = tc_solver_wants_rows(NULL);
        TRY(tc_grid_build(&grid, graph, how->threads));
        report->graph_ms = tc_lap_ms(&clock);
        TRY(tc_solver_run(&best, &grid, how, &stats));
    } else {
        TRY(go_on_there(graph, &costs, &grid, how, &stats, &report->graph_ms, &there));
    }
    /* With all copying, which goes next. */
    report->solve_ms = tc_lap_ms(&clock) + waking - (here ? 0 : report->graph_ms);
    tc_describe_solve(graph, &grid, solver, &stats, report);
    if (there) {
        TRY(tc_cuda_graph_answer(there, mask, &answer));
        answer.solve_ms = report->solve_ms;
        answer.bytes = stats.bytes;
        TRY(tc_resident_answer(&answer, (double)pixels, report));
    } else {
        TRY(tc_conclude(graph, &grid, how, mask, NULL, report));
    }
done:
    tc_cuda_graph_destroy(there);
    tc_grid_free(&grid);
    return status;
}
