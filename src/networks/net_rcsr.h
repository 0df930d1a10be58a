/* SPDX-License-Identifier: MIT
 *
 * net_rcsr.h - the residual network in two tables, the arcs by their tails and again by their heads (forward and
 * reversed compressed rows, RCSR; Hsieh et al. 2024). The residual capacity of an arc and its flow are stored once, at
 * its place in the first table; the second table contains that place. So the reverse arc is found in O(1).
 *
 *   [first[v] .. first[v + 1])   the arcs out of node v, in the order of net.h: head[a], room[a], used[a]
 *   [back[v] .. back[v + 1])     the arcs into v: tail[k] is where they come from, arc[k] their place
 *
 * An arc takes 28 bytes and a node 8; in net.h they take 36 and 4.
 */
#pragma once

#include "net.h"
#include "alloc_list.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tc_rcsr {
    int32_t nodes, source, sink, arcs;
    int32_t *first, *back; /* [nodes + 1]                                             */
    int32_t *head;         /* [arcs]                                                  */
    int32_t *tail, *arc;   /* [arcs] the second table                                 */
    int64_t *room, *used;  /* [arcs] first table; room + used is always the capacity  */
    tc_alloc_list held;
} tc_rcsr;

/* Makes the tables of a network that carries no flow yet. Errors: ENOMEM. */
tilecut_status tc_rcsr_init(tc_rcsr *rows, const tc_net *net, int threads);

/* Writes the flow into the network from which the tables were made. */
void tc_rcsr_hand_back(const tc_rcsr *rows, tc_net *net, int threads);

void tc_rcsr_free(tc_rcsr *rows);
size_t tc_rcsr_bytes(const tc_rcsr *rows); /* bytes that tc_rcsr_init() allocates */

#ifdef __cplusplus
}
#endif
