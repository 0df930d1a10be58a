/* SPDX-License-Identifier: MIT
 *
 * relabel.cuh - distances to the sinks by breadth-first search on bit rows: the lockstep BFS of Hussein et al., with
 * 32 pixels per instruction.
 *
 * A warp has a tile, and each lane one row of it as words of 32 bits: four words say which links have residual
 * capacity, one which pixels are reached, and one which were reached last. A level takes two shifts, two shuffles and
 * a few ands for all 1024 pixels. Heights are stored as bit planes. The planes of pixels not yet reached count along
 * with the level, so stepping to the next level flips two planes on average. Between tiles only the heights of the
 * outermost pixels are exchanged. If those of a neighbour become lower, the tile is searched again from its borders,
 * until nothing changes.
 */
#ifndef TC_RELABEL_CUH
#define TC_RELABEL_CUH

#include "tiles_view.cuh"

enum { LEVEL_STEP = 8, LEVEL_LAST = (1 << PLANES) - LEVEL_STEP };
static const int NEVER = 0x7fffffff;

/* The bit rows of a tile, as one lane has them. */
typedef struct tile_bits {
    uint32_t right, left, down, up, sink, active;
} tile_bits;

static __device__ inline tile_bits bits_load(const tiles_view &v, int tile)
{
    const int lane = threadIdx.x & 31;
    tile_bits b;
    b.right = __ldcg(bits_at(v, tile, TC_RIGHT) + lane);
    b.left = __ldcg(bits_at(v, tile, TC_LEFT) + lane);
    b.down = __ldcg(bits_at(v, tile, TC_DOWN) + lane);
    b.up = __ldcg(bits_at(v, tile, TC_UP) + lane);
    b.sink = __ldcg(bits_at(v, tile, BITS_SINK) + lane);
    b.active = __ldcg(bits_at(v, tile, BITS_ACTIVE) + lane);
    return b;
}

/* The state of a search inside a tile: pixels reached, and the planes of their heights above `lowest`. */
typedef struct tile_levels {
    uint32_t set, plane[PLANES];
    int lowest, planes;
} tile_levels;

/* The pixels reached at one level. `come` are those reached from other tiles. */
static __device__ inline uint32_t expand(const tile_bits &b, uint32_t last, uint32_t come, uint32_t set)
{
    const uint32_t above = __shfl_up_sync(WARP, last, 1), below = __shfl_down_sync(WARP, last, 1);
    return ((last << 1 & b.left) | (last >> 1 & b.right) | (above & b.up) | (below & b.down) | come) & ~set;
}

/* Between tiles, heights count in multiples of LEVEL_STEP: the first multiple that is not below `height`. */
static __device__ inline int next_step(int height)
{
    return (height + LEVEL_STEP - 1) & ~(LEVEL_STEP - 1);
}

/* Opens a search; no pixel is reached yet. `enter` are the heights at which the search enters from neighbouring
 * tiles: for each lane at the left and right end of its row, and at the top and bottom of its column. */
static __device__ inline void levels_open(const tile_bits &b, const int (&enter)[4], tile_levels &t)
{
    const int own = min(min(enter[0], enter[1]), min(enter[2], enter[3]));
    t.lowest = warp_min(b.sink ? 0 : own);
    if (t.lowest != NEVER) t.lowest = next_step(t.lowest);
    t.set = 0;
    t.planes = 0;
#pragma unroll
    for (int k = 0; k < PLANES; k++) t.plane[k] = 0;
}

/* Forgets all pixels reached at `level` or later. Returns those reached just before. */
static __device__ inline uint32_t levels_rewind(tile_levels &t, int level)
{
    uint32_t less = 0, equal = ~0u, last = t.set;
#pragma unroll
    for (int k = PLANES - 1; k >= 0; k--) {
        last &= (level - 1) >> k & 1 ? t.plane[k] : ~t.plane[k];
        if (level >> k & 1) less |= equal & ~t.plane[k], equal &= t.plane[k];
        else equal &= ~t.plane[k];
    }
    t.set &= less;
#pragma unroll
    for (int k = 0; k < PLANES; k++) t.plane[k] = (t.plane[k] & t.set) | (level >> k & 1 ? ~t.set : 0);
    return last;
}

