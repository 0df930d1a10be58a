/* SPDX-License-Identifier: MIT
 *
 * solve_levels.c - the solver `levels` (Dinitz 1970). A search from both ends finds how long the shortest paths are.
 * Those paths are then searched depth first, until there are none left: a blocking flow. Then the nodes are labelled
 * anew; with unit capacities this happens at most 2 sqrt(m) times (Even & Tarjan 1975). A slot that led nowhere is not
 * examined again.
 *
 * From the source labels are 1, 2, ..., from the sink -1, -2, ... Of the two fronts the one with fewer slots goes on,
 * until it meets the other. In a random graph far fewer nodes are then labelled than one search would have seen.
 */
#include <stdlib.h>
#include <string.h>

#include "net_solver.h"
#include "status.h"

typedef struct levels {
    tc_net *net;
    int32_t *label;   /* [nodes] 1 + distance from the source; -1 - distance to the sink; 0: not seen, or a dead end */
    int32_t *current; /* [nodes] the slot to examine next                                                      */
    int32_t *path;    /* [nodes] slots of the path, from the source on; while labels are made: both queues     */
    int32_t length;
    int32_t last, across; /* paths go from the label `last` of the source's side to `across` of the sink's */
    tc_net_run *run;
} levels;

/* The last level of the search from one end. The source's queue begins at the front of path[], the sink's at the
 * back. */
typedef struct front {
    int32_t begin, end; /* in the queue                 */
    int32_t label, step; /* of the level; to the next one */
    int64_t slots;      /* of its nodes                 */
} front;

static int32_t *queued(const levels *l, const front *f, int32_t at)
{
    return &l->path[f->step > 0 ? at : l->net->nodes - 1 - at];
}

static void enqueue(levels *l, front *f, int32_t v, int32_t label)
{
    *queued(l, f, f->end++) = v;
    l->label[v] = label;
    l->current[v] = l->net->first[v];
    f->slots += l->net->first[v + 1] - l->net->first[v];
}

/* Whether flow can pass the slot, on the source's side, or its mate on the sink's. A slot without room has a mate with
 * some. */
static bool passes(const tc_net *net, const tc_slot *slot, bool forwards)
{
    return forwards ? slot->room > 0 : !slot->room || net->slot[slot->mate].room > 0;
}

/* Labels the next level. True: it has met the other front. */
static bool advance(levels *l, front *f)
{
    const tc_net *net = l->net;
    const int32_t end = f->end, next = f->label + f->step;
    f->slots = 0;
    for (int32_t at = f->begin; at < end; at++) {
        const int32_t v = *queued(l, f, at);
        for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
            const tc_slot *slot = &net->slot[i];
            const int32_t there = l->label[slot->head];
            if (there && (there > 0) == (next > 0)) continue;
            if (!passes(net, slot, next > 0)) continue;
            if (there) return true;
            enqueue(l, f, slot->head, next);
        }
    }
    f->begin = end;
    f->label = next;
    return false;
}

/* False: the source cannot reach the sink. */
static bool label_all(levels *l)
{
    front source = {.label = 1, .step = 1}, sink = {.label = -1, .step = -1};
    bool met = false;
    memset(l->label, 0, (size_t)l->net->nodes * sizeof *l->label);
    enqueue(l, &source, l->net->source, 1);
    enqueue(l, &sink, l->net->sink, -1);
    while (!met && source.begin < source.end && sink.begin < sink.end)
        met = advance(l, source.slots <= sink.slots ? &source : &sink);
    l->last = source.label;
    l->across = sink.label;
    l->run->rounds++;
    return met;
}

/* Pushes as much as the path can carry, and steps back to the tail of its first full slot. Returns that node. */
static int32_t augment(levels *l)
{
    tc_net *net = l->net;
    int64_t amount = INT64_MAX;
    int32_t full = 0;
    for (int32_t k = 0; k < l->length; k++)
        if (net->slot[l->path[k]].room < amount) amount = net->slot[l->path[k]].room;
    for (int32_t k = l->length - 1; k >= 0; k--) {
        tc_slot *slot = &net->slot[l->path[k]];
        tc_net_push(net, slot, amount);
        if (!slot->room) full = k;
    }
    l->run->pushes++;
    l->length = full;
    return net->slot[net->slot[l->path[full]].mate].head;
}

/* A slot of v that leads one step towards the sink; -1: none. */
static int32_t step(levels *l, int32_t v)
{
    const tc_net *net = l->net;
    const int32_t end = net->first[v + 1], wanted = l->label[v] == l->last ? l->across : l->label[v] + 1;
    for (int32_t i = l->current[v]; i < end; i++) {
        const tc_slot *slot = &net->slot[i];
        if (!slot->room || l->label[slot->head] != wanted) continue;
        l->current[v] = i;
        return i;
    }
    l->current[v] = end;
    return -1;
}

static void block(levels *l)
{
    const tc_net *net = l->net;
    int32_t v = net->source;
    l->length = 0;
    for (;;) {
        const int32_t i = step(l, v);
        if (i >= 0) {
            l->path[l->length++] = i;
            v = net->slot[i].head;
            if (v == net->sink) v = augment(l);
        } else if (l->length) {
            l->label[v] = 0; /* a dead end */
            const tc_slot *back = &net->slot[l->path[--l->length]];
            v = net->slot[back->mate].head;
        } else {
            return;
        }
    }
}

/* Adds what a phase has looked at, by a bound: each slot once, and the arcs of each path. True: that is too much. */
static bool is_too_slow(const levels *l, int64_t pushes, int64_t *looks)
{
    if (!l->run->patience) return false;
    *looks += l->net->first[l->net->nodes] + (l->run->pushes - pushes) * (l->last - l->across);
    return *looks > l->run->patience;
}

tilecut_status tc_net_solve_levels(tc_net *net, tc_net_run *run)
{
    tilecut_status status = TILECUT_OK;
    const size_t bytes = (size_t)net->nodes * sizeof(int32_t);
    levels l = {.net = net, .run = run, .label = malloc(bytes), .current = malloc(bytes), .path = malloc(bytes)};
    int64_t looks = 0;
    run->bytes = 3 * bytes;
    run->unfinished = false;
    if (!l.label || !l.current || !l.path)
        status = tc_fail(TILECUT_ENOMEM, "no memory for the labels of %d nodes", (int)net->nodes);
    while (status == TILECUT_OK && !run->unfinished && label_all(&l)) {
        const int64_t pushes = run->pushes;
        if (tc_flag_raised(run->cancel)) status = tc_fail(TILECUT_ECANCELLED, "cancelled between two searches");
        else block(&l);
        run->unfinished = is_too_slow(&l, pushes, &looks);
    }
    free(l.label);
    free(l.current);
    free(l.path);
    return status;
}
