/* SPDX-License-Identifier: MIT */
#include "net_regions.h"

#include <stdlib.h>

#include "large.h"
#include "parallel.h"

enum { THIRDS = 3, CHUNK = 1 << 14 };

static int32_t chunks(const tc_net_regions *r)
{
    return (r->known + CHUNK - 1) / CHUNK;
}

static int32_t chunk_end(const tc_net_regions *r, int i)
{
    return i + 1 < chunks(r) ? (i + 1) * CHUNK : r->known;
}

/* Finds the largest difference in distance between the two ends of the slots of some nodes. */
static void look_at_slots(void *context, int i)
{
    tc_net_regions *const r = context;
    const tc_net *net = r->net;
    int32_t widest = 1, known = __atomic_load_n(&r->widest, __ATOMIC_RELAXED);
    for (int32_t k = i * CHUNK, end = chunk_end(r, i); k < end; k++) {
        const int32_t v = r->order[k], label = r->label[v];
        for (int32_t s = net->first[v]; s < net->first[v + 1]; s++) {
            const int32_t other = r->label[net->slot[s].head];
            if (other < net->nodes && label - other > widest) widest = label - other;
        }
    }
    while (widest > known &&
           !__atomic_compare_exchange_n(&r->widest, &known, widest, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

static void set_regions_of_nodes(void *context, int i)
{
    const tc_net_regions *const r = context;
    uint16_t region = 0;
    for (int32_t k = i * CHUNK, end = chunk_end(r, i); k < end; k++) {
        while (k >= r->begin[region + 1]) region++;
        r->of[r->order[k]] = region;
    }
}

/* Returns where the nodes with labels above `label` begin in order[]. */
static int32_t end_of_label(const tc_net_regions *r, int32_t label)
{
    int32_t low = 0, high = r->known;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (r->label[r->order[middle]] > label) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* Chooses where each region ends. The last one may span fewer distances than the others, because nothing lies beyond
 * it. */
static void choose_ends(tc_net_regions *r)
{
    for (int32_t from = 0; from < r->known; from = r->begin[r->count]) {
        const int64_t wanted = (int64_t)r->known * (r->count + 1) / TC_MOST_REGIONS;
        const int64_t least = (int64_t)r->label[r->order[from]] + (int64_t)THIRDS * r->widest - 1;
        const int32_t reached = wanted > from ? r->label[r->order[wanted - 1]] : 0;
        const int32_t last = r->label[r->order[r->known - 1]];
        r->begin[++r->count] = end_of_label(r, least > last ? last : reached > least ? reached : (int32_t)least);
    }
}

bool tc_net_regions_cut(tc_net_regions *r, int threads)
{
    r->begin = calloc(TC_MOST_REGIONS + 1, sizeof *r->begin);
    r->of = tc_large_alloc((size_t)r->net->nodes * sizeof *r->of);
    if (!r->begin || !r->of) return false;
    tc_parallel(threads, chunks(r), look_at_slots, r);
    choose_ends(r);
    tc_parallel(threads, chunks(r), set_regions_of_nodes, r);
    return true;
}

void tc_net_regions_free(tc_net_regions *r)
{
    free(r->begin);
    free(r->of);
}
