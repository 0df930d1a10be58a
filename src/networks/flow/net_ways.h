/* SPDX-License-Identifier: MIT
 *
 * net_ways.h - the three facts about a slot that searches and relabels read, in 4 bytes: its head, whether it has room,
 * and whether its mate has room. The slot itself has 16 bytes, and its mate's room mostly lies far away in memory. A
 * push updates these facts only when it fills a slot or opens one; the amounts stay in the slots.
 */
#ifndef TC_NET_WAYS_H
#define TC_NET_WAYS_H

#include "net.h"

typedef uint32_t tc_way;

enum { TC_WAY_OUT = 1, TC_WAY_BACK = 2, TC_WAY_HEAD = 2 /* bits below those of the head */ };

/* More nodes have no room in it. */
enum { TC_WAYS_MOST_NODES = 1 << (32 - TC_WAY_HEAD - 1) };

static inline int32_t tc_way_head(tc_way way)
{
    return (int32_t)(way >> TC_WAY_HEAD);
}

/* Notes the ways of the slots from `begin` on. */
static inline void tc_ways_note(const tc_net *net, tc_way *way, int32_t begin, int32_t end)
{
    enum { AHEAD = 16 };
    for (int32_t i = begin; i < end; i++) {
        const tc_slot *const slot = &net->slot[i];
        if (i + AHEAD < end) __builtin_prefetch(&net->slot[net->slot[i + AHEAD].mate]);
        const bool out = slot->room, back = !out || net->slot[slot->mate].room;
        way[i] = (tc_way)slot->head << TC_WAY_HEAD | (tc_way)(out * TC_WAY_OUT) | (tc_way)(back * TC_WAY_BACK);
    }
}

/* Pushes over slot i, and keeps the ways. */
static inline void tc_ways_push(tc_net *net, tc_way *way, int32_t i, int64_t amount)
{
    tc_slot *const slot = &net->slot[i], *const mate = &net->slot[slot->mate];
    slot->room -= amount;
    if (!slot->room) {
        way[i] &= ~(tc_way)TC_WAY_OUT;
        way[slot->mate] &= ~(tc_way)TC_WAY_BACK;
    }
    if (!mate->room) {
        way[i] |= TC_WAY_BACK;
        way[slot->mate] |= TC_WAY_OUT;
    }
    mate->room += amount;
}

#endif
