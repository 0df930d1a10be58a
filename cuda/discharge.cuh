/* SPDX-License-Identifier: MIT
 *
 * discharge.cuh - push and relabel inside one tile, in the registers of one block.
 *
 * Each of eight warps holds a strip of 4 rows, a lane a column of it. A sweep goes through the rows downwards
 * and upwards, so excess runs 4 pixels in one sweep; left and right neighbours are a shuffle away; strips
 * hand flow and heights to each other in shared memory, once a sweep. Rows without active pixels cost a vote.
 *
 * Towards other tiles the heights are those last published, perhaps old by a round, and flow goes to the
 * neighbour's inbox, which has one writer. Old heights cost detours, never correctness: what stays true is
 * that residuals and excesses describe a preflow, and only a complete relabelling decides that it is maximum.
 */
#ifndef TC_DISCHARGE_CUH
#define TC_DISCHARGE_CUH

#include <string.h>

#include "cut_view.cuh"

/* What strips of a tile tell each other, in turn by parity of the sweep. Slot w + 1 belongs to strip w in
 * `bottom` and `fell`, slot w in `top` and `rose`; the slots at the ends are the tiles above and below. */
typedef struct exchange {
    int bottom[2][STRIPS + 1][32], top[2][STRIPS + 1][32];   /* heights of the strips' outermost rows */
    float fell[2][STRIPS + 1][32], rose[2][STRIPS + 1][32];  /* flow that left them down and up       */
} exchange;

/* One word for each row of a strip, to or from an array, 16 bytes at a time. */
template <class Word>
static __device__ inline void load_rows(const Word *from, Word (&row)[STRIP])
{
#pragma unroll
    for (int k = 0; k < STRIP; k += 4) {
        const int4 x = __ldcg((const int4 *)from + k / 4);
        memcpy(&row[k], &x.x, 4), memcpy(&row[k + 1], &x.y, 4);
        memcpy(&row[k + 2], &x.z, 4), memcpy(&row[k + 3], &x.w, 4);
    }
}

template <class Word>
static __device__ inline void store_rows(Word *to, const Word (&row)[STRIP])
{
#pragma unroll
    for (int k = 0; k < STRIP; k += 4) {
        int4 x;
        memcpy(&x.x, &row[k], 4), memcpy(&x.y, &row[k + 1], 4);
        memcpy(&x.z, &row[k + 2], 4), memcpy(&x.w, &row[k + 3], 4);
        ((int4 *)to)[k / 4] = x;
    }
}

/* The heights of a strip: from the array, or out of the bit planes that relabelling left. */
static __device__ inline void load_heights(const cut_view &v, int tile, int (&h)[STRIP])
{
    const int lane = threadIdx.x & 31, row0 = (threadIdx.x >> 5) * STRIP;
    if (!__ldcg(v.relabelled + tile)) {
        const size_t first = strip_at(tile);
#pragma unroll
        for (int r = 0; r < STRIP; r++) h[r] = __ldcg(v.height + first + r * TC_TILE);
        return;
    }
    const uint32_t *base = levels_at(v, tile, LEVELS_BASE);
    const int lowest = (int)__ldcg(base), planes = (int)__ldcg(base + 1);
    uint32_t set[STRIP], plane[STRIP];
    load_rows(levels_at(v, tile, LEVELS_SET) + row0, set);
#pragma unroll
    for (int r = 0; r < STRIP; r++) h[r] = lowest;
    for (int k = 0; k < planes; k++) {
        load_rows(levels_at(v, tile, LEVELS_PLANE + k) + row0, plane);
#pragma unroll
        for (int r = 0; r < STRIP; r++) h[r] += (int)((plane[r] >> lane & 1) << k);
    }
#pragma unroll
    for (int r = 0; r < STRIP; r++)
        if (!(set[r] >> lane & 1)) h[r] = UNREACHED;
}

/* Adds what came in over the tile's sides in the last round, and empties the inboxes. */
static __device__ inline void empty_inboxes(const cut_view &v, int tile, unsigned round, strip &s)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0 || lane == 31) {
        float *in = inbox_at(v, round, tile, lane ? TC_RIGHT : TC_LEFT) + warp * STRIP;
        float f[STRIP], any = 0;
        load_rows(in, f);
#pragma unroll
        for (int r = 0; r < STRIP; r++) {
            any += f[r];
            s.excess[r] += f[r];
            if (lane) s.right[r] += f[r];
            else s.left[r] += f[r];
            f[r] = 0;
        }
        if (any > 0) store_rows(in, f);
    }
    if (warp == 0) {
        float *in = inbox_at(v, round, tile, TC_UP) + lane;
        const float f = __ldcg(in);
        s.excess[0] += f, s.up[0] += f;
        if (f > 0) *in = 0;
    }
    if (warp == STRIPS - 1) {
        float *in = inbox_at(v, round, tile, TC_DOWN) + lane;
        const float f = __ldcg(in);
        s.excess[STRIP - 1] += f, s.down[STRIP - 1] += f;
        if (f > 0) *in = 0;
    }
}

