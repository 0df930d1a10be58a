/* SPDX-License-Identifier: MIT
 *
 * iterate.c - GrabCut's alternation (Rother, Kolmogorov & Blake 2004): a cut teaches the colour model, the model makes
 * other terminals, and those are cut again, from the flow that is there.
 */
#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "solve.h"
#include "status.h"

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
static tilecut_status iterate(tilecut_graph *graph, const tilecut_params *params, tc_kept *kept, uint8_t *mask,
                              uint8_t *trial, tilecut_report *report, bool *more)
{
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    tilecut_graph next = *graph;
    tilecut_report told;
    tilecut_status status = TILECUT_OK;

    *more = false;
    memset(&next.energy, 0, sizeof next.energy);
    TRY(tc_energy_relearn(&graph->energy, mask, &next.energy));
    TRY(tc_solve(&next, params, kept, trial, NULL, &told));
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
    tc_kept kept = {0};
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
    TRY(tc_solve(graph, params, &kept, cut, NULL, &told));
    told.iteration_energy[0] = told.energy + graph->energy.shared;
    while (more && told.iterations < most) TRY(iterate(graph, params, &kept, cut, cut + pixels, &told, &more));
    memcpy(mask, cut, pixels);
    if (report) *report = told;
done:
    tc_kept_free(&kept);
    free(cut);
    return status;
}

