/* SPDX-License-Identifier: MIT
 *
 * parallel.c - loops and teams. Their threads come from the pool that the caller has opened (thread_pool.h); without
 * one, they live for one loop or one team.
 *
 * In a loop, workers draw their next iterations from one atomic counter. Each draw takes a share of the iterations that
 * are left, so draws shrink to single iterations at the end. Consecutive iterations use neighbouring memory, and this
 * way most of them go to the same worker. Drawing single iterations from the start gave neighbouring tiles to different
 * workers; cache lines then moved between processors, which cost a quarter of the time.
 */
#include "parallel.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- Loops ------------------------------------------------------------------------------------ */

typedef struct loop {
    void (*body)(void *context, int i);
    void (*body_of_worker)(void *context, int i, int worker); /* called if `body` is NULL */
    void *context;
    int count, workers;
    atomic_int next;
} loop;

/* Draws iterations *first .. *end - 1; returns false if none is left. */
static bool draw(loop *l, int *first, int *end)
{
    enum { DRAWS = 4 }; /* a draw takes (iterations left) / (DRAWS * workers) */
    *first = atomic_load(&l->next);
    do {
        if (*first >= l->count) return false;
        const int share = (l->count - *first) / (DRAWS * l->workers);
        *end = *first + (share > 1 ? share : 1);
    } while (!atomic_compare_exchange_weak(&l->next, first, *end));
    return true;
}

static void parallel_worker(void *context, int worker)
{
    loop *const l = context;
    for (int i, end; draw(l, &i, &end);)
        for (; i < end; i++)
            if (l->body) l->body(l->context, i);
            else l->body_of_worker(l->context, i, worker);
}

/* Returns the pool that the loop uses. If the caller has none, one is opened into *own. NULL: the caller works
 * alone. */
static tc_thread_pool *pool_for(int threads, tc_thread_pool **own)
{
    tc_thread_pool *const pool = tc_thread_pool_of_thread();
    *own = NULL;
    if (threads < 2) return NULL;
    if (pool) return tc_thread_pool_is_busy(pool) ? NULL : pool;
    return *own = tc_thread_pool_open(threads);
}

static void run(int threads, loop *l)
{
    if (threads > TC_MAX_THREADS) threads = TC_MAX_THREADS;
    l->workers = threads < l->count ? threads : l->count;
    tc_thread_pool *own, *const pool = pool_for(l->workers, &own);
    if (pool) tc_thread_pool_ask(pool, l->workers - 1, parallel_worker, l);
    parallel_worker(l, 0);
    if (pool) tc_thread_pool_finish(pool);
    tc_thread_pool_close(own);
}

void tc_parallel(int threads, int count, void (*body)(void *context, int i), void *context)
{
    run(threads, &(loop){.body = body, .context = context, .count = count});
}

void tc_parallel_workers(int threads, int count, void (*body)(void *context, int i, int worker), void *context)
{
    run(threads, &(loop){.body_of_worker = body, .context = context, .count = count});
}

typedef struct apart {
    void (*body)(void *context, int i, int worker);
    void *context;
    int threads; /* threads of each worker */
} apart;

static void run_with_own_threads(void *context, int i, int worker)
{
    const apart *const a = context;
    tc_thread_pool *taken, *const own = tc_thread_pool_part(a->threads, &taken);
    a->body(a->context, i, worker);
    tc_thread_pool_rejoin(own, taken);
}

void tc_parallel_apart(int threads, int count, void (*body)(void *context, int i, int worker), void *context)
{
    const int workers = threads < count ? threads : count;
    tc_parallel_workers(workers, count, run_with_own_threads,
                        &(apart){body, context, workers > 0 ? threads / workers : 1});
}

typedef struct copying {
    char *to;
    const char *from;
    size_t bytes;
} copying;

enum { COPIED = 1 << 18 }; /* bytes per iteration */

static void copy_some(void *context, int i)
{
    const copying *const c = context;
    const size_t at = (size_t)i * COPIED, left = c->bytes - at;
    memcpy(c->to + at, c->from + at, left < COPIED ? left : COPIED);
}

void tc_parallel_copy(int threads, void *to, const void *from, size_t bytes)
{
    copying c = {to, from, bytes};
    const int turns = (int)((bytes + COPIED - 1) / COPIED);
    tc_parallel(tc_threads_for(threads, turns, 4), turns, copy_some, &c);
}

/* ---- Failures --------------------------------------------------------------------------------- */