/* The pixels that the search has entered from other tiles at or before `level`; `at` has the entry level of each
 * side. */
static __device__ inline uint32_t entered(const int (&at)[4], int level)
{
    const int lane = threadIdx.x & 31;
    const uint32_t top = __ballot_sync(WARP, at[TC_UP] <= level);
    const uint32_t bottom = __ballot_sync(WARP, at[TC_DOWN] <= level);
    uint32_t come = (at[TC_LEFT] <= level) | (uint32_t)(at[TC_RIGHT] <= level) << 31;
    if (lane == 0) come |= top;
    if (lane == 31) come |= bottom;
    return come;
}

/* The planes have too few bits for more levels: all remaining pixels get roughly the last height. Only whether a
 * pixel reaches a sink must be exact. */
static __device__ inline void search_rest(const tile_bits &b, const int (&at)[4], tile_levels &t)
{
    const uint32_t come = entered(at, NEVER - 1);
    for (uint32_t last = 1; __any_sync(WARP, last);) {
        last = expand(b, t.set, come, t.set);
        t.set |= last;
    }
    t.planes = PLANES;
}

/* Searches from `level` on; `last` are the pixels reached at the level before. Entries from other tiles are delayed
 * to the next multiple of 8, so that the levels between need not check for them. Heights that are too large by a few
 * do no harm. The multiples are absolute, so a neighbour whose heights become lower never makes this tile's heights
 * higher. */
static __device__ inline void search_tile(tile_bits b, const int (&enter)[4], int level, uint32_t last, tile_levels &t)
{
    const int lane = threadIdx.x & 31;
    int at[4];
    bool deep = false;

    if (t.lowest == NEVER) return;
#pragma unroll
    for (int k = 0; k < 4; k++) at[k] = enter[k] == NEVER ? NEVER : enter[k] - t.lowest;
    if (lane == 0) b.up = 0;    /* at the ends, a shuffle returns the lane's own row */
    if (lane == 31) b.down = 0;
    for (;;) {
        const uint32_t come = entered(at, level) | (level == 0 ? b.sink : 0);
#pragma unroll
        for (int j = 0; j < LEVEL_STEP; j++) {
            last = expand(b, last, j == 0 ? come : 0, t.set);
            t.set |= last;
            t.plane[0] ^= ~t.set;
            if ((j & 1) == 1) t.plane[1] ^= ~t.set;
            if ((j & 3) == 3) t.plane[2] ^= ~t.set;
        }
        int next = level + LEVEL_STEP;
        if (!__any_sync(WARP, last)) {
            int later = NEVER;
#pragma unroll
            for (int k = 0; k < 4; k++)
                if (at[k] > level) later = min(later, at[k]);
            later = warp_min(later);
            if (later == NEVER) break;
            next = max(next, next_step(later));
        }
        deep = next > LEVEL_LAST;
        if (deep) break;
        const int flips = next ^ level;
#pragma unroll
        for (int k = 3; k < PLANES; k++)
            if (flips >> k & 1) t.plane[k] ^= ~t.set;
        level = next;
    }
    t.planes = 32 - __clz(level + LEVEL_STEP - 1);
    if (deep) search_rest(b, at, t);
}

/* The heights of the tile's outermost pixels, by side; lane i has the i-th pixel of each. */
static __device__ inline void border_heights(const tile_levels &t, int (&height)[4])
{
    const int lane = threadIdx.x & 31;
    int top = 0, bottom = 0, left = 0, right = 0;
#pragma unroll
    for (int k = 0; k < PLANES; k++) { /* all planes, so that shuffles overlap; unused planes are 0 */
        top |= (int)(__shfl_sync(WARP, t.plane[k], 0) >> lane & 1) << k;
        bottom |= (int)(__shfl_sync(WARP, t.plane[k], 31) >> lane & 1) << k;
        left |= (int)(t.plane[k] & 1) << k;
        right |= (int)(t.plane[k] >> 31) << k;
    }
    const uint32_t top_set = __shfl_sync(WARP, t.set, 0), bottom_set = __shfl_sync(WARP, t.set, 31);
    height[TC_UP] = top_set >> lane & 1 ? t.lowest + top : (int)UNREACHED;
    height[TC_DOWN] = bottom_set >> lane & 1 ? t.lowest + bottom : (int)UNREACHED;
    height[TC_LEFT] = t.set & 1 ? t.lowest + left : (int)UNREACHED;
    height[TC_RIGHT] = t.set >> 31 ? t.lowest + right : (int)UNREACHED;
}

