/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_parallel.c - loops over threads, teams with barriers, and rows divided by weight.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "thread_pool.h"
#include "parallel.h"
#include "random_graph.h"
#include "run_suite.h"

enum { COUNT = 1000, TEAM = 5, STEPS = 2000 };

static void count_turn(void *context, int i, int worker)
{
    (void)worker;
    ((int *)context)[i]++;
}

TEST(every_turn_is_taken_once)
{
    int taken[COUNT] = {0};
    tc_parallel_workers(4, COUNT, count_turn, taken);
    for (int i = 0; i < COUNT; i++) ck_assert_int_eq(taken[i], 1);
}

/* The last step that each member of a team has written. */
typedef struct relay {
    int steps[TEAM], size, most;
    bool behind;
} relay;

static void take_steps(void *context, tc_team *team, int worker)
{
    relay *const r = context;
    if (worker == 0) r->size = tc_team_size(team);
    for (int step = 1; step <= r->most; step++) {
        r->steps[worker] = step;
        tc_team_barrier(team);
        for (int i = 0; i < tc_team_size(team); i++)
            if (r->steps[i] != step) r->behind = true;
        tc_team_barrier(team);
    }
}

TEST(a_team_goes_in_step)
{
    for (int threads = 1; threads <= TEAM; threads++) {
        relay r = {.most = STEPS};
        tc_parallel_team(threads, take_steps, &r);
        ck_assert(!r.behind);
        ck_assert(r.size >= 1 && r.size <= threads); /* a thread that arrives late is not in the team */
        for (int i = 0; i < TEAM; i++) ck_assert_int_eq(r.steps[i], i < r.size ? STEPS : 0);
    }
}

/* Loops and teams of all sizes, in any order, use the threads of one pool. */
TEST(a_pool_serves_loops_and_teams)
{
    enum { ROUNDS = 60 };
    uint64_t state = 7;
    tc_thread_pool *const pool = tc_thread_pool_open(TEAM);
    ck_assert(pool && tc_thread_pool_of_thread() == pool);
    ck_assert(!tc_thread_pool_open(TEAM)); /* a thread can open only one pool */
    for (int round = 0; round < ROUNDS; round++) {
        const int threads = 1 + random_below(&state, TEAM);
        int taken[COUNT] = {0};
        tc_parallel_workers(threads, COUNT, count_turn, taken);
        for (int i = 0; i < COUNT; i++) ck_assert_int_eq(taken[i], 1);
        if (round % 6) continue;
        relay r = {.most = 10};
        tc_parallel_team(threads, take_steps, &r);
        ck_assert(!r.behind && r.size >= 1 && r.size <= threads);
    }
    tc_thread_pool_close(pool);
    ck_assert(!tc_thread_pool_of_thread());
}

/* A helper that arrives after a task was finished has no part in it. The next task is open to all helpers again. */
static void come_in(void *context, int worker)
{
    ck_assert(worker >= 1 && worker < TEAM);
    atomic_fetch_add((atomic_int *)context, 1);
}

TEST(who_comes_late_is_not_waited_for)
{
    atomic_int came = 0;
    tc_thread_pool *const pool = tc_thread_pool_open(TEAM);
    tc_thread_pool_ask(pool, 2, come_in, &came);
    while (atomic_load(&came) < 2) sched_yield(); /* until the task is finished, every helper that was asked joins it */
    tc_thread_pool_finish(pool);
    int sum = 2;
    for (int task = 0; task < 500; task++) {
        const int helpers = task % (TEAM + 1); /* some tasks ask for more helpers than the pool has */
        tc_thread_pool_ask(pool, helpers, come_in, &came);
        ck_assert(tc_thread_pool_is_busy(pool));
        const int in_time = task % 2 ? tc_thread_pool_gather(pool) : 0;
        tc_thread_pool_finish(pool);
        const int before = sum;
        sum = atomic_load(&came);
        ck_assert(sum - before >= in_time && sum - before <= helpers);
        if (task % 2) ck_assert_int_eq(sum - before, in_time);
    }
    tc_thread_pool_close(pool);
    ck_assert_int_eq(atomic_load(&came), sum);
}

/* A thread that was just started usually arrives too late for a task that is finished at once. It is also correct if it
 * arrives in time. */
TEST(who_comes_late_is_noticed)
{
    for (int i = 0; i < 50; i++) {
        atomic_int came = 0;
        tc_thread_pool *const pool = tc_thread_pool_open(2);
        tc_thread_pool_ask(pool, 1, come_in, &came);
        tc_thread_pool_finish(pool);
        const double since = tc_now_ms();
        while (!atomic_load(&came) && !tc_thread_pool_has_late(pool) && tc_now_ms() < since + 60e3) sched_yield();
        ck_assert_int_ne(atomic_load(&came), tc_thread_pool_has_late(pool));
        tc_thread_pool_close(pool);
    }
}

