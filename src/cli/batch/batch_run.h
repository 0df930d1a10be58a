/* SPDX-License-Identifier: MIT
 *
 * batch_run.h - runs a list of jobs with several workers. Each worker does a job from reading to writing, so one
 * reads while another cuts. Memory is limited by letting a photo begin only when there is room for it.
 */
#pragma once

#include <stdbool.h>

#include "batch_list.h"
#include "batch_state.h"
#include "engine.h"
#include "job.h"
#include "scan_options.h"

typedef struct batch_plan {
    const batch_list *list;
    const common *common;         /* of the batch; its jobs print nothing */
    const inputs *inputs;
    const model *model;
    const job_style *style;
    const tilecut_params *params; /* from engine_choose()                */
    const engine_auto *engine;
    const scan_options *scan;     /* of volumes                          */
    const option_log *given;      /* to refuse options that volumes do not have */
    batch_state *state;
    bool resume, fail_fast;
    bool make_folders;            /* create missing folders of results   */
} batch_plan;

/* Where the workers' time goes; the last two stages are waiting. */
enum batch_stage { BATCH_READ, BATCH_BUILD, BATCH_CUT, BATCH_WRITE, BATCH_MEMORY, BATCH_DEVICE, BATCH_STAGES };

typedef struct batch_result {
    int done, skipped, failed, left; /* left: not begun because of a signal or --fail-fast */
    double wall_ms;
    int workers;
    double ms[BATCH_STAGES]; /* sums over all jobs                           */
    double device_ms;        /* an upper bound of the time that the GPU was busy */
} batch_result;

/* Runs the batch. Prints failures and notes of jobs as they come, and, if --json was given, writes one line with a
 * JSON object per job. Its status is that of the batch as a whole: EXIT_DONE even if jobs failed, EXIT_RESOURCES if
 * no worker can be started, EXIT_RUNTIME if the JSON cannot be written. After a first signal, jobs in progress are
 * finished. */
int batch_run(const batch_plan *plan, batch_result *result, failure *why);
