/* SPDX-License-Identifier: MIT
 *
 * resident_segment.c - see resident_segment.h.
 */
#include "resident_segment.h"

#include <stdlib.h>

#include "iterate.h"
#include "resident.h"
#include "status.h"

bool tc_resident_can(const tilecut_params *params, const tc_solver *solver)
{
    return solver && solver->can & TC_RESIDENT && params->connectivity != 8;
}

tilecut_status tc_image_fetch(const tilecut_image *image, const uint8_t *seeds, void *stream, tc_fetched *out)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const size_t bytes = tc_image_stride(image) * (size_t)(image->height - 1) + tc_image_row_bytes(image);
    uint8_t *const memory = malloc(bytes + 2 * pixels);
    tilecut_status status = TILECUT_OK;

    *out = (tc_fetched){.image = *image, .memory = memory};
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory for an image of %zu pixels from the device", pixels);
    out->image.pixels = memory;
    out->seeds = memory + bytes;
    out->mask = out->seeds + pixels;
    TRY(tc_cuda_copy(memory, image->pixels, bytes, stream));
    TRY(tc_cuda_copy(out->seeds, seeds, pixels, stream));
done:
    return status;
}

/* An image of a few corridors: the graph is built here, too, to finish and to certify it. */
static tilecut_status finish_graph(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                                   void *const *stream, tc_kept *kept, uint8_t *mask, tilecut_report *report)
{
    const tc_solve_params how = {.threads = report->threads, .cancel = params->cancel};
    tilecut_status status = TILECUT_OK;
    tilecut_graph *graph = NULL;
    tc_fetched here = {0};

    if (stream) TRY(tc_image_fetch(image, seeds, *stream, &here));
    TRY(tilecut_graph_from_image(&graph, stream ? &here.image : image, stream ? here.seeds : seeds, params));
    TRY(tc_resident_finish(graph, &how, kept, stream ? here.mask : mask, report));
    if (stream) TRY(tc_cuda_copy(mask, here.mask, (size_t)image->width * (size_t)image->height, *stream));
done:
    tilecut_graph_destroy(graph);
    free(here.memory);
    return status;
}

static tilecut_report describe(const tilecut_params *params, const tc_solver *solver, const tc_cuda_origin *origin)
{
    return (tilecut_report){.connectivity = 4, .threads = params->threads > 0 ? params->threads : 1,
                            .quantum = origin->quantum, .beta = origin->beta, .lambda = params->lambda,
                            .colors = tc_colors_find(params->colors)->name, .solver = solver->name,
                            .model_ms = origin->model_ms, .copy_ms = origin->copy_ms, .graph_ms = origin->build_ms};
}

/* A cut of what the graph has learnt last; `mask` as of tc_cuda_graph_solve(). If the answer is unfinished, so is the
 * report. */
static tilecut_status cut_there(tc_cuda_graph *graph, const tilecut_image *image, const tc_solve_params *how,
                                uint8_t *mask, tilecut_report *report, tc_cuda_answer *answer)
{
    tilecut_status status = TILECUT_OK;
    TRY(tc_cuda_graph_solve(graph, how, mask, answer));
    TRY(tc_resident_answer(answer, (double)image->width * image->height, report));
    report->energy = (double)report->cut * report->quantum;
done:
    return status;
}

/* A box alone: what a search in a smaller copy finds here is what the device goes on from. *found: as of
 * tc_search_small(). */
static tilecut_status search_here(tc_cuda_graph *graph, const tilecut_image *image, const uint8_t *seeds,
                                  const tilecut_params *params, void *const *stream, tc_cuda_origin *origin,
                                  tilecut_report *told, bool *found)
{
    tc_finding finding = {.mask = malloc((size_t)image->width * (size_t)image->height)};
    const double copy_ms = origin->copy_ms;
    tilecut_status status = TILECUT_OK;
    tc_fetched here = {0};

    if (!finding.mask) return tc_fail(TILECUT_ENOMEM, "no memory for a mask to begin with");
    if (stream) TRY(tc_image_fetch(image, seeds, *stream, &here));
    TRY(tc_search_small(stream ? &here.image : image, stream ? here.seeds : seeds, params, &finding, found));
    if (!*found) goto done;
    *told = finding.told;
    TRY(tc_cuda_graph_teach(graph, finding.mask, finding.mixture));
    TRY(tc_cuda_graph_relearn(graph, origin));
    origin->copy_ms = copy_ms;
done:
    free(here.memory);
    free(finding.mask);
    return status;
}

/* tilecut_graph_segment() with params->iterations, or from what was taught, once the device has learnt from it. Ends at
 * an answer that is unfinished: for a CPU to begin anew. */
static tilecut_status iterate_there(tc_cuda_graph *graph, const tilecut_image *image, const tilecut_params *params,
                                    const tc_solver *solver, tc_cuda_origin *origin, uint8_t *mask,
                                    tilecut_report *report, tc_cuda_answer *answer)
{
    const tc_solve_params how = {.threads = 1, .cancel = params->cancel};
    tilecut_status status = TILECUT_OK;
    bool more = true;

    TRY(cut_there(graph, image, &how, NULL, report, answer));
    report->iteration_energy[0] = report->energy + origin->shared;
    tc_cuda_graph_keep(graph);
    while (more && !answer->unfinished && report->iterations < params->iterations) {
        TRY(tc_cuda_graph_relearn(graph, origin));
        tilecut_report next = describe(params, solver, origin);
        TRY(cut_there(graph, image, &how, NULL, &next, answer));
        const double energy = next.energy + origin->shared;
        more = answer->changed > 0 && energy <= report->iteration_energy[report->iterations];
        if (more) tc_cuda_graph_keep(graph);
        if (more) tc_report_iterated(report, &next, energy);
        else tc_report_add_times(report, &next);
    }
    if (!answer->unfinished) TRY(tc_cuda_graph_kept(graph, mask));
done:
    return status;
}

tilecut_status tc_resident_segment(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                                   const tc_solver *solver, void *const *stream, uint8_t *mask, tilecut_report *report,
                                   bool *done)
{
    const tc_solve_params how = {.threads = 1, .cancel = params->cancel};
    tilecut_status status = TILECUT_OK;
    tc_cuda_origin origin;
    tc_cuda_answer answer;
    tilecut_report result, before = {0};
    tc_kept kept = {0};
    bool found = false;

    *done = false;
    if (!seeds || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", seeds ? "mask" : "seeds");
    TRY(tc_image_check(image));
    TRY(tc_energy_check_params(params));
    TRY(tc_cuda_graph_learn(&kept.resident, image, seeds, params, solver->name, stream, &origin));
    if (origin.guess) {
        TRY(search_here(kept.resident, image, seeds, params, stream, &origin, &before, &found));
        if (!found) goto done;
    }
    result = describe(params, solver, &origin);
    if (found || (params->iterations > 0 && tc_colors_learn(tc_colors_find(params->colors)))) {
        TRY(iterate_there(kept.resident, image, params, solver, &origin, mask, &result, &answer));
        if (answer.unfinished) goto done;
        tc_report_add_times(&result, &before);
    } else {
        TRY(cut_there(kept.resident, image, &how, mask, &result, &answer));
        if (answer.unfinished) {
            TRY(finish_graph(image, seeds, params, stream, &kept, mask, &result));
            result.energy = (double)result.cut * result.quantum;
        }
    }
    result.certified = 1;
    if (report) *report = result;
    *done = true;
done:
    tc_kept_free(&kept);
    return status;
}
