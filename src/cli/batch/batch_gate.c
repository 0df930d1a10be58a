/* SPDX-License-Identifier: MIT
 *
 * batch_gate.c - see batch_gate.h.
 */
#include "batch_gate.h"

#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "machine.h"
#include "signals.h"

void batch_spent(ticket *t, enum batch_stage stage)
{
    const double now = machine_ms();
    t->ms[stage] += now - t->mark;
    t->mark = now;
}

/* The caller holds the lock. */
static void wait_for(batch *b, pthread_cond_t *change)
{
    b->waiting++;
    pthread_cond_wait(change, &b->lock);
    b->waiting--;
}

static bool has_next(const batch *b)
{
    return !b->stop && !signals_number() && b->next < b->plan->list->count;
}

const batch_item *batch_next(batch *b)
{
    const batch_item *item = NULL;
    pthread_mutex_lock(&b->lock);
    while (has_next(b) && b->in_hand - b->on_device - b->queued >= b->threads) wait_for(b, &b->turn);
    if (has_next(b)) {
        item = &b->plan->list->item[b->next++];
        b->in_hand++;
    } else {
        b->working--;
        pthread_cond_broadcast(&b->turn); /* the others need not wait, either */
    }
    pthread_mutex_unlock(&b->lock);
    return item;
}

void batch_enter(void *context, int width, int height, uint64_t need)
{
    ticket *const t = context;
    batch *const b = t->batch;
    const uint64_t size = need + inputs_padding(&t->how.inputs, width, height, t->how.model.connectivity);
    batch_spent(t, BATCH_READ);
    pthread_mutex_lock(&b->lock);
    while (b->taken && size > b->budget - (b->taken < b->budget ? b->taken : b->budget)) {
        b->starved++;
        wait_for(b, &b->freed);
        b->starved--;
    }
    t->taken += size;
    b->taken += size;
    pthread_mutex_unlock(&b->lock);
    batch_spent(t, BATCH_MEMORY);
}

void batch_leave(ticket *t)
{
    batch *const b = t->batch;
    pthread_mutex_lock(&b->lock);
    b->taken -= t->taken;
    b->in_hand--;
    if (t->by_device) sides_learn(&b->sides.host, t->pixels, machine_thread_ms() - t->thread_mark);
#ifdef __GLIBC__
    if (b->starved) malloc_trim(0); /* what a thread has freed glibc keeps for that thread: here others need it */
#endif
    pthread_cond_broadcast(&b->freed);
    pthread_cond_signal(&b->turn);
    pthread_mutex_unlock(&b->lock);
}

int batch_threads(const batch *b)
{
    const int busy = b->working - b->waiting, share = b->threads / (busy > 0 ? busy : 1);
    return share > 0 ? share : 1;
}

bool batch_uses_device(const tilecut_params *params)
{
    const char *const solver = params->solver;
    for (int i = 0; solver && tilecut_solver_name(i); i++)
        if (!strcmp(solver, tilecut_solver_name(i))) return !strcmp(tilecut_solver_device(i), "cuda");
    return false;
}

/* Jobs that the device might still have to cut, this one among them. */
static int left_for_device(const batch *b)
{
    return b->plan->list->count - b->next + b->in_hand - b->on_cpu;
}

/* Takes the device's first job there, without the lock, because that takes long. The caller holds it. */
static void wake_device(batch *b, tilecut_params *params, char *reason, size_t room)
{
    pthread_mutex_unlock(&b->lock);
    const bool there = tilecut_cuda_device(0, NULL, 0) == TILECUT_OK;
    if (!there) snprintf(reason, room, "cpu: %s", tilecut_error_detail());
    pthread_mutex_lock(&b->lock);
    engine_auto_woke(&b->engine, there, params);
}

