/* SPDX-License-Identifier: MIT
 *
 * parallel.h - the two ways in which the library uses threads: a loop with independent iterations, and a team whose
 * members meet at barriers.
 */
#pragma once

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "thread_pool.h" /* TC_MAX_THREADS */

/* Calls body(context, i) once for each i in 0 .. count - 1 and returns when all calls are done. Uses up to `threads`
 * threads; the caller is one of them. Iterations are handed out in increasing order. If some threads cannot be started,
 * or come late because the machine is busy, the others do all the work, at worst the caller alone. Loops and teams that
 * are started within an iteration, or within a team, run in that thread alone. */
void tc_parallel(int threads, int count, void (*body)(void *context, int i), void *context);

/* Does the same as tc_parallel(), for a body that has its own memory in each thread: `worker` is 0 .. threads - 1, and
 * 0 in the caller. */
void tc_parallel_workers(int threads, int count, void (*body)(void *context, int i, int worker), void *context);

/* Does the same as tc_parallel_workers(), for a few long iterations that start loops and teams themselves. The threads
 * are divided among the iterations. */
void tc_parallel_apart(int threads, int count, void (*body)(void *context, int i, int worker), void *context);

/* memcpy() with several threads. */
void tc_parallel_copy(int threads, void *to, const void *from, size_t bytes);

/* What has failed in the turns of a loop: the status and the sentence of the lowest turn that failed, so that the
 * result does not depend on which thread came first. Initialise with TC_NO_FAILURE. */
typedef struct tc_failures {
    pthread_mutex_t lock;
    int turn; /* the lowest turn that failed; INT_MAX: none */
    tilecut_status status;
    char sentence[320];
} tc_failures;
#define TC_NO_FAILURE {.lock = PTHREAD_MUTEX_INITIALIZER, .turn = INT_MAX, .status = TILECUT_OK}

/* Stores the status of a turn, with the sentence of the calling thread, unless it is TILECUT_OK. */
void tc_failures_add(tc_failures *f, int turn, tilecut_status status);

/* True if a turn has failed so far. Other turns may then be skipped. */
bool tc_failures_any(const tc_failures *f);

/* Call this after the loop. Returns the status of the first turn that has failed, in order of their numbers, and stores
 * its sentence for the calling thread. TILECUT_OK: none has failed. */
tilecut_status tc_failures_raise(const tc_failures *f);

/* Returns how many of `threads` threads to use for `work` units of work, so that each gets at least `least` units. */
static inline int tc_threads_for(int threads, int64_t work, int64_t least)
{
    return threads < 1 + work / least ? threads : (int)(1 + work / least);
}

/* Returns how many of `threads` threads have enough to do in a grid of `pixels` pixels, at least 1. Waking a thread
 * takes as long as its work on some thousand pixels, and so do the barriers of a solve. */
static inline int tc_threads_that_pay(int threads, int64_t pixels)
{
    enum { PIXELS_A_THREAD = 1 << 16 };
    const int64_t most = pixels / PIXELS_A_THREAD > 1 ? pixels / PIXELS_A_THREAD : 1;
    return threads < most ? threads : (int)most;
}

/* Threads that work in step, separated by barriers. */
typedef struct tc_team tc_team;

/* Calls body(context, team, worker) once in each of up to `threads` threads, all at the same time, with worker = 0 ..
 * size - 1, and returns when all are done. If some threads cannot be started, or do not come at once, the team is
 * smaller. */
void tc_parallel_team(int threads, void (*body)(void *context, tc_team *team, int worker), void *context);

int tc_team_size(const tc_team *team);

/* True if threads have come that were missing when the team began, so that a new team would be larger. Members may get
 * different answers. */
bool tc_team_may_grow(const tc_team *team);

/* A barrier: returns when all members have called it. Each member then sees everything that the others wrote before it.
 * It takes a third of a microsecond when two members come at the same time; a member that has to wait long goes to
 * sleep. */
void tc_team_barrier(tc_team *team);

/* Waits until *counter is `least` or more. Another member of the team raises it by tc_team_publish(). The wait must
 * always be short, because the waiting member does not sleep. Afterwards it sees everything that the other member wrote
 * before. */
void tc_team_await(const int *counter, int least);

static inline void tc_team_publish(int *counter, int value)
{
    __atomic_store_n(counter, value, __ATOMIC_RELEASE);
}

/* Divides `rows` rows into `parts` runs of consecutive rows. The runs have about equal weight and at least `least` rows
 * each. Run i is first[i] .. first[i + 1] - 1; first: [parts + 1]. Requires rows >= parts * least. */
void tc_share_rows(const int64_t *weight, int rows, int parts, int least, int *first);

/* Wall-clock milliseconds from an arbitrary start. */
double tc_now_ms(void);

/* Returns the milliseconds since *since, and sets *since to the present time. */
double tc_lap_ms(double *since);
