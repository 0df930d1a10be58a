/* SPDX-License-Identifier: MIT
 *
 * segment_whole.c - see segment_whole.h.
 */
#include "segment_whole.h"

#include <stdlib.h>

#include "cuda_backend.h"
#include "iterate.h"
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
    if (here.mask && source->stream && !run.gave_up) TRY(tc_cuda_copy(mask, here.mask, pixels, *source->stream));
    tc_report_add_times(&run.told, told);
    *told = run.told;
    if (told->bytes_per_pixel < bytes_before) told->bytes_per_pixel = bytes_before;
done:
    tc_run_close(&run);
    free(here.memory);
    return status;
}

tilecut_status tc_segment_whole(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    const tilecut_image *const image = source->image;
    const tc_backend *const *row = tc_backends;
    tilecut_status status = TILECUT_OK;
    tc_kept kept = {0};
    bool gave_up = true;
    tc_run run;

    TRY(tc_run_open(&run, setup, setup->connectivity, image->width, image->height, &kept));
    for (; gave_up; row++)
        if ((*row)->learns(&run))
            TRY(segment_by(*row, source, setup, &kept, mask, report, &gave_up));
done:
    tc_kept_free(&kept);
    return status;
}
