/* SPDX-License-Identifier: MIT
 *
 * net_buckets.h - sorts the ends of all arcs into parts of consecutive nodes, so that each part of a network can be
 * built by one thread. Each thread reads one stretch of the arcs, so every arc is read once. Within a part the ends
 * keep the order of the arcs, with any number of threads. */
#pragma once

#include "net_arcs.h"

typedef struct tc_net_end {
    int32_t node, other;
    int32_t arc; /* the arc, or ~arc for the end that the arc enters */
} tc_net_end;

typedef struct tc_net_buckets {
    tc_net_end *end;
    int64_t *begin; /* [parts + 1] where the ends of each part begin */
    int parts, shift; /* node v is in part v >> shift */
} tc_net_buckets;

/* Sorts the ends of the arcs that solvers need into parts; an end takes 24 bytes. Sets all of `where` [arcs] to -1.
 * Returns false if there is no memory. */
bool tc_net_buckets_init(tc_net_buckets *ends, const tilecut_network *network, int32_t nodes, int threads,
                         int32_t *where);
void tc_net_buckets_free(tc_net_buckets *ends);

/* Returns the shift by which numbers 0 .. count - 1 are divided into parts: number >> shift is the part. There are many
 * more parts than threads, because some numbers have far more items than others. */
int tc_bucket_shift(int32_t count, int threads);

/* A prefix sum. On entry, at[stretch][part] is the number of items of a stretch that belong to a part. On return it is
 * the offset of the first of them when items are sorted by part and, within a part, by stretch. begin[parts + 1] gets
 * the offset of each part. */
void tc_bucket_offsets(int64_t *at, int stretches, int parts, int64_t *begin);
