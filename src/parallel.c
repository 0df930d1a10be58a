/* SPDX-License-Identifier: MIT
 *
 * parallel.c - a parallel loop over pthreads: workers draw their next turns from one atomic counter.
 * Threads live for one loop: starting one takes some tens of microseconds, the loops take milliseconds.
 *
 * A draw is a share of what is left, so that turns next to each other, which lie next to each other in memory, are
 * mostly one worker's, and the last ones are single: taken one by one, tiles side by side made each other's lines of
 * the cache move between the processors, which cost a quarter of the time.
 */
#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

typedef struct loop {
    void (*body)(void *context, int i, int worker);
    void *context;
    int count, workers;
    atomic_int next;
} loop;

typedef struct worker {
    loop *loop;
    int number;
    pthread_t thread;
} worker;

/* Turns *first .. *end - 1; false when there is none left. */
static bool draw(loop *l, int *first, int *end)
{
    enum { DRAWS = 4 }; /* for each worker in what is left */
    *first = atomic_load(&l->next);
    do {
        if (*first >= l->count) return false;
        const int share = (l->count - *first) / (DRAWS * l->workers);
        *end = *first + (share > 1 ? share : 1);
    } while (!atomic_compare_exchange_weak(&l->next, first, *end));
    return true;
}

static void *work(void *argument)
{
    const worker *self = argument;
    for (int i, end; draw(self->loop, &i, &end);)
        for (; i < end; i++) self->loop->body(self->loop->context, i, self->number);
    return NULL;
}

void tc_parallel(int threads, int count, void (*body)(void *context, int i, int worker), void *context)
{
    worker workers[TC_MAX_THREADS];
    int started = 1;

    if (threads > TC_MAX_THREADS) threads = TC_MAX_THREADS;
    if (threads > count) threads = count;
    loop l = {body, context, count, threads, 0};
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
