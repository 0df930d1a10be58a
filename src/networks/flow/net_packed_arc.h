/* SPDX-License-Identifier: MIT
 *
 * net_packed_arc.h - the three facts about a slot that searches and relabels read, in 4 bytes: its head, whether it has
 * residual capacity ("room"), and whether its mate has any. The slot itself takes 16 bytes, and its mate mostly lies
 * far away in memory. A push updates these facts only when it fills a slot or opens one; the amounts stay in the slots.
 */
#pragma once

#include "net.h"

typedef uint32_t tc_packed_arc;

enum { TC_PACKED_OUT = 1, TC_PACKED_BACK = 2, TC_PACKED_HEAD = 2 /* number of bits below those of the head */ };

/* The largest number of nodes for which a node's number fits into a packed arc. */
enum { TC_PACKED_MOST_NODES = 1 << (32 - TC_PACKED_HEAD - 1) };

static inline int32_t tc_packed_arc_head(tc_packed_arc packed)
{
    return (int32_t)(packed >> TC_PACKED_HEAD);
}

/* Packs the slots begin .. end - 1. */
static inline void tc_packed_arcs_fill(const tc_net *net, tc_packed_arc *packed, int32_t begin, int32_t end)
{
    enum { AHEAD = 16 };
    for (int32_t i = begin; i < end; i++) {
        const tc_slot *const slot = &net->slot[i];
        if (i + AHEAD < end) __builtin_prefetch(&net->slot[net->slot[i + AHEAD].mate]);
        const bool out = slot->room, back = !out || net->slot[slot->mate].room;
        packed[i] = (tc_packed_arc)slot->head << TC_PACKED_HEAD | (tc_packed_arc)(out * TC_PACKED_OUT) |
                    (tc_packed_arc)(back * TC_PACKED_BACK);
    }
}

/* Pushes over slot i, and updates the packed arcs. */
static inline void tc_packed_arcs_push(tc_net *net, tc_packed_arc *packed, int32_t i, int64_t amount)
{
    tc_slot *const slot = &net->slot[i], *const mate = &net->slot[slot->mate];
    slot->room -= amount;
    if (!slot->room) {
        packed[i] &= ~(tc_packed_arc)TC_PACKED_OUT;
        packed[slot->mate] &= ~(tc_packed_arc)TC_PACKED_BACK;
    }
    if (!mate->room) {
        packed[i] |= TC_PACKED_BACK;
        packed[slot->mate] |= TC_PACKED_OUT;
    }
    mate->room += amount;
}
