/* SPDX-License-Identifier: MIT
 *
 * visit.cuh - the data that a visit to a tile reads before discharging and writes afterwards: the patches, their
 * heights, and the values around them. All loads are issued before any result is used, so a visit waits for one memory
 * latency instead of four.
 */
#pragma once

#include "patch.cuh"

/* The values around a patch at the tile's edge: the flow that came over the edge in the last round, and the heights
 * beyond. */
typedef struct surroundings {
    /* side: flow over the left or right edge, by row; end: flow over the top or bottom edge, by column */
    float side[KINDS][2], end[KINDS][2];
    int beside[2], beyond[2], corner; /* heights; `corner` is that of the pixel that touches the tile's corner */
} surroundings;

static_assert(WARP_ROWS == 4 && PLANES == 16, "a warp reads its warp's planes as two words a lane");

/* Heights as a relabelling left them, in bit planes: lane 8 * r + k has planes k and k + 8 of row r. */
typedef struct planes_read {
    uint32_t set[2], low, high; /* set: the pixels that have a height, for each row of the patch; low, high: planes */
    int lowest, count;
    bool valid; /* true if the tile was not visited since the relabelling */
} planes_read;

/* at_side(): the lane's patch lies at the left or right edge of the tile. at_end(): it lies at the top or bottom. The
 * functions below say at which. No patch lies at two opposite edges. */
static __device__ inline bool at_side(void)
{
    return patch_column() == 0 || patch_column() == HALF - 1;
}

static __device__ inline bool at_end(void)
{
    return (threadIdx.x >> 5) == (patch_is_low() ? WARPS - 1 : 0);
}

static __device__ inline int side_of_patch(void)
{
    return patch_column() ? TC_RIGHT : TC_LEFT;
}

static __device__ inline int end_of_patch(void)
{
    return patch_is_low() ? TC_DOWN : TC_UP;
}

static __device__ inline void load_surroundings(const tiles_view &v, int tile, unsigned round, surroundings &a)
{
    const int row = patch_row(), column = 2 * patch_column();
#pragma unroll
    for (int k = 0; k < 2; k++) {
        a.beside[k] = a.beyond[k] = UNREACHED;
#pragma unroll
        for (int kind = 0; kind < KINDS; kind++) a.side[kind][k] = a.end[kind][k] = 0;
    }
    a.corner = UNREACHED;
    if (at_side()) {
        const int d = side_of_patch(), to = tile_beside(v.grid, tile, d);
#pragma unroll
        for (int kind = 0; kind < KINDS; kind++)
            load_two(inbox_at(v, round, tile, d, kind) + row, a.side[kind][0], a.side[kind][1]);
        if (to >= 0) load_two(v.border + side_at(to, d ^ 1) + row, a.beside[0], a.beside[1]);
    }
    if (at_end()) {
        const int d = end_of_patch(), to = tile_beside(v.grid, tile, d);
#pragma unroll
        for (int kind = 0; kind < KINDS; kind++)
            load_two(inbox_at(v, round, tile, d, kind) + column, a.end[kind][0], a.end[kind][1]);
        if (to >= 0) load_two(v.border + side_at(to, d ^ 1) + column, a.beyond[0], a.beyond[1]);
    }
    if (TC_DIAGONALS && at_end() && at_side()) {
        const int d = end_of_patch(), to = diagonal_tile(v.grid, tile, d, side_of_patch());
        if (to >= 0) a.corner = __ldcg(v.border + side_at(to, d ^ 1) + (patch_column() ? 0 : TC_TILE - 1));
    }
}

static __device__ inline void load_planes(const tiles_view &v, int tile, planes_read &p)
{
    const int lane = threadIdx.x & 31, row0 = (threadIdx.x >> 5) * WARP_ROWS;
    const uint32_t *word = levels_at(v, tile, LEVELS_PLANE + (lane & 7)) + row0 + (lane >> 3);
    const uint32_t *base = levels_at(v, tile, LEVELS_BASE);
    p.low = __ldcg(word), p.high = __ldcg(word + 8 * TC_TILE);
    p.lowest = (int)__ldcg(base), p.count = (int)__ldcg(base + 1);
    p.valid = __ldcg(v.relabelled + tile) != 0;
    load_two(levels_at(v, tile, LEVELS_SET) + patch_row(), p.set[0], p.set[1]);
}