static void loop_within(void *context, int i)
{
    tc_parallel_workers(TEAM, COUNT, count_turn, (int(*)[COUNT])context + i);
}

TEST(a_loop_within_a_loop)
{
    static int taken[20][COUNT];
    tc_thread_pool *const pool = tc_thread_pool_open(TEAM);
    tc_parallel(TEAM, 20, loop_within, taken);
    tc_thread_pool_close(pool);
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < COUNT; k++) ck_assert_int_eq(taken[i][k], 1);
}

TEST(rows_are_shared_by_weight)
{
    const int64_t weight[] = {1, 1, 1, 1, 8, 1, 1, 1, 1, 8};
    int first[4];
    tc_share_rows(weight, 10, 2, 1, first);
    ck_assert_int_eq(first[0], 0);
    ck_assert_int_eq(first[1], 5); /* the first five rows have a weight of 12 out of 24 */
    ck_assert_int_eq(first[2], 10);
    tc_share_rows(weight, 10, 3, 3, first);
    ck_assert_int_eq(first[1], 4); /* the first part gets four rows, because the other two need three each */
}

TEST(no_part_is_too_low)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        uint64_t state = seed;
        int64_t weight[60];
        int first[21];
        const int parts = 1 + random_below(&state, 20), least = 1 + random_below(&state, 3);
        const int rows = parts * least + random_below(&state, 60 - parts * least + 1);
        for (int i = 0; i < rows; i++) weight[i] = random_below(&state, 4) ? 0 : random_below(&state, 1000);
        tc_share_rows(weight, rows, parts, least, first);
        ck_assert_int_eq(first[0], 0);
        ck_assert_int_eq(first[parts], rows);
        for (int i = 0; i < parts; i++)
            ck_assert_msg(first[i + 1] - first[i] >= least, "seed %llu: part %d has %d rows of %d at least",
                          (unsigned long long)seed, i, first[i + 1] - first[i], least);
    }
}

TEST(small_grids_get_few_threads)
{
    ck_assert_int_eq(tc_threads_that_pay(16, 1), 1);
    ck_assert_int_eq(tc_threads_that_pay(16, 128 * 128), 1);
    ck_assert_int_eq(tc_threads_that_pay(16, 256 * 256), 1);
    ck_assert_int_eq(tc_threads_that_pay(16, 512 * 512), 4);
    ck_assert_int_eq(tc_threads_that_pay(16, 1024 * 1024), 16);
    ck_assert_int_eq(tc_threads_that_pay(1, INT64_C(1) << 40), 1);
    ck_assert_int_eq(tc_threads_that_pay(256, INT64_C(1) << 40), 256);
}

/* ---- Loops within loops ------------------------------------------------------------------------ */

enum { OUTER = 8, INNER = 20 };
static int strangers; /* inner iterations that ran in another thread than the outer one */

/* Takes a millisecond, so that another thread has time to come. */
static void inner(void *context, int i)
{
    (void)i;
    usleep(1000);
    if (!pthread_equal(*(const pthread_t *)context, pthread_self()))
        __atomic_fetch_add(&strangers, 1, __ATOMIC_RELAXED);
}

static void outer(void *context, int i)
{
    pthread_t self = pthread_self();
    (void)context, (void)i;
    tc_parallel(4, INNER, inner, &self);
}

TEST(loops_within_a_loop_run_in_its_thread_alone)
{
    strangers = 0;
    tc_parallel(4, OUTER, outer, NULL);
    ck_assert_int_eq(strangers, 0);
}

TEST(the_lowest_failure_is_raised)
{
    tc_failures f = TC_NO_FAILURE;
    ck_assert_int_eq(tc_failures_raise(&f), TILECUT_OK);
    tc_failures_add(&f, 1, TILECUT_OK);
    ck_assert(!tc_failures_any(&f));
    tc_failures_add(&f, 7, tc_fail(TILECUT_ENOMEM, "seven"));
    tc_failures_add(&f, 3, tc_fail(TILECUT_EINVAL, "three"));
    tc_failures_add(&f, 5, tc_fail(TILECUT_ESEEDS, "five"));
    ck_assert(tc_failures_any(&f));
    ck_assert_int_eq(tc_failures_raise(&f), TILECUT_EINVAL);
    ck_assert_str_eq(tilecut_error_detail(), "three");
}

int main(void) { return run_suite((test_suite){.name = "parallel"}); }
