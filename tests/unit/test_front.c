/* SPDX-License-Identifier: MIT
 *
 * test_front.c - rounds of the highest labels, made small so that every step of theirs is taken: against all cuts of
 * tiny networks, and against blocking flows on larger ones; the same flow from any number of threads; leaving off.
 * Threads: run under the thread sanitizer, too.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "net_cut.h"
#include "push_front.h"
#include "push_high.h"
#include "random_network.h"
#include "run_suite.h"

enum { TINY = 9, TINY_ARCS = 24, LARGE = 300, LARGE_ARCS = 2400, WIDE = 24, LONG = 40 };

typedef struct answer {
    tilecut_status status;
    tc_net_proof proof;
    uint8_t side[WIDE * LONG + 2];
    uint64_t rooms; /* of all slots, in one number */
    int64_t rounds;
    bool left;
} answer;

static int64_t *flood(tc_net *net)
{
    int64_t *const excess = calloc((size_t)net->nodes, sizeof *excess);
    for (int32_t i = net->first[net->source]; i < net->first[net->source + 1]; i++) {
        excess[net->slot[i].head] += net->slot[i].room;
        tc_net_push(net, &net->slot[i], net->slot[i].room);
    }
    return excess;
}

static void solve(const tilecut_network_arcs *arcs, int threads, tc_front_ways ways, const tilecut_flag *cancel,
                  answer *out)
{
    tilecut_network *network = NULL;
    tc_net net = {0};
    memset(out, 0, sizeof *out);
    out->status = tilecut_network_create(&network, arcs);
    if (out->status != TILECUT_OK) return;
    ck_assert_int_eq(tc_net_init(&net, network, 1), TILECUT_OK);
    int64_t *const excess = flood(&net);
    tc_net_run run = {.threads = threads, .cancel = cancel};
    out->status = tc_push_front(&net, excess, net.sink, net.source, &run, ways, &out->left);
    out->rounds = run.rounds;
    if (out->left) ck_assert_int_eq(tc_push_high(&net, excess, net.sink, net.source, &run), TILECUT_OK);
    if (out->status == TILECUT_OK) out->status = tc_net_cut(&net, network, out->side, 1);
    if (out->status == TILECUT_OK) out->status = tc_net_certify(&net, network, out->side, 1, &out->proof);
    for (int32_t i = 0; i < net.first[net.nodes]; i++) out->rooms = out->rooms * 31 + (uint64_t)net.slot[i].room;
    free(excess);
    tc_net_free(&net);
    tilecut_network_destroy(network);
}

START_TEST(tiny_networks_have_the_least_cut)
{
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(6000); seed++) {
        static answer got;
        random_network it;
        uint8_t best[TINY];
        random_network_draw(&it, seed, TINY, TINY_ARCS);
        const int64_t least = network_brute_force(&it.arcs, best);
        solve(&it.arcs, 1 + (int)(seed % 4), (tc_front_ways){1 + (int)(seed / 4 % 3), 0}, NULL, &got);
        if (least < 0) {
            ck_assert_msg(got.status == TILECUT_ERANGE, "seed %llu: a flow without limit", (unsigned long long)seed);
        } else {
            ck_assert_msg(got.status == TILECUT_OK, "seed %llu: %s", (unsigned long long)seed, tilecut_error_detail());
            ck_assert_msg(got.proof.flow == least && !memcmp(got.side, best, (size_t)it.arcs.nodes), "seed %llu",
                          (unsigned long long)seed);
        }
        random_network_free(&it);
    }
}
END_TEST

/* Compares with what blocking flows find, which share no code with this. */
static void compare(const tilecut_network_arcs *arcs, const answer *got, uint64_t seed)
{
    static uint8_t side[WIDE * LONG + 2];
    tilecut_network *network = NULL;
    tilecut_network_report report = {0};
    ck_assert_int_eq(tilecut_network_create(&network, arcs), TILECUT_OK);
    const tilecut_network_params params = {.solver = "levels"};
    const tilecut_status status = tilecut_network_solve(network, &params, side, NULL, &report);
    tilecut_network_destroy(network);
    ck_assert_msg(status == got->status, "seed %llu: %d", (unsigned long long)seed, (int)got->status);
    if (status == TILECUT_OK)
        ck_assert_msg(report.flow == got->proof.flow && !memcmp(side, got->side, (size_t)arcs->nodes), "seed %llu",
                      (unsigned long long)seed);
}

