/* SPDX-License-Identifier: MIT
 *
 * levels_search.c - see levels_search.h. Several threads may find a node at the same time; the one that sets its label
 * appends it to the queue. From the slots of a level only sums and a maximum are computed, so the order does not
 * matter.
 */
#include "levels_search.h"

#include <string.h>

#include "append_buffer.h"
#include "parallel.h"

typedef tc_levels_search search;
typedef tc_levels_front front;

/* True if flow can pass the slot (on the source's side) or its mate (on the sink's side). The mate of a slot without
 * residual capacity always has some. */
static inline bool passes(const tc_net *net, const tc_slot *slot, bool forwards)
{
    return forwards ? slot->room > 0 : !slot->room || net->slot[slot->mate].room > 0;
}

static int32_t *queued(const search *s, const front *f, int32_t at)
{
    return &s->queue[f->step > 0 ? at : s->net->nodes - 1 - at];
}

/* ---- one thread ------------------------------------------------------------------------------- */

static void enqueue(search *s, front *f, int32_t v, int32_t label)
{
    tc_levels_node *const at = &s->node[v];
    *queued(s, f, f->ends++) = v;
    at->label = label;
    at->current = f->step > 0 ? s->net->first[v] : s->net->first[v + 1] - 1;
    f->found += s->net->first[v + 1] - s->net->first[v];
}

/* Labels the next level. Returns true if it has met the other front. */
static bool advance(search *s, front *f)
{
    const tc_net *net = s->net;
    const int32_t next = f->label + f->step;
    for (int32_t k = f->begin; k < f->end; k++) {
        const int32_t v = *queued(s, f, k);
        for (int32_t i = net->first[v]; i < net->first[v + 1]; i++) {
            const tc_slot *slot = &net->slot[i];
            tc_levels_node *const at = &s->node[slot->head];
            if (at->label && at->label != next && (at->label > 0) == (next > 0)) continue;
            if (!passes(net, slot, next > 0)) continue;
            if (!at->label) enqueue(s, f, slot->head, next);
            else if (at->label != next) return true;
            at->inwards++;
            if (slot->mate > at->inward) at->inward = slot->mate;
        }
    }
    return false;
}

/* Makes the nodes that were just found the last level. */
static void next_level(front *f)
{
    f->begin = f->end;
    f->end = f->ends;
    f->label += f->step;
    f->all += f->slots = f->found;
    f->found = 0;
}

/* Returns the front to advance next; NULL if the search is over. */
static front *next_front(search *s)
{
    if (s->met || s->source.begin == s->source.end || s->sink.begin == s->sink.end) return NULL;
    return s->sink.slots < s->source.slots && s->sink.all <= s->source.all ? &s->sink : &s->source;
}

/* Searches level by level on one thread, as long as levels have few slots. Returns the front with which to continue. */
static front *go_alone(search *s, int64_t few)
{
    front *f = next_front(s);
    for (; f && f->slots < few; f = next_front(s)) {
        s->met = advance(s, f);
        if (!s->met) next_level(f);
    }
    return f;
}

/* ---- several threads -------------------------------------------------------------------------- */

enum { MANY_SLOTS = 1 << 15 }; /* one thread searches fewer slots than this in the time of a barrier */

typedef struct together {
    search *s;
    front *f; /* NULL: the search is over */
} together;

/* The nodes that a thread has found. */
typedef struct finds {
    search *s;
    front *f;
    int64_t slots;
    int32_t count, node[TC_APPEND_NODES];
} finds;

static void put_down(finds *h)
{
    const int32_t at = __atomic_fetch_add(&h->f->ends, h->count, __ATOMIC_RELAXED);
    for (int32_t k = 0; k < h->count; k++) *queued(h->s, h->f, at + k) = h->node[k];
    h->count = 0;
}

static void pick(finds *h, int32_t v)
{
    const tc_net *net = h->s->net;
    h->s->node[v].current = h->f->step > 0 ? net->first[v] : net->first[v + 1] - 1;
    h->slots += net->first[v + 1] - net->first[v];
    if (h->count == TC_APPEND_NODES) put_down(h);
    h->node[h->count++] = v;
}

