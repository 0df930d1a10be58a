/* SPDX-License-Identifier: MIT
 *
 * net_arcs.h - the arcs as the caller describes them, checked once, and bounds of their capacities that all solvers
 * need. The certificate is computed from these arcs only.
 *
 * For the solvers all sources are one node, and so are all sinks: arcs are treated as if they began and ended there.
 * This changes no flow and no cut, and it needs no infinite arcs from a super source.
 */
#pragma once

#include <stdbool.h>

#include "tilecut_network.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TC_NET_INNER = 0, TC_NET_SOURCE = 1, TC_NET_SINK = 2 };

struct tilecut_network {
    tilecut_network_arcs arcs; /* the caller's arcs, as a complete struct                            */
    uint8_t *role;             /* [nodes] TC_NET_INNER and the other roles; owned                    */
    int64_t ceiling;           /* no flow is larger, except a flow without limit                     */
    int64_t widest;            /* the largest capacity of an arc                                     */
    /* The next fields are used in a copy that a call makes when it merges nodes (net_merge.h). */
    const int32_t *into;       /* [nodes] the numbers that solvers use; NULL: unchanged              */
    int32_t kept;              /* number of nodes that the solvers use                               */
    const int64_t *inner;      /* [arcs] flow of arcs inside merged nodes; NULL: none                */
};

tilecut_status tc_net_check(tilecut_network *network); /* sets role, ceiling and widest */

/* Reads a caller's parameters, NULL for all defaults, into `params`, which must be zero on entry. Sets `threads` to at
 * least 1. */
tilecut_status tc_net_params(const tilecut_network_params *own_params, tilecut_network_params *params);

/* Returns the number that solvers use for node v. */
static inline int32_t tc_net_node(const tilecut_network *network, int32_t v)
{
    const uint8_t role = network->role[v];
    const int32_t one = role == TC_NET_INNER ? v : role == TC_NET_SOURCE ? network->arcs.sources[0]
                                                                         : network->arcs.sinks[0];
    return network->into ? network->into[one] : one;
}

/* True if an arc between these two nodes of the caller can carry flow that matters to solvers. */
static inline bool tc_net_counts(const tilecut_network *network, int32_t tail, int32_t head)
{
    return network->role[head] != TC_NET_SOURCE && network->role[tail] != TC_NET_SINK &&
           tc_net_node(network, tail) != tc_net_node(network, head);
}

static inline int64_t tc_net_capacity(const tilecut_network *network, int64_t a)
{
    return network->arcs.capacity ? network->arcs.capacity[a] : 1;
}

/* Returns the capacity that solvers use. No flow exceeds the ceiling, so an arc with more capacity is in no minimum
 * cut, and its capacity may be reduced to the ceiling plus one. */
static inline int64_t tc_net_bounded(const tilecut_network *network, int64_t a)
{
    const int64_t capacity = tc_net_capacity(network, a);
    return capacity > network->ceiling ? network->ceiling + 1 : capacity;
}

/* Finds the tails of consecutive arcs, beginning with arc `a`, for both forms of the caller's arrays. */
typedef struct tc_net_walk {
    const tilecut_network_arcs *arcs;
    int32_t node; /* tail of the last arc; used if the arrays have `first` */
} tc_net_walk;

tc_net_walk tc_net_walk_from(const tilecut_network *network, int64_t a);

static inline int32_t tc_net_tail(tc_net_walk *walk, int64_t a)
{
    if (walk->arcs->tail) return walk->arcs->tail[a];
    while (walk->arcs->first[walk->node + 1] <= a) walk->node++;
    return walk->node;
}

#ifdef __cplusplus
}
#endif
