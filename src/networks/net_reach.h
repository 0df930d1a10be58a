/* SPDX-License-Identifier: MIT
 *
 * net_reach.h - the distance of every node to one target node: a breadth-first search from the target against the arcs,
 * with all threads.
 */
#pragma once

#include "net.h"

typedef struct tc_net_reach {
    int32_t target; /* labels are the distances to this node    */
    int32_t closed; /* the node that paths may not lead through; -1: none */
    int32_t most;   /* the search ends when this many nodes are found */
    int32_t *label; /* [nodes] net->nodes for nodes that were not found */
    int32_t *queue; /* [nodes + 1] the nodes found, nearest first, and space for a note */
    int32_t from;   /* queue[from .. known) are all nodes of one label, after all nearer nodes; both 0: nothing is
                       known */
    int32_t known;  /* number of nodes known, at the front of the queue; all others must be labelled net->nodes */
} tc_net_reach;

/* Labels the nodes that reach the target over slots with residual capacity. Returns their number, including the
 * target. */
int32_t tc_net_find_reach(const tc_net *net, const tc_net_reach *reach, int threads);
