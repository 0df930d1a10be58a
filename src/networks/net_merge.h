/* SPDX-License-Identifier: MIT
 *
 * net_merge.h - makes a network smaller before it is solved: two nodes joined by arcs both ways, each with more
 * capacity than any flow has, lie on the same side of every minimum cut, and become one (Padberg & Rinaldi,
 * Mathematical Programming 47, 1990). Afterwards the flow is sent through those arcs.
 *
 *   tc_net_merge_find()    which nodes, if every flow were less than `limit`
 *   tc_net_level_cut()     a cut of the smaller network; one below the limit proves that it is so
 *   tc_net_merge_spread()  the flow of the arcs inside, from that of the others
 *
 * Terminals are never merged.
 */
#pragma once

#include "net.h"

/* A pair of nodes that is merged, with their numbers before merging, and the caller's arcs between them. */
typedef struct tc_net_pair {
    int32_t from, to;
    int32_t there, back; /* arcs from -> to and to -> from */
} tc_net_pair;

typedef struct tc_net_merge {
    int32_t *into;     /* [nodes] the number of each node afterwards        */
    int32_t kept;      /* number of nodes afterwards                        */
    tc_net_pair *pair; /* [nodes before - kept] the merged pairs; a node that is the result of several merges has a
                          tree of them */
    int32_t pairs;
    int64_t limit;     /* the arcs inside merged nodes have at least this capacity */
    int64_t *inner;    /* [arcs] flow of the arcs inside merged nodes; NULL: not known */
} tc_net_merge;

/* Finds nodes to merge in a network that is not yet solved. merge->into is NULL if there is too little to merge.
 * Errors: ENOMEM. */
tilecut_status tc_net_merge_find(tc_net_merge *merge, const tc_net *net, const tilecut_network *network, int threads);

/* Returns the cost of the least level cut: a cut between the nodes up to some distance from the sink and the nodes
 * farther away. Returns -1 if there is no memory. */
int64_t tc_net_level_cut(const tc_net *net);

/* Sets merge->inner from the solved smaller network, so that every node has flow or excess as in a preflow. *held is
 * false if the arcs inside merged nodes cannot carry their flow; this happens only if flow goes in circles. Errors:
 * ENOMEM. */
tilecut_status tc_net_merge_spread(tc_net_merge *merge, const tc_net *net, const tilecut_network *network, int threads,
                                   bool *held);

void tc_net_merge_free(tc_net_merge *merge);
