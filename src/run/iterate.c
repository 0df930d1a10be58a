/* SPDX-License-Identifier: MIT
 *
 * iterate.c - GrabCut's alternation (Rother, Kolmogorov & Blake 2004): a cut teaches the colour model, the model makes
 * other terminals, and those are cut again, from the flow that is there.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coarse.h"
#include "graph.h"
#include "iterate.h"
#include "solve.h"
#include "status.h"

static void swap_energies(tc_energy *a, tc_energy *b)
{
    const tc_energy before = *a;
    *a = *b;
    *b = before;
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
    const double energy = told.energy + next.energy.shared;
    *more = memcmp(mask, trial, pixels) != 0 && energy <= report->iteration_energy[report->iterations];
    if (*more) {
        memcpy(mask, trial, pixels);
        swap_energies(&graph->energy, &next.energy);
        tc_report_iterated(report, &told, energy);
    } else {
        tc_report_add_times(report, &told);
    }
done:
    tc_energy_free(&next.energy);
    return status;
}

/* How many iterations at most, of a model of colours. */
static int iterations_for(const tilecut_params *params, bool guessed)
{
    enum { OF_A_GUESS = 5 };
    if (params->iterations < 0) return 0;
    if (params->iterations > 0) return params->iterations;
    return guessed ? OF_A_GUESS : 0;
}

/* params->effort, where there is something to search for. */
static int effort_on(const tilecut_params *params, bool guessed)
{
    if (!guessed || tc_colors_find(params->colors)->starts == 1) return 1;
    return params->effort ? params->effort : TILECUT_MAX_EFFORT;
}

/* How much lower another minimum is to be, in nats a pixel (docs/guide/quality.md). */
#define SLIGHTLY 0.002
#define CLEARLY 0.04

