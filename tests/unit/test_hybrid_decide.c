/* SPDX-License-Identifier: MIT
 *
 * test_hybrid_decide.c - the arithmetic with which the solver on two devices decides whether the CPU or the GPU
 * continues.
 */
#include <math.h>

#include "hybrid.h"
#include "random_graph.h"
#include "run_suite.h"

static const tc_costs round_costs = {.bytes_per_ms = 1e6, .latency_ms = 1, .cpu_ns = 100, .patience = 0.1,
                                     .margin = 0.5, .tiny = 100, .local = 300};

TEST(the_start)
{
    tilecut_decision d;
    tc_decider a = tc_decide_begin(&round_costs, 1000000);
    ck_assert(!tc_decide_start(&a, false, 500, 7, &d));
    ck_assert_str_eq(d.next, "cuda");
    ck_assert_int_eq(d.bytes, 7);
    ck_assert_double_eq_tol(d.cpu_rate, 500 / 100.0, 1e-9);
    ck_assert(tc_decide_start(&a, true, 500, 7, &d));
    ck_assert_str_eq(d.next, "cpu");
    ck_assert_int_eq(d.bytes, 0);
    a = tc_decide_begin(&round_costs, 299);
    ck_assert(tc_decide_start(&a, false, 299, 7, &d)); /* there is much excess, but it is near the sinks */
    a = tc_decide_begin(&round_costs, 300);
    ck_assert(!tc_decide_start(&a, false, 300, 7, &d));
    a = tc_decide_begin(&round_costs, 100);
    ck_assert(!tc_decide_start(&a, false, 1, 7, &d)); /* one seed in one place suits the device */
    a = tc_decide_begin(&round_costs, 99);
    ck_assert(tc_decide_start(&a, false, 50, 7, &d));
}

/* The paths between two seeds lead through corridors, wide or narrow, where a device is slow. */
TEST(two_seeds_between_walls)
{
    const tc_survey wide = {.pixels = 1000, .closed = 200}, narrow = {.pixels = 1000, .closed = 1200};
    for (int connectivity = 4; connectivity <= 8; connectivity += 2) {
        const tc_grid grid = {.width = 2000, .height = 1000, .connectivity = connectivity};
        const tc_costs costs = tc_costs_default(connectivity);
        tc_solve_stats stats = {0};
        ck_assert(tc_hybrid_starts_on_cpu(&costs, &wide, &grid, &stats));
        ck_assert(tc_hybrid_starts_on_cpu(&costs, &narrow, &grid, &stats));
        ck_assert_int_eq(stats.decisions, 1);
    }
    ck_assert_double_gt(tc_costs_default(8).cpu_ns, tc_costs_default(4).cpu_ns);
}

TEST(patience)
{
    tc_decider a = tc_decide_begin(&round_costs, 1000000); /* the CPU is estimated to take 100 ms */
    tc_decide_note(&a, 9, 1000);
    ck_assert(!tc_decide_due(&a));
    tc_decide_note(&a, 1, 1000);
    ck_assert(tc_decide_due(&a));
    tc_decide_returned(&a, 10, 1000000); /* the CPU was ten times as fast as estimated */
    ck_assert_double_eq_tol(a.costs.cpu_ns, 10, 1e-9);
    ck_assert(!tc_decide_due(&a));
}

TEST(falling_activity_ends_by_itself)
{
    tilecut_decision d;
    tc_decider a = tc_decide_begin(&round_costs, 1000000);
    tc_decide_note(&a, 20, 100000);
    tc_decide_note(&a, 2, 1000);
    tc_decide_note(&a, 2, 10); /* a hundredth of the activity is left after 2 ms, so 1 ms more is expected */
    ck_assert(!tc_decide_next(&a, 3, 10, 5000, 1000, &d)); /* the CPU would take 1 + 0.5 ms */
    ck_assert_str_eq(d.next, "cuda");
    ck_assert_double_eq_tol(d.cuda_rate, 10, 1e-6);
    ck_assert_double_eq_tol(d.cpu_rate, 20, 1e-6);
}

TEST(stalling_activity_moves)
{
    tilecut_decision d;
    tc_decider a = tc_decide_begin(&round_costs, 1000000);
    for (int i = 0; i < 9; i++) tc_decide_note(&a, 2, 300);
    ck_assert(tc_decide_next(&a, 9, 300, 100000, 2000000, &d)); /* moving costs 1 + 2 + 10 ms, less than 0.5 x 36 ms */
    ck_assert_str_eq(d.next, "cpu");
    ck_assert_int_eq(d.rounds, 9);
    /* At the threshold both costs are equal: move / N = margin / cuda_rate - 1 / cpu_rate. */
    ck_assert_double_eq_tol(3 / d.threshold, 0.5 / d.cuda_rate - 1 / d.cpu_rate, 1e-9);
    ck_assert(d.threshold < 300);
    ck_assert(!tc_decide_next(&a, 9, 300, 200000, 2000000, &d)); /* 23 > 18 */
    ck_assert(isinf(d.threshold));
    ck_assert(!tc_decide_next(&a, 9, 300, 100000, 20000000, &d)); /* the copy alone takes 20 ms */
    ck_assert(d.threshold > 300);
    ck_assert(!tc_decide_next(&a, 9, 0, 0, 0, &d)); /* no activity is known, so the search decides */
}

/* Random figures must never cause a crash or a senseless decision. */
TEST(any_figures)
{
    uint64_t state = 11;
    for (int i = 0; i < 20000; i++) {
        tilecut_decision d;
        tc_decider a = tc_decide_begin(&round_costs, 1 + random_below(&state, 1 << 28));
        const int n = random_below(&state, 9);
        for (int k = 0; k < n; k++)
            tc_decide_note(&a, random_below(&state, 3) ? random_below(&state, 1000) * 1e-3 : 0,
                               random_below(&state, 4) ? random_below(&state, 1 << 20) : 0);
        const int64_t active = random_below(&state, 3) ? random_below(&state, 1 << 20) : 0;
        tc_decide_next(&a, n, active, random_below(&state, 1 << 28), random_below(&state, 1 << 30), &d);
        ck_assert_msg(d.cuda_rate >= 0 && d.cpu_rate >= 0 && d.threshold >= 0 && isfinite(d.cuda_rate) &&
                          isfinite(d.cpu_rate), "seed 11, turn %d", i);
    }
}

int main(void) { return run_suite((test_suite){.name = "hybrid decide"}); }
