/* SPDX-License-Identifier: MIT
 *
 * net_reach.c - see net_reach.h. The threads divide the nodes of a level and wait for each other after it. While levels
 * have few nodes, one thread works alone.
 */
#include "net_reach.h"

#include "append_buffer.h"
#include "parallel.h"
#include "simd.h"

/* Returns up to how many nodes one thread is faster than `threads` threads. Several threads have to meet, and to fetch
 * the others' results from their caches. */
static int32_t nodes_alone(int threads)
{
    enum { TO_MEET = 256, TO_SHARE = 4096 };
    return threads > 1 ? TO_MEET + TO_SHARE / threads : INT32_MAX;
}

typedef struct search {
    const tc_net *net;
    const tc_net_reach *reach;
    int32_t begin, end; /* the last level, while one thread works alone                         */
    int32_t found;      /* nodes found by all threads                                           */
    int32_t added[3];   /* number of nodes found in a level, atomic; the counts of three levels take turns */
    bool slow[3];       /* threads wait so long for each other that one should do the rest; used in turn like `added` */
} search;

/* True if the node at the end of the slot can push to the slot's owner. If a slot has no residual capacity, its mate
 * has some and need not be read. */
static inline bool has_residual_back(const tc_net *net, const tc_slot *slot)
{
    return !slot->room || net->slot[slot->mate].room;
}

enum { NOTES = 64 }; /* number of slots at a time */

typedef struct notes {
    const tc_slot *slot[NOTES];
    int32_t count;
} notes;

/* Picks the heads of the noted slots, if they reach the slots' owners. Mates are prefetched together, because most are
 * far away. */
static void pick_noted(const search *s, notes *n, tc_append_buffer *h, int32_t label)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): n->count slots were noted */
    for (int32_t k = 0; k < n->count; k++) __builtin_prefetch(&s->net->slot[n->slot[k]->mate]);
    for (int32_t k = 0; k < n->count; k++) {
        const tc_slot *const slot = n->slot[k];
        int32_t *const at = &s->reach->label[slot->head], unseen = s->net->nodes;
        if (__atomic_load_n(at, __ATOMIC_RELAXED) != unseen || !has_residual_back(s->net, slot)) continue;
        if (__atomic_compare_exchange_n(at, &unseen, label, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            tc_append_node(h, slot->head);
    }
    n->count = 0;
}

static void look_back(const search *s, notes *n, tc_append_buffer *h, int32_t v, int32_t label)
{
    const tc_net *const net = s->net;
    const int32_t *const labels = s->reach->label;
    for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
        n->slot[n->count] = &net->slot[i];
        n->count += __atomic_load_n(&labels[net->slot[i].head], __ATOMIC_RELAXED) == net->nodes;
        if (n->count == NOTES) pick_noted(s, n, h, label);
    }
}

enum { NEAR = 8, FAR = 16 }; /* how many nodes ahead in the queue are prefetched */

TC_FETCHES void fetch_ahead(const tc_net *net, const int32_t *queue, int32_t k, int32_t end)
{
    if (k + FAR < end) __builtin_prefetch(&net->first[queue[k + FAR]]);
    if (k + NEAR < end) __builtin_prefetch(&net->slot[net->first[queue[k + NEAR]]]);
}

static void take_level(search *s, int32_t begin, int32_t end, int32_t *added, int worker, int workers)
{
    const int32_t *const queue = s->reach->queue;
    tc_append_buffer h = {.list = s->reach->queue + end, .ends = added};
    notes n = {.count = 0};
    const int64_t count = end - begin;
    const int32_t label = s->reach->label[queue[begin]] + 1;
    const int32_t low = begin + (int32_t)(count * worker / workers);
    const int32_t high = begin + (int32_t)(count * (worker + 1) / workers);
    for (int32_t k = low; k < high; k++) {
        fetch_ahead(s->net, queue, k, high);
        look_back(s, &n, &h, queue[k], label);
    }
    pick_noted(s, &n, &h, label);
    tc_append_flush(&h);
}

/* ---- one thread ------------------------------------------------------------------------------- */

/* Puts the ends of the noted slots into the queue if they reach their owners. Returns the end of the queue. */
static int32_t find_noted(const search *s, const tc_slot *const *note, int32_t count, int32_t label, int32_t ends)
{
    int32_t *const labels = s->reach->label, *const queue = s->reach->queue;
    const int32_t unseen = s->net->nodes;
    const tc_slot *const all = s->net->slot;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): `count` notes have been written */
    for (int32_t k = 0; k < count; k++) __builtin_prefetch(&all[note[k]->mate]);
    for (int32_t k = 0; k < count; k++) {
        const int32_t u = note[k]->head, old = labels[u];
        const int32_t found = (old == unseen) & ((note[k]->room == 0) | (all[note[k]->mate].room != 0));
        queue[ends] = u;
        labels[u] = old ^ ((old ^ label) & -found); /* compilers would turn ?: into a branch */
        ends += found;
    }
    return ends;
}