static double nats(const tilecut_graph *graph)
{
    return graph->energy.data_weight * (double)graph->width * (double)graph->height;
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

/* `other` and its answer `now`, in the second of the masks, take the place of `graph`, the first mask and `told` if
 * they come to less by more than `margin`. */
static bool take_lower(tilecut_graph *graph, tilecut_graph *other, double margin, uint8_t *masks, tilecut_report *told,
                       tilecut_report *now)
{
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    if (now->iteration_energy[now->iterations] >= told->iteration_energy[told->iterations] - margin) {
        tc_report_add_times(told, now);
        return false;
    }
    memcpy(masks, masks + pixels, pixels);
    tc_report_add_times(now, told);
    *told = *now;
    swap_energies(&graph->energy, &other->energy);
    return true;
}

/* One more start. */
static tilecut_status try_start(tilecut_graph *graph, const tilecut_params *params, int start, int most, tc_kept *kept,
                                uint8_t *masks, tilecut_report *told)
{
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    tilecut_graph other = *graph;
    tilecut_report now;
    tilecut_status status = TILECUT_OK;

    TRY(tc_energy_restart(&graph->energy, start, &other.energy));
    TRY(begin(&other, params, most, kept, masks + pixels, &now));
    take_lower(graph, &other, 0, masks, told, &now);
done:
    tc_energy_free(&other.energy);
    return status;
}

/* A large move: what has the colours of one part of the foreground's model, or of all others, is taught as background.
 * What comes to more at once is given up, what comes to less goes on. */
static tilecut_status try_move(tilecut_graph *graph, const tilecut_params *params, int move, int most, tc_kept *kept,
                               uint8_t *masks, tilecut_report *told, bool *taken)
{
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    tilecut_graph other = *graph;
    tilecut_report now;
    tilecut_status status = TILECUT_OK;

    TRY(tc_energy_unlearn(&graph->energy, masks, move, &other.energy));
    TRY(begin(&other, params, 0, kept, masks + pixels, &now));
    bool more = now.iteration_energy[0] < told->iteration_energy[told->iterations];
    while (more && now.iterations < most)
        TRY(iterate(&other, params, kept, masks + pixels, masks + 2 * pixels, &now, &more));
    *taken = take_lower(graph, &other, SLIGHTLY * nats(graph), masks, told, &now);
done:
    tc_energy_free(&other.energy);
    return status;
}

/* Moves, as long as one of them helps; where they lead is taken if it is clearly lower: what is only slightly so is
 * as often worse to look at. Four masks. */
static tilecut_status explore(tilecut_graph *graph, const tilecut_params *params, int most, tc_kept *kept,
                              uint8_t *masks, tilecut_report *told)
{
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    const int moves = 2 * graph->energy.model->parts;
    tilecut_graph other = *graph;
    tilecut_report now;
    tilecut_status status = TILECUT_OK;
    bool taken = false;

    TRY(tc_energy_relearn(&graph->energy, masks, &other.energy));
    TRY(begin(&other, params, most, kept, masks + pixels, &now));
    for (int move = 0, in_vain = 0; in_vain < moves; move = (move + 1) % moves, in_vain = taken ? 0 : in_vain + 1)
        TRY(try_move(&other, params, move, most, kept, masks + pixels, &now, &taken));
    take_lower(graph, &other, CLEARLY * nats(graph), masks, told, &now);
done:
    tc_energy_free(&other.energy);
    return status;
}

/* Cuts, iterates and, as the first guess at the foreground is often half wrong and it takes luck to end in the better
 * of several minima, looks for another of less energy (quality.md). The first of four masks is the answer. */
static tilecut_status search(tilecut_graph *graph, const tilecut_params *params, int most, tc_kept *kept,
                             uint8_t *masks, tilecut_report *told)
{
    enum { TRIED = 2 }; /* iterations, after which the starts are compared */
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    const int effort = effort_on(params, graph->energy.lesson.guessed);
    const int starts = effort > 1 ? graph->energy.model->starts : 1;
    const int first = starts > 1 && most > TRIED ? TRIED : most;
    tilecut_status status = TILECUT_OK;

    TRY(begin(graph, params, first, kept, masks, told));
    for (int start = 1; start < starts; start++) TRY(try_start(graph, params, start, first, kept, masks, told));
    bool more = told->iterations == first; /* else it has come to rest */
    while (more && told->iterations < most) TRY(iterate(graph, params, kept, masks, masks + pixels, told, &more));
    if (effort > 2) TRY(explore(graph, params, most, kept, masks, told));
done:
    return status;
}

/* How much smaller an image may be for a search to find the same, as a rule: 1 where there is none, or no need. */
static int factor_for(const tilecut_image *image, int effort)
{
    const double enough = 80000; /* pixels */
    const double factor = ceil(sqrt((double)image->width * image->height / enough));
    return effort > 1 ? (int)factor : 1;
}

tilecut_status tc_search_small(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                               tc_finding *finding, bool *found)
{
    const int most = iterations_for(params, true), factor = factor_for(image, effort_on(params, true));
    tilecut_params how = *params;
    tilecut_status status = TILECUT_OK;
    tilecut_graph *small = NULL;
    uint8_t *masks = NULL;
    tc_coarse coarse;
    tc_kept kept = {0};

    *found = false;
    if (factor == 1 || most == 0) return TILECUT_OK;
    TRY(tc_coarse_init(&coarse, image, seeds, factor));
    if (!tc_coarse_has_unknown(&coarse)) goto done; /* a box thinner than the cells is in none of them */
    masks = malloc(4 * (size_t)coarse.image.width * (size_t)coarse.image.height);
    if (!masks) {
        status = tc_fail(TILECUT_ENOMEM, "no memory for masks to search with");
        goto done;
    }
    how.lambda = params->lambda / factor; /* a cell is worth factor^2 pixels, its side factor links */
    TRY(tilecut_graph_from_image(&small, &coarse.image, coarse.seeds, &how));
    TRY(search(small, &how, most, &kept, masks, &finding->told));
    tc_coarse_spread(&coarse, masks, image->width, image->height, finding->mask);
    memcpy(finding->mixture, small->energy.lesson.mixture, sizeof finding->mixture);
    *found = true;
done:
    free(masks);
    tc_kept_free(&kept);
    tilecut_graph_destroy(small);
    tc_coarse_free(&coarse);
    return status;
}

/* Goes on at full size from what was found in the smaller copy. Two masks, of which the first has that. */
static tilecut_status go_on(tilecut_graph *graph, const tilecut_params *params, const tc_finding *finding,
                            tc_kept *kept, uint8_t *masks, tilecut_report *told)
{
    tilecut_status status = TILECUT_OK;
    tc_energy learnt = {0};

    memcpy(graph->energy.lesson.mixture, finding->mixture, sizeof finding->mixture);
    TRY(tc_energy_relearn(&graph->energy, masks, &learnt));
    swap_energies(&graph->energy, &learnt);
    /* Hardly a pixel changes when it is iterated here, too: only if it was asked for. */
    TRY(begin(graph, params, iterations_for(params, false), kept, masks, told));
    tc_report_add_times(told, &finding->told);
done:
    tc_energy_free(&learnt);
    return status;
}

tilecut_status tilecut_graph_segment(tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                     tilecut_report *report)
{
    tilecut_params how = params ? *params : tilecut_params_default();
    tilecut_status status = TILECUT_OK;
    tilecut_report told;
    tc_finding finding;
    tc_kept kept = {0};
    uint8_t *masks = NULL;
    bool found = false;

    if (!mask) return tc_fail(TILECUT_EINVAL, "mask is NULL");
    if (!graph || !graph->from_image) return tc_fail(TILECUT_EINVAL, "graph is NULL or not from an image");
    const tc_energy *const energy = &graph->energy;
    how.colors = energy->model->name; /* whatever the graph was made with */
    const bool guessed = energy->lesson.guessed;
    const int most = energy->color_bits && energy->totals ? iterations_for(&how, guessed) : 0;
    const size_t pixels = (size_t)graph->width * (size_t)graph->height;
    if (most == 0) return tilecut_graph_solve(graph, &how, mask, report);

    finding.mask = masks = malloc(4 * pixels);
    if (!masks) return tc_fail(TILECUT_ENOMEM, "no memory for masks to iterate on");
    if (guessed) TRY(tc_search_small(&energy->image, energy->seeds, &how, &finding, &found));
    if (found) TRY(go_on(graph, &how, &finding, &kept, masks, &told));
    else TRY(search(graph, &how, most, &kept, masks, &told));
    memcpy(mask, masks, pixels);
    if (report) *report = told;
done:
    tc_kept_free(&kept);
    free(masks);
    return status;
}
