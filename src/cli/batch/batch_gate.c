/* SPDX-License-Identifier: MIT */
#include "batch_gate.h"

#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "machine.h"

enum {
    DEVICE_JOBS = 16,       /* most jobs on a GPU at a time: small ones are cut side by side */
    /* most pixels of all jobs on a GPU at a time, about 4 GB there; a larger photo runs alone */
    DEVICE_PIXELS = 1 << 26
};

void batch_spent(ticket *t, enum batch_stage stage)
{
    const double now = machine_ms();
    t->ms[stage] += now - t->mark;
    t->mark = now;
}

/* Waits until memory or the device becomes free. The caller holds the lock. */
static void wait_for_change(batch *b)
{
    b->waiting++;
    pthread_cond_wait(&b->changed, &b->lock);
    b->waiting--;
}

void batch_enter(void *context, uint64_t need, uint64_t count)
{
    (void)count;
    ticket *const t = context;
    batch *const b = t->batch;
    batch_spent(t, BATCH_READ);
    pthread_mutex_lock(&b->lock);
    while (b->taken && need > b->budget - (b->taken < b->budget ? b->taken : b->budget)) {
        b->starved++;
        wait_for_change(b);
        b->starved--;
    }
    t->taken += need;
    b->taken += need;
    pthread_mutex_unlock(&b->lock);
    batch_spent(t, BATCH_MEMORY);
}

void batch_leave(ticket *t)
{
    batch *const b = t->batch;
    pthread_mutex_lock(&b->lock);
    b->taken -= t->taken;
#ifdef __GLIBC__
    /* glibc keeps freed memory for the thread that freed it, but here other threads need it */
    if (b->starved) malloc_trim(0);
#endif
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

int batch_threads(const batch *b)
{
    const int busy = b->working - b->waiting, share = b->threads / (busy > 0 ? busy : 1);
    return share > 0 ? share : 1;
}

bool batch_uses_device(const tilecut_params *params)
{
    const char *const device = solver_device(&grid_solvers, params->solver);
    return device && !strcmp(device, "cuda");
}

/* Chooses the device for --device auto, assuming that later jobs are like this one. The caller holds the lock. */
static void choose_device(batch *b, uint64_t pixels, tilecut_params *params)
{
    char reason[200];
    params->threads = b->plan->params->threads;
    engine_auto_plan(&b->engine, pixels, b->plan->list->count - b->next + 1, params, reason, sizeof reason);
    const char device = params->solver ? 'g' : 'c';
    if (!b->plan->common->verbose || !*reason || device == b->reported_device) return;
    progress_clear(&b->bar);
    fprintf(stderr, "tilecut: device %s\n", reason);
    b->reported_device = device;
}

static bool device_has_room(const batch *b, uint64_t pixels)
{
    return !b->on_device || (b->on_device < DEVICE_JOBS && b->device_pixels + pixels <= DEVICE_PIXELS);
}

void batch_enter_cut(ticket *t, bool alone, tilecut_params *params)
{
    batch *const b = t->batch;
    const uint64_t pixels = (uint64_t)t->job.photo.width * (uint64_t)t->job.photo.height;
    pthread_mutex_lock(&b->lock);
    if (b->engine.open) choose_device(b, pixels, params);
    if (batch_uses_device(params)) {
        t->device_pixels = alone ? DEVICE_PIXELS : pixels;
        while (!device_has_room(b, t->device_pixels)) wait_for_change(b);
        if (!b->on_device++) b->device_since = machine_ms();
        b->device_pixels += t->device_pixels;
    }
    params->threads = batch_threads(b);
    t->cut_since = machine_ms();
    pthread_mutex_unlock(&b->lock);
    batch_spent(t, BATCH_DEVICE);
}

void batch_leave_cut(ticket *t, const tilecut_params *params, bool done)
{
    batch *const b = t->batch;
    pthread_mutex_lock(&b->lock);
    const int beside = batch_uses_device(params) ? b->on_device : 1;
    if (batch_uses_device(params)) {
        b->device_pixels -= t->device_pixels;
        if (!--b->on_device) b->device_ms += machine_ms() - b->device_since;
    }
    if (t->job.run.fell_back) b->engine.open = false; /* the GPU has failed: do not try it again */
    engine_auto_learn(&b->engine, (uint64_t)t->job.photo.width * (uint64_t)t->job.photo.height, beside, params,
                      done ? machine_ms() - t->cut_since : 0);
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    batch_spent(t, BATCH_CUT);
}
