/* SPDX-License-Identifier: MIT
 *
 * test_net_rcsr.c - compares the tables of forward and reversed rows with the caller's arcs, for one thread and
 * several.
 * Threads: run under the thread sanitizer, too.
 */
#include <stdlib.h>

#include "net_rcsr.h"
#include "random_network.h"
#include "run_suite.h"

/* Returns the capacity of all arcs from u to v, from the caller's arrays, limited as net_arcs.h says. */
static int64_t wanted(const tilecut_network *network, int32_t u, int32_t v)
{
    int64_t sum = 0;
    for (int64_t a = 0; a < network->arcs.arcs; a++) {
        const int32_t tail = network->arcs.tail[a], head = network->arcs.head[a];
        if (tc_net_counts(network, tail, head) && tc_net_node(network, tail) == u && tc_net_node(network, head) == v)
            sum += tc_net_bounded(network, a);
    }
    return sum;
}

static int64_t from_tails(const tc_rcsr *rows, int32_t u, int32_t v)
{
    int64_t sum = 0;
    for (int32_t a = rows->first[u]; a < rows->first[u + 1]; a++) {
        if (rows->head[a] == v) sum += rows->room[a];
        ck_assert_int_eq(rows->used[a], 0);
    }
    return sum;
}

static int64_t from_heads(const tc_rcsr *rows, int32_t u, int32_t v)
{
    int64_t sum = 0;
    for (int32_t k = rows->back[v]; k < rows->back[v + 1]; k++) {
        const int32_t a = rows->arc[k];
        ck_assert_int_eq(rows->head[a], v);
        ck_assert(a >= rows->first[rows->tail[k]] && a < rows->first[rows->tail[k] + 1]);
        if (rows->tail[k] == u) sum += rows->room[a];
    }
    return sum;
}

TEST(both_tables_are_the_network)
{
    for (uint64_t seed = 1; seed <= (uint64_t)RANDOM_CASES(300); seed++) {
        random_network it;
        tilecut_network *network = NULL;
        tc_net net = {0};
        tc_rcsr rows = {0};
        random_network_draw(&it, seed, 12, 60);
        if (tilecut_network_create(&network, &it.arcs) == TILECUT_OK) {
            ck_assert_int_eq(tc_net_init(&net, network, 1), TILECUT_OK);
            ck_assert_int_eq(tc_rcsr_init(&rows, &net, 1), TILECUT_OK);
            ck_assert_int_eq(2 * rows.arcs, net.first[net.nodes]);
            for (int32_t u = 0; u < rows.nodes; u++)
                for (int32_t v = 0; v < rows.nodes; v++) {
                    const int64_t sum = wanted(network, u, v);
                    ck_assert_msg(from_tails(&rows, u, v) == sum && from_heads(&rows, u, v) == sum,
                                  "seed %llu: arcs from %d to %d", (unsigned long long)seed, (int)u, (int)v);
                }
            tc_rcsr_free(&rows);
            tc_net_free(&net);
        }
        tilecut_network_destroy(network);
        random_network_free(&it);
    }
}

/* There are so many arcs that several threads share them. */
TEST(threads_build_the_same_and_hand_flow_back)
{
    enum { NODES = 100, ARCS = 100000 };
    random_network it;
    tilecut_network *network = NULL;
    tc_net net = {0};
    tc_rcsr rows[2];
    uint64_t state = 5;
    do { /* some networks are refused because of their sums, and some are small */
        random_network_draw(&it, state, NODES, ARCS);
        if (it.arcs.arcs > ARCS / 2 && tilecut_network_create(&network, &it.arcs) == TILECUT_OK) break;
        random_network_free(&it);
        state++;
    } while (state < 1000);
    ck_assert_ptr_nonnull(network);
    ck_assert_int_eq(tc_net_init(&net, network, 1), TILECUT_OK);
    for (int k = 0; k < 2; k++) ck_assert_int_eq(tc_rcsr_init(&rows[k], &net, 1 + 2 * k), TILECUT_OK);
    const size_t arcs = (size_t)rows[0].arcs, nodes = (size_t)rows[0].nodes;
    ck_assert_mem_eq(rows[0].first, rows[1].first, (nodes + 1) * sizeof(int32_t));
    ck_assert_mem_eq(rows[0].back, rows[1].back, (nodes + 1) * sizeof(int32_t));
    ck_assert_mem_eq(rows[0].head, rows[1].head, arcs * sizeof(int32_t));
    ck_assert_mem_eq(rows[0].tail, rows[1].tail, arcs * sizeof(int32_t));
    ck_assert_mem_eq(rows[0].arc, rows[1].arc, arcs * sizeof(int32_t));
    ck_assert_mem_eq(rows[0].room, rows[1].room, arcs * sizeof(int64_t));
    for (size_t a = 0; a < arcs; a++) {
        rows[0].used[a] = (int64_t)(random_next(&state) % (uint64_t)(rows[0].room[a] + 1));
        rows[0].room[a] -= rows[0].used[a];
    }
    tc_rcsr_hand_back(&rows[0], &net, 3);
    for (int32_t i = 0; i < net.first[net.nodes]; i++)
        net.slot[i].head = -1 - net.slot[i].head; /* a negative head marks a slot that has not been seen yet */
    for (int32_t v = 0; v < net.nodes; v++)
        for (int32_t a = rows[0].first[v]; a < rows[0].first[v + 1]; a++) {
            tc_slot *const slot = &net.slot[net.first[v] + a - rows[0].first[v]], *const mate = &net.slot[slot->mate];
            ck_assert(slot->room == rows[0].room[a] && mate->room == rows[0].used[a]);
            ck_assert(slot->head == -1 - rows[0].head[a] && mate->head == -1 - v);
            slot->head = mate->head = 0;
        }
    for (int32_t i = 0; i < net.first[net.nodes]; i++) ck_assert_int_eq(net.slot[i].head, 0);
    for (int k = 0; k < 2; k++) tc_rcsr_free(&rows[k]);
    tc_net_free(&net);
    tilecut_network_destroy(network);
    random_network_free(&it);
}

int main(void) { return run_suite((test_suite){.name = "net_rcsr"}); }
