/* SPDX-License-Identifier: MIT
 *
 * batch_run.h - runs a list of jobs with several workers. Each worker does a job from reading to writing, so one worker
 * reads while another cuts. A photo begins only when there is memory for it.
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
    const common *common;         /* options of the batch; its jobs print nothing */
    const inputs *inputs;
    const model *model;
    const job_style *style;
    const tilecut_params *params; /* from engine_choose()                */
    const engine_auto *engine;
    const scan_options *scan;     /* options for volumes */
    const option_log *given;      /* the options given, to refuse those that volumes do not have */
    batch_state *state;
    bool resume, fail_fast;
    bool make_folders;            /* true: create missing folders of results */
} batch_plan;

/* The stages of a worker's time. In the last two it waits for memory or for the device. */
enum batch_stage { BATCH_READ, BATCH_BUILD, BATCH_CUT, BATCH_WRITE, BATCH_MEMORY, BATCH_DEVICE, BATCH_STAGES };

typedef struct batch_result {
    int done, skipped, failed, left; /* numbers of photos; left: those not begun because of a signal or --fail-fast */
    double wall_ms;
    int workers;
    double ms[BATCH_STAGES]; /* milliseconds per stage, summed over all jobs */
    double device_ms;        /* upper bound of the milliseconds that the GPU was busy */
} batch_result;

/* Runs the batch. Prints failures and notes of jobs as they come and, with --json, writes one line with a JSON object
 * per job. The returned status is that of the batch as a whole: EXIT_DONE even if jobs failed, EXIT_RESOURCES if no
 * worker can be started, EXIT_RUNTIME if the JSON cannot be written. After the first signal, jobs in progress are
 * finished and no others begin. */
int batch_run(const batch_plan *plan, batch_result *result, failure *why);