/* Transposes a matrix of 32 x 32 bits, one word per lane: bit i of the result is bit `lane` of the word of lane i. */
static __device__ inline uint32_t transposed(uint32_t x)
{
    const unsigned lane = threadIdx.x & 31;
    uint32_t keep = 0x0000ffff;
#pragma unroll
    for (unsigned s = 16; s; s >>= 1) {
        const uint32_t other = __shfl_xor_sync(WARP, x, s);
        x = lane & s ? (x & ~keep) | (other & ~keep) >> s : (x & keep) | (other & keep) << s;
        keep ^= keep << (s >> 1);
    }
    return x;
}

/* Reads the heights of this thread's patch of pixels from the bit planes of the tile. */
static __device__ inline void read_planes(const planes_read &p, float (&h)[PATCH])
{
    const int lane = threadIdx.x & 31, column = 2 * patch_column(), first = 16 * patch_is_low();
    const uint32_t low = transposed((lane & 7) < p.count ? p.low : 0);
    const uint32_t high = p.count > 8 ? transposed((lane & 7) + 8 < p.count ? p.high : 0) : 0;
#pragma unroll
    for (int x = 0; x < 2; x++) {
        const uint32_t l = __shfl_sync(WARP, low, column + x) >> first;   /* a byte for each row of the patch */
        const uint32_t g = __shfl_sync(WARP, high, column + x) >> first;
#pragma unroll
        for (int y = 0; y < 2; y++) {
            const int above = (int)(l >> 8 * y & 0xff) + (int)((g >> 8 * y & 0xff) << 8);
            h[2 * y + x] = p.set[y] >> (column + x) & 1 ? height_of(p.lowest + above) : HIGHEST;
        }
    }
}

/* Adds the flow that came over the tile's sides, and empties the inboxes. */
static __device__ inline void empty_inboxes(const tiles_view &v, int tile, unsigned round, const surroundings &a,
                                            patch &s)
{
#pragma unroll
    for (int kind = 0; kind < KINDS; kind++) {
#pragma unroll
        for (int y = 0; y < 2; y++) {
            const float in = a.side[kind][y];
            if (patch_column() == 0) s.excess[2 * y] += in, s.residual[link_over(TC_LEFT, kind)][2 * y] += in;
            else s.excess[2 * y + 1] += in, s.residual[link_over(TC_RIGHT, kind)][2 * y + 1] += in;
        }
#pragma unroll
        for (int x = 0; x < 2; x++) {
            const float in = a.end[kind][x];
            if (!patch_is_low()) s.excess[x] += in, s.residual[link_over(TC_UP, kind)][x] += in;
            else s.excess[2 + x] += in, s.residual[link_over(TC_DOWN, kind)][2 + x] += in;
        }
        if (a.side[kind][0] + a.side[kind][1] > 0)
            store_two(inbox_at(v, round, tile, side_of_patch(), kind) + patch_row(), 0.0f, 0.0f);
        if (a.end[kind][0] + a.end[kind][1] > 0)
            store_two(inbox_at(v, round, tile, end_of_patch(), kind) + 2 * patch_column(), 0.0f, 0.0f);
    }
}

/* The residual capacities of a patch's links over the edges of the tile. */
typedef struct edge_room {
    float side[KINDS][2], end[KINDS][2];
} edge_room;

