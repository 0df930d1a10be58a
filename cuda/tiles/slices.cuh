/* SPDX-License-Identifier: MIT
 *
 * slices.cuh - how a search enters a tile of a volume from the tiles at the same place in the next and the previous
 * slice.
 *
 * The search may enter at every pixel, each at its own level. The heights in those tiles are bit planes, so every
 * question about them is answered for 32 pixels at once: which heights are at most a given number, which are below
 * ours, and which is the smallest. Entries are delayed to the next multiple of LEVEL_STEP (relabel.cuh), so the last
 * three planes do not matter, and a lane keeps the other planes of both tiles. These two tiles do not change while this
 * tile is searched, because slices take turns.
 */
#pragma once

#include "levels.cuh"

#if TC_NEIGHBOURS == 6
enum { STEP_PLANES = PLANES - 3, STEPS_MOST = (1 << STEP_PLANES) - 1 };
static_assert(LEVEL_STEP == 8, "three planes are below a step");

/* The tile in the next or the previous slice, row by row. Heights are counted in steps above `lowest`. */
typedef struct slice_beside {
    uint32_t enter;  /* pixels at which the search may enter: reached there, and our pixel has a residual link to it */
    uint32_t set, back; /* pixels reached there; pixels with a residual link back to ours                 */
    uint32_t part;   /* pixels there whose height is not a multiple of a step                            */
    uint32_t step[STEP_PLANES];
    int lowest, tile;
} slice_beside;

typedef struct slices_around {
    slice_beside slice[2];
} slices_around;

static __device__ inline void load_slices(const tiles_view &v, int tile, const tile_bits &b, slices_around &around)
{
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int s = 0; s < 2; s++) {
        slice_beside &a = around.slice[s];
        a.tile = tile_beside(v.grid, tile, TC_BEHIND + s);
        if (a.tile < 0) continue; /* all other fields are 0 */
        const uint32_t *base = levels_at(v, a.tile, LEVELS_BASE);
        const int lowest = (int)__ldcg(base), planes = (int)__ldcg(base + 1);
        a.lowest = lowest == NEVER ? 0 : lowest;
        a.set = __ldcg(levels_at(v, a.tile, LEVELS_SET) + lane);
        a.back = __ldcg(bits_at(v, a.tile, TC_BEHIND + (s ^ 1)) + lane);
        a.enter = a.set & b.open[TC_BEHIND + s];
#pragma unroll
        for (int k = 0; k < PLANES; k++) {
            const uint32_t plane = k < planes ? __ldcg(levels_at(v, a.tile, LEVELS_PLANE + k) + lane) : 0;
            if (k < 3) a.part |= plane;
            else a.step[k - 3] = plane;
        }
    }
}

/* The pixels whose number of steps is at most `most`. */
static __device__ inline uint32_t steps_within(const slice_beside &a, int most)
{
    uint32_t within = ~0u;
    if (most < 0) return 0;
    if (most >= STEPS_MOST) return ~0u;
#pragma unroll
    for (int k = 0; k < STEP_PLANES; k++) within = most >> k & 1 ? ~a.step[k] | within : ~a.step[k] & within;
    return within;
}

/* The pixels for which `one` plus `more` steps is less than `other`; with `ties`, also those for which both are
 * equal. */
static __device__ inline uint32_t steps_below(const uint32_t *one, int more, const uint32_t *other, uint32_t ties)
{
    uint32_t below = ties, carry = 0;
    const int by = more < 0 ? -more : more; /* a negative `more` is added to `other` instead, with its sign changed */
    if (by > STEPS_MOST) return more < 0 ? ~0u : 0;
#pragma unroll
    for (int k = 0; k < STEP_PLANES; k++) {
        const uint32_t x = more < 0 ? other[k] : one[k], add = by >> k & 1 ? ~0u : 0, sum = x ^ add ^ carry;
        const uint32_t a = more < 0 ? one[k] : sum, b = more < 0 ? sum : other[k];
        carry = (x & add) | (carry & (x | add));
        below = (~a & b) | (~(a ^ b) & below);
    }
    return more < 0 ? below | carry : below & ~carry;
}

/* The smallest number of steps among the pixels in `those`; NEVER if there are none. The same in all lanes. */
static __device__ inline int least_steps(const slice_beside &a, uint32_t those)
{
    int least = 0;
    if (!__any_sync(WARP, those)) return NEVER;
#pragma unroll
    for (int k = STEP_PLANES - 1; k >= 0; k--) {
        const uint32_t lower = those & ~a.step[k];
        if (__any_sync(WARP, lower)) those = lower;
        else least |= 1 << k;
    }
    return least;
}

