/* SPDX-License-Identifier: MIT
 *
 * net_merge.h - makes a network smaller before it is solved: two nodes joined by arcs both ways, each with more
 * capacity than any flow has, lie on the same side of every minimum cut, and become one (Padberg & Rinaldi,
 * Mathematical Programming 47, 1990). Afterwards the flow is led through those arcs.
 *
 *   tc_net_merge_find()    which nodes, if every flow were less than `limit`
 *   tc_net_level_cut()     a cut of the smaller network; one below the limit proves that it is so
 *   tc_net_merge_spread()  the flow of the arcs inside, from that of the others
 *
 * Terminals are never merged.
 */
#pragma once

#include "net.h"

/* A pair of nodes that is merged, numbered as in the network before, and its arcs of the caller. */
typedef struct tc_net_pair {
    int32_t from, to;
    int32_t there, back; /* arcs from -> to and to -> from */
} tc_net_pair;

typedef struct tc_net_merge {
    int32_t *into;     /* [nodes] the number afterwards                     */
    int32_t kept;      /* nodes afterwards                                  */
    tc_net_pair *pair; /* [nodes before - kept]: a tree in each merged node */
    int32_t pairs;
    int64_t limit;     /* the arcs inside merged nodes have this capacity or more */
    int64_t *inner;    /* [arcs] flow of the arcs inside merged nodes; NULL: not known */
} tc_net_merge;

/* Finds nodes to merge in a network that is not yet solved. merge->into is NULL if there is too little to merge.
 * ENOMEM. */
tilecut_status tc_net_merge_find(tc_net_merge *merge, const tc_net *net, const tilecut_network *network, int threads);

/* The cost of the least cut of this kind: between nodes up to some distance from the sink and nodes farther away.
 * -1: no memory. */
int64_t tc_net_level_cut(const tc_net *net);

/* Fills in merge->inner from the solved smaller network, so that every node keeps flow or excess as in a preflow.
 * *held: false if the arcs inside merged nodes have no room for their flow; this happens only if flow goes in
 * circles. ENOMEM. */
tilecut_status tc_net_merge_spread(tc_net_merge *merge, const tc_net *net, const tilecut_network *network, int threads,
                                   bool *held);

void tc_net_merge_free(tc_net_merge *merge);
