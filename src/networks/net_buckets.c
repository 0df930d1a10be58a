/* SPDX-License-Identifier: MIT
 *
 * net_buckets.c - see net_buckets.h. First every thread counts, in its stretch of the arcs, how many ends belong to
 * each part. Prefix sums turn these counts into write offsets of each thread in each part; then the threads write. */
#include "net_buckets.h"

#include <stdlib.h>

#include "large.h"
#include "parallel.h"

typedef struct partitioner {
    tc_net_buckets *ends;
    const tilecut_network *network;
    int64_t *at; /* [threads][parts] first counts, then the offset of the next end */
    int32_t *where;
    int threads;
    bool writes; /* false in the first pass, which counts */
} partitioner;

static void put_arc(const partitioner *d, int64_t *at, int32_t node, int32_t other, int32_t arc)
{
    int64_t *const place = &at[node >> d->ends->shift];
    if (d->writes) d->ends->end[*place] = (tc_net_end){node, other, arc};
    ++*place;
}

static void scatter_stretch(void *context, int stretch)
{
    const partitioner *d = context;
    const tilecut_network *const network = d->network;
    const int64_t arcs = network->arcs.arcs, end = arcs * (stretch + 1) / d->threads;
    const int64_t begin = arcs * stretch / d->threads;
    int64_t *const at = d->at + (size_t)stretch * (size_t)d->ends->parts;
    tc_net_walk walk = tc_net_walk_from(network, begin);
    for (int64_t a = begin; a < end; a++) {
        const int32_t from = tc_net_tail(&walk, a), to = network->arcs.head[a];
        if (!d->writes) d->where[a] = -1;
        if (!tc_net_counts(network, from, to) || !tc_net_capacity(network, a)) continue;
        const int32_t tail = tc_net_node(network, from), head = tc_net_node(network, to);
        put_arc(d, at, tail, head, (int32_t)a);
        put_arc(d, at, head, tail, ~(int32_t)a);
    }
}

int tc_bucket_shift(int32_t count, int threads)
{
    enum { PARTS_A_THREAD = 16 };
    int shift = 0;
    while ((count - 1) >> shift >= PARTS_A_THREAD * threads) shift++;
    return shift;
}

void tc_bucket_offsets(int64_t *at, int stretches, int parts, int64_t *begin)
{
    int64_t sum = 0;
    for (int part = 0; part < parts; part++) {
        begin[part] = sum;
        for (int stretch = 0; stretch < stretches; stretch++) {
            int64_t *const place = &at[stretch * parts + part];
            const int64_t count = *place;
            *place = sum;
            sum += count;
        }
    }
    begin[parts] = sum;
}

bool tc_net_buckets_init(tc_net_buckets *ends, const tilecut_network *network, int32_t nodes, int threads,
                         int32_t *where)
{
    partitioner d = {.ends = ends, .network = network, .where = where, .threads = threads};
    *ends = (tc_net_buckets){.shift = tc_bucket_shift(nodes, threads)};
    ends->parts = ((nodes - 1) >> ends->shift) + 1;
    ends->begin = malloc(((size_t)ends->parts + 1) * sizeof *ends->begin);
    d.at = calloc((size_t)threads * (size_t)ends->parts, sizeof *d.at);
    if (ends->begin && d.at) {
        tc_parallel(threads, threads, scatter_stretch, &d);
        tc_bucket_offsets(d.at, threads, ends->parts, ends->begin);
        ends->end = tc_large_alloc(((size_t)ends->begin[ends->parts] + 1) * sizeof *ends->end);
    }
    d.writes = true;
    if (ends->end) tc_parallel(threads, threads, scatter_stretch, &d);
    free(d.at);
    if (!ends->end) tc_net_buckets_free(ends);
    return ends->end != NULL;
}

void tc_net_buckets_free(tc_net_buckets *ends)
{
    free(ends->end);
    free(ends->begin);
    *ends = (tc_net_buckets){0};
}
