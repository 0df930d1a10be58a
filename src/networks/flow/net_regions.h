/* SPDX-License-Identifier: MIT
 *
 * net_regions.h - a network of long paths cut across into regions, in which threads can push side by side.
 *
 * A region has all nodes of some consecutive distances to the sink. No slot joins nodes whose distances differ by more
 * than `widest`, and a region has three times as many distances. So slots lead to the same region or the one beside it,
 * and into its near third alone. A thread that works on a region changes only that and the near thirds of those beside
 * it, and reads no more than their next third: two threads never touch the same node while no two regions side by side
 * are worked on.
 */
#ifndef TC_NET_REGIONS_H
#define TC_NET_REGIONS_H

#include "net.h"

typedef struct tc_net_regions {
    const tc_net *net;
    const int32_t *label; /* [nodes] the distance to the sink; net->nodes: there is no path         */
    const int32_t *order; /* [known] nodes with a path, nearest first                               */
    int32_t known, count; /* count: of regions                                                      */
    int32_t widest;       /* distances that a slot bridges, at most                                 */
    int32_t *begin;       /* [count + 1] where a region begins in order[]; NULL: not cut yet        */
    uint16_t *of;         /* [nodes] the region of a node with a path                               */
} tc_net_regions;

enum { TC_MOST_REGIONS = 256 };

/* From label, order and known: cuts into up to TC_MOST_REGIONS regions of about as many nodes. False: no memory. */
bool tc_net_regions_cut(tc_net_regions *regions, int threads);
void tc_net_regions_free(tc_net_regions *regions);

#endif
