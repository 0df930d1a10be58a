/* SPDX-License-Identifier: MIT
 *
 * front_round.c - one round of push_front.c (see front.h), after Baumstark, Blelloch & Shun, ESA 2015.
 *
 * A node is pushed empty as far as that goes, and lifted in between. It knows its own new label, and of all others the
 * labels from before the round. Who may push over an arc between two nodes of the round is the one whose label was
 * higher, or whose number is less; for the other end the arc is a wall: it does not push over it, does not read what
 * room it has, and stays at most one above the label that the other end had. So whatever comes over that arc, and
 * however high the other end is lifted, labels stay valid: no slot with room leads down by more than one.
 */
#include <string.h>

#include "front.h"

enum { NODE_WORK = 12 };

/* ---- Discharging ------------------------------------------------------------------------------ */

typedef struct turn {
    int32_t v, before, label; /* label: now; before: in the eyes of others */
    int64_t left;
    int32_t at, wall;         /* the slot to look at next; a wall, or -1   */
} turn;

/* Whether u is in the round, and the arc to it is the other's, at least for pushing. */
static inline bool is_wall(const turn *t, int32_t u, uint32_t state)
{
    const int32_t label = (int32_t)(state >> TC_FRONT_LABEL);
    return (state & TC_FRONT_IN) && (label > t->before || (label == t->before && u < t->v));
}

static inline void give(tc_front_worker *w, int32_t u, uint32_t state, int64_t amount)
{
    tc_front *const f = w->front;
    tc_front_node *const to = &f->node[u];
    if (__atomic_fetch_add(&to->added, amount, __ATOMIC_RELAXED) || state & (TC_FRONT_IN | TC_FRONT_WAITS)) return;
    to->below = w->picked; /* it is the first to give anything, and nobody else looks after u */
    w->picked = u;
}

/* Pushes over slots that lead downhill. t->wall: the first of them that was a wall. */
static void push_down(tc_front_worker *w, turn *t)
{
    tc_front *const f = w->front;
    tc_slot *const slots = f->net->slot;
    const int32_t end = f->node[t->v].end, below = t->label - 1;
    for (; t->at < end; t->at++) {
        tc_slot *const slot = &slots[t->at];
        const int32_t u = slot->head;
        const uint32_t state = f->state[u];
        if ((int32_t)(state >> TC_FRONT_LABEL) != below) continue;
        if (is_wall(t, u, state)) {
            if (t->wall < 0) t->wall = t->at;
            continue;
        }
        if (!slot->room) continue;
        const int64_t amount = t->left < slot->room ? t->left : slot->room;
        tc_net_push(f->net, slot, amount);
        if (u != f->target) give(w, u, state, amount);
        t->left -= amount;
        w->pushes++;
        if (!t->left) return;
    }
}

/* The least label that lets v push, and the first slot for it. A wall that is near counts as if it had room. Which
 * slots have room, and where they lead, cannot be foretold by the processor, so the loop does not branch. */
static void lift(tc_front_worker *w, turn *t)
{
    enum { HALF = 32 };
    static const int64_t some = 1;
    const tc_front *const f = w->front;
    const tc_slot *const slots = f->net->slot;
    const int32_t first = f->node[t->v].first, end = f->node[t->v].end, before = t->before;
    int64_t least = (int64_t)(f->dead - 1) << HALF | first; /* a label, and a slot with it */
    for (int32_t i = first; i < end; i++) {
        const int32_t u = slots[i].head;
        const uint32_t state = f->state[u];
        const int64_t label = state >> TC_FRONT_LABEL;
        const bool near = (state & TC_FRONT_IN) & ((label == before + 1) | ((label == before) & (u < t->v)));
        const int64_t room = *(near ? &some : &slots[i].room); /* that of a wall may be written just now */
        const int64_t one = (label << HALF | i) | (-(int64_t)(room == 0) & INT64_MAX);
        least = one < least ? one : least;
    }
    const int32_t label = (int32_t)(least >> HALF);
    t->at = (int32_t)least;
    t->label = label >= f->dead - 1 ? f->dead : label + 1;
    w->relabels++;
    w->done += NODE_WORK + end - first;
}

/* Returns the new label of v. */
static int32_t discharge(tc_front_worker *w, int32_t v)
{
    tc_front_node *const at = &w->front->node[v];
    const int32_t label = tc_front_label(w->front, v);
    turn t = {.v = v, .before = label, .label = label, .left = at->excess, .at = at->current, .wall = -1};
    while (t.label <= w->roof) {
        push_down(w, &t);
        if (!t.left || t.wall >= 0) break;
        lift(w, &t);
    }
    at->excess = t.left;
    at->current = t.wall >= 0 ? t.wall : t.left ? at->first : t.at;
    return t.label;
}

/* What one thread wrote in the last round another reads in this one, from the other's cache, and what a node needs to
 * know comes in three steps: its slots, where they lead, and what those nodes are like. So each step is asked for
 * several nodes at a time, long before it is needed. */