void tc_failures_add(tc_failures *f, int turn, tilecut_status status)
{
    if (status == TILECUT_OK) return;
    pthread_mutex_lock(&f->lock);
    if (turn < f->turn) {
        __atomic_store_n(&f->turn, turn, __ATOMIC_RELAXED);
        f->status = status;
        snprintf(f->sentence, sizeof f->sentence, "%s", tc_sentence());
    }
    pthread_mutex_unlock(&f->lock);
}

bool tc_failures_any(const tc_failures *f)
{
    return __atomic_load_n(&f->turn, __ATOMIC_RELAXED) != INT_MAX;
}

tilecut_status tc_failures_raise(const tc_failures *f)
{
    return tc_failures_any(f) ? tc_fail(f->status, "%s", f->sentence) : TILECUT_OK;
}

/* ---- Teams ------------------------------------------------------------------------------------ */

enum { CACHE_LINE = 64, LOOKS = 1000 };

/* The fields that members write are on other cache lines than those on which members wait: otherwise each arriving
 * member would take the line away from all that wait. */
struct tc_team {
    void (*body)(void *context, tc_team *team, int worker);
    void *context;
    int size; /* valid from turn 1 on */
    int looks; /* how many times a member polls before it yields */
    const tc_thread_pool *pool; /* NULL: there is no pool, or all of its threads have come */
    char apart[CACHE_LINE];
    atomic_int arrived;
    char apart_too[CACHE_LINE];
    atomic_uint turn;
    char apart_as_well[CACHE_LINE];
    atomic_int sleepers;
    pthread_mutex_t mutex;
    pthread_cond_t next;
};

int tc_team_size(const tc_team *team)
{
    return team->size;
}

bool tc_team_may_grow(const tc_team *team)
{
    return team->pool && tc_thread_pool_has_late(team->pool);
}

/* Starts the next turn and wakes the members that sleep until it begins. */
static void begin_turn(tc_team *team)
{
    atomic_fetch_add(&team->turn, 1);
    if (atomic_load(&team->sleepers) == 0) return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(&team->next);
    pthread_mutex_unlock(&team->mutex);
}

/* Waits until `turn` is over: polls first, then yields, then sleeps. Most waits are shorter than going to sleep and
 * waking up. A sleeper counts itself before it polls for the last time, so begin_turn() cannot miss it. */
static void wait_for_turn_after(tc_team *team, unsigned turn)
{
    enum { YIELDS = 200 };
    for (int i = 0; i < team->looks + YIELDS; i++) {
        if (atomic_load(&team->turn) != turn) return;
        tc_spin_wait(i, team->looks);
    }
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->turn) == turn) pthread_cond_wait(&team->next, &team->mutex);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->mutex);
}

void tc_team_barrier(tc_team *team)
{
    if (team->size == 1) return;
    const unsigned turn = atomic_load(&team->turn);
    if (atomic_fetch_add(&team->arrived, 1) + 1 < team->size) {
        wait_for_turn_after(team, turn);
    } else {
        atomic_store(&team->arrived, 0);
        begin_turn(team);
    }
}

void tc_team_await(const int *counter, int least)
{
    enum { FEW = 200 };
    for (int i = 0; __atomic_load_n(counter, __ATOMIC_ACQUIRE) < least; i++) tc_spin_wait(i, FEW);
}

static void join_team(void *context, int worker)
{
    tc_team *const team = context;
    wait_for_turn_after(team, 0); /* waits for the start, when the team's size is known */
    team->body(team->context, team, worker);
}

void tc_parallel_team(int threads, void (*body)(void *context, tc_team *team, int worker), void *context)
{
    tc_team team = {.body = body, .context = context, .size = 1, .mutex = PTHREAD_MUTEX_INITIALIZER,
                    .next = PTHREAD_COND_INITIALIZER};
    if (threads > TC_MAX_THREADS) threads = TC_MAX_THREADS;
    tc_thread_pool *own, *const pool = pool_for(threads, &own);
    if (pool) {
        team.looks = tc_thread_pool_looks(pool, LOOKS);
        tc_thread_pool_ask(pool, threads - 1, join_team, &team);
        team.size = 1 + tc_thread_pool_gather(pool);
        if (team.size < threads) team.pool = pool;
        begin_turn(&team);
    }
    body(context, &team, 0);
    if (pool) tc_thread_pool_finish(pool);
    tc_thread_pool_close(own);
}

void tc_share_rows(const int64_t *weight, int rows, int parts, int least, int *first)
{
    int64_t all = 0, before = 0;
    int row = 0;
    for (int i = 0; i < rows; i++) all += weight[i];
    for (int i = 0; i < parts; i++) {
        const int last = rows - least * (parts - 1 - i);
        first[i] = row;
        for (; row < last && (row < first[i] + least || before * parts < all * (i + 1)); row++) before += weight[row];
    }
    first[parts] = rows;
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