/* The height at which a search enters this slice from a pixel of the slice `a`, whose height is `steps` steps above the
 * lowest of its tile. */
static __device__ inline int entry_height(const slice_beside &a, int steps)
{
    return steps == NEVER ? NEVER : a.lowest + (steps + 1) * LEVEL_STEP;
}

/* The pixels at which the search has entered from other slices at or before `level`; beyond LEVEL_LAST: at any
 * level. */
static __device__ inline uint32_t entered_across(const slices_around &around, const tile_levels &t, int level)
{
    uint32_t come = 0;
#pragma unroll
    for (int s = 0; s < 2; s++) {
        const slice_beside &a = around.slice[s];
        if (level > LEVEL_LAST) come |= a.enter;
        else come |= a.enter & steps_within(a, (t.lowest + level - a.lowest) / LEVEL_STEP - 1);
    }
    return come;
}

/* Returns the lowest level at which the search comes from another slice to a pixel that it has not reached yet; NEVER
 * if there is no such pixel. */
static __device__ inline int later_across(const slices_around &around, const tile_levels &t)
{
    int later = NEVER;
#pragma unroll
    for (int s = 0; s < 2; s++) {
        const slice_beside &a = around.slice[s];
        const int height = entry_height(a, least_steps(a, a.enter & ~t.set));
        if (height != NEVER) later = min(later, height - t.lowest);
    }
    return later;
}

/* Returns the smallest height at which the search comes from another slice to any pixel. */
static __device__ inline int first_across(const slices_around &around)
{
    int first = NEVER;
#pragma unroll
    for (int s = 0; s < 2; s++)
        first = min(first, entry_height(around.slice[s], least_steps(around.slice[s], around.slice[s].enter)));
    return first;
}

/* The smallest height at which the search enters at a pixel and lowers its height. */
static __device__ inline int gain_across(const slices_around &around, const tile_levels &t)
{
    const uint32_t part = t.plane[0] | t.plane[1] | t.plane[2];
    int gain = NEVER;
#pragma unroll
    for (int s = 0; s < 2; s++) {
        const slice_beside &a = around.slice[s];
        const int more = t.lowest == NEVER ? 0 : (a.lowest - t.lowest) / LEVEL_STEP + 1;
        const uint32_t lower = ~t.set | steps_below(a.step, more, t.plane + 3, part);
        gain = min(gain, entry_height(a, least_steps(a, a.enter & lower)));
    }
    return gain;
}

/* True if a search of the tile `a` would find lower heights by way of this tile. */
static __device__ inline bool wakes_across(const slice_beside &a, const tile_levels &t)
{
    if (a.tile < 0 || t.lowest == NEVER) return false;
    const int more = (t.lowest - a.lowest) / LEVEL_STEP + 1;
    return a.back & t.set & (~a.set | steps_below(t.plane + 3, more, a.step, a.part));
}

/* Reads again the bits that change when tiles of other slices push flow to this tile. */
static __device__ inline void refresh_bits(const tiles_view &v, int tile)
{
    const int lane = threadIdx.x & 31;
    const float *excess = v.grid.excess + (size_t)tile * TC_TILE_NODES + lane;
    const float2 *links = v.grid.slices + (size_t)tile * TC_TILE_NODES + lane;
    uint32_t behind = 0, before = 0, sink = 0, active = 0;
    for (int y = 0; y < TC_TILE; y++) {
        const float e = __ldcg(excess + y * TC_TILE);
        const float2 to = __ldcg(links + y * TC_TILE);
        const uint32_t rows[4] = {__ballot_sync(WARP, to.x > 0), __ballot_sync(WARP, to.y > 0),
                                  __ballot_sync(WARP, e < 0), __ballot_sync(WARP, e > 0)};
        if (lane == y) behind = rows[0], before = rows[1], sink = rows[2], active = rows[3];
    }
    bits_at(v, tile, TC_BEHIND)[lane] = behind;
    bits_at(v, tile, TC_BEFORE)[lane] = before;
    bits_at(v, tile, BITS_SINK)[lane] = sink;
    bits_at(v, tile, BITS_ACTIVE)[lane] = active;
    __syncwarp();
}
#else
/* In an image there are no other slices from which a search could enter. */
typedef struct slices_around {
    int none;
} slices_around;

static __device__ inline uint32_t entered_across(const slices_around &, const tile_levels &, int) { return 0; }
static __device__ inline int later_across(const slices_around &, const tile_levels &) { return NEVER; }
static __device__ inline int gain_across(const slices_around &, const tile_levels &) { return NEVER; }
static __device__ inline int first_across(const slices_around &) { return NEVER; }
#endif
