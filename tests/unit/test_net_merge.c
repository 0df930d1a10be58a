/* SPDX-License-Identifier: MIT
 *
 * test_net_merge.c - networks with wide arcs in both directions, whose nodes are merged before they are solved: every
 * solver against all cuts of tiny networks, flows, and checks that exactly the right nodes are merged.
 * Threads: run under the thread sanitizer, too.
 */
#include <stdlib.h>
#include <string.h>

#include "net_merge.h"
#include "random_network.h"
#include "run_suite.h"

enum { NODES = 10, ARCS = 40 };

typedef struct drawn {
    int32_t tail[ARCS], head[ARCS], source, sink;
    int64_t capacity[ARCS];
    tilecut_network_arcs arcs;
} drawn;

static void put(drawn *d, int32_t tail, int32_t head, int64_t capacity)
{
    const int64_t a = d->arcs.arcs++;
    d->tail[a] = tail;
    d->head[a] = head;
    d->capacity[a] = capacity;
}

/* Draws groups of nodes joined by wide arcs, and narrow arcs anywhere. The width decides whether a group can be merged:
 * it is sometimes less than the flow, sometimes just more, and sometimes infinite. */
static void draw(drawn *d, uint64_t seed)
{
    uint64_t state = seed;
    const int kind = random_below(&state, 4);
    const int64_t wide = kind == 0 ? 3 + random_below(&state, 40) : kind == 1 ? 100 : kind == 2 ? TILECUT_INFINITE
                                                                                              : INT64_MAX / 64;
    memset(d, 0, sizeof *d);
    const int nodes = 3 + random_below(&state, NODES - 2);
    d->source = random_below(&state, nodes);
    d->sink = (d->source + 1 + random_below(&state, nodes - 1)) % nodes;
    const int pairs = random_below(&state, 7), narrow = random_below(&state, ARCS - 2 * pairs);
    for (int k = 0; k < pairs; k++) {
        const int32_t u = random_below(&state, nodes), v = random_below(&state, nodes);
        put(d, u, v, wide + (wide < 100 ? random_below(&state, 3) : 0));
        put(d, v, u, wide);
    }
    for (int k = 0; k < narrow; k++)
        put(d, random_below(&state, nodes), random_below(&state, nodes), random_below(&state, 9));
    d->arcs.nodes = nodes;
    d->arcs.tail = d->tail;
    d->arcs.head = d->head;
    d->arcs.capacity = d->capacity;
    d->arcs.sources = &d->source;
    d->arcs.sinks = &d->sink;
    d->arcs.source_count = d->arcs.sink_count = 1;
}

/* Returns how many nodes are merged before this network is solved, without the proof by a cut. */
static int merged(const tilecut_network_arcs *arcs)
{
    tilecut_network *network = NULL;
    tc_net net = {0};
    tc_net_merge merge = {0};
    if (tilecut_network_create(&network, arcs) != TILECUT_OK) return 0;
    ck_assert_int_eq(tc_net_init(&net, network, 1), TILECUT_OK);
    ck_assert_int_eq(tc_net_merge_find(&merge, &net, network, 1), TILECUT_OK);
    const int pairs = merge.pairs;
    ck_assert(!merge.into || merge.kept == net.nodes - pairs);
    tc_net_merge_free(&merge);
    tc_net_free(&net);
    tilecut_network_destroy(network);
    return pairs;
}

LOOP_TEST(merged_networks_have_the_least_cut, 0, network_cpu_solvers())
{
    const char *const solver = tilecut_network_solver_name(_i);
    int smaller = 0, bounded = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(4000); seed++) {
        drawn d;
        uint8_t best[NODES], side[NODES];
        int64_t flow[ARCS];
        tilecut_network *network = NULL;
        tilecut_network_report report = {0};
        const tilecut_network_params params = {.solver = solver};
        draw(&d, seed);
        smaller += merged(&d.arcs) > 0;
        const int64_t least = network_brute_force(&d.arcs, best);
        ck_assert_int_eq(tilecut_network_create(&network, &d.arcs), TILECUT_OK);
        const tilecut_status status = tilecut_network_solve(network, &params, side, seed % 2 ? flow : NULL, &report);
        tilecut_network_destroy(network);
        ck_assert_msg(status == (least < 0 ? TILECUT_ERANGE : TILECUT_OK), "%s: seed %llu: %s", solver,
                      (unsigned long long)seed, tilecut_error_detail());
        if (status != TILECUT_OK) continue;
        bounded++;
        ck_assert_msg(report.flow == least && !memcmp(side, best, (size_t)d.arcs.nodes), "%s: seed %llu", solver,
                      (unsigned long long)seed);
        if (seed % 2)
            ck_assert_msg(network_is_flow(&d.arcs, flow, least), "%s: seed %llu: no flow", solver,
                          (unsigned long long)seed);
    }
    ck_assert_int_gt(smaller, RANDOM_CASES(4000) / 4);
    ck_assert_int_gt(bounded, RANDOM_CASES(4000) / 4);
}

/* Square frames joined by narrow arcs, as genrmf makes them. The wide arcs carry less than the total capacity out of
 * the source, so only a cut between frames proves that they are wide enough. */
