/* SPDX-License-Identifier: MIT
 *
 * iterate.c - makes a mask from the model that a run has learnt; and segments a whole image, with one learner after the
 * other.
 */
#include "iterate.h"

#include <stdlib.h>

#include "cuda_backend.h"
#include "search.h"
#include "solve.h"
#include "status.h"

/* Returns the most iterations for a colour model. */
static int iterations_for(const tc_setup *params, bool guessed)
{
    enum { OF_A_GUESS = 5, OF_A_PRIOR = 2, OF_STROKES = 3 };
    if (params->iterations < 0) return 0;
    if (params->iterations > 0) return params->iterations;
    return params->prior ? OF_A_PRIOR : guessed ? OF_A_GUESS : OF_STROKES;
}

/* True if the run has a graph of its own that is learnt and cut on the host, and the image is not in parts. Then a
 * single cut may free memory that further cuts would need. */
static bool is_cut_by_host(const tc_run *run)
{
    const bool own = run->own || (run->graph && tc_graph_is_volume(run->graph) && !run->again);
    return run->learner == &tc_backend_host && own && !run->params->comm;
}

/* Cuts once, on the host, with the model learnt in a smaller copy. The mask from the copy is not needed any more. */
static tilecut_status cut_once(tc_run *run, uint8_t *masks[TC_RUN_MASKS], uint8_t **memory)
{
    if (!is_cut_by_host(run)) return TILECUT_OK;
    run->once = true;
    free(*memory);
    *memory = NULL;
    return tc_run_masks(run, masks, memory);
}

/* Searches in the image itself, not in a smaller copy. */
static tilecut_status search_on_host(tc_run *run, int most)
{
    tc_fetched fetched = {.image = *run->source.image, .seeds = run->source.seeds};
    tilecut_status status = TILECUT_OK;
    tc_coarse scene = {0};
    bool has_all_classes;
    run->looks = tc_run_looks(run);
    if (!run->looks || run->learner->look) return tc_run_search(run, most);
    TRY(tc_source_fetch(&run->source, run->params, &fetched));
    TRY(tc_coarse_init(&scene, run->params->comm, &fetched.image, fetched.seeds, 1, run->params->threads,
                       &has_all_classes));
    run->scene = &scene;
    status = tc_run_search(run, most);
    run->scene = NULL;
done:
    tc_coarse_free(&scene);
    free(fetched.memory);
    return status;
}

tilecut_status tc_run_iterate(tc_run *run, uint8_t *mask)
{
    const int most = run->learns ? iterations_for(run->params, run->guessed) : 0, factor = tc_copy_factor(run);
    uint8_t *memory = NULL, *masks[TC_RUN_MASKS];
    tilecut_status status = TILECUT_OK;
    tilecut_report result;
    bool found = false;

    run->report = run->facts;
    run->once = most == 0 && is_cut_by_host(run);
    if (most == 0) return run->learns_only ? TILECUT_OK : tc_run_cut_into(run, mask, &run->report);
    TRY(tc_run_masks(run, masks, &memory));
    if (factor > 1) TRY(tc_copy_search(run, factor, most, &result, &found));
    if (found && run->params->iterations <= 0 && run->learns_only) goto done;
    if (found && run->params->iterations <= 0) TRY(cut_once(run, masks, &memory));
    if (!found && !run->gave_up && run->put_off) TRY(run->learner->learn_now(run));
    if (found && !run->gave_up) {
        TRY(tc_cut_and_iterate(
            run, run->params->iterations)); /* more iterations hardly change a pixel, so only the requested ones are
                                               made */
        tc_report_add_times(&run->report, &result);
    } else if (!run->gave_up) {
        TRY(search_on_host(run, most));
    }
    if (!run->gave_up) TRY(run->learner->deliver(run, mask));
done:
    if (run->gave_up) tc_kept_flow_free(run->kept); /* the next learner cannot use it */
    free(memory);
    return status;
}

/* ---- By each learner in turn ------------------------------------------------------------------- */

