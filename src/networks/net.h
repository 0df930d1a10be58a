/* SPDX-License-Identifier: MIT
 *
 * net.h - the residual network in which solvers push flow. All slots of a node lie next to each other: its outgoing
 * arcs, and the reverses of its incoming arcs (a compressed row in both directions, BCSR). Each slot knows the place
 * of its mate, so the reverse arc is found in O(1).
 *
 *   [first[v] .. first[v + 1])   the slots of node v
 *   slot[i].room                 residual capacity from v to slot[i].head
 *   slot[slot[i].mate]           the same arc seen from its other end; both rooms always add up to the capacity
 *
 * In each node, arcs come first, in the caller's order, then reverses, the one of the last arc first. Push-relabel
 * uses the first slot that fits: with the reverses in front, it takes four times as long on random levels.
 *
 * A slot takes 16 bytes, and an arc has two slots and an entry of `where`: 36 bytes per arc, and 4 per node. Arcs
 * without capacity, loops, arcs into the source and out of the sink have no slots.
 */
#pragma once

#include "net_arcs.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tc_slot {
    int64_t room;
    int32_t head, mate;
} tc_slot;

typedef struct tc_net {
    int32_t nodes, source, sink;
    int32_t *first; /* [nodes + 1]                                                       */
    tc_slot *slot;  /* [first[nodes]]                                                    */
    int32_t *where; /* [arcs of the caller] the slot at the tail of each arc; -1: the arc has no slots */
    int64_t arcs;
} tc_net;

/* Builds the residual network with up to `threads` threads. The order of slots does not depend on `threads`. Errors:
 * ENOMEM. */
tilecut_status tc_net_init(tc_net *net, const tilecut_network *network, int threads);
void tc_net_free(tc_net *net);

/* Changes a network that carries no flow yet to the state that it would have if it had been built with `ceiling`, which
 * is lower than before. */
void tc_net_lower(tc_net *net, int64_t ceiling, int threads);

/* The number of bytes that tc_net_init() allocates. */
size_t tc_net_bytes(const tc_net *net);

static inline void tc_net_push(tc_net *net, tc_slot *slot, int64_t amount)
{
    slot->room -= amount;
    net->slot[slot->mate].room += amount;
}

#ifdef __cplusplus
}
#endif
