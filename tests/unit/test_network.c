/* SPDX-License-Identifier: MIT
 *
 * test_network.c - networks of any shape: every solver against all cuts of tiny networks, and against each other on
 * larger ones; flows, both forms of arrays, and refused input.
 * Threads: run under the thread sanitizer, too.
 */
#include <stdlib.h>
#include <string.h>

#include "random_network.h"
#include "run_suite.h"
#include "tilecut_network.h"

enum { TINY = 9, TINY_ARCS = 24, LARGE = 400, LARGE_ARCS = 3000 };

typedef struct answer {
    tilecut_status status;
    tilecut_network_report report;
    uint8_t side[LARGE];
    int64_t flow[LARGE_ARCS];
} answer;

static void solve(const tilecut_network_arcs *arcs, const char *solver, int threads, bool flow, answer *out)
{
    const tilecut_network_params params = {.solver = solver, .threads = threads};
    tilecut_network *network = NULL;
    memset(out, 0, sizeof *out);
    out->status = tilecut_network_create(&network, arcs);
    if (out->status == TILECUT_OK)
        out->status = tilecut_network_solve(network, &params, out->side, flow ? out->flow : NULL, &out->report);
    tilecut_network_destroy(network);
}

LOOP_TEST(tiny_networks_have_the_least_cut, 0, network_cpu_solvers())
{
    const char *const solver = tilecut_network_solver_name(_i);
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(4000); seed++) {
        random_network it;
        answer got;
        uint8_t best[TINY];
        random_network_draw(&it, seed, TINY, TINY_ARCS);
        const int64_t least = network_brute_force(&it.arcs, best);
        solve(&it.arcs, solver, seed % 3 ? 1 : 3, true, &got);
        if (least < 0) {
            ck_assert_msg(got.status == TILECUT_ERANGE, "%s: seed %llu: a flow without limit", solver,
                          (unsigned long long)seed);
        } else {
            ck_assert_msg(got.status == TILECUT_OK, "%s: seed %llu: %s", solver, (unsigned long long)seed,
                          tilecut_error_detail());
            ck_assert_msg(got.report.flow == least && got.report.cut == least, "%s: seed %llu: %lld, not %lld", solver,
                          (unsigned long long)seed, (long long)got.report.flow, (long long)least);
            ck_assert_msg(!memcmp(got.side, best, (size_t)it.arcs.nodes), "%s: seed %llu: another cut", solver,
                          (unsigned long long)seed);
            ck_assert_msg(network_is_flow(&it.arcs, got.flow, least), "%s: seed %llu: no flow", solver,
                          (unsigned long long)seed);
            ck_assert_int_eq(got.report.certified, 1);
        }
        random_network_free(&it);
    }
}

LOOP_TEST(solvers_agree_on_larger_networks, 1, network_cpu_solvers())
{
    const char *const solver = tilecut_network_solver_name(_i);
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(150); seed++) {
        static answer first, got;
        random_network it;
        random_network_draw(&it, seed, LARGE, LARGE_ARCS);
        solve(&it.arcs, tilecut_network_solver_name(0), 1, false, &first);
        solve(&it.arcs, solver, 1 + (int)(seed % 4), true, &got);
        ck_assert_msg(got.status == first.status, "%s: seed %llu: %s", solver, (unsigned long long)seed,
                      tilecut_error_detail());
        if (got.status == TILECUT_OK) {
            ck_assert_msg(got.report.flow == first.report.flow &&
                          !memcmp(got.side, first.side, (size_t)it.arcs.nodes), "%s: seed %llu", solver,
                          (unsigned long long)seed);
            ck_assert_msg(network_is_flow(&it.arcs, got.flow, got.report.flow), "%s: seed %llu: no flow", solver,
                          (unsigned long long)seed);
        }
        random_network_free(&it);
    }
}

enum { MOST_ARCS = 300000, MOST_INNER = 12000 };

/* The arcs of the tests below: between inner nodes 0, 1, ..., a source and a sink. */
static int32_t arc_tail[MOST_ARCS], arc_head[MOST_ARCS];
static int64_t arc_capacity[MOST_ARCS], arc_flow[2][MOST_ARCS];

/* Solves the network with `other`, and with solver `row` on `threads` threads. Checks that flow and cut are equal, and
 * returns the flow. */
