/* SPDX-License-Identifier: MIT
 *
 * test_net_relabel.c - labels raised to exact distances, compared with distances found by relaxing every slot; the
 * packed arcs, compared with the slots; and threads taking turns in a row of regions.
 * Threads: run under the thread sanitizer, too.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "net_relabel.h"
#include "random_graph.h"
#include "region_turns.h"
#include "run_suite.h"

enum {
    WIDE = 12, LONG = 150, INNER = WIDE * LONG, DETOUR = 5, NODES = INNER + DETOUR * LONG + 2,
    ARCS = 2 * WIDE + 3 * INNER + (DETOUR + 1) * LONG, QUEUE_MORE = (2 * TC_FRONTIER_THREADS + 1) * TC_FRONTIER_BLOCK
};

/* Levels of nodes with arcs to the next level and some back. A detour of DETOUR nodes also leads from each level to the
 * next. */
typedef struct scene {
    int32_t tail[ARCS], head[ARCS], source, sink;
    int64_t capacity[ARCS];
    tilecut_network *network;
    tc_net net;
    int32_t label[NODES], wanted[NODES], found[NODES], queue[NODES + QUEUE_MORE];
    tc_packed_arc packed[2 * ARCS];
    tc_frontier_buffers mail;
} scene;

static int32_t somewhere(uint64_t *state, int32_t level)
{
    const int32_t last = LONG - 1;
    return (level < 0 ? 0 : level < last ? level : last) * WIDE + random_below(state, WIDE);
}

static void begin_scene(scene *s, int threads, uint64_t *state)
{
    int32_t a = 0;
    s->source = NODES - 2;
    s->sink = NODES - 1;
    for (int32_t k = 0; k < WIDE; k++, a++) s->tail[a] = s->source, s->head[a] = k;
    for (int32_t k = 0; k < WIDE; k++, a++) s->tail[a] = INNER - 1 - k, s->head[a] = s->sink;
    for (int32_t k = 0; k < 3 * INNER; k++, a++) {
        s->tail[a] = k / 3;
        s->head[a] = somewhere(state, k / (3 * WIDE) + (random_below(state, 4) ? 1 : -1));
    }
    for (int32_t level = 0; level < LONG; level++)
        for (int32_t k = 0, first = INNER + DETOUR * level; k <= DETOUR; k++, a++) {
            s->tail[a] = k ? first + k - 1 : somewhere(state, level);
            s->head[a] = k < DETOUR ? first + k : somewhere(state, level + 1);
        }
    for (int32_t k = 0; k < ARCS; k++) s->capacity[k] = 1 + random_below(state, 100);
    const tilecut_network_arcs arcs = {.nodes = NODES, .arcs = ARCS, .tail = s->tail, .head = s->head,
                                       .capacity = s->capacity, .sources = &s->source, .sinks = &s->sink,
                                       .source_count = 1, .sink_count = 1};
    ck_assert_int_eq(tilecut_network_create(&s->network, &arcs), TILECUT_OK);
    ck_assert_int_eq(tc_net_init(&s->net, s->network, 1), TILECUT_OK);
    ck_assert_uint_eq(tc_frontier_room(NODES), NODES + QUEUE_MORE);
    ck_assert(tc_frontier_init(&s->mail, threads));
    tc_packed_arcs_fill(&s->net, s->packed, 0, s->net.first[NODES]);
}

static void end_scene(scene *s)
{
    tc_frontier_free(&s->mail);
    tc_net_free(&s->net);
    tilecut_network_destroy(s->network);
}

/* The packed arcs agree with the slots after every push. */
static void look_at_ways(const scene *s)
{
    for (int32_t i = 0; i < s->net.first[NODES]; i++) {
        const tc_slot *const slot = &s->net.slot[i];
        ck_assert_int_eq(tc_packed_arc_head(s->packed[i]), slot->head);
        ck_assert_int_eq(!(s->packed[i] & TC_PACKED_OUT), !slot->room);
        ck_assert_int_eq(!(s->packed[i] & TC_PACKED_BACK), !s->net.slot[slot->mate].room);
    }
}

/* Computes distances to the sink by relaxation. No path leads through the source. */
static void try_all(const tc_net *net, int32_t *label)
{
    for (int32_t v = 0; v < net->nodes; v++) label[v] = v == net->sink ? 0 : net->nodes;
    for (bool shorter = true; shorter;) {
        shorter = false;
        for (int32_t v = net->nodes - 1; v >= 0; v--)
            for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
                const int32_t next = label[net->slot[i].head] + 1;
                if (!net->slot[i].room || next >= label[v] || v == net->source) continue;
                label[v] = next;
                shorter = true;
            }
    }
}

