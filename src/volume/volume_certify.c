/* SPDX-License-Identifier: MIT
 *
 * volume_certify.c - the proof of cut.h for volumes. Reads the original capacities again, row by row; threads take
 * slices.
 */
#include <stdlib.h>

#include "parallel.h"
#include "status.h"
#include "volume.h"

typedef struct proof {
    const tc_grid *grid;
    const tilecut_volume_arrays *arrays;
    const tc_labels *labels;
    int first;       /* slice to look at */
    tc_proof *slice; /* [count]          */
} proof;

/* Some voxels of a row that lie in one tile. */
typedef struct row {
    int count, x0;
    size_t i;             /* the first one, in arrays of the caller */
    size_t p;             /* its node                               */
    const float *to[6];   /* residual of the first voxel, by direction */
    ptrdiff_t stride;     /* from one voxel's to the next one's     */
    uint32_t background;  /* bit k: of voxel k                      */
    bool next[3], before[3]; /* whether there are rows or slices beside it, along y and z */
} row;

/* Checks links of capacities `to` and `from` between voxels and the next ones along an axis: both residuals are whole
 * and not negative, and add up to the capacities. Adds what they cost if they are cut. Each has its own place in
 * `there` and `back`, `stride` apart; bit k of `one` and `other` says whether that end is background. */
static void check_links(tc_proof *f, int count, const int32_t *to, const int32_t *from, const float *there,
                        const float *back, ptrdiff_t stride, uint32_t one, uint32_t other)
{
    for (int k = 0; k < count; k++) {
        const float forth = there[k * stride], home = back[k * stride];
        const bool whole = tc_is_capacity(forth) && tc_is_capacity(home);
        f->violations += !(whole && forth + home == (float)(to[k] + from[k]));
        f->cut += (~one & other) >> k & 1 ? to[k] : (one & ~other) >> k & 1 ? from[k] : 0;
    }
}

static row row_at(const proof *s, int x0, int y, int z)
{
    const tilecut_volume_arrays *const a = s->arrays;
    const size_t p = tc_volume_at(s->grid, x0, y, z), width = (size_t)a->width;
    row r = {.count = a->width - x0 < TC_TILE ? a->width - x0 : TC_TILE, .x0 = x0, .p = p,
             .i = ((size_t)z * (size_t)a->height + (size_t)y) * width + (size_t)x0,
             .stride = s->grid->by_rows ? 1 : 4, .background = s->labels->background[p / TC_TILE],
             .next = {false, y + 1 < a->height, z + 1 < a->depth}, .before = {false, y > 0, z > 0}};
    for (int d = 0; d < 6; d++) r.to[d] = tc_residual(s->grid, (ptrdiff_t)p, d);
    return r;
}

/* The links of a row to the next voxels along each axis. */
static void check_row_links(const proof *s, tc_proof *f, const row *r, int y, int z)
{
    const tilecut_volume_arrays *const a = s->arrays;
    const bool last = r->x0 + r->count == a->width;
    check_links(f, r->count - 1, a->to[0] + r->i, a->from[0] + r->i, r->to[TC_RIGHT], r->to[TC_LEFT] + r->stride,
                r->stride, r->background, r->background >> 1);
    if (!last) {
        const size_t end = r->i + (size_t)r->count - 1;
        const row beside = row_at(s, r->x0 + r->count, y, z);
        check_links(f, 1, a->to[0] + end, a->from[0] + end, r->to[TC_RIGHT] + (r->count - 1) * r->stride,
                    beside.to[TC_LEFT], 0, r->background >> (r->count - 1), beside.background);
    }
    for (int k = 1; k < 3; k++) {
        if (!r->next[k]) continue;
        const row there = row_at(s, r->x0, y + (k == 1), z + (k == 2));
        check_links(f, r->count, a->to[k] + r->i, a->from[k] + r->i, r->to[2 * k], there.to[2 * k + 1], r->stride,
                    r->background, there.background);
    }
}

/* Adds to net[k] the flow that leaves voxel k in direction d, over links of capacity[k - back]; NULL: there are none,
 * and their residuals have to be zero. The sum is exact: check_links() has seen that all residuals are. */
static void add_leaving(tc_proof *f, const row *r, int d, int first, int end, const int32_t *capacity,
                        int back, int64_t net[TC_TILE])
{
    const float *const residual = r->to[d];
    for (int k = 0; k < r->count; k++) {
        const float left = residual[k * r->stride];
        const bool linked = capacity && k >= first && k < end;
        if (linked && tc_is_capacity(left)) net[k] += capacity[k - back] - (int64_t)left;
        f->violations += !linked && left != 0;
    }
}

static void check_row(const proof *s, tc_proof *f, int x0, int y, int z)
{
    const tilecut_volume_arrays *const a = s->arrays;
    const row r = row_at(s, x0, y, z);
    const size_t step[3] = {1, (size_t)a->width, (size_t)a->width * (size_t)a->height};
    const int first = x0 == 0, end = r.count - (x0 + r.count == a->width);
    int64_t net[TC_TILE] = {0};

    check_row_links(s, f, &r, y, z);
    add_leaving(f, &r, TC_RIGHT, 0, end, a->to[0] + r.i, 0, net);
    add_leaving(f, &r, TC_LEFT, first, r.count, a->from[0] + r.i, 1, net);
    for (int k = 1; k < 3; k++) {
        add_leaving(f, &r, 2 * k, 0, r.count, r.next[k] ? a->to[k] + r.i : NULL, 0, net);
        add_leaving(f, &r, 2 * k + 1, 0, r.count, r.before[k] ? a->from[k] + r.i - step[k] : NULL, 0, net);
    }
    for (int k = 0; k < r.count; k++) {
        const int64_t source = a->source[r.i + (size_t)k], sink = a->sink[r.i + (size_t)k];
        const int64_t excess = source - sink - net[k];
        f->violations += s->grid->excess[r.p + (size_t)k] != (float)excess;
        f->flow += sink + (excess < 0 ? excess : 0);
        f->cut += r.background >> k & 1 ? source : sink;
    }
}

static void check_slice(void *context, int i)
{
    const proof *const s = context;
    const int z = s->first + i;
    tc_proof f = {0};
    for (int y = 0; y < s->arrays->height; y++)
        for (int x0 = 0; x0 < s->arrays->width; x0 += TC_TILE) check_row(s, &f, x0, y, z);
    s->slice[i] = f;
}

tilecut_status tc_volume_prove_slices(const tc_grid *grid, const tilecut_volume_arrays *a, const tc_labels *labels,
                                      int first, int end, int threads, tc_proof *sums)
{
    proof s = {grid, a, labels, first, calloc((size_t)(end - first), sizeof *s.slice)};
    if (!s.slice) return tc_fail(TILECUT_ENOMEM, "no memory for the proofs of %d slices", end - first);
    tc_parallel(threads, end - first, check_slice, &s);
    *sums = tc_proof_sum(s.slice, end - first);
    free(s.slice);
    return TILECUT_OK;
}

tilecut_status tc_volume_certify(const tc_grid *grid, const tilecut_volume_arrays *a, const tc_labels *labels,
                                 int threads, int64_t *flow, int64_t *cut)
{
    tc_proof sums;
    NEED(tc_volume_prove_slices(grid, a, labels, 0, a->depth, threads, &sums));
    *flow = sums.flow, *cut = sums.cut;
    return tc_proof_judge(&sums);
}