static int64_t expect_same(int32_t inner, int32_t arcs, const char *other, int row, int threads, uint64_t seed)
{
    static uint8_t side[2][MOST_INNER + 2];
    const int32_t source = inner, sink = inner + 1;
    const char *const solver = tilecut_network_solver_name(row);
    const tilecut_network_arcs it = {.nodes = inner + 2, .arcs = arcs, .tail = arc_tail, .head = arc_head,
                                     .capacity = arc_capacity, .sources = &source, .sinks = &sink,
                                     .source_count = 1, .sink_count = 1};
    tilecut_network_report report[2] = {{0}};
    tilecut_network *network = NULL;
    ck_assert_int_eq(tilecut_network_create(&network, &it), TILECUT_OK);
    for (int k = 0; k < 2; k++) {
        const tilecut_network_params params = {.solver = k ? solver : other, .threads = k ? threads : 1};
        ck_assert_msg(tilecut_network_solve(network, &params, side[k], arc_flow[k], &report[k]) == TILECUT_OK,
                      "%s: seed %llu: %s", solver, (unsigned long long)seed, tilecut_error_detail());
    }
    ck_assert_msg(report[0].flow == report[1].flow && !memcmp(side[0], side[1], (size_t)it.nodes) &&
                  network_is_flow(&it, arc_flow[1], report[1].flow), "%s: seed %llu", solver, (unsigned long long)seed);
    tilecut_network_destroy(network);
    return report[0].flow;
}

/* Sets the ends of arc `a` in a network of `length` levels of `wide` nodes. The first arcs leave the source or enter
 * the sink. Then follow three arcs from each node to level `next`, the one after its own. */
static void put_ends(int32_t a, int32_t wide, int32_t length, int32_t next, uint64_t *state)
{
    const int32_t k = a - 2 * wide;
    arc_tail[a] = a < wide ? wide * length : k < 0 ? wide * length - 1 - (a - wide) : k / 3;
    arc_head[a] = a < wide ? a : k < 0 ? wide * length + 1 : next * wide + (int32_t)random_below(state, wide);
}

/* Flow takes a long path, level by level, and some arcs skip levels. So labels are recomputed while nodes near the sink
 * keep theirs, and nodes above some level are cut off. */
LOOP_TEST(long_ways_have_the_least_cut, 0, network_cpu_solvers())
{
    enum { WIDE = 8, LONG = 40, ARCS = 2 * WIDE + 3 * WIDE * (LONG - 1) };
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(300); seed++) {
        uint64_t state = seed;
        const int32_t most = seed % 3 ? 100 : 2;
        for (int32_t a = 0; a < ARCS; a++) {
            const int32_t k = a - 2 * WIDE, level = k / (3 * WIDE), far = random_below(&state, 20) ? 1 : LONG;
            put_ends(a, WIDE, LONG, level + far < LONG ? level + far : (int32_t)random_below(&state, LONG), &state);
            arc_capacity[a] = 1 + random_below(&state, k < 0 ? 3 * most : most);
        }
        expect_same(WIDE * LONG, ARCS, "levels", _i, 1 + _i % 3, seed);
    }
}

/* Hundreds of levels: arcs skip up to two of them, some lead back, and some are infinite. In some networks one level
 * lets little through, so excess returns to the source. The arcs at a terminal are never the minimum cut. */
LOOP_TEST(threads_agree_on_long_networks, 0, network_cpu_solvers())
{
    enum { WIDE = 6, LONG = 300, INNER = WIDE * LONG, ARCS = 2 * WIDE + 3 * INNER };
    for (uint64_t seed = 1; seed <= 3 + (uint64_t)RANDOM_CASES(17); seed++) {
        uint64_t state = seed;
        int64_t out = 0, in = 0;
        for (int32_t a = 0; a < ARCS; a++) {
            const int32_t k = a - 2 * WIDE, level = k / (3 * WIDE), far = level - (int32_t)(seed % 2);
            const int32_t to = far + random_below(&state, 4);
            put_ends(a, WIDE, LONG, to < 0 ? 0 : to < LONG ? to : LONG - 1, &state);
            arc_capacity[a] = 1 + random_below(&state, k < 0 ? 300 : 100);
            if (k >= 0 && seed % 3 == 0 && level % 70 == 69) arc_capacity[a] = 1 + arc_capacity[a] / 8;
            if (k >= 0 && seed % 5 == 0 && !random_below(&state, 9)) arc_capacity[a] = TILECUT_INFINITE;
            out += a < WIDE ? arc_capacity[a] : 0;
            in += a >= WIDE && k < 0 ? arc_capacity[a] : 0;
        }
        const int64_t least = expect_same(INNER, ARCS, "bk", _i, 1 + (int)(seed % 4), seed);
        ck_assert_msg(least > 0 && least < out && least < in,
                      "seed %llu: the least cut is none between levels", (unsigned long long)seed);
    }
}

