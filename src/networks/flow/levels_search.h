/* SPDX-License-Identifier: MIT
 *
 * levels_search.h - the length of the shortest paths from source to sink, and the nodes on them: a breadth-first search
 * from both ends, by all threads.
 *
 * Labels are 1, 2, ... from the source and -1, -2, ... from the sink. Of the two frontiers, the one with fewer slots
 * advances next, until they meet. In a random graph this labels far fewer nodes than a search from one end. The search
 * from the sink has to read the residual capacity of mates, which lie far away in memory, so in total it reads no more
 * slots than the other. Threads share a level if it has many slots.
 */
#pragma once

#include "net.h"

/* The known facts about a node; all 0: nothing is known. `Inward` means towards the end from which it was found. */
typedef struct tc_levels_node {
    int32_t label;   /* 1 + distance from the source, or -1 - distance to the sink                 */
    int32_t current; /* for searches of paths: the node's first slot                               */
    int32_t inward;  /* the last of its slots that lead one step inward and let flow pass */
    int32_t inwards; /* how many slots lead one step inward and let flow pass                      */
} tc_levels_node;

/* The search from one end. Both ends share one queue: the source's part grows from its front, the sink's from its
 * back. */
typedef struct tc_levels_front {
    int32_t begin, end;  /* the last level in the queue; after `end` there may be nodes of an unfinished level */
    int32_t ends;        /* the end of its nodes in the queue                                                 */
    int32_t label, step; /* label of the last level; the number to add for the next level                     */
    int64_t slots;       /* number of slots of the last level's nodes                                         */
    int64_t found;       /* number of slots of the nodes after `end`                                          */
    int64_t all;         /* number of slots of all its levels                                                 */
} tc_levels_front;

typedef struct tc_levels_search {
    const tc_net *net;
    tc_levels_node *node; /* [nodes] */
    int32_t *queue;       /* [nodes] */
    tc_levels_front source, sink;
    int threads;
    bool met; /* atomic while threads search */
} tc_levels_search;

/* Labels nodes anew until the fronts meet. Returns false if the source cannot reach the sink. Labels, `inward` and
 * `inwards` of finished levels do not depend on the number of threads. */
bool tc_levels_label(tc_levels_search *search);