TEST(frames_become_one_node_each)
{
    enum { FRAMES = 20, FRAME = 4, ALL = FRAMES * FRAME };
    static int32_t tail[12 * ALL], head[12 * ALL];
    static int64_t capacity[12 * ALL], flow[12 * ALL];
    const int32_t source = 0, sink = ALL - 1;
    uint64_t state = 1;
    int arcs = 0;
    for (int v = 0; v < ALL; v++) {
        const int frame = v / FRAME * FRAME;
        for (int k = 1; k < FRAME; k += 2) { /* joins each node to its two neighbours on the frame */
            tail[arcs] = v;
            head[arcs] = frame + (v - frame + k) % FRAME;
            capacity[arcs++] = 90;
        }
        if (v + FRAME >= ALL) continue;
        tail[arcs] = v;
        head[arcs] = v + FRAME;
        capacity[arcs++] = 1 + random_below(&state, 20);
    }
    const tilecut_network_arcs them = {.nodes = ALL, .arcs = arcs, .tail = tail, .head = head, .capacity = capacity,
                                       .sources = &source, .sinks = &sink, .source_count = 1, .sink_count = 1};
    ck_assert_int_gt(merged(&them), ALL / 2);
    int64_t first = -1;
    for (int i = 0; i < network_cpu_solvers(); i++) {
        const tilecut_network_params params = {.solver = tilecut_network_solver_name(i)};
        tilecut_network *network = NULL;
        tilecut_network_report report = {0};
        ck_assert_int_eq(tilecut_network_create(&network, &them), TILECUT_OK);
        ck_assert_int_eq(tilecut_network_solve(network, &params, NULL, flow, &report), TILECUT_OK);
        tilecut_network_destroy(network);
        if (first < 0) first = report.flow;
        ck_assert_int_eq(report.flow, first);
        ck_assert(network_is_flow(&them, flow, first));
    }
    for (int a = 0; a < arcs; a++) capacity[a] = 7;
    capacity[0] = 8;
    ck_assert_int_gt(merged(&them), 0); /* only the proof by a cut would find that this merge is wrong */
}

static int32_t group_of(const int32_t *group, int32_t v)
{
    while (group[v] != v) v = group[v];
    return v;
}

/* Groups of nodes with near and far numbers, some with hundreds of arcs, so that blocks of nodes join pairs within a
 * block and across blocks. Joining all wide pairs one after the other must give the same groups. */
TEST(threads_merge_the_same_groups)
{
    enum { MANY = 20000, WIDE = 12000, HUBS = 400, OTHER = 30000, ALL = 2 * WIDE + 2 * HUBS + OTHER };
    static int32_t tail[ALL], head[ALL], group[MANY];
    static int64_t capacity[ALL];
    const int32_t source = 0, sink = MANY - 1;
    uint64_t state = 3;
    int64_t arcs = 0;
    tc_net net;
    tc_net_merge one, several;
    tilecut_network *network = NULL;
    for (int32_t v = 0; v < MANY; v++) group[v] = v;
    for (int k = 0; k < WIDE + HUBS; k++) {
        const int32_t u = k < WIDE ? 1 + random_below(&state, MANY - 2) : 5000 + k % 2;
        const int32_t far = k % 3 ? 1 + random_below(&state, 20) : random_below(&state, MANY);
        const int32_t v = 1 + (u + far) % (MANY - 2);
        for (int way = 0; way < 2; way++, arcs++) {
            tail[arcs] = way ? v : u;
            head[arcs] = way ? u : v;
            capacity[arcs] = 1000;
        }
        const int32_t a = group_of(group, u), b = group_of(group, v);
        group[a > b ? a : b] = a > b ? b : a;
    }
    for (; arcs < ALL; arcs++) {
        tail[arcs] = random_below(&state, MANY);
        head[arcs] = random_below(&state, MANY);
        capacity[arcs] = 1 + random_below(&state, 9);
    }
    const tilecut_network_arcs given = {.nodes = MANY, .arcs = ALL, .tail = tail, .head = head, .capacity = capacity,
                                        .sources = &source, .sinks = &sink, .source_count = 1, .sink_count = 1};
    ck_assert_int_eq(tilecut_network_create(&network, &given), TILECUT_OK);
    network->ceiling = 999; /* arcs wider than this are merged */
    ck_assert_int_eq(tc_net_init(&net, network, 1), TILECUT_OK);
    ck_assert_int_eq(tc_net_merge_find(&one, &net, network, 1), TILECUT_OK);
    ck_assert_int_eq(tc_net_merge_find(&several, &net, network, 4), TILECUT_OK);
    ck_assert(one.into && several.into && one.pairs == several.pairs && one.kept == MANY - one.pairs);
    ck_assert_mem_eq(one.into, several.into, sizeof group);
    ck_assert_mem_eq(one.pair, several.pair, (size_t)one.pairs * sizeof *one.pair);
    for (int32_t v = 0; v < MANY; v++) ck_assert_int_eq(one.into[v], one.into[group_of(group, v)]);
    for (int32_t v = 0, next = 0; v < MANY; v++)
        if (group[v] == v) ck_assert_int_eq(one.into[v], next++);
    tc_net_merge_free(&one);
    tc_net_merge_free(&several);
    tc_net_free(&net);
    tilecut_network_destroy(network);
}

int main(void) { return run_suite((test_suite){.name = "net_merge", .seconds = 300}); }
