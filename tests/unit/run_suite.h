/* SPDX-License-Identifier: MIT
 *
 * run_suite.h - the frame of a test program. A test adds itself to the list of its program, so none is forgotten:
 *
 *     TEST(what_should_hold) { ck_assert(...); }
 *     LOOP_TEST(what_should_hold_of_each, 0, COUNT) { ck_assert(... _i ...); }
 *     int main(void) { return run_suite((test_suite){.name = "things"}); }
 */
#pragma once

#include <check.h>
#include <stdlib.h>

/* Check writes the line of each assertion that holds to a file, so that it can name the last one if a test crashes. For
 * an assertion on each pixel that takes longer than the test itself, so only another line than the last is written. */
static inline void mark_line(const char *file, int line)
{
    static _Thread_local int last;
    if (line != last) _mark_point(file, line);
    last = line;
}
#define _mark_point mark_line

/* The tests of this program, in the order of the file. A loop test runs for _i from `from` to `to` - 1. */
typedef struct test_entry {
    const TTest *test;
    int from, to;
} test_entry;

static test_entry test_list[64];
static size_t test_count;

static inline void enter_test(const TTest *test, int from, int to)
{
    if (test_count == sizeof test_list / sizeof *test_list) abort();
    test_list[test_count++] = (test_entry){test, from, to};
}

#define LOOP_TEST(test, from, to)                                                                                      \
    static void test##_body(int);                                                                                      \
    static const TTest test = {#test, test##_body, __FILE__, __LINE__};                                                \
    __attribute__((constructor)) static void test##_enter(void) { enter_test(&test, from, to); }                       \
    static void test##_body(int _i __attribute__((unused)))
#define TEST(test) LOOP_TEST(test, 0, 1)

typedef struct test_suite {
    const char *name;
    double seconds;         /* time limit of each test in seconds; 0: 60 */
    SFun set_up, tear_down; /* functions run around each test, in its process; may be NULL */
    SFun begin, end;        /* functions run once around all tests, in the parent process; may be NULL */
} test_suite;

/* Runs the tests of this program. Returns the exit status for main(): 0 if all have passed. */
static inline int run_suite(test_suite about)
{
    Suite *const suite = suite_create(about.name);
    TCase *const tests = tcase_create(about.name);
    tcase_set_timeout(tests, about.seconds > 0 ? about.seconds : 60);
    tcase_add_checked_fixture(tests, about.set_up, about.tear_down);
    tcase_add_unchecked_fixture(tests, about.begin, about.end);
    for (size_t i = 0; i < test_count; i++)
        tcase_add_loop_test(tests, test_list[i].test, test_list[i].from, test_list[i].to);
    suite_add_tcase(suite, tests);
    SRunner *const runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV); /* the environment variable CK_VERBOSITY says how much to print */
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
