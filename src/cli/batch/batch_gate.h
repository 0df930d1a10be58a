/* SPDX-License-Identifier: MIT
 *
 * batch_gate.h - a batch in progress, and when its jobs may go on: a job waits until there is memory for it, and until
 * the device has room for its cut. Shared by batch_run.c and batch_gate.c.
 */
#pragma once

#include <pthread.h>

#include "batch_run.h"
#include "batch_settings.h"
#include "job.h"
#include "progress.h"

typedef struct batch {
    const batch_plan *plan;
    common quiet;           /* for the jobs, which print nothing            */
    uint64_t budget;        /* bytes                                        */
    int threads;            /* to share among the jobs in progress          */
    int json;               /* descriptor, or -1                            */
    pthread_mutex_t lock;   /* protects everything below                    */
    pthread_cond_t changed; /* memory was freed, or the device is free      */
    int next;
    int working, waiting;   /* workers that are not done; how many of them wait */
    int starved;            /* how many wait for memory                     */
    uint64_t taken;
    int on_device;          /* jobs on the device, and their pixels         */
    uint64_t device_pixels;
    double device_since;    /* when it was last idle                        */
    double device_ms;       /* time with a job on it                        */
    engine_auto engine;     /* --device auto                                */
    char decision;          /* first letter of what was printed about it last */
    bool stop;
    failure broken;         /* what ends the whole batch: status != EXIT_DONE */
    progress bar;
    batch_result result;
} batch;

/* A job, and what the batch records about it. */
typedef struct ticket {
    batch *batch;
    batch_settings settings; /* its options; its inputs call batch_enter() with this ticket */
    job_request request;
    char key[SHA256_TEXT]; /* for the state; empty: none */
    job job;
    uint64_t taken, device_pixels; /* its shares in the batch's fields of these names */
    double mark;   /* time up to this moment is accounted for */
    double cut_since;
    double ms[BATCH_STAGES];
} ticket;

/* Adds the time since the last call to `stage`. */
void batch_spent(ticket *t, enum batch_stage stage);

/* Called with a ticket when the header of a photo has shown how much memory its job needs; waits until there is room. A
 * job alone never waits: more than the limit was refused before. */
void batch_enter(void *context, uint64_t need);

/* Gives the job's memory to others. */
void batch_leave(ticket *t);

/* The number of threads for one job: those of workers that wait or are done are shared. The caller holds the lock. */
int batch_threads(const batch *b);

bool batch_uses_device(const tilecut_params *params);

/* Decides where a cut is made, and waits until it may begin: beside others on the device, or `alone`. */
void batch_enter_cut(ticket *t, bool alone, tilecut_params *params);
void batch_leave_cut(ticket *t, const tilecut_params *params, bool done);
