/* SPDX-License-Identifier: MIT
 *
 * front.h - what push_front.c and front_round.c share: the nodes, and the lists from which a round is made.
 *
 * A round is the set of nodes that are discharged at the same time. Its nodes have the highest labels that excess has:
 * all from `low` on. Those further down wait in stacks, one for each label and worker, until a round gets small.
 */
#ifndef TC_FRONT_H
#define TC_FRONT_H

#include "net_solver.h"
#include "owned.h"
#include "parallel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tc_front_node {
    int64_t excess, added; /* added: arrived since excess was counted; atomic while a round pushes */
    int32_t first, end;    /* its slots                                                            */
    int32_t current;       /* the slot to examine next                                             */
    int32_t below;         /* the next one on a stack, or among those that a worker has picked     */
} tc_front_node;

/* What one worker keeps for one label. Only sums over all workers mean something. */
typedef struct tc_front_bin {
    int32_t top;     /* of its stack, one more than the node; 0: empty                         */
    int32_t waiting; /* nodes on it                                                            */
    int32_t nodes;   /* nodes that got this label, less those of this label that got another   */
} tc_front_bin;

/* A label, and two bits that change between rounds alone: in the round; on a stack. */
enum { TC_FRONT_IN = 1, TC_FRONT_WAITS = 2, TC_FRONT_LABEL = 2 };

typedef struct tc_front {
    tc_net *net;
    const tc_net_run *run;
    int32_t target, closed, dead;
    int32_t few;            /* nodes that a round should have at least                             */
    int32_t look;           /* see push_front.h                                                    */
    const int64_t *excess;  /* [nodes] before the first phase                                      */
    tc_front_node *node;    /* [nodes]                                                             */
    uint32_t *state;        /* [nodes] between phases the label alone                              */
    int32_t *list[2];       /* [nodes + 1] the nodes of this round, of the next                    */
    int32_t *lifted;        /* [nodes] the new label of each node of the list                      */
    tc_front_bin *bin;      /* [workers at most][bins]                                             */
    int32_t bins;           /* labels that a phase can use: 0 .. bins - 1                          */
    int32_t alive;          /* nodes that may have a label                                         */
    int32_t longest;        /* the highest exact label                                             */
    /* High half: work done; low half: nodes in the list. Of the last round, this and the next, in turns; atomic. */
    uint64_t sum[3];
    uint64_t extra[2];      /* nodes that a refill has added to the list, in turns; atomic         */
    int32_t roof;           /* a label that no node had. Nodes above it are dead, or wait for exact labels */
    int64_t pushes, relabels, rounds; /* the first two are atomic                                  */
    double alone_ns, together_ns; /* what a node costs one worker alone, and all together; 0: not known */
    bool begun, cancelled, parked, slow, left, finished;
    tc_owned held;
} tc_front;

/* Things low .. high - 1. */
typedef struct tc_front_part {
    int32_t low, high;
} tc_front_part;

/* What a worker knows. What is the same for all is decided by each on its own. */
typedef struct tc_front_worker {
    tc_front *front;
    tc_front_bin *bin;      /* its own                                                             */
    int worker, workers;
    int32_t now, low, roof; /* nodes in the round; the least label that is in it                   */
    int32_t taken, before;  /* labels taken .. before - 1 have just left the stacks                */
    int turn;               /* decides which list and which of sum[] are those of the round        */
    int64_t work, unseen, seen; /* since labels were exact; nodes since the last look for a gap, and since the
                             * last look at how small rounds are                                   */
    bool empty, leaves;     /* the phase is over: nothing is left; rounds are too small or too slow */
    tc_front_part part;     /* of the round's list that is this worker's                           */
    double since;           /* when the first worker last looked at the clock; nodes taken since   */
    int64_t timed;
    int32_t picked;         /* top of its stack of nodes that have got excess in this round; -1    */
    int64_t done, pushes, relabels;
    uint64_t *ends;         /* counts the nodes that are appended to the list after the first `base` */
    int32_t base, held;
    int32_t hand[128];      /* nodes of the next round that are not yet in the list                */
} tc_front_worker;

static inline int32_t tc_front_label(const tc_front *f, int32_t v)
{
    return (int32_t)(f->state[v] >> TC_FRONT_LABEL);
}

/* Counts what has arrived. Returns whether there is excess. */
static inline bool tc_front_count_excess(tc_front_node *at)
{
    at->excess += at->added;
    at->added = 0;
    return at->excess != 0;
}

/* The worker's share of so many things. */
static inline tc_front_part tc_front_share(const tc_front_worker *w, int32_t count)
{
    return (tc_front_part){(int32_t)((int64_t)count * w->worker / w->workers),
                           (int32_t)((int64_t)count * (w->worker + 1) / w->workers)};
}

/* Puts a node with excess where its label belongs: into the next round or on a stack. */
void tc_front_place(tc_front_worker *w, int32_t v, int32_t label);

/* Appends what the worker still holds to the next round's list, and tells what work it has done. */
void tc_front_put_down(tc_front_worker *w);

/* The two halves of a round; all meet after each. In the first, nodes are discharged by the labels from before the
 * round. In the second they get their new labels, and what has arrived is counted. */
void tc_front_discharge(tc_front_worker *w);
void tc_front_settle(tc_front_worker *w);

#ifdef __cplusplus
}
#endif
#endif