/* --device auto: assumes that later jobs are like this one. The caller holds the lock. */
static void choose_device(batch *b, uint64_t pixels, tilecut_params *params)
{
    char reason[200];
    params->threads = b->plan->params->threads;
    if (engine_auto_choose(&b->engine, pixels, left_for_device(b), params, reason, sizeof reason))
        wake_device(b, params, reason, sizeof reason);
    if (!b->plan->common->verbose || !strncmp(reason, b->decision, sizeof b->decision - 1)) return;
    progress_clear(&b->bar);
    fprintf(stderr, "tilecut: device %s\n", reason);
    memcpy(b->decision, reason, sizeof b->decision - 1);
}

static bool device_has_room(const batch *b, uint64_t pixels)
{
    return !b->on_device || (b->on_device < BATCH_PLACES && b->device_pixels + pixels <= BATCH_DEVICE_PIXELS);
}

/* Whether a thread should rather cut than wait for the device. The caller holds the lock. */
static bool cuts_itself(const batch *b)
{
    return b->engine.open && b->queued >= BATCH_QUEUE &&
           sides_take_cpu(&b->sides, b->threads, b->on_cpu, left_for_device(b));
}

/* False: --device auto has found meanwhile that the device fails. The caller holds the lock. */
static bool wait_for_place(batch *b, uint64_t pixels)
{
    const bool chosen = b->engine.open;
    b->queued++;
    pthread_cond_signal(&b->turn);
    while (b->engine.open == chosen && !device_has_room(b, pixels)) wait_for(b, &b->place);
    b->queued--;
    return b->engine.open == chosen;
}

static void enter_device(ticket *t)
{
    batch *const b = t->batch;
    t->by_device = true;
    t->device_mark = sides_enter(&b->sides, machine_ms());
    if (!b->on_device++) b->device_since = machine_ms();
    b->device_pixels += t->device_pixels;
    pthread_cond_signal(&b->turn);
}

void batch_enter_cut(ticket *t, bool alone, tilecut_params *params)
{
    batch *const b = t->batch;
    t->pixels = (uint64_t)t->job.photo.width * (uint64_t)t->job.photo.height;
    t->device_pixels = alone ? BATCH_DEVICE_PIXELS : t->pixels;
    pthread_mutex_lock(&b->lock);
    if (b->engine.open) choose_device(b, t->pixels, params);
    if (batch_uses_device(params) && !device_has_room(b, t->device_pixels)) {
        if ((!alone && cuts_itself(b)) || !wait_for_place(b, t->device_pixels)) params->solver = NULL;
    }
    if (batch_uses_device(params)) enter_device(t);
    b->on_cpu += !batch_uses_device(params);
    params->threads = batch_threads(b);
    t->cut_since = machine_ms();
    pthread_mutex_unlock(&b->lock);
    batch_spent(t, BATCH_DEVICE);
}

/* Learns the device's pace while it was full. Returns the job's share of its time. */
static double leave_device(ticket *t, double now, bool done)
{
    batch *const b = t->batch;
    const double ms = sides_leave(&b->sides, now, t->device_mark);
    if (done && b->queued > 0) sides_learn(&b->sides.gpu, t->pixels, ms);
    b->device_pixels -= t->device_pixels;
    if (!--b->on_device) b->device_ms += now - b->device_since;
    pthread_cond_broadcast(&b->place); /* after a large one there is room for several */
    return ms;
}

/* Learns the pace of one thread. Returns the time since the cut began. */
static double leave_cpu(ticket *t, double now, bool done, int threads)
{
    batch *const b = t->batch;
    const double ms = now - t->cut_since;
    if (done && threads == 1) sides_learn(&b->sides.cpu, t->pixels, ms);
    b->on_cpu--;
    return ms;
}

void batch_leave_cut(ticket *t, const tilecut_params *params, bool done)
{
    batch *const b = t->batch;
    pthread_mutex_lock(&b->lock);
    const double now = machine_ms();
    const double ms = batch_uses_device(params) ? leave_device(t, now, done) : leave_cpu(t, now, done, params->threads);
    if (t->job.run.fell_back) b->engine.open = false; /* the GPU has failed: do not try it again */
    engine_auto_learn(&b->engine, t->pixels, params, done ? ms : 0);
    pthread_mutex_unlock(&b->lock);
    batch_spent(t, BATCH_CUT);
}
