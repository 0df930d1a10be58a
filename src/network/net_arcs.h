/* SPDX-License-Identifier: MIT
 *
 * net_arcs.h - the arcs as the caller describes them, checked once, and what all solvers have to know of their
 * capacities. The certificate judges by these alone.
 *
 * All sources are one node to the solvers, and so are all sinks: arcs are taken as if they began and ended there. That
 * changes no flow and no cut, and no infinite arcs from a super source are needed.
 */
#ifndef TC_NET_ARCS_H
#define TC_NET_ARCS_H

#include <stdbool.h>

#include "tilecut_network.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TC_NET_INNER = 0, TC_NET_SOURCE = 1, TC_NET_SINK = 2 };

struct tilecut_network {
    tilecut_network_arcs arcs; /* the caller's, complete                                             */
    uint8_t *role;             /* [nodes] TC_NET_INNER and friends. Owned                            */
    int64_t ceiling;           /* no flow is larger than this, but for one without limit             */
};

tilecut_status tc_net_check(tilecut_network *network); /* sets role and ceiling of `arcs` */

/* The node that v is to the solvers. */
static inline int32_t tc_net_node(const tilecut_network *network, int32_t v)
{
    const uint8_t role = network->role[v];
    return role == TC_NET_INNER ? v : role == TC_NET_SOURCE ? network->arcs.sources[0] : network->arcs.sinks[0];
}

/* Whether an arc between these nodes may carry flow that is of use. */
static inline bool tc_net_counts(const tilecut_network *network, int32_t tail, int32_t head)
{
    return tail != head && network->role[head] != TC_NET_SOURCE && network->role[tail] != TC_NET_SINK;
}

static inline int64_t tc_net_capacity(const tilecut_network *network, int64_t a)
{
    return network->arcs.capacity ? network->arcs.capacity[a] : 1;
}

/* The capacity that solvers see. No flow is larger than the ceiling, so an arc of more than that is in no minimum cut,
 * and one above it will do. */
static inline int64_t tc_net_bounded(const tilecut_network *network, int64_t a)
{
    const int64_t capacity = tc_net_capacity(network, a);
    return capacity > network->ceiling ? network->ceiling + 1 : capacity;
}

/* Tails one after the other, for a walk over arcs from `a` on; both forms of the caller's arrays. */
typedef struct tc_net_walk {
    const tilecut_network_arcs *arcs;
    int32_t node; /* of the last arc, where there is `first` */
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
#endif