/* Pushes flow through arcs that lead down from level `label`: through some, through all, or through all except the
 * detour's. Half of the arcs are filled in two pushes. */
static void push_some(scene *s, uint64_t *state, int32_t label)
{
    enum { SOME, ALL_BUT_THE_DETOUR, ALL };
    const int kind = random_below(state, 8) ? random_below(state, ALL) : ALL;
    for (int32_t v = 0; v < s->net.nodes; v++)
        for (int32_t i = s->net.first[v]; i < s->net.first[v + 1]; i++) {
            tc_slot *const slot = &s->net.slot[i];
            if (s->label[v] != label || s->label[slot->head] != label - 1 || !slot->room) continue;
            if (kind == SOME ? random_below(state, 2) : v < INNER || kind == ALL) {
                if (slot->room > 1 && i % 2) tc_packed_arcs_push(&s->net, s->packed, i, slot->room / 2);
                tc_packed_arcs_push(&s->net, s->packed, i, slot->room);
            }
        }
}

/* Checks that labels are at most the distances and equal to them up to `sure`, and that no slot with residual capacity
 * leads down by more than one level. */
static void look_at_labels(const scene *s, int32_t sure, uint64_t seed)
{
    for (int32_t v = 0; v < s->net.nodes; v++) {
        const bool exact = s->label[v] == s->wanted[v];
        ck_assert_msg(exact || (s->wanted[v] > sure && s->label[v] > sure && s->label[v] < s->wanted[v]),
                      "seed %llu: node %d has label %d, not %d", (unsigned long long)seed, (int)v, (int)s->label[v],
                      (int)s->wanted[v]);
        for (int32_t i = s->net.first[v]; i < s->net.first[v + 1]; i++)
            ck_assert(!s->net.slot[i].room || v == s->net.source || s->label[v] <= s->label[s->net.slot[i].head] + 1);
    }
}

LOOP_TEST(labels_rise_to_distances, 1, 6)
{
    static scene s;
    int fallen = 0, left = 0;
    for (uint64_t seed = 1; seed <= 4 + (uint64_t)RANDOM_CASES(RANDOM_TIMES > 1 ? 6 : 1); seed++) {
        uint64_t state = seed;
        begin_scene(&s, _i, &state);
        try_all(&s.net, s.label);
        int32_t sure = s.net.nodes;
        for (int turn = 0; turn < 4; turn++) {
            const int32_t lowest = 1 + random_below(&state, LONG / 2), below = lowest - 1 < sure ? lowest - 1 : sure;
            const tc_net_relabel again = {.net = &s.net, .packed = s.packed, .label = s.label, .found = s.found,
                                          .queue = s.queue, .mail = &s.mail, .keep = below,
                                          .exact = (turn + (int)seed) % 3 == 0};
            push_some(&s, &state, lowest);
            look_at_ways(&s);
            try_all(&s.net, s.wanted);
            sure = tc_net_relabel_all(&again);
            ck_assert(!again.exact || sure == s.net.nodes);
            look_at_labels(&s, sure, seed);
            fallen += s.wanted[0] == s.net.nodes;
            left += sure < s.net.nodes;
        }
        end_scene(&s);
    }
    ck_assert_int_gt(fallen, 0); /* some networks must be cut off completely */
    ck_assert_int_gt(left, 0);   /* some searches stop early */
}

enum { CROWD = 5000, CROWD_NODES = CROWD + 3, CROWD_ARCS = 3 * CROWD + 1 };

/* All nodes of a crowd have arcs to one gate, which leads to the sink. The gate finds more nodes than one buffer
 * holds. */
