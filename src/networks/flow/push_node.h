/* SPDX-License-Identifier: MIT
 *
 * push_node.h - the data that push-relabel stores for a node, and the loops over its slots that all solvers of this
 * kind use.
 */
#pragma once

#include "net.h"
#include "simd.h"

/* The data that are used together when a node gets or gives flow. Labels are read far more often, for all neighbours,
 * so they have an array of their own. */
typedef struct tc_push_node {
    int64_t excess;
    int32_t first, end;     /* its slots                                  */
    int32_t current;        /* the slot to examine next                   */
    int32_t below;          /* the next node on the stack of its label    */
} tc_push_node;

/* The work of a lift, in addition to the slots that it reads. */
enum { TC_PUSH_LIFT_WORK = 12 };

/* Returns the lowest label with which the node can push, or net->nodes, and makes the first slot for that push the
 * current one. The processor cannot predict which slots have room and where they lead, so the loop does not branch. */
static inline int32_t tc_push_lift(const tc_net *net, const int32_t *label_of, tc_push_node *at)
{
    enum { HALF = 32 };
    int64_t least = (int64_t)net->nodes << HALF | at->current; /* a label, and a slot with that label */
    for (int32_t i = at->first; i < at->end; i++) {
        const int64_t full = -(int64_t)(net->slot[i].room == 0) & INT64_MAX;
        const int64_t one = ((int64_t)label_of[net->slot[i].head] << HALF | i) | full;
        least = one < least ? one : least;
    }
    const int32_t label = (int32_t)(least >> HALF);
    at->current = (int32_t)least;
    return label >= net->nodes - 1 ? net->nodes : label + 1;
}

/* True if the node has a slot with residual capacity that leads to label `wanted`; that slot becomes the current
 * one. */
static inline bool tc_push_leads_to(const tc_net *net, const int32_t *label_of, tc_push_node *at, int32_t wanted)
{
    for (; at->current < at->end; at->current++) {
        const tc_slot *slot = &net->slot[at->current];
        if (slot->room && label_of[slot->head] == wanted) return true;
    }
    return false;
}

/* Prefetches data of the three nodes below v on its stack, which come next. They and the ends of their slots mostly lie
 * far away in memory. The nearer a node is to v, the more of its data has already arrived and shows what to prefetch
 * next. */
TC_FETCHES void tc_push_fetch_below(const tc_net *net, const tc_push_node *node, int32_t v)
{
    enum { SLOTS = 3 };
    const tc_slot *const slots = net->slot;
    const int32_t next = node[v].below;
    if (next < 0) return;
    const int32_t begin = node[next].current, end = node[next].end;
    for (int32_t i = begin; i < end && i < begin + SLOTS; i++) {
        __builtin_prefetch(&node[slots[i].head]);
        __builtin_prefetch(&slots[slots[i].mate]);
    }
    const int32_t far = node[next].below;
    if (far < 0) return;
    __builtin_prefetch(&slots[node[far].current]);
    if (node[far].below >= 0) __builtin_prefetch(&node[node[far].below]);
}
