/* SPDX-License-Identifier: MIT
 *
 * discharge.cuh - push and relabel inside one tile, in the registers of one block.
 *
 * Each of eight warps holds a strip of 4 rows, a lane a column of it. A sweep takes every other row and then the rest,
 * twice: what runs up or down gets 4 pixels far in it. Left and right neighbours are a shuffle away; strips hand flow
 * and heights to each other in shared memory, once a sweep. Rows without active pixels cost a vote.
 *
 * Towards other tiles the heights are those last published, perhaps old by a round, and flow goes to the
 * neighbour's inbox, which has one writer. Old heights cost detours, never correctness: what stays true is
 * that residuals and excesses describe a preflow, and only a complete relabelling decides that it is maximum.
 */
#ifndef TC_DISCHARGE_CUH
#define TC_DISCHARGE_CUH

#include "visit.cuh"

/* What strips of a tile tell each other, in turn by parity of the sweep. Slot w + 1 belongs to strip w in
 * `bottom` and `fell`, slot w in `top` and `rose`; the slots at the ends are the tiles above and below. */
typedef struct exchange {
    int bottom[2][STRIPS + 1][32], top[2][STRIPS + 1][32];   /* heights of the strips' outermost rows */
    float fell[2][STRIPS + 1][32], rose[2][STRIPS + 1][32];  /* flow that left them down and up       */
} exchange;

/* By direction: the heights around a pixel, and what its links to lower neighbours have room for. */
typedef struct around_pixel {
    int height[4];
    float room[4];
} around_pixel;

/* The height that a pixel with excess left rises to: over the lowest neighbour to which it still has a residual
 * link, the room towards lower ones being filled. */
static __device__ inline int risen(const around_pixel &n, const float (&residual)[4])
{
    int lowest = UNREACHED - 1;
#pragma unroll
    for (int d = 0; d < 4; d++) lowest = min(lowest, residual[d] - n.room[d] > 0 ? n.height[d] : UNREACHED - 1);
    return lowest + 1;
}

/* Rows `row` and `row` + 2 of a strip, which have no link to each other: active pixels push to all lower neighbours,
 * down before up or up before down; who keeps excess rises. Two rows at a time and with next to no branches, because
 * most of what an instruction costs here is waiting for the one before. */
template <int row, bool down_first>
static __device__ inline void discharge_rows(strip &s, int (&h)[STRIP], const int (&beside)[STRIP], int above,
                                             int below, float &rose, float &fell)
{
    enum { ROWS = STRIP / 2 };
    static_assert(STRIP == 4, "rows 0 and 2, 1 and 3");
    const int lane = threadIdx.x & 31;
    around_pixel n[ROWS];
    float e[ROWS], right[ROWS], left[ROWS], down[ROWS], up[ROWS];
    bool some = false;
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        const int r = row + 2 * j;
        const bool active = s.excess[r] > 0 && h[r] < UNREACHED;
        e[j] = active ? s.excess[r] : 0;
        some |= active;
    }
    if (!__any_sync(WARP, some)) return;
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        const int r = row + 2 * j, over = r > 0 ? r - 1 : 0, under = r < STRIP - 1 ? r + 1 : r;
        n[j].height[TC_RIGHT] = __shfl_down_sync(WARP, h[r], 1);
        n[j].height[TC_LEFT] = __shfl_up_sync(WARP, h[r], 1);
        n[j].height[TC_UP] = r > 0 ? h[over] : above;
        n[j].height[TC_DOWN] = r < STRIP - 1 ? h[under] : below;
        if (lane == 31) n[j].height[TC_RIGHT] = beside[r];
        if (lane == 0) n[j].height[TC_LEFT] = beside[r];
    }
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        const int r = row + 2 * j;
        const float residual[4] = {s.right[r], s.left[r], s.down[r], s.up[r]};
#pragma unroll
        for (int d = 0; d < 4; d++) n[j].room[d] = h[r] > n[j].height[d] ? residual[d] : 0;
        const float vertical = n[j].room[TC_DOWN] + n[j].room[TC_UP], three = vertical + n[j].room[TC_RIGHT];
        /* what fits into the first of them, the first two, three, all */
        const float m1 = fminf(e[j], n[j].room[down_first ? TC_DOWN : TC_UP]), m2 = fminf(e[j], vertical);
        const float m3 = fminf(e[j], three), m4 = fminf(e[j], three + n[j].room[TC_LEFT]);
        const int higher = risen(n[j], residual);
        down[j] = down_first ? m1 : m2 - m1, up[j] = down_first ? m2 - m1 : m1;
        right[j] = m3 - m2, left[j] = m4 - m3;
        h[r] = e[j] > m4 ? higher : h[r];
        s.excess[r] -= m4;
        s.down[r] -= down[j], s.up[r] -= up[j], s.right[r] -= right[j], s.left[r] -= left[j];
    }
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        const int r = row + 2 * j, over = r > 0 ? r - 1 : 0, under = r < STRIP - 1 ? r + 1 : r;
        const float from_left = __shfl_up_sync(WARP, right[j], 1), from_right = __shfl_down_sync(WARP, left[j], 1);
        if (lane != 0) s.excess[r] += from_left, s.left[r] += from_left;
        if (lane != 31) s.excess[r] += from_right, s.right[r] += from_right;
        if (r > 0) s.excess[over] += up[j], s.down[over] += up[j];
        else rose += up[j];
        if (r < STRIP - 1) s.excess[under] += down[j], s.up[under] += down[j];
        else fell += down[j];
    }
}

/* At most `sweeps` sweeps over `tile`; everything is written back, and tiles with something left to do are
 * put on `next`. All threads of the block together. */
static __device__ inline void discharge_tile(const cut_view &v, int tile, unsigned round, uint32_t *next,
                                             int sweeps, exchange &x)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    strip s;
    planes_read planes;
    surroundings around;
    int h[STRIP];
    float out[STRIP], up_out = 0, down_out = 0; /* what leaves the tile; of `out` lanes 0 and 31 count */

    strip_load(v, tile, s); /* nothing is looked at before all is asked for: visit.cuh */
#pragma unroll
    for (int r = 0; r < STRIP; r++) h[r] = __ldcg(v.height + strip_at(tile) + r * TC_TILE);
    load_planes(v, tile, planes);
    load_surroundings(v, tile, round + 1, around);
    if (planes.valid) read_planes(planes, h);
    empty_inboxes(v, tile, round + 1, around, s);
#pragma unroll
    for (int r = 0; r < STRIP; r++) out[r] = lane ? s.right[r] : s.left[r];
    for (int k = 0; k < 2; k++) {
        if (warp == 0) x.bottom[k][0][lane] = around.beyond, x.fell[k][0][lane] = 0;
        if (warp == STRIPS - 1) x.top[k][STRIPS][lane] = around.beyond, x.rose[k][STRIPS][lane] = 0;
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
        discharge_rows<0, true>(s, h, around.beside, above, below, rose, fell);
        discharge_rows<1, true>(s, h, around.beside, above, below, rose, fell);
        discharge_rows<0, false>(s, h, around.beside, above, below, rose, fell);
        discharge_rows<1, false>(s, h, around.beside, above, below, rose, fell);
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
#pragma unroll
    for (int r = 0; r < STRIP; r++) out[r] -= lane ? s.right[r] : s.left[r]; /* nothing came in there meanwhile */
    publish_tile(v, tile, round, next, s, h, out, up_out, down_out);
    __syncthreads();
}

#endif