static __device__ inline edge_room room_outwards(const patch &s)
{
    edge_room room;
#pragma unroll
    for (int kind = 0; kind < KINDS; kind++)
#pragma unroll
        for (int k = 0; k < 2; k++) {
            room.side[kind][k] = patch_column() ? s.residual[link_over(TC_RIGHT, kind)][2 * k + 1]
                                                : s.residual[link_over(TC_LEFT, kind)][2 * k];
            room.end[kind][k] = patch_is_low() ? s.residual[link_over(TC_DOWN, kind)][2 + k]
                                               : s.residual[link_over(TC_UP, kind)][k];
        }
    return room;
}

/* A lane's part of a tile during a visit. */
typedef struct visit {
    patch s;
    float height[PATCH];
    float beside[2], beyond[2], corner; /* heights in the tiles around: see surroundings */
    edge_room before;           /* residual capacities over the edges when the visit began */
#if TC_NEIGHBOURS == 6
    float above[2][PATCH];        /* heights in the next slice and in the one before */
    float slices_before[2][PATCH]; /* residual capacities of the links to these slices when the visit began */
#endif
} visit;

#if TC_NEIGHBOURS == 6
/* Reads the heights of the neighbours in the next and the previous slice. */
static __device__ inline void look_at_slices(const tiles_view &v, int tile, visit &here)
{
    planes_read planes[2];
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const int to = tile_beside(v.grid, tile, TC_BEHIND + k);
        if (to >= 0) load_words(v.height, to, here.above[k]), load_planes(v, to, planes[k]);
    }
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const int to = tile_beside(v.grid, tile, TC_BEHIND + k);
        if (to >= 0 && planes[k].valid) read_planes(planes[k], here.above[k]);
#pragma unroll
        for (int p = 0; p < PATCH; p++)
            if (to < 0) here.above[k][p] = HIGHEST;
    }
}
#endif

static __device__ inline void open_tile(const tiles_view &v, int tile, unsigned round, visit &here)
{
    patch_read read;
    planes_read planes;
    surroundings around;
    load_patch(v, tile, read);
    load_words(v.height, tile, here.height);
    load_planes(v, tile, planes);
    load_surroundings(v, tile, round + SLICE_TURNS, around);
#if TC_NEIGHBOURS == 6
    look_at_slices(v, tile, here);
#endif
    read_patch(read, here.s);
    if (planes.valid) read_planes(planes, here.height);
    empty_inboxes(v, tile, round + SLICE_TURNS, around, here.s);
    here.before = room_outwards(here.s);
#pragma unroll
    for (int k = 0; k < 2; k++)
        here.beside[k] = height_of(around.beside[k]), here.beyond[k] = height_of(around.beyond[k]);
    here.corner = height_of(around.corner);
#if TC_NEIGHBOURS == 6
#pragma unroll
    for (int p = 0; p < PATCH; p++) {
        here.slices_before[0][p] = here.s.residual[TC_BEHIND][p];
        here.slices_before[1][p] = here.s.residual[TC_BEFORE][p];
    }
#endif
}

/* True if a pixel of the patch has excess and, by its height, may reach a sink. */
static __device__ inline bool is_active(const visit &here)
{
    bool active = false;
#pragma unroll
    for (int k = 0; k < PATCH; k++) active |= here.s.excess[k] > 0 && here.height[k] < HIGHEST;
    return active;
}

/* Flow that left a tile over its side `d`, over links of one kind, from two pixels that begin at place `at`. */
typedef struct outflow {
    int d, kind, at;
    float out[2];
} outflow;

/* Puts flow that left the tile into the inboxes beyond. Flow that leaves at a corner is sent over the upper or lower
 * side. Returns true if the tile beside got any flow. */