/* So many nodes have excess at the same time that all threads work. */
LOOP_TEST(threads_agree_on_wide_networks, 0, network_cpu_solvers())
{
    enum { INNER = MOST_INNER, FED = 5000, ARCS = 2 * FED + 60000 };
    for (uint64_t seed = 1; seed <= RANDOM_LOOPS(3); seed++) {
        uint64_t state = seed;
        for (int a = 0; a < ARCS; a++) {
            arc_tail[a] = a < FED ? INNER : a < 2 * FED ? INNER - 1 - (a - FED) : random_below(&state, INNER);
            arc_head[a] = a < FED ? a : a < 2 * FED ? INNER + 1 : (arc_tail[a] + 1 + random_below(&state, 900)) % INNER;
            arc_capacity[a] = 1 + random_below(&state, a < 2 * FED ? 40 : 12);
        }
        expect_same(INNER, ARCS, "highest", _i, 4, seed);
    }
}

/* Layers of few nodes with thousands of arcs each: threads share the arcs of a node. */
LOOP_TEST(threads_agree_on_few_nodes_with_many_arcs, 0, network_cpu_solvers())
{
    enum { WIDE = 5, LAYERS = 4, INNER = WIDE * LAYERS, ARCS = 90000 };
    for (uint64_t seed = 1; seed <= RANDOM_LOOPS(2); seed++) {
        uint64_t state = seed;
        for (int a = 0; a < ARCS; a++) {
            const int layer = random_below(&state, LAYERS + 1), part = WIDE * layer;
            arc_tail[a] = layer ? part - 1 - random_below(&state, WIDE) : INNER;
            arc_head[a] = layer < LAYERS ? part + random_below(&state, WIDE) : INNER + 1;
            arc_capacity[a] = random_below(&state, seed == 1 ? 2 : 9);
        }
        expect_same(INNER, ARCS, "levels", _i, 4, seed);
        ck_assert_msg(strcmp(tilecut_network_solver_name(_i), "levels") != 0 ||
                      !memcmp(arc_flow[0], arc_flow[1], ARCS * sizeof *arc_flow[0]),
                      "seed %llu: another flow with more threads", (unsigned long long)seed);
    }
}

TEST(rows_are_the_same_network)
{
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(300); seed++) {
        static answer arcs, rows;
        random_network it;
        random_network_draw(&it, seed, LARGE / 8, LARGE_ARCS / 8);
        solve(&it.arcs, NULL, 1, false, &arcs);
        solve(&it.rows, NULL, 2, true, &rows);
        ck_assert_msg(arcs.status == rows.status && arcs.report.flow == rows.report.flow &&
                      !memcmp(arcs.side, rows.side, (size_t)it.arcs.nodes), "seed %llu", (unsigned long long)seed);
        random_network_free(&it);
    }
}

/* There are so many arcs that threads share their checks. */
TEST(threads_name_the_first_wrong_arc)
{
    enum { ARCS = MOST_ARCS, NODES = 1000 };
    int32_t *const tail = arc_tail, *const head = arc_head;
    int64_t *const capacity = arc_capacity;
    const int32_t source = 0, sink = NODES - 1;
    for (int64_t threads = 0; threads < 6; threads += 2) {
        uint64_t state = 1;
        tilecut_network *network = NULL;
        const tilecut_network_arcs arcs = {.nodes = NODES, .arcs = ARCS, .tail = tail, .head = head,
                                           .capacity = capacity, .sources = &source, .sinks = &sink,
                                           .source_count = 1, .sink_count = 1, .threads = threads};
        for (int a = 0; a < ARCS; a++) {
            tail[a] = random_below(&state, NODES);
            head[a] = random_below(&state, NODES);
            capacity[a] = 1;
        }
        ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_OK);
        tilecut_network_destroy(network);
        capacity[290000] = -1;
        head[200001] = NODES;
        ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_EINVAL);
        ck_assert_ptr_nonnull(strstr(tilecut_error_detail(), "arc 200001 goes"));
        head[200001] = 1;
        ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_EINVAL);
        ck_assert_ptr_nonnull(strstr(tilecut_error_detail(), "arc 290000 has"));
        /* no thread exceeds 2^62, only the sum over all threads does */
        for (int a = 0; a < ARCS; a++) capacity[a] = INT64_C(1) << 44;
        for (int a = 0; a < ARCS; a++) tail[a] = source, head[a] = 1 + a % (NODES - 1);
        ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_ERANGE);
    }
    const tilecut_network_arcs many = {.nodes = 2, .sources = &source, .sinks = &source, .source_count = 1,
                                       .sink_count = 1, .threads = 257};
    tilecut_network *network = NULL;
    ck_assert_int_eq(tilecut_network_create(&network, &many), TILECUT_EINVAL);
    ck_assert_ptr_nonnull(strstr(tilecut_error_detail(), "threads"));
}

