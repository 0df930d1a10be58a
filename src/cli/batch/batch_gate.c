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

void batch_wait(batch *b)
{
    b->waiting++;
    pthread_cond_wait(&b->changed, &b->lock);
    b->waiting--;
}

void batch_enter(void *context, uint64_t need)
{
    ticket *const t = context;
    batch *const b = t->batch;
    batch_spent(t, BATCH_READ);
    pthread_mutex_lock(&b->lock);
    while (b->taken && need > b->budget - (b->taken < b->budget ? b->taken : b->budget)) {
        b->starved++;
        batch_wait(b);
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
    if (!b->plan->common->verbose || !*reason || device == b->told_device) return;
    progress_clear(&b->bar);
    fprintf(stderr, "tilecut: device %s\n", reason);
    b->told_device = device;
}

static bool device_has_room(const batch *b, uint64_t pixels)
{
    return !b->on_device || (b->on_device < DEVICE_JOBS && b->device_pixels + pixels <= DEVICE_PIXELS);
}

int batch_spare_workers(const common *asked, const engine_auto *engine, int threads)
{
    if (!engine->open || asked->threads) return 0;
    return threads < DEVICE_JOBS ? threads : DEVICE_JOBS;
}

/* True if a job that finds no room on the device should be cut on the CPU. The jobs on the device take some processors
 * for themselves: half a processor each is more than was measured. The caller holds the lock. */
static bool goes_to_cpu(const batch *b, uint64_t pixels)
{
    const double device_ms = b->device_ms + (b->on_device ? machine_ms() - b->device_since : 0);
    const double left = b->plan->list->count - b->next + b->on_device;
    if (!b->engine.open || device_has_room(b, pixels) || b->on_cpu >= b->threads - DEVICE_JOBS / 2) return false;
    return !b->device_cuts || !b->cpu_cuts || left * device_ms / b->device_cuts > b->cpu_ms / b->cpu_cuts;
}

void batch_enter_cut(ticket *t, bool alone, tilecut_params *params)
{
    batch *const b = t->batch;
    const uint64_t pixels = (uint64_t)t->job.photo.width * (uint64_t)t->job.photo.height;
    pthread_mutex_lock(&b->lock);
    const bool asleep = !b->engine.awake;
    if (b->engine.open) choose_device(b, pixels, params);
    if (asleep && b->engine.awake) pthread_cond_broadcast(&b->changed); /* spare workers may begin */
    if (batch_uses_device(params) && !alone && goes_to_cpu(b, pixels)) params->solver = NULL;
    if (batch_uses_device(params)) {
        t->device_pixels = alone ? DEVICE_PIXELS : pixels;
        while (!device_has_room(b, t->device_pixels)) batch_wait(b);
        if (!b->on_device++) b->device_since = machine_ms();
        b->device_pixels += t->device_pixels;
    } else {
        b->on_cpu++;
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
    const int beside = t->device_pixels ? b->on_device : 1;
    const double took = machine_ms() - t->cut_since;
    if (t->device_pixels) {
        b->device_pixels -= t->device_pixels;
        b->device_cuts += done;
        if (!--b->on_device) b->device_ms += machine_ms() - b->device_since;
        t->device_pixels = 0;
    } else {
        b->on_cpu--;
        b->cpu_cuts += done;
        b->cpu_ms += done ? took : 0;
    }
    if (t->job.run.fell_back) b->engine.open = false; /* the GPU has failed: do not try it again */
    engine_auto_learn(&b->engine, (uint64_t)t->job.photo.width * (uint64_t)t->job.photo.height, beside, params,
                      done ? took : 0);
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    batch_spent(t, BATCH_CUT);
}
