/* SPDX-License-Identifier: MIT
 *
 * solve_levels.c - the solver `levels` (Dinitz 1970). A search from both ends finds the length of the shortest paths
 * (levels_search.c). Those paths are then searched depth first until none is left, which gives a blocking flow. Then
 * the nodes are labelled anew; with unit capacities this happens at most 2 sqrt(m) times (Even & Tarjan 1975). A slot
 * that led to a dead end is not examined again.
 *
 * Paths are searched from the end whose side has fewer slots, called the near end. Only on that side can a node be a
 * dead end when it is first visited: on the far side labels always lead to the far end. For each node of the far side
 * it is known how many of its slots lead on, and which is the last of these. So the slots before the
 * first of these and after the last need not be examined.
 */
#include <stdlib.h>

#include "levels_search.h"
#include "net_solver.h"
#include "status.h"

typedef struct levels {
    tc_net *net;
    tc_levels_node *node; /* [nodes]                                                  */
    int32_t *path;        /* [nodes] slots of the path, from the near end on          */
    int32_t length;
    const tc_levels_front *near, *far;
    bool forwards;        /* true: the source is the near end, so paths follow the arcs */
    tc_net_run *run;
} levels;

/* The residual capacity from the slot's owner to its head, or from head to owner if paths are searched from the
 * sink. */
static inline int64_t room_of(const levels *l, const tc_slot *slot)
{
    return l->forwards ? slot->room : l->net->slot[slot->mate].room;
}

static inline bool is_near(const levels *l, const tc_levels_node *at)
{
    return (at->label > 0) == (l->near->step > 0);
}

/* Moves v on to its next slot, because its current one is saturated or leads to a dead end. */
static void retire(const levels *l, int32_t v)
{
    tc_levels_node *const at = &l->node[v];
    if (is_near(l, at)) {
        at->current += l->near->step;
    } else {
        at->inward--;
        at->inwards--;
    }
}

/* Pushes as much as the path can carry, and steps back to the tail of its first saturated slot. Returns that node. */
static int32_t augment(levels *l, int32_t v)
{
    tc_net *net = l->net;
    int64_t amount = INT64_MAX;
    for (int32_t k = 0; k < l->length; k++) {
        const int64_t room = room_of(l, &net->slot[l->path[k]]);
        if (room < amount) amount = room;
    }
    for (int32_t k = l->length - 1; k >= 0; k--) {
        tc_slot *slot = &net->slot[l->path[k]], *const mate = &net->slot[slot->mate];
        tc_net_push(net, l->forwards ? slot : mate, amount);
        if (room_of(l, slot)) continue;
        v = mate->head;
        l->length = k;
        retire(l, v);
    }
    l->run->pushes++;
    return v;
}

/* Returns a slot of v that leads one step towards the far end; -1 if there is none. */
static int32_t step(levels *l, int32_t v)
{
    const tc_net *net = l->net;
    tc_levels_node *const at = &l->node[v];
    if (is_near(l, at)) {
        const int32_t end = l->forwards ? net->first[v + 1] : net->first[v] - 1;
        const int32_t wanted = at->label == l->near->label ? l->far->label : at->label + l->near->step;
        for (; at->current != end; at->current += l->near->step) {
            const tc_slot *slot = &net->slot[at->current];
            if (l->node[slot->head].label == wanted && room_of(l, slot)) return at->current;
        }
        return -1;
    }
    const int32_t wanted = at->label - l->far->step;
    for (; at->inwards > 0; at->inward--) {
        const tc_slot *slot = &net->slot[at->inward];
        if (l->node[slot->head].label == wanted && room_of(l, slot)) return at->inward;
    }
    return -1;
}

static void block(levels *l)
{
    const tc_net *net = l->net;
    const int32_t near = l->forwards ? net->source : net->sink, far = l->forwards ? net->sink : net->source;
    int32_t v = near;
    l->length = 0;
    for (;;) {
        const int32_t i = step(l, v);
        if (i >= 0) {
            l->path[l->length++] = i;
            v = net->slot[i].head;
            if (v == far) v = augment(l, v);
        } else if (l->length) { /* a dead end */
            const tc_slot *back = &net->slot[l->path[--l->length]];
            v = net->slot[back->mate].head;
            retire(l, v);
        } else {
            return;
        }
    }
}

/* Prefers the source as the near end, because paths searched from the sink read the residual capacity of mates, which
 * are far away in memory. */
static void choose_ends(levels *l, const tc_levels_search *s)
{
    l->forwards = s->source.all <= 2 * s->sink.all;
    l->near = l->forwards ? &s->source : &s->sink;
    l->far = l->forwards ? &s->sink : &s->source;
}

/* Adds an upper bound of the number of slots that a phase has read: each slot once, and the arcs of each path. Returns
 * true if the total is too large. */
static bool is_too_slow(const levels *l, const tc_levels_search *s, int64_t pushes, int64_t *looks)
{
    if (!l->run->patience) return false;
    *looks += l->net->first[l->net->nodes] + (l->run->pushes - pushes) * (s->source.label - s->sink.label);
    return *looks > l->run->patience;
}

tilecut_status tc_net_solve_levels(tc_net *net, tc_net_run *run)
{
    tilecut_status status = TILECUT_OK;
    const size_t nodes = (size_t)net->nodes;
    tc_levels_search s = {.net = net, .threads = run->threads};
    levels l = {.net = net, .run = run};
    int64_t looks = 0;
    s.node = l.node = calloc(nodes, sizeof *s.node);
    s.queue = malloc(nodes * sizeof *s.queue);
    l.path = malloc(nodes * sizeof *l.path);
    run->bytes = nodes * (sizeof *s.node + sizeof *s.queue + sizeof *l.path);
    run->unfinished = false;
    if (!s.node || !s.queue || !l.path)
        status = tc_fail(TILECUT_ENOMEM, "no memory for the labels of %d nodes", (int)net->nodes);
    for (; status == TILECUT_OK && !run->unfinished && tc_levels_label(&s); run->rounds++) {
        const int64_t pushes = run->pushes;
        choose_ends(&l, &s);
        if (tc_flag_raised(run->cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled between two searches");
        else block(&l);
        run->unfinished = is_too_slow(&l, &s, pushes, &looks);
    }
    free(s.node);
    free(s.queue);
    free(l.path);
    return status;
}