/* Finds the nodes of a level from those of the level before, which are a range of the queue. Returns the end of the
 * level. There is no branch, because the processor could not predict whether a slot leads to a new node: every slot is
 * noted, and overwritten by the next one if it does not count. */
static int32_t level_alone(const search *s, int32_t begin, int32_t end)
{
    const int32_t *const labels = s->reach->label, *const queue = s->reach->queue, *const first = s->net->first;
    const int32_t unseen = s->net->nodes, label = labels[queue[begin]] + 1;
    const tc_slot *const slots = s->net->slot, *note[NOTES];
    int32_t ends = end, count = 0;
    for (int32_t k = begin; k < end; k++) {
        const tc_slot *const last = slots + first[queue[k] + 1];
        fetch_ahead(s->net, queue, k, end);
        for (const tc_slot *slot = slots + first[queue[k]]; slot < last; slot++) {
            note[count] = slot;
            count += labels[slot->head] == unseen;
            if (count < NOTES) continue;
            ends = find_noted(s, note, count, label, ends);
            count = 0;
        }
    }
    return find_noted(s, note, count, label, ends);
}

/* One thread searches level by level, as long as levels have few nodes. */
static void go_alone(search *s, int32_t few)
{
    while (s->begin < s->end && s->end - s->begin < few && s->end < s->reach->most) {
        const int32_t ends = level_alone(s, s->begin, s->end);
        s->begin = s->end;
        s->end = ends;
    }
}

/* True if the last level took several times as long as it should. Then some thread is not running, because there are
 * more threads than processors. A single slow level proves nothing. */
static bool level_was_slow(double *clock, int32_t nodes, int workers, int *times)
{
    enum { MOST_TIMES = 3 };
    const double level_ms = 0.06, node_ms = 0.0005;
    *times += tc_lap_ms(clock) > level_ms + nodes * node_ms / workers;
    return *times >= MOST_TIMES;
}

/* All workers know where the level begins and ends. Three counters take turns from level to level, so that one can be
 * set to zero while no worker reads it. */
static void search_together(void *context, tc_team *team, int worker)
{
    search *const s = context;
    const int workers = tc_team_size(team);
    int32_t begin = s->begin, end = s->end;
    double clock = tc_now_ms();
    int slow_times = 0;
    const int32_t few = nodes_alone(workers);
    for (int turn = 0; begin < end && end < s->reach->most; turn = (turn + 1) % 3) {
        take_level(s, begin, end, &s->added[turn], worker, workers);
        if (!worker) s->slow[turn] = level_was_slow(&clock, end - begin, workers, &slow_times);
        tc_team_barrier(team);
        if (!worker) s->added[(turn + 2) % 3] = 0;
        begin = end;
        end += s->added[turn];
        if ((end - begin >= few && !s->slow[turn]) || begin == end) continue;
        if (!worker) {
            s->begin = begin;
            s->end = end;
            go_alone(s, s->slow[turn] ? INT32_MAX : few);
            clock = tc_now_ms();
        }
        tc_team_barrier(team);
        begin = s->begin;
        end = s->end;
    }
    if (!worker) s->found = end; /* sets only `found`, because others may still read where the level begins */
}

static void begin_at_target(const tc_net *net, const tc_net_reach *reach)
{
    for (int32_t v = 0; v < net->nodes; v++) reach->label[v] = net->nodes;
    reach->label[reach->target] = 0;
    reach->queue[0] = reach->target;
}

int32_t tc_net_find_reach(const tc_net *net, const tc_net_reach *reach, int threads)
{
    search s = {.net = net, .reach = reach, .begin = reach->from, .end = reach->known ? reach->known : 1};
    if (!reach->known) begin_at_target(net, reach);
    if (reach->closed >= 0) reach->label[reach->closed] = net->nodes + 1;
    go_alone(&s, nodes_alone(threads));
    s.found = s.end;
    if (s.begin < s.end && s.end < reach->most) tc_parallel_team(threads, search_together, &s);
    if (reach->closed >= 0) reach->label[reach->closed] = net->nodes;
    return s.found;
}