START_TEST(larger_networks_agree_with_blocking_flows)
{
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(1500); seed++) {
        static answer got;
        random_network it;
        random_network_draw(&it, seed, LARGE, LARGE_ARCS);
        solve(&it.arcs, 1 + (int)(seed % 4), (tc_front_ways){1 + (int)(seed / 4 % 9), 0}, NULL, &got);
        compare(&it.arcs, &got, seed);
        random_network_free(&it);
    }
}
END_TEST

/* LONG levels of WIDE nodes, with arcs to the next level, and some to any other. */
static tilecut_network_arcs draw_levels(uint64_t seed)
{
    enum { INNER = WIDE * LONG, ARCS = 2 * WIDE + 4 * INNER };
    static int32_t tail[ARCS], head[ARCS];
    static int64_t capacity[ARCS];
    static const int32_t source = INNER, sink = INNER + 1;
    uint64_t state = seed;
    for (int a = 0; a < ARCS; a++) {
        const int inner = (a - 2 * WIDE) / 4, next = (inner / WIDE + 1) * WIDE;
        tail[a] = a < WIDE ? source : a < 2 * WIDE ? INNER - 1 - (a - WIDE) : inner;
        head[a] = a < WIDE ? a : a < 2 * WIDE ? sink
                : next < INNER && a % 37 ? next + random_below(&state, WIDE) : random_below(&state, INNER);
        capacity[a] = a < 2 * WIDE ? 3000 : random_below(&state, 1000);
    }
    return (tilecut_network_arcs){.nodes = INNER + 2, .arcs = ARCS, .tail = tail, .head = head, .capacity = capacity,
                                  .sources = &source, .sinks = &sink, .source_count = 1, .sink_count = 1};
}

START_TEST(any_number_of_threads_finds_the_same_flow)
{
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(40); seed++) {
        static answer one, more;
        const tilecut_network_arcs arcs = draw_levels(seed);
        const tc_front_ways ways = {1 + (int)(seed % 20), 0};
        solve(&arcs, 1, ways, NULL, &one);
        compare(&arcs, &one, seed);
        for (int threads = 2; threads <= 4; threads++) {
            solve(&arcs, threads, ways, NULL, &more);
            ck_assert_msg(more.rooms == one.rooms && more.rounds == one.rounds, "seed %llu, %d threads",
                          (unsigned long long)seed, threads);
        }
    }
}
END_TEST

/* Rounds of so small a network are no work for many threads: what they leave is finished by one. */
START_TEST(leaving_off_loses_nothing)
{
    int left = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        static answer got;
        const tilecut_network_arcs arcs = draw_levels(seed);
        solve(&arcs, 1 + (int)(seed % 2), (tc_front_ways){2, 16}, NULL, &got);
        compare(&arcs, &got, seed);
        left += got.left && got.rounds >= 16; /* not at once */
    }
    ck_assert_int_gt(left, 0);
}
END_TEST

START_TEST(a_raised_flag_cancels)
{
    static answer got;
    tilecut_flag flag = {0};
    const tilecut_network_arcs arcs = draw_levels(1);
    tilecut_flag_raise(&flag);
    solve(&arcs, 3, (tc_front_ways){4, 0}, &flag, &got);
    ck_assert_int_eq(got.status, TILECUT_ECANCELLED);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("front");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, tiny_networks_have_the_least_cut);
    tcase_add_test(tests, larger_networks_agree_with_blocking_flows);
    tcase_add_test(tests, any_number_of_threads_finds_the_same_flow);
    tcase_add_test(tests, leaving_off_loses_nothing);
    tcase_add_test(tests, a_raised_flag_cancels);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
