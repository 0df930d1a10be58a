/* SPDX-License-Identifier: MIT
 *
 * batch_run.h - works a list of jobs off with several workers. A worker does a job from reading to writing, so
 * that one reads while another cuts; memory is bounded by letting a photo in only when there is room for it.
 */
#ifndef CLI_BATCH_RUN_H
#define CLI_BATCH_RUN_H

#include <stdbool.h>

#include "batch_list.h"
#include "batch_state.h"
#include "engine.h"
#include "job.h"

typedef struct batch_plan {
    const batch_list *list;
    const common *common;         /* of the batch; its jobs are quiet    */
    const inputs *inputs;
    const model *model;
    const job_style *style;
    const tilecut_params *params; /* as engine_choose() left them        */
    const engine_auto *engine;
    batch_state *state;
    bool resume, fail_fast;
    bool make_folders;            /* those of results, where missing     */
} batch_plan;

/* Where the time of workers goes; the last two are waiting. */
enum batch_stage { BATCH_READ, BATCH_BUILD, BATCH_CUT, BATCH_WRITE, BATCH_MEMORY, BATCH_DEVICE, BATCH_STAGES };

typedef struct batch_result {
    int done, skipped, failed, left; /* left: not begun, after a signal or --fail-fast */
    double wall_ms;
    int workers;
    double ms[BATCH_STAGES]; /* sums over all jobs                           */
    double device_ms;        /* no longer than that was the GPU busy         */
} batch_result;

/* Prints failures and notes of jobs as they come, and writes a JSON object a line if --json was given. Its own
 * status is that of what ends a batch as a whole: EXIT_DONE though jobs failed, EXIT_RESOURCES when no worker
 * can be started, EXIT_RUNTIME when the JSON cannot be written. A first signal lets jobs in flight finish. */
int batch_run(const batch_plan *plan, batch_result *result, failure *why);

#endif
