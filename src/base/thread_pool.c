/* SPDX-License-Identifier: MIT
 *
 * thread_pool.c - see thread_pool.h.
 *
 * One atomic word, the door, holds the number of the task, how many helpers may still join it and how many have joined.
 * Joining is one atomic step: a helper that succeeds gets a number and the caller waits for it; a helper that comes
 * later finds the door shut. Helpers without a task spin for a while, then yield, then sleep, because the next loop of
 * a solve mostly begins after some microseconds.
 */
#include "thread_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { LOOKS = 2000, YIELDS = 100, YIELDS_LATE = 4000, CACHE_LINE = 64 };

/* How long a caller waits for the next helper to come. Helpers that had no task for a while sleep, and on a virtual
 * machine it took milliseconds until the first one woke up. If the pool has been open for long, it may wait longer: up
 * to 1 / PATIENCE of that time in all. */
enum { PATIENCE_US = 100, PATIENCE = 32 };

/* The parts of the door word. Numbers of tasks repeat after 16384 tasks, which does no harm, because a helper reads the
 * task only after it has joined. */
enum { COUNT_BITS = 9, COUNT = (1 << COUNT_BITS) - 1, TASK_BIT = 2 * COUNT_BITS };

typedef struct helper {
    struct tc_thread_pool *pool;
    pthread_t thread;
    int last;     /* number of the last helper that this one starts; the first one has the next number */
    bool started;
} helper;

struct tc_thread_pool {
    atomic_uint door;     /* number of the task, free places, and how many helpers have joined */
    char apart[CACHE_LINE];
    atomic_uint done;     /* how many helpers have finished */
    char apart_too[CACHE_LINE];
    void (*body)(void *context, int worker);
    void *context;
    int size, asked;      /* size: the most helpers; asked: how many helpers were to be started */
    int looks;            /* how many times a thread polls before it yields */
    int64_t opened, waited; /* microseconds: when the pool was opened; how long callers waited for helpers in all */
    bool busy;
    atomic_int sleepers;  /* how many helpers sleep                              */
    atomic_int late;      /* how many helpers came too late for this task        */
    atomic_bool waits;    /* the caller is asleep                                */
    atomic_bool closing;
    pthread_mutex_t mutex;
    pthread_cond_t called, finished;
    helper helper[];      /* [size] */
};

static _Thread_local tc_thread_pool *this_thread;

static inline unsigned places(unsigned door)
{
    return door >> COUNT_BITS & COUNT;
}

static inline unsigned count_in(unsigned door)
{
    return door & COUNT;
}

static int64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int tc_processors(void)
{
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) ? TC_MAX_THREADS : CPU_COUNT(&allowed);
}

/* ---- Helpers ---------------------------------------------------------------------------------- */

/* Waits until the task is no longer `task`. Returns false if the pool is closing. A thread that came late spins
 * longer before it sleeps, because the current task may still need it. */
static bool wait_for_task(tc_thread_pool *c, unsigned task, bool late)
{
    const int yields = late ? YIELDS_LATE : YIELDS;
    for (int i = 0; i < c->looks + yields; i++) {
        if (atomic_load(&c->closing)) return false;
        if (atomic_load_explicit(&c->door, memory_order_relaxed) >> TASK_BIT != task) return true;
        tc_spin_wait(i, c->looks);
    }
    pthread_mutex_lock(&c->mutex);
    atomic_fetch_add(&c->sleepers, 1);
    while (atomic_load(&c->door) >> TASK_BIT == task && !atomic_load(&c->closing))
        pthread_cond_wait(&c->called, &c->mutex);
    atomic_fetch_sub(&c->sleepers, 1);
    pthread_mutex_unlock(&c->mutex);
    return !atomic_load(&c->closing);
}

/* Joins the task if a place is free. Returns the helper's number, or 0. *task is the task that was seen. */
static unsigned join_task(tc_thread_pool *c, unsigned *task)
{
    unsigned door = atomic_load(&c->door);
    do {
        *task = door >> TASK_BIT;
        if (places(door) == 0) return 0;
    } while (!atomic_compare_exchange_weak(&c->door, &door, door - (1u << COUNT_BITS) + 1));
    return count_in(door) + 1;
}

static void leave_pool(tc_thread_pool *c)
{
    atomic_fetch_add(&c->done, 1);
    if (!atomic_load(&c->waits)) return;
    pthread_mutex_lock(&c->mutex);
    pthread_cond_broadcast(&c->finished);
    pthread_mutex_unlock(&c->mutex);
}

static void *help(void *argument);

/* Starts helpers first .. last. This call starts only the first one, which starts half of the others, and so on. */
static void start_helpers(tc_thread_pool *c, int first, int last)
{
    helper *const h = &c->helper[first];
    *h = (helper){.pool = c, .last = last};
    h->started = pthread_create(&h->thread, NULL, help, h) == 0;
}

static void *help(void *argument)
{
    helper *const self = argument;
    tc_thread_pool *const c = self->pool;
    const int number = (int)(self - c->helper);
    unsigned task = 0;
    this_thread = c; /* loops within a task find it busy, and run in this thread alone */
    for (int last = self->last; number < last;) {
        const int middle = number + (last - number + 1) / 2;
        start_helpers(c, middle, last);
        last = middle - 1;
    }
    unsigned worker;
    do {
        worker = join_task(c, &task);
        if (worker) {
            c->body(c->context, (int)worker);
            leave_pool(c);
        } else {
            atomic_fetch_add(&c->late, 1);
        }
    } while (wait_for_task(c, task, !worker));
    return NULL;
}

