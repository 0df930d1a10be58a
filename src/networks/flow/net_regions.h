/* SPDX-License-Identifier: MIT
 *
 * net_regions.h - cuts a network with long paths into regions in which threads can push at the same time.
 *
 * A region holds all nodes of some consecutive distances to the sink. No slot joins nodes whose distances differ by
 * more than `widest`, and each region spans three times as many distances. So a slot leads into the same region, or
 * into the nearest third of the region before or after it. A thread that works in a region changes only this region and
 * the nearest thirds of its two neighbours, and reads only the thirds next to those. So two threads never touch the
 * same node as long as no two neighbouring regions are worked on at once.
 */
#pragma once

#include "net.h"

typedef struct tc_net_regions {
    const tc_net *net;
    const int32_t *label; /* [nodes] the distance to the sink; net->nodes: there is no path         */
    const int32_t *order; /* [known] nodes with a path, nearest first                               */
    int32_t known, count; /* count: the number of regions                                           */
    int32_t widest;       /* the largest difference in distance between the ends of a slot          */
    int32_t *begin;       /* [count + 1] where each region begins in order[]; NULL: the network was not divided yet */
    uint16_t *of;         /* [nodes] the region of a node with a path                               */
} tc_net_regions;

enum { TC_MOST_REGIONS = 256 };

/* Divides the network into up to TC_MOST_REGIONS regions of about equal size, given label, order and known. Returns
 * false if there is no memory. */
bool tc_net_regions_cut(tc_net_regions *regions, int threads);
void tc_net_regions_free(tc_net_regions *regions);
