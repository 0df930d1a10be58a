/* SPDX-License-Identifier: MIT
 *
 * net_deal.h - sorts the ends of all arcs into parts of consecutive nodes, so that each part of a network can be built
 * by one thread. Each thread reads one stretch of the arcs, so every arc is read once. Within a part the ends keep the
 * order of the arcs, with any number of threads.
 */
#pragma once

#include "net_arcs.h"

typedef struct tc_net_end {
    int32_t node, other;
    int32_t arc; /* ~arc: it enters the node */
} tc_net_end;

typedef struct tc_net_deal {
    tc_net_end *end;
    int64_t *begin; /* [parts + 1] the ends of a part */
    int parts, shift; /* node v is in part v >> shift */
} tc_net_deal;

/* Deals out the arcs that solvers need: 24 bytes each. `where` [arcs] becomes -1 for all. ENOMEM (false). */
bool tc_net_deal_init(tc_net_deal *deal, const tilecut_network *network, int32_t nodes, int threads, int32_t *where);
void tc_net_deal_free(tc_net_deal *deal);

/* The shift that deals `count` numbers into parts: many of them, as numbers differ in how much belongs to them. */
int tc_deal_shift(int32_t count, int threads);

/* A prefix sum. at[stretch][part] is how many items of a stretch belong to a part, and becomes the place of the first
 * of them, if items are sorted by part and, within a part, by stretch. begin[parts + 1] gets the place where each part
 * begins. */
void tc_deal_places(int64_t *at, int stretches, int parts, int64_t *begin);
