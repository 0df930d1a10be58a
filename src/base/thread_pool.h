/* SPDX-License-Identifier: MIT
 *
 * thread_pool.h - the threads that help a caller, for as long as one call of the library lasts. Work is shared among
 * those threads that come in time; a thread that the system does not let run is waited for only a little. So on a
 * machine that is busy with other work the caller does everything alone, and loses next to nothing.
 */
#pragma once

#include <sched.h>
#include <stdbool.h>

enum { TC_MAX_THREADS = 256 };

typedef struct tc_thread_pool tc_thread_pool;

/* Opens a pool for the calling thread: the loops and teams of parallel.h that it runs until tc_thread_pool_close()
 * share these helpers. They start when first needed. NULL, which tc_thread_pool_close() takes: `threads` is 1, the
 * calling thread has a pool already, or there is no memory; then every loop starts threads of its own. */
tc_thread_pool *tc_thread_pool_open(int threads);
void tc_thread_pool_close(tc_thread_pool *pool);

/* Opens a pool of `threads` for a thread that may have one already, whose helpers are at work; *taken is the old
 * pool. Until tc_thread_pool_rejoin() gives the old pool back, the thread's loops and teams run on the new one; if
 * `threads` is 1, in the thread alone. */
tc_thread_pool *tc_thread_pool_part(int threads, tc_thread_pool **taken);
void tc_thread_pool_rejoin(tc_thread_pool *pool, tc_thread_pool *taken);

/* The pool of the calling thread; NULL: none. */
tc_thread_pool *tc_thread_pool_of_thread(void);

/* Whether helpers have been asked for a task that has not been ended by tc_thread_pool_finish(). */
bool tc_thread_pool_is_busy(const tc_thread_pool *pool);

/* Asks up to `helpers` helpers to run body(context, worker) once each, with worker = 1, 2, ... in the order in which
 * they come. */
void tc_thread_pool_ask(tc_thread_pool *pool, int helpers, void (*body)(void *context, int worker), void *context);

/* Waits for the helpers that were asked, at least a tenth of a millisecond for each, and longer if the pool has been
 * open for long. Then lets no more join. Returns how many have joined. */
int tc_thread_pool_gather(tc_thread_pool *pool);

/* Whether helpers came too late for tc_thread_pool_gather(). They are awake, and would join another task at once.
 * May err. */
bool tc_thread_pool_has_late(const tc_thread_pool *pool);

/* How often a thread of the pool looks before it yields: `looks` times, or never if there are more threads than
 * processors, where it only keeps those that have work from theirs. */
int tc_thread_pool_looks(const tc_thread_pool *pool, int looks);

/* Lets no more helpers join, and returns when those that have are done. Ends each tc_thread_pool_ask(). */
void tc_thread_pool_finish(tc_thread_pool *pool);

/* How many processors the calling thread may run on. If there are more threads, they wait for each other. */
int tc_processors(void);

/* Leaves the core's execution units to its other hardware thread for some cycles. */
static inline void tc_look_away(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

/* What a thread does after its i-th look at a word that another one will change: it looks away the first `looks` times,
 * and then lets other threads run. */
static inline void tc_between_looks(int i, int looks)
{
    if (i < looks) tc_look_away();
    else sched_yield();
}
