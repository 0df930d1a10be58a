/* SPDX-License-Identifier: MIT
 *
 * edge_sort.c - see edge_sort.h. First each thread counts, in its stretch, how many edges belong to each part of
 * consecutive keys. Prefix sums turn these counts into write offsets of each thread in each part. Then the parts are
 * sorted one by one.
 */
#include "edge_sort.h"

#include <stdlib.h>

#include "large.h"
#include "net_buckets.h"
#include "parallel.h"

typedef struct edge_end {
    int32_t key, other;
} edge_end;

typedef struct sorter {
    const tc_edge_sort *s;
    edge_end *dealt;  /* [edges]                                               */
    int64_t *at;      /* [threads][parts] first counts, then the offset of the next end */
    int64_t *begin;   /* [parts + 1]                                           */
    int threads, parts, shift; /* key k is in part k >> shift                  */
} sorter;

static int64_t stretch_begin(const sorter *p, int stretch)
{
    return p->s->edges * stretch / p->threads;
}

static void count_stretch(void *context, int stretch)
{
    const sorter *const p = context;
    int64_t *const at = p->at + (size_t)stretch * (size_t)p->parts;
    for (int64_t e = stretch_begin(p, stretch); e < stretch_begin(p, stretch + 1); e++) at[p->s->key[e] >> p->shift]++;
}

int32_t tc_owner_of_edge(const int32_t *begin, int32_t nodes, int64_t e)
{
    int32_t low = 0, high = nodes - 1;
    while (low < high) {
        const int32_t middle = low + (high - low + 1) / 2;
        if (begin[middle] <= e) low = middle;
        else high = middle - 1;
    }
    return low;
}

static void scatter_stretch(void *context, int stretch)
{
    const sorter *const p = context;
    const tc_edge_sort *const s = p->s;
    int64_t *const at = p->at + (size_t)stretch * (size_t)p->parts;
    const int64_t begin = stretch_begin(p, stretch), end = stretch_begin(p, stretch + 1);
    int32_t owner = s->other || begin == end ? 0 : tc_owner_of_edge(s->begin, s->others, begin);
    for (int64_t e = begin; e < end; e++) {
        while (!s->other && s->begin[owner + 1] <= e) owner++;
        p->dealt[at[s->key[e] >> p->shift]++] = (edge_end){s->key[e], s->other ? s->other[e] : owner};
    }
}

/* A counting sort. During the sort, first[k + 1] is the place of the next edge of key k; at the end it is where the
 * edges of key k + 1 begin. */
static void sort_part(void *context, int part)
{
    const sorter *const p = context;
    const int32_t low = part << p->shift, rest = p->s->keys - low, width = 1 << p->shift;
    const int32_t high = low + (rest < width ? rest : width);
    int32_t *const next = p->s->first + 1;
    int32_t sum = (int32_t)p->begin[part];
    for (int32_t k = low; k < high; k++) next[k] = 0;
    for (int64_t i = p->begin[part]; i < p->begin[part + 1]; i++) next[p->dealt[i].key]++;
    for (int32_t k = low; k < high; k++) {
        const int32_t count = next[k];
        next[k] = sum;
        sum += count;
    }
    for (int64_t i = p->begin[part]; i < p->begin[part + 1]; i++)
        p->s->sorted[next[p->dealt[i].key]++] = p->dealt[i].other;
}

bool tc_sort_edges(const tc_edge_sort *sort, int threads)
{
    sorter p = {.s = sort, .threads = threads, .shift = tc_bucket_shift(sort->keys, threads)};
    p.parts = ((sort->keys - 1) >> p.shift) + 1;
    p.dealt = tc_large_alloc((size_t)sort->edges * sizeof *p.dealt);
    p.at = calloc((size_t)threads * (size_t)p.parts, sizeof *p.at);
    p.begin = malloc(((size_t)p.parts + 1) * sizeof *p.begin);
    const bool held = p.dealt && p.at && p.begin;
    if (held) {
        tc_parallel(threads, threads, count_stretch, &p);
        tc_bucket_offsets(p.at, threads, p.parts, p.begin);
        tc_parallel(threads, threads, scatter_stretch, &p);
        sort->first[0] = 0;
        tc_parallel(threads, p.parts, sort_part, &p);
    }
    free(p.dealt);
    free(p.at);
    free(p.begin);
    return held;
}
