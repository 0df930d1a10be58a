/* SPDX-License-Identifier: MIT
 *
 * segment.c - whole jobs, from pixels and seeds to the mask: each learner in turn that can, until one has done it.
 */
#include <stdlib.h>
#include <string.h>

#include "cuda_backend.h"
#include "iterate.h"
#include "params.h"
#include "solve.h"
#include "status.h"

/* A run whose energy `learner` learns. *told comes in with the times of learners that have given up. */
static tilecut_status segment_by(const tc_backend *learner, const tc_source *source, const tilecut_params *params,
                                 tc_kept *kept, uint8_t *mask, tilecut_report *told, bool *gave_up)
{
    const size_t pixels = (size_t)source->image->width * (size_t)source->image->height;
    const double bytes_before = told->bytes_per_pixel;
    tilecut_status status = TILECUT_OK;
    tc_fetched here = {.image = *source->image, .seeds = source->seeds};
    tc_run run;

    TRY(tc_run_open(&run, params, params->connectivity, kept));
    if (!learner->reads_device_memory) TRY(tc_source_fetch(source, &here));
    run.learner = learner;
    run.source = here.mask ? (tc_source){&here.image, here.seeds, NULL} : *source;
    TRY(learner->learn(&run));
    TRY(tc_run_iterate(&run, here.mask ? here.mask : mask));
    *gave_up = run.gave_up;
    if (here.mask && !run.gave_up) TRY(tc_cuda_copy(mask, here.mask, pixels, *source->stream));
    tc_report_add_times(&run.told, told);
    *told = run.told;
    if (told->bytes_per_pixel < bytes_before) told->bytes_per_pixel = bytes_before;
done:
    tc_run_close(&run);
    free(here.memory);
    return status;
}

/* A wish is learnt on the host. */
static bool learns(const tc_backend *row, const tilecut_params *params, const tc_solver *solver)
{
    if (params->wish && row->reads_device_memory) return false;
    return row->learns(tc_colors_find(params->colors), params->connectivity, solver);
}

static tilecut_status segment(const tc_source *source, const tilecut_params *params, uint8_t *mask,
                              tilecut_report *report)
{
    const tc_backend *const *row = tc_backends;
    tilecut_status status = TILECUT_OK;
    tilecut_report told = {0};
    tc_kept kept = {0};
    bool gave_up = true;
    tc_run run;

    TRY(tc_run_open(&run, params, params->connectivity, &kept)); /* checked before any work is done */
    if (!source->seeds || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", source->seeds ? "mask" : "seeds");
    TRY(tc_image_check(source->image));
    TRY(tc_energy_check_params(params));
    for (; gave_up; row++)
        if (learns(*row, params, run.solver))
            TRY(segment_by(*row, source, params, &kept, mask, &told, &gave_up));
    if (report) *report = told;
done:
    tc_kept_free(&kept);
    return status;
}

tilecut_status tilecut_segment(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                               uint8_t *mask, tilecut_report *report)
{
    const tilecut_params defaults = tc_params_default();
    return segment(&(tc_source){image, seeds, NULL}, params ? params : &defaults, mask, report);
}

tilecut_status tilecut_segment_cuda(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                                    uint8_t *mask, void *stream, tilecut_report *report)
{
    tilecut_params there = params ? *params : tc_params_default();
    if (!there.solver || strcmp(there.solver, "auto") == 0) there.solver = "cuda";
    return segment(&(tc_source){image, seeds, &stream}, &there, mask, report);
}

tilecut_status tilecut_graph_segment(tilecut_graph *graph, const tilecut_params *params, uint8_t *mask,
                                     tilecut_report *report)
{
    tilecut_params how = params ? *params : tc_params_default();
    tilecut_status status = TILECUT_OK;
    tc_kept kept = {0};
    tc_run run;

    if (!mask) return tc_fail(TILECUT_EINVAL, "mask is NULL");
    if (!graph || !graph->from_image) return tc_fail(TILECUT_EINVAL, "graph is NULL or not from an image");
    how.colors = graph->energy.model->name; /* whatever the graph was made with */
    how.wish = graph->energy.wish;
    TRY(tc_run_open(&run, &how, graph->connectivity, &kept));
    run.source = (tc_source){&graph->energy.image, graph->energy.seeds, NULL};
    tc_run_adopt(&run, graph, &graph->energy);
    TRY(tc_run_iterate(&run, mask));
    if (report) *report = run.told;
done:
    tc_run_close(&run);
    tc_kept_free(&kept);
    return status;
}
