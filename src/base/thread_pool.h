/* SPDX-License-Identifier: MIT
 *
 * thread_pool.h - the threads that help a caller during one call of the library. Work is shared among the threads that
 * come in time; the caller waits only a little for a thread that the system does not run. So on a machine that is busy
 * with other work the caller does everything alone, and loses next to nothing.
 */
#pragma once

#include <sched.h>
#include <stdbool.h>

enum { TC_MAX_THREADS = 256 };

typedef struct tc_thread_pool tc_thread_pool;

/* Opens a pool for the calling thread: the loops and teams of parallel.h that it runs until tc_thread_pool_close()
 * share these helpers. They start when first needed. Returns NULL if `threads` is 1, if the calling thread has a pool
 * already, or if there is no memory. In the last case every loop starts threads of its own. tc_thread_pool_close()
 * accepts NULL. */
tc_thread_pool *tc_thread_pool_open(int threads);
void tc_thread_pool_close(tc_thread_pool *pool);

/* Opens a pool of `threads` threads for a thread that may have a pool already, whose helpers are at work; *taken is the
 * old pool. Until tc_thread_pool_rejoin() restores the old pool, the thread's loops and teams run on the new one; if
 * `threads` is 1, in the thread alone. */
tc_thread_pool *tc_thread_pool_part(int threads, tc_thread_pool **taken);
void tc_thread_pool_rejoin(tc_thread_pool *pool, tc_thread_pool *taken);

/* Returns the pool of the calling thread, or NULL. */
tc_thread_pool *tc_thread_pool_of_thread(void);

/* True if helpers have been asked to run a task that tc_thread_pool_finish() has not ended yet. */
bool tc_thread_pool_is_busy(const tc_thread_pool *pool);

/* Asks up to `helpers` helpers to run body(context, worker) once each, with worker = 1, 2, ... in the order in which
 * they come. */
void tc_thread_pool_ask(tc_thread_pool *pool, int helpers, void (*body)(void *context, int worker), void *context);

/* Waits for the helpers that were asked, at least a tenth of a millisecond for each, and longer if the pool has been
 * open for long. After that no more helpers can join. Returns how many have joined. */
int tc_thread_pool_gather(tc_thread_pool *pool);

/* True if helpers came too late for tc_thread_pool_gather(). They are awake, and would join another task at once. The
 * answer may be wrong. */
bool tc_thread_pool_has_late(const tc_thread_pool *pool);

/* Returns how many times a thread of the pool polls before it yields: `looks`, or 0 if there are more threads than
 * processors, where a polling thread would only keep a processor from threads that have work. */
int tc_thread_pool_looks(const tc_thread_pool *pool, int looks);

/* Lets no more helpers join, and returns when those that have joined are done. Ends each tc_thread_pool_ask(). */
void tc_thread_pool_finish(tc_thread_pool *pool);

/* Returns the number of processors on which the calling thread may run. If there are more threads than that, they wait
 * for each other. */
int tc_processors(void);

/* Leaves the core's execution units to its other hardware thread for some cycles. */
static inline void tc_cpu_relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

/* What a thread does after it has polled a word for the i-th time: it pauses briefly the first `looks` times, and after
 * that lets other threads run. */
static inline void tc_spin_wait(int i, int looks)
{
    if (i < looks) tc_cpu_relax();
    else sched_yield();
}
