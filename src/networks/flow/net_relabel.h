/* SPDX-License-Identifier: MIT
 *
 * net_relabel.h - global relabeling: raises the labels of push-relabel to the distances to the sink, or to slightly
 * less where that is found sooner. Unlike net_reach.h it starts from the labels that the nodes already have.
 */
#pragma once

#include "frontier_buffers.h"
#include "net_packed_arc.h"

typedef struct tc_net_relabel {
    const tc_net *net;
    const tc_packed_arc *packed; /* [slots] */
    int32_t *label;      /* [nodes] no more than the distance to the sink; net->nodes: it cannot be reached           */
    int32_t *found;      /* [nodes] working memory                                                                    */
    int32_t *queue;      /* [tc_mail_room(nodes)] working memory                                                      */
    tc_frontier_buffers *mail; /* one a searching thread */
    int32_t keep;        /* labels up to this one are exact, and no other node is so near                             */
    bool exact;          /* all labels have to be exact; else labels far away may stay too low                        */
} tc_net_relabel;

/* Returns the label up to which labels are exact now; net->nodes: all labels are. */
int32_t tc_net_relabel_all(const tc_net_relabel *relabel);