LOOP_TEST(boxes_are_filled_more_than_once, 1, 6)
{
    static int32_t tail[CROWD_ARCS], head[CROWD_ARCS], label[CROWD_NODES], found[CROWD_NODES];
    static int32_t queue[CROWD_NODES + QUEUE_MORE];
    static int64_t capacity[CROWD_ARCS];
    static tc_packed_arc packed[2 * CROWD_ARCS];
    const int32_t source = CROWD, gate = CROWD + 1, sink = CROWD + 2;
    tilecut_network *network = NULL;
    tc_net net;
    tc_frontier_buffers mail;
    for (int32_t v = 0, a = 0; v < CROWD; v++) {
        tail[a] = source, head[a] = v, capacity[a++] = 1;
        tail[a] = v, head[a] = gate, capacity[a++] = 1;
        tail[a] = v, head[a] = (v + 1) % CROWD, capacity[a++] = 1;
    }
    tail[CROWD_ARCS - 1] = gate, head[CROWD_ARCS - 1] = sink, capacity[CROWD_ARCS - 1] = 1;
    const tilecut_network_arcs arcs = {.nodes = CROWD_NODES, .arcs = CROWD_ARCS, .tail = tail, .head = head,
                                       .capacity = capacity, .sources = &source, .sinks = &sink, .source_count = 1,
                                       .sink_count = 1};
    ck_assert_int_eq(tilecut_network_create(&network, &arcs), TILECUT_OK);
    ck_assert_int_eq(tc_net_init(&net, network, 1), TILECUT_OK);
    ck_assert(tc_frontier_init(&mail, _i));
    tc_packed_arcs_fill(&net, packed, 0, net.first[CROWD_NODES]);
    for (int32_t v = 0; v < CROWD_NODES; v++) label[v] = v != net.sink;
    const tc_net_relabel first = {.net = &net, .packed = packed, .label = label, .found = found, .queue = queue,
                                  .mail = &mail, .exact = true};
    ck_assert_int_eq(tc_net_relabel_all(&first), net.nodes);
    for (int32_t v = 0; v < CROWD; v++) ck_assert_int_eq(label[v], 2);
    ck_assert_int_eq(label[gate], 1);
    ck_assert_int_eq(label[sink], 0);
    ck_assert_int_eq(label[source], net.nodes);
    tc_frontier_free(&mail);
    tc_net_free(&net);
    tilecut_network_destroy(network);
}

enum { ROW = 150, VISITS = 40 };

/* Counters that a visit to a region changes: those of the region, and those of the nearest thirds of the regions next
 * to it (net_regions.h). Two visits at once never change the same one. */
typedef struct row {
    tc_region_turns turns;
    int left[ROW], visits[ROW], touched[ROW][3];
} row;

/* Lets other threads run in the middle, so that a count is lost if another one touches the same counter. */
static void touch(int *counter)
{
    const int before = *counter;
    sched_yield();
    *counter = before + 1;
}

static void *visit_all(void *context)
{
    row *const r = context;
    tc_region_left left = {.index = -1};
    for (int k; (k = tc_region_next(&r->turns, &left)) >= 0;) {
        for (int third = 0; third < 3; third++) touch(&r->touched[k][third]);
        if (k > 0) touch(&r->touched[k - 1][2]);
        if (k + 1 < ROW) touch(&r->touched[k + 1][0]);
        r->visits[k]++;
        r->left[k]--;
        left = (tc_region_left){.index = k, .work = r->left[k] > 0};
        if (k > 0 && !r->left[k]) { /* passes work on to the region before this one */
            r->left[k - 1] += VISITS;
            left.nearer = true;
        }
    }
    return NULL;
}

LOOP_TEST(nobody_is_beside_another_one, 0, 3)
{
    static row r;
    const int threads = (int[]){1, 3, 16}[_i];
    pthread_t thread[16];
    memset(&r, 0, sizeof r);
    tc_region_turns_init(&r.turns, ROW);
    for (int k = 0; k < ROW; k += 10) {
        r.left[k] = VISITS;
        tc_region_set(r.turns.work, k, true);
    }
    for (int i = 0; i < threads; i++) ck_assert_int_eq(pthread_create(&thread[i], NULL, visit_all, &r), 0);
    for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
    for (int k = 0; k < ROW; k++) {
        ck_assert_int_eq(r.left[k], 0);
        ck_assert_int_eq(r.touched[k][0], r.visits[k] + (k > 0 ? r.visits[k - 1] : 0));
        ck_assert_int_eq(r.touched[k][1], r.visits[k]);
        ck_assert_int_eq(r.touched[k][2], r.visits[k] + (k + 1 < ROW ? r.visits[k + 1] : 0));
        ck_assert_int_ge(r.visits[k], k > ROW - 10 ? 0 : VISITS);
    }
    ck_assert_int_eq(r.turns.busy, 0);
    tc_region_turns_free(&r.turns);
}

int main(void) { return run_suite((test_suite){.name = "net_relabel", .seconds = 120}); }
