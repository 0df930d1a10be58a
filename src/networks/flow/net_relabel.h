/* SPDX-License-Identifier: MIT
 *
 * net_relabel.h - global relabelling: raises the labels of push-relabel to the distances to the sink, or to slightly
 * less where that is faster. Unlike net_reach.h it starts from the present labels of the nodes.
 */
#pragma once

#include "frontier_buffers.h"
#include "net_packed_arc.h"

typedef struct tc_net_relabel {
    const tc_net *net;
    const tc_packed_arc *packed; /* [slots] */
    int32_t *label;      /* [nodes] at most the distance to the sink; net->nodes: the sink cannot be reached          */
    int32_t *found;      /* [nodes] scratch memory                                                                    */
    int32_t *queue;      /* [tc_frontier_room(nodes)] scratch memory                                                  */
    tc_frontier_buffers *mail; /* one for each searching thread */
    int32_t keep;        /* labels up to this one are exact, and all nodes with such a distance have them             */
    bool exact;          /* true: all labels must be exact; false: labels far away may stay too low                   */
} tc_net_relabel;

/* Returns the label up to which labels are exact afterwards; net->nodes if all are. */
int32_t tc_net_relabel_all(const tc_net_relabel *relabel);