/* Row r of a strip: active pixels push to every lower neighbour; who keeps excess rises above the lowest of
 * those that residual links lead to. */
template <int r>
static __device__ inline void discharge_row(strip &s, int (&h)[STRIP], const int (&beside)[STRIP],
                                            float (&out)[STRIP], int above, int below, float &rose, float &fell)
{
    const int lane = threadIdx.x & 31;
    const bool active = s.excess[r] > 0 && h[r] < UNREACHED;
    if (!__any_sync(WARP, active)) return;
    const int hu = r > 0 ? h[r > 0 ? r - 1 : 0] : above;
    const int hd = r < STRIP - 1 ? h[r < STRIP - 1 ? r + 1 : 0] : below;
    int hr = __shfl_down_sync(WARP, h[r], 1), hl = __shfl_up_sync(WARP, h[r], 1);
    if (lane == 31) hr = beside[r];
    if (lane == 0) hl = beside[r];
    float e = s.excess[r];
    const float d = active && h[r] > hd ? fminf(e, s.down[r]) : 0;
    e -= d, s.down[r] -= d;
    const float u = active && h[r] > hu ? fminf(e, s.up[r]) : 0;
    e -= u, s.up[r] -= u;
    const float right = active && h[r] > hr ? fminf(e, s.right[r]) : 0;
    e -= right, s.right[r] -= right;
    const float left = active && h[r] > hl ? fminf(e, s.left[r]) : 0;
    e -= left, s.left[r] -= left;
    if (active && e > 0) {
        int lowest = UNREACHED - 1;
        if (s.down[r] > 0) lowest = min(lowest, hd);
        if (s.up[r] > 0) lowest = min(lowest, hu);
        if (s.right[r] > 0) lowest = min(lowest, hr);
        if (s.left[r] > 0) lowest = min(lowest, hl);
        h[r] = max(h[r], lowest + 1);
    }
    const float from_left = __shfl_up_sync(WARP, right, 1), from_right = __shfl_down_sync(WARP, left, 1);
    if (lane != 0) e += from_left, s.left[r] += from_left;
    else out[r] += left;
    if (lane != 31) e += from_right, s.right[r] += from_right;
    else out[r] += right;
    s.excess[r] = e;
    if (r > 0) s.excess[r > 0 ? r - 1 : 0] += u, s.down[r > 0 ? r - 1 : 0] += u;
    else rose += u;
    if (r < STRIP - 1) s.excess[r < STRIP - 1 ? r + 1 : 0] += d, s.up[r < STRIP - 1 ? r + 1 : 0] += d;
    else fell += d;
}

/* Rows r, r + step, ... to the strip's end. */
template <int r, int step>
static __device__ inline void discharge_rows(strip &s, int (&h)[STRIP], const int (&beside)[STRIP],
                                             float (&out)[STRIP], int above, int below, float &rose, float &fell)
{
    discharge_row<r>(s, h, beside, out, above, below, rose, fell);
    if constexpr (r + step >= 0 && r + step < STRIP)
        discharge_rows<r + step, step>(s, h, beside, out, above, below, rose, fell);
}

/* Writes a visited tile back: state, bit rows, border heights, what left it, and who has something to do. */
static __device__ inline void publish_tile(const cut_view &v, int tile, unsigned round, uint32_t *next,
                                           const strip &s, const int (&h)[STRIP], const float (&out)[STRIP],
                                           float up, float down)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const size_t first = strip_at(tile);
    bool active = false;
