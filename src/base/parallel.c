/* SPDX-License-Identifier: MIT
 *
 * parallel.c - loops and teams on pthreads. Threads live for one loop or one team: starting a thread takes some tens
 * of microseconds, a loop takes milliseconds.
 *
 * In a loop, workers draw their next turns from one atomic counter. Each draw takes a share of the turns that are
 * left, so draws shrink to single turns at the end. Consecutive turns work on neighbouring memory and so mostly
 * belong to one worker. When turns were drawn singly from the start, neighbouring tiles fell to different workers,
 * cache lines moved between processors, and that cost a quarter of the time.
 */
#include "parallel.h"

#include <pthread.h>
#include <sched.h>
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

/* Draws turns *first .. *end - 1; false if none is left. */
static bool draw(loop *l, int *first, int *end)
{
    enum { DRAWS = 4 }; /* per worker, into which the turns left are divided */
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

struct tc_team {
    void (*body)(void *context, tc_team *team, int worker);
    void *context;
    int size; /* 0: not known yet */
    atomic_int arrived;
    atomic_uint turn;
    pthread_mutex_t mutex;
    pthread_cond_t next;
};

typedef struct member {
    tc_team *team;
    int number;
    pthread_t thread;
} member;

int tc_team_size(const tc_team *team)
{
    return team->size;
}

/* Starts the next turn and wakes the members that wait for it. */
static void begin_turn(tc_team *team)
{
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->turn, 1);
    pthread_cond_broadcast(&team->next);
    pthread_mutex_unlock(&team->mutex);
}

/* Waits until `turn` is over. Looks, then yields, then sleeps: most waits are shorter than falling asleep and
 * waking. */
static void wait_for_turn_after(tc_team *team, unsigned turn)
{
    enum { LOOKS = 200, YIELDS = 200 };
    for (int i = 0; i < LOOKS + YIELDS; i++) {
        if (atomic_load(&team->turn) != turn) return;
        if (i >= LOOKS) sched_yield();
    }
    pthread_mutex_lock(&team->mutex);
    while (atomic_load(&team->turn) == turn) pthread_cond_wait(&team->next, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}

void tc_team_meet(tc_team *team)
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

static void *join_team(void *argument)
{
    const member *self = argument;
    wait_for_turn_after(self->team, 0); /* then the team's size is known */
    self->team->body(self->team->context, self->team, self->number);
    return NULL;
}

void tc_parallel_team(int threads, void (*body)(void *context, tc_team *team, int worker), void *context)
{
    tc_team team = {body, context, 1, 0, 0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
    member members[TC_MAX_THREADS];
    int started = 1;

    if (threads > TC_MAX_THREADS) threads = TC_MAX_THREADS;
    for (; started < threads; started++) {
        members[started] = (member){.team = &team, .number = started};
        if (pthread_create(&members[started].thread, NULL, join_team, &members[started]) != 0) break;
    }
    team.size = started;
    begin_turn(&team);
    body(context, &team, 0);
    for (int i = 1; i < started; i++) pthread_join(members[i].thread, NULL);
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