/* ---- The caller ------------------------------------------------------------------------------- */

tc_thread_pool *tc_thread_pool_of_thread(void)
{
    return this_thread;
}

bool tc_thread_pool_is_busy(const tc_thread_pool *c)
{
    return c->busy;
}

int tc_thread_pool_looks(const tc_thread_pool *c, int looks)
{
    return c->looks ? looks : 0;
}

bool tc_thread_pool_has_late(const tc_thread_pool *c)
{
    return atomic_load_explicit(&c->late, memory_order_relaxed) > 0;
}

static tc_thread_pool *pool_open(int threads)
{
    const int size = (threads < TC_MAX_THREADS ? threads : TC_MAX_THREADS) - 1;
    tc_thread_pool *const c = malloc(sizeof *c + (size_t)size * sizeof *c->helper);
    if (!c) return NULL;
    *c = (tc_thread_pool){.size = size, .looks = size < tc_processors() ? LOOKS : 0, .opened = now_us(),
                          .mutex = PTHREAD_MUTEX_INITIALIZER, .called = PTHREAD_COND_INITIALIZER,
                          .finished = PTHREAD_COND_INITIALIZER};
    for (int i = 0; i < size; i++) c->helper[i].started = false;
    this_thread = c;
    return c;
}

tc_thread_pool *tc_thread_pool_open(int threads)
{
    return threads < 2 || this_thread ? NULL : pool_open(threads);
}

tc_thread_pool *tc_thread_pool_part(int threads, tc_thread_pool **taken)
{
    *taken = this_thread;
    tc_thread_pool *const own = pool_open(threads);
    if (own && threads < 2) own->busy = true; /* the caller has no helpers */
    return own;
}

void tc_thread_pool_rejoin(tc_thread_pool *pool, tc_thread_pool *taken)
{
    tc_thread_pool_close(pool);
    this_thread = taken;
}

void tc_thread_pool_close(tc_thread_pool *c)
{
    if (!c) return;
    atomic_store(&c->closing, true);
    pthread_mutex_lock(&c->mutex);
    pthread_cond_broadcast(&c->called);
    pthread_mutex_unlock(&c->mutex);
    for (int i = 0; i < c->size; i++) /* a helper has a lower number than those it starts */
        if (c->helper[i].started) pthread_join(c->helper[i].thread, NULL);
    this_thread = NULL;
    free(c);
}

void tc_thread_pool_ask(tc_thread_pool *c, int helpers, void (*body)(void *context, int worker), void *context)
{
    if (helpers > c->size) helpers = c->size;
    if (helpers < 0) helpers = 0;
    c->busy = true;
    c->body = body;
    c->context = context;
    atomic_store(&c->done, 0);
    atomic_store(&c->late, 0);
    const unsigned task = (atomic_load(&c->door) >> TASK_BIT) + 1;
    atomic_store(&c->door, task << TASK_BIT | (unsigned)helpers << COUNT_BITS);
    if (helpers > c->asked) {
        start_helpers(c, c->asked, helpers - 1);
        c->asked = helpers;
    }
    if (helpers > 0 && atomic_load(&c->sleepers) > 0) {
        pthread_mutex_lock(&c->mutex);
        pthread_cond_broadcast(&c->called);
        pthread_mutex_unlock(&c->mutex);
    }
}

/* Lets no more helpers join the task, and returns how many have joined. */
static unsigned shut(tc_thread_pool *c)
{
    const unsigned door = atomic_fetch_and(&c->door, ~((unsigned)COUNT << COUNT_BITS));
    return count_in(door);
}

int tc_thread_pool_gather(tc_thread_pool *c)
{
    unsigned before = 0;
    int64_t since = now_us();
    const int64_t budget = (since - c->opened) / PATIENCE - c->waited;
    const int64_t patience = budget > PATIENCE_US ? budget : PATIENCE_US;
    for (int i = 0; c->helper[0].started; i++) {
        const unsigned door = atomic_load_explicit(&c->door, memory_order_relaxed);
        if (places(door) == 0) break;
        tc_cpu_relax();
        if (i % 16) continue;
        const int64_t now = now_us();
        if (count_in(door) != before) before = count_in(door), since = now;
        if (now - since <= patience) continue;
        c->waited += now - since;
        break;
    }
    return (int)shut(c);
}

/* Waits until `all` helpers have finished. */
static void wait_until_done(tc_thread_pool *c, unsigned all)
{
    for (int i = 0; i < c->looks + YIELDS; i++) {
        if (atomic_load(&c->done) == all) return;
        tc_spin_wait(i, c->looks);
    }
    pthread_mutex_lock(&c->mutex);
    atomic_store(&c->waits, true);
    while (atomic_load(&c->done) != all) pthread_cond_wait(&c->finished, &c->mutex);
    atomic_store(&c->waits, false);
    pthread_mutex_unlock(&c->mutex);
}

void tc_thread_pool_finish(tc_thread_pool *c)
{
    wait_until_done(c, shut(c));
    c->busy = false;
}