static __device__ inline bool send(const tiles_view &v, int tile, unsigned round, uint32_t *next, const outflow &left)
{
    const int d = left.d, kind = left.kind, at = left.at;
    const float *const out = left.out;
    if (!(out[0] + out[1] > 0)) return false;
    const int beside = tile_beside(v.grid, tile, d), shift = shift_of(kind);
    if (kind == 0) {
        store_two(inbox_at(v, round, beside, d ^ 1, 0) + at, out[0], out[1]);
        return true;
    }
    bool sent = false;
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const int to = at + k + shift;
        if (!(out[k] > 0)) continue;
        if (to >= 0 && to < TC_TILE) {
            inbox_at(v, round, beside, d ^ 1, kind_back(kind))[to] = out[k];
            sent = true;
        } else if (d == TC_DOWN || d == TC_UP) {
            const int corner = diagonal_tile(v.grid, tile, d, shift > 0 ? TC_RIGHT : TC_LEFT);
            inbox_at(v, round, corner, d ^ 1, kind_back(kind))[to & (TC_TILE - 1)] = out[k];
            list_add(next, corner);
        }
    }
    return sent;
}

#if TC_NEIGHBOURS == 6
/* Gives the next and the previous slice the flow that left for them. Their tiles are not visited in this round, and no
 * other tile uses the same links, but a pixel may receive flow from both sides. */
static __device__ inline void give_to_slices(const tiles_view &v, int tile, uint32_t *next, const visit &here)
{
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const int to = tile_beside(v.grid, tile, TC_BEHIND + k);
        bool gave = false;
#pragma unroll
        for (int p = 0; p < PATCH; p++) {
            const float out = here.slices_before[k][p] - here.s.residual[TC_BEHIND + k][p];
            if (!(out > 0)) continue;
            const size_t node = patch_at(to) + (size_t)((p >> 1) * TC_TILE + (p & 1));
            float *const back = (float *)(v.grid.slices + node) + (k ^ 1);
            *back = __ldcg(back) + out;
            atomicAdd(v.grid.excess + node, out);
            gave = true;
        }
        if (__any_sync(WARP, gave) && (threadIdx.x & 31) == 0) list_add(next, to);
    }
}
#endif

/* Writes a visited tile back: residuals and excesses, bit rows, border heights, and the flow that left it; and updates
 * the lists. */
static __device__ inline void publish_tile(const tiles_view &v, int tile, unsigned round, uint32_t *next,
                                           const visit &here)
{
    const edge_room before = here.before, after = room_outwards(here.s); /* no flow has come over the edges meanwhile */
    const float(&h)[PATCH] = here.height;
    bool sent = false;
    store_patch(v, tile, here.s);
    store_words(v.height, tile, h);
    if (__any_sync(WARP, is_active(here)) && (threadIdx.x & 31) == 0) list_add(next, tile);
    store_bits(v, tile, here.s);
    if (at_side()) {
        const int d = side_of_patch(), row = patch_row(), right = patch_column() ? 1 : 0;
        bool aside = false;
        store_two(v.border + side_at(tile, d) + row, levels_of(right ? h[1] : h[0]), levels_of(right ? h[3] : h[2]));
#pragma unroll
        for (int kind = 0; kind < KINDS; kind++) {
            const outflow left = {d, kind, row, {before.side[kind][0] - after.side[kind][0],
                                                 before.side[kind][1] - after.side[kind][1]}};
            aside |= send(v, tile, round, next, left);
        }
        if (aside) list_add(next, tile_beside(v.grid, tile, d));
    }
    if (at_end()) {
        const int d = end_of_patch(), column = 2 * patch_column(), low = patch_is_low();
        store_two(v.border + side_at(tile, d) + column, levels_of(low ? h[2] : h[0]), levels_of(low ? h[3] : h[1]));
#pragma unroll
        for (int kind = 0; kind < KINDS; kind++) {
            const outflow left = {d, kind, column, {before.end[kind][0] - after.end[kind][0],
                                                    before.end[kind][1] - after.end[kind][1]}};
            sent |= send(v, tile, round, next, left);
        }
    }
    const unsigned senders = __ballot_sync(WARP, sent);
    if (sent && (int)(threadIdx.x & 31) == __ffs((int)senders) - 1)
        list_add(next, tile_beside(v.grid, tile, end_of_patch()));
#if TC_NEIGHBOURS == 6
    give_to_slices(v, tile, next, here);
#endif
}
