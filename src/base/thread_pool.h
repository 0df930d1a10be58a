/* SPDX-License-Identifier: MIT
 *
 * thread_pool.h - the threads that help a caller, for as long as one call of the library lasts. Work is shared among
 * those threads that come in time; a thread that the system does not let run is waited for only a little. So on a
 * machine that is busy with other work the caller does everything alone, and loses next to nothing.
 */
#ifndef TC_THREAD_POOL_H
#define TC_THREAD_POOL_H

#include <sched.h>
#include <stdbool.h>

enum { TC_MAX_THREADS = 256 };

typedef struct tc_thread_pool tc_thread_pool;

/* Opens a pool for the calling thread: the loops and teams of parallel.h that it runs until tc_thread_pool_close()
 * share these helpers. They start when first needed. NULL, which tc_thread_pool_close() takes: `threads` is 1, the
 * calling thread has a pool already, or there is no memory; then every loop starts threads of its own. */
tc_thread_pool *tc_thread_pool_open(int threads);
void tc_thread_pool_close(tc_thread_pool *pool);

/* Opens a pool of `threads` for a thread that may have one already, whose helpers are at work; *taken is that one.
 * Until tc_thread_pool_rejoin() gives it back, the thread's loops and teams run on the new pool; with 1, in the
 * thread alone. */
tc_thread_pool *tc_thread_pool_part(int threads, tc_thread_pool **taken);
void tc_thread_pool_rejoin(tc_thread_pool *pool, tc_thread_pool *taken);

/* The pool of the calling thread; NULL: none. */
tc_thread_pool *tc_thread_pool_of_thread(void);

/* Whether helpers have been asked and have not been finished with. */
bool tc_thread_pool_is_busy(const tc_thread_pool *pool);

/* Asks up to `helpers` helpers to run body(context, worker) once each, with worker = 1, 2, ... in the order in which
 * they come. */
void tc_thread_pool_ask(tc_thread_pool *pool, int helpers, void (*body)(void *context, int worker), void *context);

/* Waits for those who were asked, a tenth of a millisecond for each at least and longer where the pool has been open
 * for long, then lets no more come. Returns how many have come. */
int tc_thread_pool_gather(tc_thread_pool *pool);

/* Whether helpers have come since tc_thread_pool_gather() let no more come. They would come to another task at once.
 * May err. */
bool tc_thread_pool_has_late(const tc_thread_pool *pool);

/* Lets no more come, and returns when those who have are done. Ends each tc_thread_pool_ask(). */
void tc_thread_pool_finish(tc_thread_pool *pool);

/* How many processors the calling thread may run on. More threads than these wait for each other. */
int tc_processors(void);

/* Leaves the processor's units to the thread beside this one for some cycles. */
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

#endif