static __device__ inline void load_levels(const tiles_view &v, int tile, tile_levels &t)
{
    const int lane = threadIdx.x & 31;
    const uint32_t *base = levels_at(v, tile, LEVELS_BASE);
    t.set = __ldcg(levels_at(v, tile, LEVELS_SET) + lane);
#pragma unroll
    for (int k = 0; k < PLANES; k++) t.plane[k] = __ldcg(levels_at(v, tile, LEVELS_PLANE + k) + lane);
    t.lowest = (int)__ldcg(base), t.planes = (int)__ldcg(base + 1);
#pragma unroll
    for (int k = 0; k < PLANES; k++)
        if (k >= t.planes) t.plane[k] = 0;
}

static __device__ inline void publish_levels(const tiles_view &v, int tile, const tile_levels &t,
                                             const int (&border)[4])
{
    const int lane = threadIdx.x & 31;
    levels_at(v, tile, LEVELS_SET)[lane] = t.set;
#pragma unroll
    for (int k = 0; k < PLANES; k++)
        if (k < t.planes) levels_at(v, tile, LEVELS_PLANE + k)[lane] = t.plane[k];
    if (lane < 2) levels_at(v, tile, LEVELS_BASE)[lane] = (uint32_t)(lane ? t.planes : t.lowest);
    if (lane == 0) v.relabelled[tile] = 1;
#pragma unroll
    for (int d = 0; d < 4; d++) v.border[side_at(tile, d) + lane] = border[d];
}

/* Adds the flow that other tiles sent, and updates the bits that change by it. Flow left in an inbox would hide a
 * residual link from the search, which might then miss that a pixel still reaches a sink. */
static __device__ inline void deliver_inboxes(const tiles_view &v, int tile, unsigned round)
{
    const int lane = threadIdx.x & 31;
    tile_bits b = bits_load(v, tile);
    float *residual = (float *)(v.grid.residual + (size_t)tile * TC_TILE_NODES);
    float *excess = v.grid.excess + (size_t)tile * TC_TILE_NODES;
    bool changed = false;
#pragma unroll
    for (int d = 0; d < 4; d++) {
        float *in = inbox_at(v, round, tile, d) + lane;
        const float f = __ldcg(in);
        if (!__any_sync(WARP, f > 0)) continue;
        const int x = d == TC_RIGHT ? 31 : d == TC_LEFT ? 0 : lane, y = d == TC_DOWN ? 31 : d == TC_UP ? 0 : lane;
        float e = __ldcg(excess + y * TC_TILE + x);
        changed = true;
        if (f > 0) {
            *in = 0;
            e += f;
            excess[y * TC_TILE + x] = e;
            residual[(y * TC_TILE + x) * 4 + d] = __ldcg(residual + (y * TC_TILE + x) * 4 + d) + f;
        }
        if (d == TC_RIGHT || d == TC_LEFT) {
            const uint32_t bit = 1u << x;
            if (f > 0) (d == TC_RIGHT ? b.right : b.left) |= bit;
            b.sink = e < 0 ? b.sink | bit : b.sink & ~bit;
            b.active = e > 0 ? b.active | bit : b.active & ~bit;
        } else {
            const uint32_t open = __ballot_sync(WARP, f > 0), sink = __ballot_sync(WARP, e < 0),
                           active = __ballot_sync(WARP, e > 0);
            if (lane == y || (lane == 0 && d == TC_UP) || (lane == 31 && d == TC_DOWN)) {
                (d == TC_UP ? b.up : b.down) |= open;
                b.sink = sink;
                b.active = active;
            }
        }
        __syncwarp();
    }
    if (!changed) return;
    bits_at(v, tile, TC_RIGHT)[lane] = b.right;
    bits_at(v, tile, TC_LEFT)[lane] = b.left;
    bits_at(v, tile, TC_DOWN)[lane] = b.down;
    bits_at(v, tile, TC_UP)[lane] = b.up;
    bits_at(v, tile, BITS_SINK)[lane] = b.sink;
    bits_at(v, tile, BITS_ACTIVE)[lane] = b.active;
    __syncwarp();
}

