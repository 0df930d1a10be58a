/* SPDX-License-Identifier: MIT
 *
 * segment.c - whole jobs, from pixels and seeds to the mask. Asks each learner that can learn the job, until one has
 * done it.
 */
#include <stdlib.h>

#include "cuda_backend.h"
#include "iterate.h"
#include "segment.h"
#include "solve.h"
#include "status.h"

/* Makes a run in which `learner` learns. On entry *told has the times of learners that have given up. */
static tilecut_status segment_by(const tc_backend *learner, const tc_source *source, const tc_setup *params,
                                 tc_kept *kept, uint8_t *mask, tilecut_report *told, bool *gave_up)
{
    const size_t pixels = (size_t)source->image->width * (size_t)source->image->height;
    const double bytes_before = told->bytes_per_pixel;
    tilecut_status status = TILECUT_OK;
    tc_fetched here = {.image = *source->image, .seeds = source->seeds};
    tc_run run;

    TRY(tc_run_open(&run, params, params->connectivity, source->image->width, source->image->height, kept));
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

tilecut_status tc_segment(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    const tilecut_image *const image = source->image;
    const tc_backend *const *row = tc_backends;
    tilecut_status status = TILECUT_OK;
    tc_kept kept = {0};
    bool gave_up = true;
    tc_run run;

    /* Errors are found before any work is done. */
    TRY(tc_run_open(&run, setup, setup->connectivity, image->width, image->height, &kept));
    TRY(tc_energy_check_params(setup));
    for (; gave_up; row++)
        if ((*row)->learns(&run))
            TRY(segment_by(*row, source, setup, &kept, mask, report, &gave_up));
done:
    tc_kept_free(&kept);
    return status;
}

tilecut_status tc_segment_there(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    const size_t width = (size_t)source->image->width, pixels = width * (size_t)source->image->height;
    const size_t seeds_stride = setup->seeds_stride ? setup->seeds_stride : width;
    const size_t mask_stride = setup->mask_stride ? setup->mask_stride : width;
    const int height = source->image->height;
    uint8_t *own_seeds = NULL, *own_mask = NULL;
    tc_source packed = *source;
    tc_setup there = *setup;
    tilecut_status status = TILECUT_OK;

    if (!there.solver) there.solver = "cuda";
    TRY(tc_cuda_device_of(source->image->pixels, &there.device));
    if (seeds_stride != width) {
        TRY(tc_cuda_take((void **)&own_seeds, pixels, there.device));
        TRY(tc_cuda_copy_rows(own_seeds, width, source->seeds, seeds_stride, width, height, *source->stream));
        packed.seeds = own_seeds;
    }
    if (mask_stride != width) TRY(tc_cuda_take((void **)&own_mask, pixels, there.device));
    TRY(tc_segment(&packed, &there, own_mask ? own_mask : mask, report));
    if (own_mask) TRY(tc_cuda_copy_rows(mask, mask_stride, own_mask, width, width, height, *source->stream));
done:
    tc_cuda_give(own_seeds, there.device);
    tc_cuda_give(own_mask, there.device);
    return status;
}

tilecut_status tc_graph_segment(tilecut_graph *graph, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    tc_setup how = *setup;
    tilecut_status status = TILECUT_OK;
    tc_kept kept = {0};
    tc_run run;

    how.colors = graph->energy.model->name; /* the model with which the graph was made */
    how.wish = graph->energy.wish;
    TRY(tc_run_open(&run, &how, graph->connectivity, graph->width, graph->height, &kept));
    run.source = (tc_source){&graph->energy.image, graph->energy.seeds, NULL};
    tc_run_adopt(&run, graph, &graph->energy);
    TRY(tc_run_iterate(&run, mask));
    *report = run.told;
done:
    tc_run_close(&run);
    tc_kept_free(&kept);
    return status;
}