/* Returns a network of nodes 0 -> 1 -> 2 whose arcs the test gives. */
static tilecut_network_arcs small(const int32_t *ends, const int64_t *capacity, int arcs)
{
    static const int32_t source[] = {0}, sink[] = {2};
    return (tilecut_network_arcs){.nodes = 3, .arcs = arcs, .tail = ends, .head = ends + arcs, .capacity = capacity,
                                  .sources = source, .sinks = sink, .source_count = 1, .sink_count = 1};
}

TEST(broken_contracts_are_refused)
{
    const int32_t ends[] = {0, 1, 1, 2}, away[] = {0, 1, 1, 3}, both[] = {0};
    const int64_t capacity[] = {5, 4}, negative[] = {5, -1}, huge[] = {INT64_MAX - 1, INT64_MAX - 1};
    tilecut_network *network = NULL;
    tilecut_network_arcs arcs = small(ends, capacity, 2);
    ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_OK);
    ck_assert_int_eq(tilecut_network_solve(network, &(tilecut_network_params){.solver = "magic"}, NULL, NULL, NULL),
                     TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_network_solve(network, &(tilecut_network_params){.threads = 257}, NULL, NULL, NULL),
                     TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_network_solve(network, NULL, NULL, NULL, NULL), TILECUT_OK);
    tilecut_network_destroy(network);
    arcs = small(away, capacity, 2);
    ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_EINVAL);
    ck_assert_ptr_null(network);
    ck_assert_ptr_nonnull(strstr(tilecut_error_detail(), "arc 1"));
    arcs = small(ends, negative, 2);
    ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_EINVAL);
    arcs = small(ends, huge, 2);
    ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_ERANGE);
    arcs = small(ends, capacity, 2);
    arcs.sinks = both;
    ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_EINVAL);
    arcs = small(ends, capacity, 2);
    arcs.sink_count = INT64_MAX; /* the number of sinks is refused before any sink is read */
    ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_EINVAL);
    ck_assert_ptr_nonnull(strstr(tilecut_error_detail(), "sinks; it has 1 to"));
    arcs = small(ends, capacity, 2);
    arcs.nodes = 1;
    ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_EINVAL);
    arcs.nodes = 3;
    arcs.sink_count = 0;
    ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_EINVAL);
    ck_assert_int_eq(tilecut_network_create(NULL, &arcs), TILECUT_EINVAL);
    tilecut_network_destroy(NULL);
}

/* A network without arcs needs no arrays of arcs. */
LOOP_TEST(no_arcs_need_no_arrays, 0, network_cpu_solvers())
{
    uint8_t side[3];
    tilecut_network_report report;
    tilecut_network *network = NULL;
    const tilecut_network_arcs arcs = {.nodes = 3, .sources = &(int32_t){0}, .sinks = &(int32_t){2}, .source_count = 1,
                                       .sink_count = 1};
    const tilecut_network_params params = {.solver = tilecut_network_solver_name(_i)};
    ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_OK);
    ck_assert_int_eq(tilecut_network_solve(network, &params, side, NULL, &report), TILECUT_OK);
    ck_assert(report.flow == 0 && side[0] == 255 && side[1] == 255 && side[2] == 0);
    tilecut_network_destroy(network);
}

TEST(large_capacities_are_exact)
{
    const int64_t most = INT64_C(1) << 60;
    const int32_t ends[] = {0, 1, 0, 1, 2, 2};
    const int64_t capacity[] = {most, most - 1, 3}, endless[] = {TILECUT_INFINITE, TILECUT_INFINITE, 1};
    static answer got;
    tilecut_network_arcs arcs = small(ends, capacity, 3);
    for (int i = 0; i < network_cpu_solvers(); i++) {
        solve(&arcs, tilecut_network_solver_name(i), 2, true, &got);
        ck_assert_int_eq(got.status, TILECUT_OK);
        ck_assert_int_eq(got.report.flow, most + 2);
    }
    arcs.capacity = endless;
    solve(&arcs, NULL, 1, false, &got);
    ck_assert_int_eq(got.status, TILECUT_ERANGE);
    ck_assert_ptr_nonnull(strstr(tilecut_error_detail(), "no limit"));
}

