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

/* How many iterations at most, and how many starts are tried: a first guess at the foreground is often half wrong, and
 * then it takes luck to end in the better of two minima (docs/quality.md). */
static int iterations_for(const tilecut_graph *graph, const tilecut_params *params, int *starts)
{
    enum { OF_A_GUESS = 5 };
    *starts = graph->energy.lesson.guessed ? graph->energy.model->starts : 1;
    if (!graph->energy.color_bits || !graph->energy.totals || params->iterations < 0) return 0;
    if (params->iterations > 0) return params->iterations;
    return graph->energy.lesson.guessed ? OF_A_GUESS : 0;
}

/* Cuts `graph` and iterates, `most` times in all. `masks`: memory for two, of which the first is the answer. */
static tilecut_status begin(tilecut_graph *graph, const tilecut_params *params, int most, tc_kept *kept, uint8_t *masks,
                            tilecut_report *told)
{
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    tilecut_status status = TILECUT_OK;
    bool more = true;
    TRY(tc_solve(graph, params, kept, masks, NULL, told));
    told->iteration_energy[0] = told->energy + graph->energy.shared;
    while (more && told->iterations < most) TRY(iterate(graph, params, kept, masks, masks + pixels, told, &more));
done:
    return status;
}

static void swap_energies(tc_energy *a, tc_energy *b)
{
    const tc_energy before = *a;
    *a = *b;
    *b = before;
}

/* One more start; `graph`, `told` and the first of three masks are its own if it comes to less. */
static tilecut_status try_start(tilecut_graph *graph, const tilecut_params *params, int start, int most, tc_kept *kept,
                                uint8_t *masks, tilecut_report *told)
{
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    tilecut_graph other = *graph;
    tilecut_report now;
    tilecut_status status = TILECUT_OK;

    TRY(tc_energy_restart(&graph->energy, start, &other.energy));
    TRY(begin(&other, params, most, kept, masks + pixels, &now));
    if (now.iteration_energy[now.iterations] < told->iteration_energy[told->iterations]) {
        memcpy(masks, masks + pixels, pixels);
        add_times(&now, told);
        *told = now;
        swap_energies(&graph->energy, &other.energy);
    } else {
        add_times(told, &now);
    }
done:
    tc_energy_free(&other.energy);
    return status;
}

tilecut_status tilecut_graph_segment(tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                     tilecut_report *report)
{
    enum { TRIED = 2 }; /* iterations, after which the starts are compared */
    const tilecut_params defaults = tilecut_params_default();
    tilecut_status status = TILECUT_OK;
    tilecut_report told;
    tc_kept kept = {0};
    uint8_t *masks = NULL;
    bool more = true;
    int starts;

    if (!params) params = &defaults;
    if (!mask) return tc_fail(TILECUT_EINVAL, "mask is NULL");
    if (!graph || !graph->from_image) return tc_fail(TILECUT_EINVAL, "graph is NULL or not from an image");
    const int most = iterations_for(graph, params, &starts), first = starts > 1 && most > TRIED ? TRIED : most;
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    if (most == 0) return tilecut_graph_solve(graph, params, mask, report);

    masks = malloc(3 * pixels);
    if (!masks) return tc_fail(TILECUT_ENOMEM, "no memory for masks to iterate on");
    TRY(begin(graph, params, first, &kept, masks, &told));
    for (int start = 1; start < starts; start++) TRY(try_start(graph, params, start, first, &kept, masks, &told));
    if (told.iterations < first) more = false; /* it has come to rest */
    while (more && told.iterations < most) TRY(iterate(graph, params, &kept, masks, masks + pixels, &told, &more));
    memcpy(mask, masks, pixels);
    if (report) *report = told;
done:
    tc_kept_free(&kept);
    free(masks);
    return status;
}