#pragma unroll
    for (int r = 0; r < STRIP; r++) {
        v.grid.residual[first + r * TC_TILE] = make_float4(s.right[r], s.left[r], s.down[r], s.up[r]);
        v.grid.excess[first + r * TC_TILE] = s.excess[r];
        v.height[first + r * TC_TILE] = h[r];
        active |= s.excess[r] > 0 && h[r] < UNREACHED;
    }
    if (__any_sync(WARP, active) && lane == 0) list_add(next, tile);
    strip_bits(v, tile, s);
    if (lane == 0 || lane == 31) {
        const int d = lane ? TC_RIGHT : TC_LEFT;
        store_rows(v.border + side_at(tile, d) + warp * STRIP, h);
        float any = 0;
#pragma unroll
        for (int r = 0; r < STRIP; r++) any += out[r];
        if (any > 0) {
            const int to = tile_beside(v.grid, tile, d);
            store_rows(inbox_at(v, round, to, d ^ 1) + warp * STRIP, out);
            list_add(next, to);
        }
    }
    if (warp == 0) {
        v.border[side_at(tile, TC_UP) + lane] = h[0];
        if (__any_sync(WARP, up > 0)) {
            const int to = tile_beside(v.grid, tile, TC_UP);
            inbox_at(v, round, to, TC_DOWN)[lane] = up;
            if (lane == 0) list_add(next, to);
        }
    }
    if (warp == STRIPS - 1) {
        v.border[side_at(tile, TC_DOWN) + lane] = h[STRIP - 1];
        if (__any_sync(WARP, down > 0)) {
            const int to = tile_beside(v.grid, tile, TC_DOWN);
            inbox_at(v, round, to, TC_UP)[lane] = down;
            if (lane == 0) list_add(next, to);
        }
    }
}

/* At most `sweeps` sweeps over `tile`; everything is written back, and tiles with something left to do are
 * put on `next`. All threads of the block together. */
static __device__ inline void discharge_tile(const cut_view &v, int tile, unsigned round, uint32_t *next,
                                             int sweeps, exchange &x)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    strip s;
    int h[STRIP], beside[STRIP];
    float out[STRIP] = {0}, up_out = 0, down_out = 0;

    strip_load(v, tile, s);
    load_heights(v, tile, h);
    empty_inboxes(v, tile, round + 1, s);
    {
        const int d = lane ? TC_RIGHT : TC_LEFT, to = tile_beside(v.grid, tile, d);
#pragma unroll
        for (int r = 0; r < STRIP; r++) beside[r] = UNREACHED;
        if ((lane == 0 || lane == 31) && to >= 0) load_rows(v.border + side_at(to, d ^ 1) + warp * STRIP, beside);
    }
    if (warp == 0 || warp == STRIPS - 1) {
        const int d = warp ? TC_DOWN : TC_UP, to = tile_beside(v.grid, tile, d);
        const int height = to >= 0 ? __ldcg(v.border + side_at(to, d ^ 1) + lane) : (int)UNREACHED;
        for (int k = 0; k < 2; k++) {
            if (warp == 0) x.bottom[k][0][lane] = height, x.fell[k][0][lane] = 0;
            else x.top[k][STRIPS][lane] = height, x.rose[k][STRIPS][lane] = 0;
        }
    }
    x.bottom[1][warp + 1][lane] = h[STRIP - 1];
    x.top[1][warp][lane] = h[0];
    x.fell[1][warp + 1][lane] = 0;
    x.rose[1][warp][lane] = 0;
    __syncthreads();
    if (threadIdx.x == 0) v.relabelled[tile] = 0;

    int sweep = 0;
    for (bool more = true; more && sweep < sweeps; sweep++) {
        const int now = sweep & 1, last = now ^ 1;
        const float fell_in = x.fell[last][warp][lane], rose_in = x.rose[last][warp + 1][lane];
        const int above = x.bottom[last][warp][lane], below = x.top[last][warp + 1][lane];
        float rose = 0, fell = 0;
        s.excess[0] += fell_in, s.up[0] += fell_in;
        s.excess[STRIP - 1] += rose_in, s.down[STRIP - 1] += rose_in;
        discharge_rows<0, 1>(s, h, beside, out, above, below, rose, fell);
        discharge_rows<STRIP - 1, -1>(s, h, beside, out, above, below, rose, fell);
        x.bottom[now][warp + 1][lane] = h[STRIP - 1];
        x.top[now][warp][lane] = h[0];
        if (warp == STRIPS - 1) down_out += fell, fell = 0;
        else x.fell[now][warp + 1][lane] = fell;
        if (warp == 0) up_out += rose, rose = 0;
        else x.rose[now][warp][lane] = rose;
        bool active = rose > 0 || fell > 0;
#pragma unroll
        for (int r = 0; r < STRIP; r++) active |= s.excess[r] > 0 && h[r] < UNREACHED;
        more = __syncthreads_or(active);
    }
    const float fell_in = x.fell[(sweep & 1) ^ 1][warp][lane], rose_in = x.rose[(sweep & 1) ^ 1][warp + 1][lane];
    s.excess[0] += fell_in, s.up[0] += fell_in;
    s.excess[STRIP - 1] += rose_in, s.down[STRIP - 1] += rose_in;
    publish_tile(v, tile, round, next, s, h, out, up_out, down_out);
    __syncthreads();
}

#endif
