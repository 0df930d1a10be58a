/* SPDX-License-Identifier: MIT
 *
 * parallel.h - the two ways the library uses threads: a loop whose turns are independent of each other, and a team
 * whose members meet at barriers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "thread_pool.h" /* TC_MAX_THREADS */

/* Calls body(context, i) once for each turn i in 0 .. count - 1 and returns when all are done. Uses up to `threads`
 * threads; the caller is one of them. Turns are handed out in increasing order. If some threads cannot be started, or
 * come late because the machine is busy, the others do all the work, at worst the caller alone. Within a turn of a
 * loop or of a team, the caller's loops and teams are its own alone. */
void tc_parallel(int threads, int count, void (*body)(void *context, int i), void *context);

/* tc_parallel() for a body with memory of its own in each thread: `worker` is 0 .. threads - 1, 0 in the caller. */
void tc_parallel_workers(int threads, int count, void (*body)(void *context, int i, int worker), void *context);

/* tc_parallel_workers() for a few long turns that run loops and teams themselves: these share the threads. */
void tc_parallel_apart(int threads, int count, void (*body)(void *context, int i, int worker), void *context);

/* memcpy() by threads. */
void tc_parallel_copy(int threads, void *to, const void *from, size_t bytes);

/* How many of `threads` threads to use for `work` units of work, if each should get at least `least`. */
static inline int tc_threads_for(int threads, int64_t work, int64_t least)
{
    return threads < 1 + work / least ? threads : (int)(1 + work / least);
}

/* How many of `threads` threads have enough to do in a grid of `pixels` pixels: waking a thread takes as long as it
 * needs for some thousand pixels, and so do the barriers of a solve. At least 1. */
static inline int tc_threads_that_pay(int threads, int64_t pixels)
{
    enum { PIXELS_A_THREAD = 1 << 16 };
    const int64_t most = pixels / PIXELS_A_THREAD > 1 ? pixels / PIXELS_A_THREAD : 1;
    return threads < most ? threads : (int)most;
}

/* Threads that take the same steps at the same time. */
typedef struct tc_team tc_team;

/* Calls body(context, team, worker) once in each of up to `threads` threads, all at the same time, with worker = 0 ..
 * size - 1, and returns when all are done. If some threads cannot be started, or do not come at once, the team is
 * smaller. */
void tc_parallel_team(int threads, void (*body)(void *context, tc_team *team, int worker), void *context);

int tc_team_size(const tc_team *team);

/* Whether threads have come since that were missing when the team began: a new team would be larger. Members may get
 * different answers. */
bool tc_team_may_grow(const tc_team *team);

/* A barrier: returns when all members have called it. Each then sees what the others wrote before it. Takes a third
 * of a microsecond when two come at the same time; a member that has to wait long falls asleep. */
void tc_team_barrier(tc_team *team);

/* Waits until *counter, which another member of the team raises by tc_team_tell(), is `least` or more. The wait must
 * always be short, as the waiting member does not fall asleep. Afterwards it sees what the other member wrote
 * before. */
void tc_team_await(const int *counter, int least);

static inline void tc_team_tell(int *counter, int value)
{
    __atomic_store_n(counter, value, __ATOMIC_RELEASE);
}

/* Divides `rows` rows into `parts` runs of consecutive rows of about equal weight, each of `least` rows or more. Run
 * i is first[i] .. first[i + 1] - 1; first: [parts + 1]. Needs rows >= parts * least. */
void tc_share_rows(const int64_t *weight, int rows, int parts, int least, int *first);

/* Wall-clock milliseconds from an arbitrary start. */
double tc_now_ms(void);

/* The milliseconds since *since; sets *since to now. */
double tc_lap_ms(double *since);