static void foresee(const tc_front *f, const int32_t *list, tc_front_part part)
{
    enum { LINE = 64 / sizeof(tc_slot), MOST = 12 }; /* slots */
    const tc_slot *const slots = f->net->slot;
    for (int32_t k = part.low; k < part.high; k++) {
        const int32_t first = f->net->first[list[k]], end = f->net->first[list[k] + 1];
        for (int32_t i = first; i < end && i < first + MOST; i += LINE) __builtin_prefetch(&slots[i], 1);
        __builtin_prefetch(&f->node[list[k]], 1);
    }
    for (int32_t k = part.low; k < part.high; k++) {
        const int32_t first = f->net->first[list[k]], end = f->net->first[list[k] + 1];
        for (int32_t i = first; i < end && i < first + MOST; i++) __builtin_prefetch(&f->state[slots[i].head]);
    }
    for (int32_t k = part.low; k < part.high; k++) {
        const int32_t first = f->net->first[list[k]], end = f->net->first[list[k] + 1];
        const int32_t below = tc_front_label(f, list[k]) - 1;
        for (int32_t i = first, found = 0; i < end && i < first + MOST && found < 2; i++) {
            const int32_t u = slots[i].head;
            if (tc_front_label(f, u) != below) continue; /* of room nothing is read: others write it now */
            __builtin_prefetch(&f->node[u], 1);
            __builtin_prefetch(&slots[slots[i].mate], 1);
            found++;
        }
    }
}

void tc_front_discharge(tc_front_worker *w)
{
    enum { TOGETHER = 16 };
    tc_front *const f = w->front;
    const int32_t *const list = f->list[w->turn & 1];
    w->picked = -1;
    for (int32_t k = w->part.low; k < w->part.high; k++) {
        if ((k - w->part.low) % TOGETHER == 0)
            foresee(f, list, (tc_front_part){k, k + TOGETHER < w->part.high ? k + TOGETHER : w->part.high});
        f->lifted[k] = discharge(w, list[k]);
    }
}

/* ---- Settling --------------------------------------------------------------------------------- */

void tc_front_put_down(tc_front_worker *w)
{
    tc_front *const f = w->front;
    const uint64_t told = (uint64_t)w->done << 32 | (uint32_t)w->held;
    if (!told) return;
    const uint64_t at = __atomic_fetch_add(w->ends, told, __ATOMIC_RELAXED);
    memcpy(f->list[(w->turn + 1) & 1] + w->base + (uint32_t)at, w->hand, (size_t)w->held * sizeof *w->hand);
    w->held = 0;
    w->done = 0;
}

void tc_front_place(tc_front_worker *w, int32_t v, int32_t label)
{
    enum { HAND = sizeof w->hand / sizeof *w->hand };
    tc_front *const f = w->front;
    if (label >= w->low) {
        f->state[v] = (uint32_t)label << TC_FRONT_LABEL | TC_FRONT_IN;
        if (w->held == HAND) tc_front_put_down(w);
        w->hand[w->held++] = v;
        return;
    }
    tc_front_bin *const bin = &w->bin[label];
    f->state[v] = (uint32_t)label << TC_FRONT_LABEL | TC_FRONT_WAITS;
    f->node[v].below = bin->top;
    bin->top = v + 1;
    bin->waiting++;
}

/* A node of the round gets its new label. Above the roof it waits until labels are exact. */
static void settle(tc_front_worker *w, int32_t v, int32_t label)
{
    tc_front *const f = w->front;
    const int32_t before = tc_front_label(f, v);
    const bool more = tc_front_count_excess(&f->node[v]);
    if (before != label && before < f->bins) {
        w->bin[before].nodes--;
        if (label < f->bins) w->bin[label].nodes++;
    }
    if (more && label <= w->roof) {
        tc_front_place(w, v, label);
        return;
    }
    f->state[v] = (uint32_t)label << TC_FRONT_LABEL;
    if (more && label < f->dead) __atomic_store_n(&f->parked, true, __ATOMIC_RELAXED);
}

void tc_front_settle(tc_front_worker *w)
{
    enum { AHEAD = 8 };
    tc_front *const f = w->front;
    const int32_t *const list = f->list[w->turn & 1];
    w->ends = &f->sum[(w->turn + 1) % 3];
    w->base = 0;
    for (int32_t k = w->part.low; k < w->part.high; k++) {
        if (k + AHEAD < w->part.high) __builtin_prefetch(&f->node[list[k + AHEAD]], 1); /* others gave it something */
        settle(w, list[k], f->lifted[k]);
    }
    for (int32_t v = w->picked, next; v >= 0; v = next) {
        next = f->node[v].below;
        (void)tc_front_count_excess(&f->node[v]);
        tc_front_place(w, v, tc_front_label(f, v));
    }
    tc_front_put_down(w);
}