/* Starts a relabelling of `tile`: forgets old heights and searches from the tile's own sinks only. */
static __device__ inline void relabel_first(const tiles_view &v, int tile, uint32_t *to_label, uint32_t *todo)
{
    const tile_bits b = bits_load(v, tile);
    const int enter[4] = {NEVER, NEVER, NEVER, NEVER};
    tile_levels t;
    int border[4];
    levels_open(b, enter, t);
    search_tile(b, enter, 0, 0, t);
    border_heights(t, border);
    publish_levels(v, tile, t, border);
#pragma unroll
    for (int d = 0; d < 4; d++) {
        const int to = tile_beside(v.grid, tile, d);
        const bool wakes = __any_sync(WARP, border[d] < UNREACHED);
        if (wakes && to >= 0 && (threadIdx.x & 31) == 0) list_add(to_label, to);
    }
    const bool active = __any_sync(WARP, b.active & t.set);
    if (active && (threadIdx.x & 31) == 0) list_add(todo, tile);
}

/* Searches `tile` again with the heights that its neighbours have published since. Starts at the first level at which
 * they change anything, and puts on the list those neighbours that may gain by the result. */
static __device__ inline void relabel_again(const tiles_view &v, int tile, uint32_t *to_label, uint32_t *todo)
{
    const int lane = threadIdx.x & 31;
    const tile_bits b = bits_load(v, tile);
    int halo[4], enter[4], border[4], beside[4], gain = NEVER, level = 0;
    /* back: whether the pixel across the side has a residual link to ours; last: pixels reached last */
    uint32_t back[4], last = 0;
    tile_levels t;
    load_levels(v, tile, t);
#pragma unroll
    for (int d = 0; d < 4; d++) {
        const int to = beside[d] = tile_beside(v.grid, tile, d);
        border[d] = __ldcg(v.border + side_at(tile, d) + lane);
        halo[d] = to >= 0 ? __ldcg(v.border + side_at(to, d ^ 1) + lane) : (int)UNREACHED;
        if (to < 0) back[d] = 0;
        else if (d == TC_RIGHT) back[d] = __ldcg(bits_at(v, to, TC_LEFT) + lane) & 1;
        else if (d == TC_LEFT) back[d] = __ldcg(bits_at(v, to, TC_RIGHT) + lane) >> 31;
        else if (d == TC_DOWN) back[d] = __ldcg(bits_at(v, to, TC_UP)) >> lane & 1;
        else back[d] = __ldcg(bits_at(v, to, TC_DOWN) + 31) >> lane & 1;
    }
    const uint32_t open[4] = {b.right >> 31, b.left & 1, __shfl_sync(WARP, b.down, 31) >> lane & 1,
                              __shfl_sync(WARP, b.up, 0) >> lane & 1};
#pragma unroll
    for (int d = 0; d < 4; d++) {
        enter[d] = open[d] && halo[d] < UNREACHED ? halo[d] + 1 : NEVER;
        if (enter[d] < border[d] && next_step(enter[d]) < border[d]) gain = min(gain, next_step(enter[d]));
    }
    gain = warp_min(gain);
    if (gain == NEVER) return;
    if (gain <= t.lowest || gain - t.lowest > LEVEL_LAST) levels_open(b, enter, t);
    else level = gain - t.lowest, last = levels_rewind(t, level);
    search_tile(b, enter, level, last, t);
    border_heights(t, border);
    publish_levels(v, tile, t, border);
#pragma unroll
    for (int d = 0; d < 4; d++) {
        const int there = next_step(border[d] + 1); /* the height at which the neighbour's search would enter */
        const bool wakes = __any_sync(WARP, back[d] && there < halo[d]);
        if (wakes && lane == 0) list_add(to_label, beside[d]);
    }
    const bool active = __any_sync(WARP, b.active & t.set);
    if (active && lane == 0) list_add(todo, tile);
}

#endif
