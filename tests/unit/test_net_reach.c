/* SPDX-License-Identifier: MIT
 *
 * test_net_reach.c - searches backwards from a node, by one thread and by several, compared with distances found by
 * relaxing every slot until nothing changes.
 * Threads: run under the thread sanitizer, too.
 */
#include <stdlib.h>

#include "net_reach.h"
#include "random_graph.h"
#include "run_suite.h"

enum { LEVELS = 9, WIDEST = 3000, NODES = LEVELS * WIDEST + 2, ARCS_A_NODE = 3, ARCS = 2 * WIDEST + 3 * NODES };

typedef struct scene {
    int32_t first[LEVELS + 1]; /* first node of each level */
    int32_t tail[ARCS], head[ARCS], arcs, source, sink;
    int64_t capacity[ARCS];
    tilecut_network *network;
    tc_net net;
    int32_t wanted[NODES], label[NODES], queue[NODES + 1];
} scene;

static void add(scene *s, int32_t tail, int32_t head)
{
    s->tail[s->arcs] = tail;
    s->head[s->arcs] = head;
    s->capacity[s->arcs++] = 1;
}

static int32_t somewhere(const scene *s, uint64_t *state, int level)
{
    const int k = level < 0 ? 0 : level < LEVELS ? level : LEVELS - 1;
    return s->first[k] + random_below(state, s->first[k + 1] - s->first[k]);
}

/* Draws some levels with so many nodes that threads share them, and some with few. Most arcs lead to the next level,
 * some lead back, and some have no capacity. */
static void begin_scene(scene *s, uint64_t *state)
{
    s->arcs = 0;
    s->first[0] = 0;
    for (int k = 0; k < LEVELS; k++)
        s->first[k + 1] = s->first[k] + 1 + random_below(state, random_below(state, 3) ? WIDEST : 30);
    s->source = s->first[LEVELS];
    s->sink = s->source + 1;
    for (int32_t v = 0; v < s->first[1]; v++) add(s, s->source, v);
    for (int32_t v = s->first[LEVELS - 1]; v < s->first[LEVELS]; v++) add(s, v, s->sink);
    for (int k = 0; k < LEVELS; k++)
        for (int32_t v = s->first[k]; v < s->first[k + 1]; v++)
            for (int i = 0; i < ARCS_A_NODE; i++)
                add(s, v, somewhere(s, state, random_below(state, 4) ? k + 1 : k - 1));
    const tilecut_network_arcs arcs = {.nodes = s->sink + 1, .arcs = s->arcs, .tail = s->tail, .head = s->head,
                                       .capacity = s->capacity, .sources = &s->source, .sinks = &s->sink,
                                       .source_count = 1, .sink_count = 1};
    ck_assert_int_eq(tilecut_network_create(&s->network, &arcs), TILECUT_OK);
    ck_assert_int_eq(tc_net_init(&s->net, s->network, 1), TILECUT_OK);
    for (int32_t i = 0; i < s->net.first[s->net.nodes]; i++)
        if (s->net.slot[i].room && !random_below(state, 3)) tc_net_push(&s->net, &s->net.slot[i], 1);
}

static void end_scene(scene *s)
{
    tc_net_free(&s->net);
    tilecut_network_destroy(s->network);
}

/* Computes distances to the sink by relaxation. If `closed`, no path leads through the source. Returns the number of
 * nodes that reach the sink. */
static int32_t try_all(scene *s, bool closed)
{
    const tc_net *const net = &s->net;
    int32_t count = 0;
    for (int32_t v = 0; v < net->nodes; v++) s->wanted[v] = v == net->sink ? 0 : net->nodes;
    for (bool shorter = true; shorter;) {
        shorter = false;
        for (int32_t v = net->nodes - 1; v >= 0; v--)
            for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
                const int32_t next = s->wanted[net->slot[i].head] + 1;
                if (!net->slot[i].room || next >= s->wanted[v] || (closed && v == net->source)) continue;
                s->wanted[v] = next;
                shorter = true;
            }
    }
    for (int32_t v = 0; v < net->nodes; v++) count += s->wanted[v] < net->nodes;
    return count;
}

static void look(const scene *s, int32_t count, int32_t wanted, uint64_t seed)
{
    ck_assert_msg(count == wanted, "seed %llu: %d of %d nodes", (unsigned long long)seed, (int)count, (int)wanted);
    for (int32_t v = 0; v < s->net.nodes; v++)
        ck_assert_msg(s->label[v] == s->wanted[v], "seed %llu: node %d has label %d, not %d", (unsigned long long)seed,
                      (int)v, (int)s->label[v], (int)s->wanted[v]);
    for (int32_t k = 0; k < count; k++) /* the number of queued nodes is right, so each one is queued once */
        ck_assert(s->label[s->queue[k]] < s->net.nodes && (!k || s->label[s->queue[k]] >= s->label[s->queue[k - 1]]));
}

LOOP_TEST(labels_are_distances, 0, 4)
{
    const int threads = (int[]){1, 2, 5, 16}[_i];
    static scene s;
    for (uint64_t seed = 1; seed <= 4 + (uint64_t)RANDOM_CASES(6); seed++) {
        uint64_t state = seed;
        begin_scene(&s, &state);
        const bool closed = seed % 2;
        const int32_t wanted = try_all(&s, closed);
        tc_net_reach reach = {.target = s.net.sink, .closed = closed ? s.net.source : -1, .most = s.net.nodes,
                              .label = s.label, .queue = s.queue};
        look(&s, tc_net_find_reach(&s.net, &reach, threads), wanted, seed);
        /* The second search repeats the levels above this one. */
        const int32_t level = random_below(&state, s.label[s.queue[wanted - 1]] + 1);
        for (; reach.known < wanted && s.label[s.queue[reach.known]] <= level; reach.known++)
            reach.from += s.label[s.queue[reach.known]] < level;
        for (int32_t k = reach.known; k < wanted; k++) s.label[s.queue[k]] = s.net.nodes;
        look(&s, tc_net_find_reach(&s.net, &reach, threads), wanted, seed);
        end_scene(&s);
    }
}

int main(void) { return run_suite((test_suite){.name = "net_reach", .seconds = 120}); }
