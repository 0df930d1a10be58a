/* SPDX-License-Identifier: MIT
 *
 * batch_gate.h - the state of a running batch, and the rules for letting jobs go on: a job waits until there is memory
 * for it, and until the device has room for its cut. Shared by batch_run.c and batch_gate.c.
 */
#pragma once

#include <pthread.h>

#include "batch_run.h"
#include "batch_settings.h"
#include "job.h"
#include "json.h"
#include "progress.h"

typedef struct batch {
    const batch_plan *plan;
    common quiet;           /* options for the jobs, which print nothing             */
    uint64_t budget;        /* memory limit in bytes                                 */
    int threads;            /* number of threads that the jobs in progress share     */
    json_log log;           /* the JSON of the jobs */
    pthread_mutex_t lock;   /* protects everything below                             */
    pthread_cond_t changed; /* signalled when memory is freed or the device has room */
    int next;
    int working, waiting;   /* workers that have not finished, and how many of them wait */
    int starved;            /* workers that wait for memory */
    uint64_t taken;
    int on_device;          /* number of jobs on the device; device_pixels is the sum of their pixels */
    uint64_t device_pixels;
    double device_since;    /* when the device last became busy, in machine_ms() */
    double device_ms;       /* milliseconds with at least one job on the device  */
    engine_auto engine;     /* state of --device auto                            */
    char reported_device;   /* 'c' or 'g': where the last printed reason sent a job; 0: none was printed */
    bool stop;
    failure broken;         /* a failure that ends the whole batch; status EXIT_DONE: none */
    progress bar;
    batch_result result;
} batch;

/* A job and the batch's record of it. */
typedef struct ticket {
    batch *batch;
    batch_settings settings; /* the job's options; reading its inputs calls batch_enter() with this ticket */
    job_request request;
    char key[SHA256_TEXT]; /* the job's key in the state file; empty: it has none */
    job job;
    uint64_t taken, device_pixels; /* the amounts that this job has added to the batch's fields of the same names */
    double mark;   /* time in machine_ms() up to which `ms` accounts for this job */
    double cut_since;
    double ms[BATCH_STAGES];
} ticket;

/* Adds the time since the last call to the time of `stage`. */
void batch_spent(ticket *t, enum batch_stage stage);

/* Waits until there are `need` bytes of memory for the job. `context` is its ticket; the photo's header has shown the
 * need. A job that runs alone never waits, because a need above the limit was refused before. */
void batch_enter(void *context, uint64_t need, uint64_t count);

/* Gives the job's memory back to the batch. */
void batch_leave(ticket *t);

/* Returns the number of threads for one job. Workers that wait or have finished leave their threads to the others. The
 * caller holds the lock. */
int batch_threads(const batch *b);

bool batch_uses_device(const tilecut_params *params);

/* Chooses the device of a cut and waits until the cut may begin: beside others on the device, or alone if `alone`. */
void batch_enter_cut(ticket *t, bool alone, tilecut_params *params);
void batch_leave_cut(ticket *t, const tilecut_params *params, bool done);
