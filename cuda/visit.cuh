/* SPDX-License-Identifier: MIT
 *
 * visit.cuh - what a visit to a tile reads before it discharges and writes after: the strips, their heights, what lies
 * around. All that may be needed is asked for before anything is looked at, which takes one latency instead of four.
 */
#ifndef TC_VISIT_CUH
#define TC_VISIT_CUH

#include <string.h>

#include "cut_view.cuh"

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

/* What lies around a strip: flow that came in over the sides of its tile in the last round, and the heights beyond. */
typedef struct surroundings {
    float side[STRIP], end; /* lanes 0 and 31: over the left and right side; outermost strips: from above, from below */
    int beside[STRIP], beyond;
} surroundings;

static_assert(STRIP == 4 && PLANES == 16, "a warp reads its strip's planes as two words a lane");

/* Heights as a relabelling left them: bit planes, of which lane 8 * r + k has planes k and k + 8 of row r. */
typedef struct planes_read {
    uint32_t set[STRIP], low, high;
    int lowest, count;
    bool valid; /* nobody has visited the tile since */
} planes_read;

static __device__ inline void load_surroundings(const cut_view &v, int tile, unsigned round, surroundings &a)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int d = lane ? TC_RIGHT : TC_LEFT, to = tile_beside(v.grid, tile, d);
#pragma unroll
    for (int r = 0; r < STRIP; r++) a.side[r] = 0, a.beside[r] = UNREACHED;
    a.end = 0, a.beyond = UNREACHED;
    if (lane == 0 || lane == 31) {
        load_rows(inbox_at(v, round, tile, d) + warp * STRIP, a.side);
        if (to >= 0) load_rows(v.border + side_at(to, d ^ 1) + warp * STRIP, a.beside);
    }
    if (warp == 0 || warp == STRIPS - 1) {
        const int end = warp ? TC_DOWN : TC_UP, next = tile_beside(v.grid, tile, end);
        a.end = __ldcg(inbox_at(v, round, tile, end) + lane);
        if (next >= 0) a.beyond = __ldcg(v.border + side_at(next, end ^ 1) + lane);
    }
}

static __device__ inline void load_planes(const cut_view &v, int tile, planes_read &p)
{
    const int lane = threadIdx.x & 31, row0 = (threadIdx.x >> 5) * STRIP;
    const uint32_t *word = levels_at(v, tile, LEVELS_PLANE + (lane & 7)) + row0 + (lane >> 3);
    const uint32_t *base = levels_at(v, tile, LEVELS_BASE);
    p.low = __ldcg(word), p.high = __ldcg(word + 8 * TC_TILE);
    p.lowest = (int)__ldcg(base), p.count = (int)__ldcg(base + 1);
    p.valid = __ldcg(v.relabelled + tile) != 0;
    load_rows(levels_at(v, tile, LEVELS_SET) + row0, p.set);
}

/* Of 32 words, one a lane, bit `lane` of each. */
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

/* The heights that the planes say. */
static __device__ inline void read_planes(const planes_read &p, int (&h)[STRIP])
{
    const int lane = threadIdx.x & 31;
    const uint32_t low = transposed((lane & 7) < p.count ? p.low : 0);
    const uint32_t high = p.count > 8 ? transposed((lane & 7) + 8 < p.count ? p.high : 0) : 0;
#pragma unroll
    for (int r = 0; r < STRIP; r++) {
        const int above = (int)(low >> 8 * r & 0xff) + (int)((high >> 8 * r & 0xff) << 8);
        h[r] = p.set[r] >> lane & 1 ? p.lowest + above : (int)UNREACHED;
    }
}

/* Adds what came in over the tile's sides, and empties the inboxes. */
static __device__ inline void empty_inboxes(const cut_view &v, int tile, unsigned round, const surroundings &a,
                                            strip &s)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const float none[STRIP] = {0};
    float any = 0;
#pragma unroll
    for (int r = 0; r < STRIP; r++) {
        any += a.side[r];
        s.excess[r] += a.side[r];
        if (lane == 0) s.left[r] += a.side[r];
        else s.right[r] += a.side[r];
    }
    if (any > 0) store_rows(inbox_at(v, round, tile, lane ? TC_RIGHT : TC_LEFT) + warp * STRIP, none);
    if (warp == 0) s.excess[0] += a.end, s.up[0] += a.end;
    if (warp == STRIPS - 1) s.excess[STRIP - 1] += a.end, s.down[STRIP - 1] += a.end;
    if (a.end > 0) inbox_at(v, round, tile, warp ? TC_DOWN : TC_UP)[lane] = 0;
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

#endif