LOOP_TEST(a_raised_flag_cancels, 0, network_cpu_solvers())
{
    random_network it;
    tilecut_network *network = NULL;
    tilecut_flag flag = {0};
    uint8_t side[LARGE] = {7};
    random_network_draw(&it, 3, LARGE, LARGE_ARCS);
    tilecut_flag_raise(&flag);
    ck_assert_int_eq(tilecut_network_create(&network, &it.arcs), TILECUT_OK);
    const tilecut_network_params params = {.solver = tilecut_network_solver_name(_i), .cancel = &flag};
    const tilecut_status status = tilecut_network_solve(network, &params, side, NULL, NULL);
    /* A call without work may end before it reads the flag. */
    ck_assert_msg(status == TILECUT_ECANCELLED || status == TILECUT_OK, "%s", tilecut_error_detail());
    if (status != TILECUT_OK) ck_assert_int_eq(side[0], 7);
    tilecut_network_destroy(network);
    random_network_free(&it);
}

TEST(rows_of_the_table_have_names)
{
    int rows = 0;
    while (tilecut_network_solver_name(rows)) rows++;
    ck_assert_int_ge(rows, 3);
    ck_assert_ptr_null(tilecut_network_solver_name(-1));
    ck_assert_ptr_null(tilecut_network_solver_summary(rows));
    for (int i = 0; i < rows; i++) {
        ck_assert_ptr_nonnull(tilecut_network_solver_summary(i));
        ck_assert_str_eq(tilecut_network_solver_device(i), i < network_cpu_solvers() ? "cpu" : "cuda");
    }
    ck_assert_ptr_null(tilecut_network_solver_device(rows));
}

/* On a machine without a device, a solver for devices says so; with a device it gives the same answer. */
TEST(solvers_for_a_device_are_named_everywhere)
{
    const int32_t ends[] = {0, 1, 1, 2};
    const int64_t capacity[] = {5, 4};
    const tilecut_network_arcs arcs = small(ends, capacity, 2);
    static answer got;
    for (int i = network_cpu_solvers(); tilecut_network_solver_name(i); i++) {
        solve(&arcs, tilecut_network_solver_name(i), 1, true, &got);
        if (tilecut_cuda_device(0, NULL, 0) == TILECUT_OK) ck_assert(got.status == TILECUT_OK && got.report.flow == 4);
        else ck_assert_int_eq(got.status, TILECUT_ENODEVICE);
    }
}

/* Solves a network in which `parallel` arcs lead from each node to each of the `far` next ones. Returns the solver that
 * `auto` has chosen. */
static const char *chosen(int nodes, int far, int parallel)
{
    const int32_t source = 0, sink = nodes - 1;
    uint64_t state = 1;
    int64_t arcs = 0;
    tilecut_network *network = NULL;
    tilecut_network_report report = {0};
    for (int v = 0; v < nodes; v++)
        for (int u = v + 1; u < nodes && u <= v + far; u++)
            for (int k = 0; k < parallel; k++, arcs++) {
                arc_tail[arcs] = v;
                arc_head[arcs] = u;
                arc_capacity[arcs] = 1 + random_below(&state, 1000);
            }
    const tilecut_network_arcs given = {.nodes = nodes, .arcs = arcs, .tail = arc_tail, .head = arc_head,
                                        .capacity = arc_capacity, .sources = &source, .sinks = &sink,
                                        .source_count = 1, .sink_count = 1};
    ck_assert_int_eq(tilecut_network_create(&network, &given), TILECUT_OK);
    ck_assert_int_eq(tilecut_network_solve(network, NULL, NULL, NULL, &report), TILECUT_OK);
    tilecut_network_destroy(network);
    return report.solver;
}

TEST(parallel_arcs_do_not_make_a_network_dense)
{
    ck_assert_str_eq(chosen(200, 200, 1), "levels");
    ck_assert_str_eq(chosen(100, 1, 900), "highest"); /* a chain of 100 nodes, with more arcs than pairs of nodes */
}

int main(void) { return run_suite((test_suite){.name = "network", .seconds = 300}); }
