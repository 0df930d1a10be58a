/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_parallel.c - loops over threads, teams with barriers, and rows divided by weight.
 */
#include <check.h>
#include <stdbool.h>

#include "parallel.h"
#include "random_graph.h"
#include "run_suite.h"

enum { COUNT = 1000, TEAM = 5, STEPS = 2000 };

static void count_turn(void *context, int i, int worker)
{
    (void)worker;
    ((int *)context)[i]++;
}

START_TEST(every_turn_is_taken_once)
{
    int taken[COUNT] = {0};
    tc_parallel(4, COUNT, count_turn, taken);
    for (int i = 0; i < COUNT; i++) ck_assert_int_eq(taken[i], 1);
}
END_TEST

/* What each of a team has written, step by step. */
typedef struct relay {
    int steps[TEAM], size;
    bool behind;
} relay;

static void take_steps(void *context, tc_team *team, int worker)
{
    relay *const r = context;
    if (worker == 0) r->size = tc_team_size(team);
    for (int step = 1; step <= STEPS; step++) {
        r->steps[worker] = step;
        tc_team_meet(team);
        for (int i = 0; i < tc_team_size(team); i++)
            if (r->steps[i] != step) r->behind = true;
        tc_team_meet(team);
    }
}

START_TEST(a_team_goes_in_step)
{
    for (int threads = 1; threads <= TEAM; threads++) {
        relay r = {0};
        tc_parallel_team(threads, take_steps, &r);
        ck_assert(!r.behind);
        ck_assert_int_eq(r.size, threads);
        for (int i = 0; i < TEAM; i++) ck_assert_int_eq(r.steps[i], i < threads ? STEPS : 0);
    }
}
END_TEST

START_TEST(rows_are_shared_by_weight)
{
    const int64_t weight[] = {1, 1, 1, 1, 8, 1, 1, 1, 1, 8};
    int first[4];
    tc_share_rows(weight, 10, 2, 1, first);
    ck_assert_int_eq(first[0], 0);
    ck_assert_int_eq(first[1], 5); /* 12 of 24 */
    ck_assert_int_eq(first[2], 10);
    tc_share_rows(weight, 10, 3, 3, first);
    ck_assert_int_eq(first[1], 4); /* the others need three each */
}
END_TEST

START_TEST(no_part_is_too_low)
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
END_TEST

START_TEST(small_grids_get_few_threads)
{
    ck_assert_int_eq(tc_threads_that_pay(16, 1), 1);
    ck_assert_int_eq(tc_threads_that_pay(16, 128 * 128), 1);
    ck_assert_int_eq(tc_threads_that_pay(16, 256 * 256), 2);
    ck_assert_int_eq(tc_threads_that_pay(16, 1024 * 1024), 16);
    ck_assert_int_eq(tc_threads_that_pay(1, INT64_C(1) << 40), 1);
    ck_assert_int_eq(tc_threads_that_pay(256, INT64_C(1) << 40), 256);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parallel");
    TCase *tests = tcase_create("threads");
    tcase_add_test(tests, every_turn_is_taken_once);
    tcase_add_test(tests, a_team_goes_in_step);
    tcase_add_test(tests, rows_are_shared_by_weight);
    tcase_add_test(tests, no_part_is_too_low);
    tcase_add_test(tests, small_grids_get_few_threads);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
