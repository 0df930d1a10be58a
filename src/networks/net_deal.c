/* SPDX-License-Identifier: MIT
 *
 * net_deal.c - see net_deal.h. First every thread counts, in its stretch of the arcs, how many ends belong to each
 * part. Prefix sums turn these counts into write offsets of each thread in each part; then the threads write.
 */
#include "net_deal.h"

#include <stdlib.h>

#include "large.h"
#include "parallel.h"

typedef struct dealer {
    tc_net_deal *deal;
    const tilecut_network *network;
    int64_t *at; /* [threads][parts] first counts, then the offset of the next end */
    int32_t *where;
    int threads;
    bool writes; /* false in the first pass, which counts */
} dealer;

static void put_arc(const dealer *d, int64_t *at, int32_t node, int32_t other, int32_t arc)
{
    int64_t *const place = &at[node >> d->deal->shift];
    if (d->writes) d->deal->end[*place] = (tc_net_end){node, other, arc};
    ++*place;
}

static void deal_stretch(void *context, int stretch)
{
    const dealer *d = context;
    const tilecut_network *const network = d->network;
    const int64_t arcs = network->arcs.arcs, end = arcs * (stretch + 1) / d->threads;
    const int64_t begin = arcs * stretch / d->threads;
    int64_t *const at = d->at + (size_t)stretch * (size_t)d->deal->parts;
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

int tc_deal_shift(int32_t count, int threads)
{
    enum { PARTS_A_THREAD = 16 };
    int shift = 0;
    while ((count - 1) >> shift >= PARTS_A_THREAD * threads) shift++;
    return shift;
}

void tc_deal_places(int64_t *at, int stretches, int parts, int64_t *begin)
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

bool tc_net_deal_init(tc_net_deal *deal, const tilecut_network *network, int32_t nodes, int threads, int32_t *where)
{
    dealer d = {.deal = deal, .network = network, .where = where, .threads = threads};
    *deal = (tc_net_deal){.shift = tc_deal_shift(nodes, threads)};
    deal->parts = ((nodes - 1) >> deal->shift) + 1;
    deal->begin = malloc(((size_t)deal->parts + 1) * sizeof *deal->begin);
    d.at = calloc((size_t)threads * (size_t)deal->parts, sizeof *d.at);
    if (deal->begin && d.at) {
        tc_parallel(threads, threads, deal_stretch, &d);
        tc_deal_places(d.at, threads, deal->parts, deal->begin);
        deal->end = tc_large_alloc(((size_t)deal->begin[deal->parts] + 1) * sizeof *deal->end);
    }
    d.writes = true;
    if (deal->end) tc_parallel(threads, threads, deal_stretch, &d);
    free(d.at);
    if (!deal->end) tc_net_deal_free(deal);
    return deal->end != NULL;
}

void tc_net_deal_free(tc_net_deal *deal)
{
    free(deal->end);
    free(deal->begin);
    *deal = (tc_net_deal){0};
}
