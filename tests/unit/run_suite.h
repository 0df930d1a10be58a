/* SPDX-License-Identifier: MIT
 *
 * run_suite.h - how the main() of every test program ends.
 */
#ifndef RUN_SUITE_H
#define RUN_SUITE_H

#include <check.h>

/* Runs `suite`, and frees it. Returns what main() should: 0 if all its tests passed. */
static inline int run_suite(Suite *suite)
{
    SRunner *const runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV); /* as much as CK_VERBOSITY says */
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

#endif
