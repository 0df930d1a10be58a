/* SPDX-License-Identifier: MIT
 *
 * test_net_build.c - several threads build the same network as one thread, slot by slot; the cut and the certificate
 * are equal as well. Invalid flows are not certified with any number of threads. If search trees give up, another
 * solver finds the same cut.
 * Threads: run under the thread sanitizer, too.
 */
#include <stdlib.h>
#include <string.h>

#include "net_cut.h"
#include "net_solver.h"
#include "random_network.h"
#include "run_suite.h"

enum { NODES = 100, ARCS = 200000 };

/* Draws a network with so many arcs that several threads share the work. */
static tilecut_network *draw(random_network *it, uint64_t *seed, bool rows)
{
    tilecut_network *network = NULL;
    for (;; ++*seed) { /* some networks are refused because of their sums, and some are small */
        random_network_draw(it, *seed, NODES, ARCS);
        if (it->arcs.arcs > ARCS / 2 && tilecut_network_create(&network, rows ? &it->rows : &it->arcs) == TILECUT_OK)
            return network;
        random_network_free(it);
    }
}

TEST(threads_build_the_same_network)
{
    uint64_t seed = 1;
    for (int round = 0; round < 2; round++, seed++) {
        random_network it;
        tc_net one, several;
        tilecut_network *network = draw(&it, &seed, round);
        ck_assert_int_eq(tc_net_init(&one, network, 1), TILECUT_OK);
        for (int threads = 2; threads <= 4; threads += 2) {
            ck_assert_int_eq(tc_net_init(&several, network, threads), TILECUT_OK);
            ck_assert_mem_eq(one.first, several.first, ((size_t)one.nodes + 1) * sizeof *one.first);
            ck_assert_mem_eq(one.slot, several.slot, (size_t)one.first[one.nodes] * sizeof *one.slot);
            ck_assert_mem_eq(one.where, several.where, (size_t)one.arcs * sizeof *one.where);
            tc_net_free(&several);
        }
        tc_net_free(&one);
        tilecut_network_destroy(network);
        random_network_free(&it);
    }
}

/* Returns a slot that belongs to one of the caller's arcs and carries flow, or -1 if there is none. */
static int32_t carrying(const tc_net *net, uint64_t *state)
{
    for (int turn = 0; turn < 10 * ARCS; turn++) {
        const int32_t i = net->where[random_below(state, (int)net->arcs)];
        if (i >= 0 && net->slot[net->slot[i].mate].room) return i;
    }
    return -1;
}

TEST(threads_prove_the_same_and_nothing_wrong)
{
    uint64_t seed = 20, state = 9;
    random_network it;
    tc_net net;
    tc_net_run run = {.threads = 1};
    tc_net_proof proof[2];
    static uint8_t side[2][NODES];
    tilecut_network *network = NULL;
    for (bool flows = false; !flows; seed++) {
        network = draw(&it, &seed, false);
        ck_assert_int_eq(tc_net_init(&net, network, 2), TILECUT_OK);
        ck_assert_int_eq(tc_net_solver_find("highest")->solve(&net, &run), TILECUT_OK);
        for (int k = 0; k < 2; k++) ck_assert_int_eq(tc_net_cut(&net, network, side[k], 1 + 3 * k), TILECUT_OK);
        ck_assert_mem_eq(side[0], side[1], (size_t)it.arcs.nodes);
        flows = tc_net_certify(&net, network, side[0], 1, &proof[0]) == TILECUT_OK && proof[0].flow > 0;
        if (flows) break;
        tc_net_free(&net);
        tilecut_network_destroy(network);
        random_network_free(&it);
    }
    ck_assert_int_eq(tc_net_certify(&net, network, side[0], 4, &proof[1]), TILECUT_OK);
    ck_assert(proof[0].flow == proof[1].flow && proof[0].cut == proof[1].cut &&
              proof[0].sink_side == proof[1].sink_side && proof[0].conserved == proof[1].conserved);
    for (int round = 0; round < 20; round++) {
        const int32_t i = carrying(&net, &state);
        ck_assert_int_ge(i, 0);
        tc_slot *const slot = &net.slot[i], *const mate = &net.slot[slot->mate];
        if (round % 2) { /* breaks the balance at both ends of an arc, or changes only one of them */
            slot->room++;
            mate->room--;
        } else {
            slot->room++;
        }
        const tilecut_status one = tc_net_certify(&net, network, side[0], 1, &proof[0]);
        const tilecut_status four = tc_net_certify(&net, network, side[0], 4, &proof[1]);
        ck_assert_int_eq(one, four);
        if (round % 2 == 0) ck_assert_int_eq(one, TILECUT_EUNPROVEN);
        slot->room--;
        if (round % 2) mate->room++;
    }
    tc_net_free(&net);
    tilecut_network_destroy(network);
    random_network_free(&it);
}

TEST(trees_leave_off_and_another_solver_goes_on)
{
    const tc_net_solver *const trees = tc_net_solver_find("bk"), *const highest = tc_net_solver_find("highest");
    int handed = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        random_network it;
        tc_net net[2];
        tc_net_proof proof;
        uint8_t side[2][60];
        tilecut_network *network = NULL;
        random_network_draw(&it, seed, 60, 400);
        if (tilecut_network_create(&network, &it.arcs) == TILECUT_OK) {
            tc_net_run whole = {.threads = 1}, part = {.threads = 1, .patience = 1 + (int64_t)seed % 200};
            for (int k = 0; k < 2; k++) {
                ck_assert_int_eq(tc_net_init(&net[k], network, 1), TILECUT_OK);
                ck_assert_int_eq(trees->solve(&net[k], k ? &part : &whole), TILECUT_OK);
            }
            ck_assert(!whole.unfinished);
            handed += part.unfinished;
            if (part.unfinished) ck_assert_int_eq(highest->solve(&net[1], &part), TILECUT_OK);
            for (int k = 0; k < 2; k++) ck_assert_int_eq(tc_net_cut(&net[k], network, side[k], 1), TILECUT_OK);
            ck_assert_mem_eq(side[0], side[1], (size_t)it.arcs.nodes);
            const tilecut_status proven = tc_net_certify(&net[1], network, side[1], 1, &proof);
            ck_assert_msg(proven == TILECUT_OK || proven == TILECUT_ERANGE, "seed %d", (int)seed);
            for (int k = 0; k < 2; k++) tc_net_free(&net[k]);
        }
        tilecut_network_destroy(network);
        random_network_free(&it);
    }
    ck_assert_int_gt(handed, 0);
}

int main(void) { return run_suite((test_suite){.name = "net_build"}); }