/* True if a model is learnt from a smaller copy. */
static bool learns_smaller(const tc_run *run)
{
    const tc_setup *const params = run->params;
    return params->iterations >= 0 && tc_colors_learn(tc_colors_find(params->colors)) && tc_copy_factor(run) > 1;
}

/* Makes a run in which `learner` learns. On entry *result has the times of learners that have given up. */
static tilecut_status segment_by(const tc_backend *learner, const tc_source *source, const tc_setup *params,
                                 tc_kept_flow *kept, uint8_t *mask, tilecut_report *result, bool *gave_up)
{
    const size_t pixels = (size_t)source->image->width * (size_t)source->image->height;
    const double bytes_before = result->bytes_per_pixel;
    tilecut_status status = TILECUT_OK;
    tc_fetched fetched = {.image = *source->image, .seeds = source->seeds};
    tc_run run;

    TRY(tc_run_open(&run, params, params->connectivity, source->image->width, source->image->height, kept));
    if (!learner->reads_device_memory) TRY(tc_source_fetch(source, params, &fetched));
    run.learner = learner;
    run.source = fetched.memory ? (tc_source){.image = &fetched.image, .seeds = fetched.seeds} : *source;
    run.smaller = learns_smaller(&run);
    TRY(learner->learn(&run));
    TRY(tc_run_iterate(&run, fetched.mask ? fetched.mask : mask));
    *gave_up = run.gave_up;
    if (fetched.mask && source->stream && !run.gave_up) TRY(tc_cuda_copy(mask, fetched.mask, pixels, *source->stream));
    tc_report_add_times(&run.report, result);
    *result = run.report;
    if (result->bytes_per_pixel < bytes_before) result->bytes_per_pixel = bytes_before;
done:
    tc_run_close(&run);
    free(fetched.memory);
    return status;
}

bool tc_learns_on_device(const tilecut_image *image, const tc_setup *setup)
{
    const tc_backend *const *row = tc_backends;
    tc_kept_flow kept = {0};
    tc_run run;
    bool there = false;
    if (tc_run_open(&run, setup, setup->connectivity, image->width, image->height, &kept) == TILECUT_OK) {
        run.source.image = image;
        while (!(*row)->learn || ((*row)->learns && !(*row)->learns(&run))) row++;
        there = (*row)->reads_device_memory;
    }
    tc_kept_flow_free(&kept);
    return there;
}

tilecut_status tc_segment_whole(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report)
{
    const tilecut_image *const image = source->image;
    const tc_backend *const *row = tc_backends;
    tilecut_status status = TILECUT_OK;
    tc_kept_flow kept = {0};
    bool gave_up = true;
    tc_run run;

    TRY(tc_run_open(&run, setup, setup->connectivity, image->width, image->height, &kept));
    run.source = *source;
    for (; gave_up; row++) {
        if (!(*row)->learn || ((*row)->learns && !(*row)->learns(&run))) continue;
        status = segment_by(*row, source, setup, &kept, mask, report, &gave_up);
        /* to learn a volume takes more of a device's memory than to cut it does, so then the host learns */
        if (status == TILECUT_ENOMEM && (*row)->keeps_masks && setup->slice_rows) tc_kept_flow_free(&kept);
        else TRY(status);
    }
done:
    tc_kept_flow_free(&kept);
    return status;
}

tilecut_status tc_segment_learn(const tc_source *source, const tc_setup *setup, uint8_t *room, tilecut_graph **graph)
{
    const tilecut_image *const image = source->image;
    tilecut_status status = TILECUT_OK;
    tc_kept_flow kept = {0};
    tc_run run;

    TRY(tc_run_open(&run, setup, setup->connectivity, image->width, image->height, &kept));
    run.learner = &tc_backend_host;
    run.source = *source;
    run.learns_only = true;
    run.smaller = learns_smaller(&run);
    TRY(run.learner->learn(&run));
    TRY(tc_run_iterate(&run, room));
    *graph = run.own;
    run.own = NULL;
done:
    tc_run_close(&run);
    tc_kept_flow_free(&kept);
    return status;
}
