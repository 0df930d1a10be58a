/* SPDX-License-Identifier: MIT
 *
 * volume_certify.c - the proof of cut.h for volumes. Reads the original capacities again, voxel by voxel.
 */
#include "status.h"
#include "volume.h"

/* What a walk over all voxels finds. */
typedef struct proof {
    const tc_grid *grid;
    const tilecut_volume_arrays *arrays;
    const tc_labels *labels;
    int64_t flow, cut, violations;
} proof;

static bool is_background(const proof *s, size_t p)
{
    return s->labels->background[p / TC_TILE] >> p % TC_TILE & 1;
}

static bool is_capacity(float residual)
{
    return residual >= 0 && residual < TC_EXACT_LIMIT && (float)(int32_t)residual == residual;
}

/* Checks the link between voxel i, at node p, and the next one along axis k, at node q: both residuals are whole and
 * not negative, and add up to its capacities. Adds what it costs, if it is cut. */
static void check_link(proof *s, size_t i, int k, size_t p, size_t q)
{
    const float there = *tc_residual(s->grid, (ptrdiff_t)p, 2 * k);
    const float back = *tc_residual(s->grid, (ptrdiff_t)q, 2 * k + 1);
    const int32_t to = s->arrays->to[k][i], from = s->arrays->from[k][i];
    const bool one = is_background(s, p), other = is_background(s, q);
    if (!is_capacity(there) || !is_capacity(back) || there + back != (float)(to + from)) s->violations++;
    if (!one && other) s->cut += to;
    if (one && !other) s->cut += from;
}

/* The flow that leaves the voxel at node p in direction d over a link of that capacity; 0 if its residual is invalid,
 * which check_link() counts. */
static int64_t leaves(const proof *s, size_t p, int d, int32_t capacity)
{
    const float residual = *tc_residual(s->grid, (ptrdiff_t)p, d);
    return is_capacity(residual) ? capacity - (int64_t)residual : 0;
}

static void check_voxel(proof *s, size_t i, const int at[3])
{
    const tilecut_volume_arrays *const a = s->arrays;
    const int size[3] = {a->width, a->height, a->depth};
    const size_t step[3] = {1, (size_t)a->width, (size_t)a->width * (size_t)a->height};
    const size_t p = tc_volume_at(s->grid, at[0], at[1], at[2]);
    int64_t net = 0;
    for (int k = 0; k < 3; k++) {
        const int x = at[0] + (k == 0), y = at[1] + (k == 1), z = at[2] + (k == 2);
        const bool next = at[k] + 1 < size[k], before = at[k] > 0;
        if (next) check_link(s, i, k, p, tc_volume_at(s->grid, x, y, z));
        net += leaves(s, p, 2 * k, next ? a->to[k][i] : 0) +
               leaves(s, p, 2 * k + 1, before ? a->from[k][i - step[k]] : 0);
        s->violations += !next && *tc_residual(s->grid, (ptrdiff_t)p, 2 * k) != 0;
        s->violations += !before && *tc_residual(s->grid, (ptrdiff_t)p, 2 * k + 1) != 0;
    }
    const int64_t excess = (int64_t)a->source[i] - a->sink[i] - net;
    s->violations += s->grid->excess[p] != (float)excess;
    s->flow += a->sink[i] + (excess < 0 ? excess : 0);
    s->cut += is_background(s, p) ? a->source[i] : a->sink[i];
}

tilecut_status tc_volume_certify(const tc_grid *grid, const tilecut_volume_arrays *a, const tc_labels *labels,
                                 int64_t *flow, int64_t *cut)
{
    proof s = {.grid = grid, .arrays = a, .labels = labels};
    size_t i = 0;
    for (int z = 0; z < a->depth; z++)
        for (int y = 0; y < a->height; y++)
            for (int x = 0; x < a->width; x++, i++) check_voxel(&s, i, (int[3]){x, y, z});
    *flow = s.flow;
    *cut = s.cut;
    if (s.violations)
        return tc_fail(TILECUT_EUNPROVEN, "the flow is not feasible at %lld places", (long long)s.violations);
    if (s.flow != s.cut)
        return tc_fail(TILECUT_EUNPROVEN, "the flow is %lld but the cut costs %lld", (long long)s.flow,
                       (long long)s.cut);
    return TILECUT_OK;
}
