/* SPDX-License-Identifier: MIT
 *
 * parallel.c - a parallel loop over pthreads: workers draw the next turn from one atomic counter.
 * Threads live for one loop: starting one takes some tens of microseconds, the loops take milliseconds.
 */
#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

typedef struct loop {
    void (*body)(void *context, int i, int worker);
    void *context;
    int count;
    atomic_int next;
} loop;

typedef struct worker {
    loop *loop;
    int number;
    pthread_t thread;
} worker;

static void *work(void *argument)
{
    const worker *self = argument;
    loop *l = self->loop;
    for (int i = atomic_fetch_add(&l->next, 1); i < l->count; i = atomic_fetch_add(&l->next, 1))
        l->body(l->context, i, self->number);
    return NULL;
}

void tc_parallel(int threads, int count, void (*body)(void *context, int i, int worker), void *context)
{
    loop l = {body, context, count, 0};
    worker workers[TC_MAX_THREADS];
    int started = 1;

    if (threads > TC_MAX_THREADS) threads = TC_MAX_THREADS;
    if (threads > count) threads = count;
    for (; started < threads; started++) {
        workers[started] = (worker){.loop = &l, .number = started};
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0) break;
    }
    workers[0] = (worker){.loop = &l, .number = 0};
    work(&workers[0]);
    for (int i = 1; i < started; i++) pthread_join(workers[i].thread, NULL);
}

double tc_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

double tc_lap_ms(double *since)
{
    const double now = tc_now_ms(), passed = now - *since;
    *since = now;
    return passed;
}
