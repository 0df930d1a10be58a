/* SPDX-License-Identifier: MIT
 *
 * region_visit.h - the data that all threads of the solver `regions` share, and the work of one of them in a region.
 */
#pragma once

#include "net_regions.h"
#include "net_solver.h"
#include "net_packed_arc.h"
#include "push_node.h"
#include "region_turns.h"

enum {
    TC_VISIT_LABELS = 128, /* number of labels of a region that have a stack */
    TC_VISIT_LINE = 64     /* bytes of a cache line         */
};

/* A region between two visits. While a thread is in a region, no other thread writes to it or to the two regions
 * beside it. */
typedef struct tc_visited {
    int32_t base;       /* label of its first stack, which also holds lower labels */
    int32_t top;        /* its highest stack that may have nodes; -1: none     */
    int32_t arrived[2]; /* lists of nodes that got flow from the region nearer to the sink, and from the one farther
                           away; -1: none */
    char apart[TC_VISIT_LINE - 4 * sizeof(int32_t)];
    int32_t stack[TC_VISIT_LABELS]; /* nodes with excess, by label; -1: none */
} tc_visited;

typedef struct tc_region_team {
    tc_net *net;
    tc_push_node *node; /* [nodes]                                        */
    tc_packed_arc *packed;        /* [slots]                                        */
    int32_t *label;     /* [nodes] net->nodes: the sink cannot be reached */
    tc_visited *region; /* [cut.count]                                    */
    tc_net_regions cut;
    tc_region_turns turns;
    int threads;          /* number of threads that push; at most the number of processors */
    int64_t most_work;    /* the most work between two searches                           */
    int64_t work;         /* work since labels were last exact; atomic, like the next fields */
    int64_t pushes, lifts;
    int32_t lowest;       /* the lowest label from which flow was pushed, or of a node lifted, since then */
    int32_t active;       /* number of nodes with excess that reach the sink              */
    int32_t reach;        /* number of nodes that reach the sink                          */
} tc_region_team;

/* Puts a node with excess on the stack of its label, if that label has one. */
void tc_visit_activate(const tc_region_team *crowd, tc_visited *region, int32_t v);

/* Works in a region that no other thread is in, until nothing is left to do there or until neighbouring regions should
 * have a turn. */
tc_region_left tc_visit(tc_region_team *crowd, int index);
