/* SPDX-License-Identifier: MIT
 *
 * scaling_update.cuh - price updates (Goldberg 1993; Lupinska 2011 does them on the host). The price of every column is
 * lowered by its distance to a free column. Afterwards rows that are still open find a way to a free column at once,
 * and need not outbid each other step by step.
 *
 * Distances are in reduced costs: from the column of a row to another column, the distance is the amount by which the
 * row's edge to that column costs more than its cheapest edge. All blocks work in rounds (Bellman & Ford): in each
 * round, every row with a column computes the distance of its column over its edges. Edges that the row does not
 * remember are read only if one of them could be shorter.
 *
 * If no row finds anything shorter, then far(own) <= reduced cost + far(other) for all its edges. So if a row's own
 * column cost at most eps more than its cheapest, that still holds afterwards. Columns from which no free column can be
 * reached are lowered by the largest distance of the others.
 */
#pragma once

#include "scaling_kernel.cuh"

static __device__ inline long long far_over(long long key, long long far)
{
    return key >= SCALING_NONE || far >= SCALING_NONE ? SCALING_NONE : min(SCALING_NONE, key + far);
}

/* The distance from the row's column to a free one, over the remembered edges of the row. All edges are read if the
 * others might be shorter. */
static __device__ inline long long far_of(const scaling_view &a, int row)
{
    const int lane = (int)(threadIdx.x & 31);
    const size_t at = (size_t)row * SCALING_MEMORY + (size_t)lane;
    const int column = __ldcg(a.memory_column + at);
    const long long key = column < 0 ? SCALING_NONE : __ldcg(a.memory + at) - __ldcg(a.v + column);
    const long long far = column < 0 ? SCALING_NONE : __ldcg(a.far + column);
    long long best = warp_least(key), sum = warp_least(far_over(key, far));
    const long long beyond = __ldcg(a.beyond + row);
    if (best <= beyond && sum <= beyond) return sum >= SCALING_NONE ? SCALING_NONE : sum - best;
    const int count = kept_edges(a, row);
    best = sum = SCALING_NONE;
    for (int base = 0; base < count; base += 32) {
        const scaling_edge it = read_edge(a, row, base + lane, count);
        best = min(best, it.key);
        sum = min(sum, it.column < 0 ? SCALING_NONE : far_over(it.key, __ldcg(a.far + it.column)));
    }
    best = warp_least(best);
    sum = warp_least(sum);
    return sum >= SCALING_NONE ? SCALING_NONE : sum - best;
}

/* Sets the distance of free columns to 0, and that of all others to SCALING_NONE. */
static __device__ inline void begin_update(const scaling_view &a, steps &s)
{
    for_each(a.columns, [&](int c) {
        if (c >= 0) __stcg(a.far + c, __ldcg(a.row_of + c) < 0 ? 0 : SCALING_NONE);
    });
    if (first_thread()) __stcg(&a.state->farthest, 0ll);
    step_over(&a.state->launch, s);
}

static __device__ inline void update_round(const scaling_view &a, const steps &s)
{
    for (int row = this_warp(); row < a.rows; row += all_warps()) {
        const int column = __ldcg(a.column_of + row);
        if (column < 0 || __ldcg(a.row_of + column) != row) continue;
        const long long far = far_of(a, row);
        if ((threadIdx.x & 31) || far >= __ldcg(a.far + column)) continue;
        __stcg(a.far + column, far);
        atomicAdd(step_count(&a.state->launch, s, 0), 1);
    }
}

static __device__ inline void end_update(const scaling_view &a, steps &s)
{
    for_each(a.columns, [&](int c) {
        const long long far = c < 0 ? 0 : __ldcg(a.far + c);
        long long most = far >= SCALING_NONE ? 0 : far;
        for (int d = 16; d; d >>= 1) most = max(most, __shfl_xor_sync(WARP, most, d));
        if ((threadIdx.x & 31) == 0 && most) atomicMax(&a.state->farthest, most);
    });
    step_over(&a.state->launch, s);
    const long long most = __ldcg(&a.state->farthest);
    for_each(a.columns, [&](int c) {
        if (c >= 0) __stcg(a.v + c, __ldcg(a.v + c) - min(most, __ldcg(a.far + c)));
    });
}

/* Updates prices in at most `most` rounds. An update that is not complete by then is dropped. */
static __global__ void __launch_bounds__(SCALING_BLOCK, 2) update_kernel(scaling_view a, int most)
{
    steps s = {0, 0};
    bool more = true;
    int rounds = 0;
    for (begin_update(a, s); more && rounds < most; rounds++) {
        update_round(a, s);
        step_over(&a.state->launch, s);
        more = step_found(&a.state->launch, s, 0) > 0;
    }
    if (!more) end_update(a, s);
    if (!first_thread()) return;
    a.state->rounds += (unsigned long long)rounds;
}