static void count_inward(tc_levels_node *at, int32_t slot)
{
    int32_t before = __atomic_load_n(&at->inward, __ATOMIC_RELAXED);
    __atomic_fetch_add(&at->inwards, 1, __ATOMIC_RELAXED);
    while (slot > before &&
           !__atomic_compare_exchange_n(&at->inward, &before, slot, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

/* Searches slots begin .. end - 1, which belong to a node of the last level. */
static bool look_at_arcs(finds *h, int32_t begin, int32_t end, int32_t next)
{
    const tc_net *net = h->s->net;
    for (int32_t i = begin; i < end; i++) {
        const tc_slot *slot = &net->slot[i];
        tc_levels_node *const at = &h->s->node[slot->head];
        int32_t label = __atomic_load_n(&at->label, __ATOMIC_RELAXED);
        if (label && label != next && (label > 0) == (next > 0)) continue;
        if (!passes(net, slot, next > 0)) continue;
        if (!label && __atomic_compare_exchange_n(&at->label, &label, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            pick(h, slot->head);
        else if (label != next) return true;
        count_inward(at, slot->mate);
    }
    return false;
}

/* Does a worker's part of the last level: some of its nodes or, if there are few, some of the slots of each. */
static void take_level(const together *t, int worker, int workers)
{
    enum { NODES_A_THREAD = 8 };
    search *const s = t->s;
    front *const f = t->f;
    finds h = {.s = s, .f = f};
    const int32_t next = f->label + f->step;
    const int64_t count = f->end - f->begin;
    const bool whole = count >= (int64_t)NODES_A_THREAD * workers;
    const int32_t low = f->begin + (whole ? (int32_t)(count * worker / workers) : 0);
    const int32_t high = whole ? f->begin + (int32_t)(count * (worker + 1) / workers) : f->end;
    for (int32_t k = low; k < high && !__atomic_load_n(&s->met, __ATOMIC_RELAXED); k++) {
        const int32_t v = *queued(s, f, k), first = s->net->first[v], end = s->net->first[v + 1];
        const int64_t slots = end - first;
        const int32_t from = whole ? first : first + (int32_t)(slots * worker / workers);
        const int32_t to = whole ? end : first + (int32_t)(slots * (worker + 1) / workers);
        if (look_at_arcs(&h, from, to, next)) __atomic_store_n(&s->met, true, __ATOMIC_RELAXED);
    }
    put_down(&h);
    __atomic_fetch_add(&f->found, h.slots, __ATOMIC_RELAXED);
}

static void go_together(void *context, tc_team *team, int worker)
{
    together *const t = context;
    const int workers = tc_team_size(team);
    while (t->f) {
        take_level(t, worker, workers);
        tc_team_barrier(team);
        if (!worker) {
            if (!t->s->met) next_level(t->f);
            t->f = go_alone(t->s, workers > 1 ? MANY_SLOTS : INT64_MAX);
        }
        tc_team_barrier(team);
    }
}

/* ---- all -------------------------------------------------------------------------------------- */

/* Clears the labels and facts of the nodes. */
static void forget(search *s)
{
    enum { MANY = 8 }; /* if more than 1 / MANY of the nodes are labelled, clearing all of them is faster */
    const size_t nodes = (size_t)s->net->nodes;
    if (s->source.ends + s->sink.ends > s->net->nodes / MANY) {
        memset(s->node, 0, nodes * sizeof *s->node);
        return;
    }
    for (int32_t k = 0; k < s->source.ends; k++) s->node[*queued(s, &s->source, k)] = (tc_levels_node){0};
    for (int32_t k = 0; k < s->sink.ends; k++) s->node[*queued(s, &s->sink, k)] = (tc_levels_node){0};
}

static void begin_search(search *s, front *f, int step, int32_t terminal)
{
    *f = (front){.step = step};
    enqueue(s, f, terminal, step);
    next_level(f);
}

bool tc_levels_label(search *s)
{
    forget(s);
    begin_search(s, &s->source, 1, s->net->source);
    begin_search(s, &s->sink, -1, s->net->sink);
    s->met = false;
    together t = {s, go_alone(s, s->threads > 1 ? MANY_SLOTS : INT64_MAX)};
    if (t.f) tc_parallel_team(s->threads, go_together, &t);
    return s->met;
}
