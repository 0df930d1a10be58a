/* SPDX-License-Identifier: MIT
 *
 * relabel.cuh - distances to the sinks by breadth-first search on bit rows: the lockstep BFS of Hussein et al., with
 * 32 pixels per instruction.
 *
 * A warp has a tile, and each lane has one row of it as words of 32 bits: four words for the links with residual
 * capacity, one for the pixels reached, and one for those reached at the last level. A level takes two shifts, two
 * shuffles and a few ands for all 1024 pixels. Heights are stored as bit planes. Pixels not yet reached always have the
 * present level in their planes, so a step to the next level flips two planes on average. Tiles exchange only the
 * heights of their outermost pixels. If those of a neighbour become lower, the tile is searched again from its borders,
 * until nothing changes. In a volume, whole tiles of the slices around are read as bit planes (slices.cuh).
 */
#pragma once

#include "deliver.cuh"

/* Returns the pixels reached at one level. `come` holds the pixels reached from other tiles. */
static __device__ inline uint32_t expand(const tile_bits &b, uint32_t last, uint32_t come, uint32_t set)
{
    const uint32_t above = __shfl_up_sync(WARP, last, 1), below = __shfl_down_sync(WARP, last, 1);
    uint32_t reached = (last << 1 & b.open[TC_LEFT]) | (last >> 1 & b.open[TC_RIGHT]) | (above & b.open[TC_UP]) |
                       (below & b.open[TC_DOWN]) | come;
#if TC_NEIGHBOURS == 8
    reached |= (below >> 1 & b.open[TC_DOWN_RIGHT]) | (below << 1 & b.open[TC_DOWN_LEFT]) |
               (above >> 1 & b.open[TC_UP_RIGHT]) | (above << 1 & b.open[TC_UP_LEFT]);
#endif
    return reached & ~set;
}

/* Closes links out of the tile's top and bottom row, because there a shuffle returns the lane's own row. */
static __device__ inline void close_ends(tile_bits &b)
{
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int kind = 0; kind < KINDS; kind++) {
        if (lane == 0) b.open[link_over(TC_UP, kind)] = 0;
        if (lane == 31) b.open[link_over(TC_DOWN, kind)] = 0;
    }
}

/* Opens a search in which no pixel is reached yet. `enter` holds the heights at which the search enters from
 * neighbouring tiles: for each lane, at the left and right end of its row, and at the top and bottom of its column.
 * `across` is the height at which it enters from other slices. NEVER: it does not enter there. */
static __device__ inline void levels_open(const tile_bits &b, const int (&enter)[SIDES], int across, tile_levels &t)
{
    const int own = min(min(min(enter[0], enter[1]), min(enter[2], enter[3])), across);
    t.lowest = warp_min(b.sink ? 0 : own);
    if (t.lowest != NEVER) t.lowest = next_step(t.lowest);
    t.set = 0;
    t.planes = 0;
#pragma unroll
    for (int k = 0; k < PLANES; k++) t.plane[k] = 0;
}

/* Forgets all pixels reached at `level` or later. Returns the pixels reached at the level before it. */
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

/* The pixels at which the search has entered from other tiles at or before `level`; `at` holds the entry level of each
 * side. */
static __device__ inline uint32_t entered(const int (&at)[SIDES], int level)
{
    const int lane = threadIdx.x & 31;
    const uint32_t top = __ballot_sync(WARP, at[TC_UP] <= level);
    const uint32_t bottom = __ballot_sync(WARP, at[TC_DOWN] <= level);
    uint32_t come = (at[TC_LEFT] <= level) | (uint32_t)(at[TC_RIGHT] <= level) << 31;
    if (lane == 0) come |= top;
    if (lane == 31) come |= bottom;
    return come;
}

/* The planes have too few bits for more levels, so all remaining pixels get roughly the last height. Only whether a
 * pixel reaches a sink must be exact. */
static __device__ inline void search_rest(const tile_bits &b, const int (&at)[SIDES], const slices_around &across,
                                          tile_levels &t)
{
    const uint32_t come = entered(at, NEVER - 1) | entered_across(across, t, NEVER - 1);
    for (uint32_t last = 1; __any_sync(WARP, last);) {
        last = expand(b, t.set, come, t.set);
        t.set |= last;
    }
    t.planes = PLANES;
}

/* Searches from `level` on; `last` holds the pixels reached at the level before. Where the search enters from other
 * tiles, the level is rounded up to a multiple of 8, so that only these levels check for entries. Heights that are too
 * large by a few do no harm. Levels are rounded, not differences, so lower heights of a neighbour never raise this
 * tile's heights. */
static __device__ inline void search_tile(tile_bits b, const int (&enter)[SIDES], const slices_around &across,
                                          int level, uint32_t last, tile_levels &t)
{
    int at[SIDES];
    bool deep = false;

    if (t.lowest == NEVER) return;
#pragma unroll
    for (int k = 0; k < SIDES; k++) at[k] = enter[k] == NEVER ? NEVER : enter[k] - t.lowest;
    close_ends(b);
    for (;;) {
        const uint32_t come = entered(at, level) | entered_across(across, t, level) | (level == 0 ? b.sink : 0);
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
            for (int k = 0; k < SIDES; k++)
                if (at[k] > level) later = min(later, at[k]);
            later = min(warp_min(later), later_across(across, t));
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
    if (deep) search_rest(b, at, across, t);
}

/* Finds the heights of the tile's outermost pixels, by side; lane i has the i-th pixel of each side. */
static __device__ inline void border_heights(const tile_levels &t, int (&height)[SIDES])
{
    const int lane = threadIdx.x & 31;
    int top = 0, bottom = 0, left = 0, right = 0;
#pragma unroll
    for (int k = 0; k < PLANES; k++) { /* loops over all planes, so that the shuffles overlap; unused planes are 0 */
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
                                             const int (&border)[SIDES])
{
    const int lane = threadIdx.x & 31;
    levels_at(v, tile, LEVELS_SET)[lane] = t.set;
#pragma unroll
    for (int k = 0; k < PLANES; k++)
        if (k < t.planes) levels_at(v, tile, LEVELS_PLANE + k)[lane] = t.plane[k];
    if (lane < 2) levels_at(v, tile, LEVELS_BASE)[lane] = (uint32_t)(lane ? t.planes : t.lowest);
    if (lane == 0) v.relabelled[tile] = 1;
#pragma unroll
    for (int d = 0; d < SIDES; d++) v.border[side_at(tile, d) + lane] = border[d];
}

/* Puts the tile in direction d on the list if `wakes` is true in any lane. */
static __device__ inline void wake(uint32_t *list, int tile, bool wakes)
{
    const bool any = __any_sync(WARP, wakes);
    if (any && tile >= 0 && (threadIdx.x & 31) == 0) list_add(list, tile);
}

#if TC_NEIGHBOURS == 8
/* The four tiles at the corners: lane 2 * low + right has one of them. */
typedef struct corner_tiles {
    int tile, height; /* the number of the tile, and the height of its pixel that touches our corner pixel */
    bool back;        /* whether the neighbour's pixel has a residual link to the corner pixel of the tile being
                         searched */
} corner_tiles;

static __device__ inline int tile_at_corner(const tiles_view &v, int tile)
{
    const int lane = threadIdx.x & 31;
    return lane < 4 ? diagonal_tile(v.grid, tile, lane & 2 ? TC_DOWN : TC_UP, lane & 1 ? TC_RIGHT : TC_LEFT) : -1;
}

static __device__ inline void load_corners(const tiles_view &v, int tile, corner_tiles &c)
{
    const int lane = threadIdx.x & 31, row = lane & 2 ? 0 : 31, column = lane & 1 ? 0 : 31;
    const int across = lane & 2 ? TC_UP : TC_DOWN, along = lane & 1 ? TC_LEFT : TC_RIGHT; /* back */
    c.tile = tile_at_corner(v, tile);
    c.height = UNREACHED, c.back = false;
    if (c.tile < 0) return;
    c.height = __ldcg(v.border + side_at(c.tile, across) + column);
    c.back = __ldcg(bits_at(v, c.tile, diagonal_of(across, along)) + row) >> column & 1;
}

/* Returns the heights of the tile's own corner pixels, in the lanes of their corners. */
static __device__ inline int own_corners(const int (&border)[SIDES])
{
    const int lane = threadIdx.x & 31, column = lane & 1 ? 31 : 0;
    const int top = __shfl_sync(WARP, border[TC_UP], column), bottom = __shfl_sync(WARP, border[TC_DOWN], column);
    return lane & 2 ? bottom : top;
}
#endif

/* Returns, for each lane and side, the minimum of a number over the pixels beyond the border to which the lane's pixel
 * has links of any kind; NEVER if it has no link. Lane i passes in `number` the number of the i-th pixel beyond, and in
 * `linked`, bit `kind`, whether the i-th pixel on this side has a link of that kind. `corner` holds the numbers beyond
 * the corners, in lane 2 * low + right. */
static __device__ inline int least_over(int d, int number, unsigned linked, int corner)
{
    int least = linked & 1 ? number : NEVER;
#if TC_NEIGHBOURS == 8
    const int lane = threadIdx.x & 31, low = d == TC_DOWN ? 2 : 0;
    const int left = __shfl_sync(WARP, corner, low), right = __shfl_sync(WARP, corner, low + 1);
    const bool end = d == TC_DOWN || d == TC_UP;
    int next = __shfl_down_sync(WARP, number, 1), before = __shfl_up_sync(WARP, number, 1);
    if (lane == 31) next = end ? right : NEVER;
    if (lane == 0) before = end ? left : NEVER;
    if (linked & 2) least = min(least, next);
    if (linked & 4) least = min(least, before);
#else
    (void)d, (void)corner;
#endif
    return least;
}

/* Returns in lane i the kinds of residual links that lead from the i-th pixel of the tile over side d. */
static __device__ inline unsigned kinds_open(const tile_bits &b, int d)
{
    const int lane = threadIdx.x & 31;
    unsigned linked = 0;
#pragma unroll
    for (int kind = 0; kind < KINDS; kind++) {
        const uint32_t row = b.open[link_over(d, kind)];
        const uint32_t open = d == TC_RIGHT ? row >> 31 : d == TC_LEFT ? row & 1
                            : __shfl_sync(WARP, row, d == TC_DOWN ? 31 : 0) >> lane & 1;
        linked |= open << kind;
    }
    return linked;
}

/* Returns the kinds of residual links that lead back to this tile from the pixels beyond side d, which are in the tile
 * `to`. */
static __device__ inline unsigned kinds_back(const tiles_view &v, int to, int d)
{
    const int lane = threadIdx.x & 31;
    unsigned linked = 0;
    if (to < 0) return 0;
#pragma unroll
    for (int kind = 0; kind < KINDS; kind++) {
        const uint32_t *rows = bits_at(v, to, link_over(d ^ 1, kind));
        const uint32_t open = d == TC_RIGHT  ? __ldcg(rows + lane) & 1
                              : d == TC_LEFT ? __ldcg(rows + lane) >> 31
                                             : __ldcg(rows + (d == TC_DOWN ? 0 : 31)) >> lane & 1;
        linked |= open << kind;
    }
    return linked;
}

/* Starts a relabelling of `tile`: forgets old heights and searches from the tile's own sinks only. */
static __device__ inline void relabel_first(const tiles_view &v, int tile, uint32_t *to_label, uint32_t *todo)
{
    const tile_bits b = bits_load(v, tile);
    const int enter[SIDES] = {NEVER, NEVER, NEVER, NEVER};
    const slices_around nothing = {};
    tile_levels t;
    int border[SIDES];
    levels_open(b, enter, NEVER, t);
    search_tile(b, enter, nothing, 0, 0, t);
    border_heights(t, border);
    publish_levels(v, tile, t, border);
#pragma unroll
    for (int d = 0; d < SIDES; d++) wake(to_label, tile_beside(v.grid, tile, d), border[d] < UNREACHED);
#if TC_NEIGHBOURS == 8
    const int corner = tile_at_corner(v, tile);
    if (own_corners(border) < UNREACHED && corner >= 0) list_add(to_label, corner);
#elif TC_NEIGHBOURS == 6
    for (int d = TC_BEHIND; d <= TC_BEFORE; d++) wake(to_label, tile_beside(v.grid, tile, d), t.set != 0);
#endif
    wake(todo, tile, b.active & t.set);
}

/* Searches `tile` again with the heights that its neighbours have published since. Starts at the first level at which
 * they change anything. Puts those neighbours on the list whose heights may become lower by the result. */
static __device__ inline void relabel_again(const tiles_view &v, int tile, uint32_t *to_label, uint32_t *todo)
{
    const int lane = threadIdx.x & 31;
    const tile_bits b = bits_load(v, tile);
    int halo[SIDES], enter[SIDES], border[SIDES], beside[SIDES], gain = NEVER, level = 0, corner = NEVER;
    unsigned back[SIDES]; /* the kinds of residual links from the pixel across the side to ours */
    uint32_t last = 0;    /* the pixels reached at the last level */
    slices_around across = {};
    tile_levels t;
    load_levels(v, tile, t);
#pragma unroll
    for (int d = 0; d < SIDES; d++) {
        const int to = beside[d] = tile_beside(v.grid, tile, d);
        border[d] = __ldcg(v.border + side_at(tile, d) + lane);
        halo[d] = to >= 0 ? __ldcg(v.border + side_at(to, d ^ 1) + lane) : (int)UNREACHED;
        back[d] = kinds_back(v, to, d);
    }
#if TC_NEIGHBOURS == 8
    corner_tiles corners;
    load_corners(v, tile, corners);
    corner = corners.height < UNREACHED ? corners.height + 1 : NEVER;
#elif TC_NEIGHBOURS == 6
    load_slices(v, tile, b, across);
#endif
#pragma unroll
    for (int d = 0; d < SIDES; d++) {
        enter[d] = least_over(d, halo[d] < UNREACHED ? halo[d] + 1 : NEVER, kinds_open(b, d), corner);
        if (enter[d] < border[d] && next_step(enter[d]) < border[d]) gain = min(gain, next_step(enter[d]));
    }
    gain = min(warp_min(gain), gain_across(across, t));
    if (gain == NEVER) return;
    if (gain <= t.lowest || gain - t.lowest > LEVEL_LAST) levels_open(b, enter, first_across(across), t);
    else level = gain - t.lowest, last = levels_rewind(t, level);
    search_tile(b, enter, across, level, last, t);
    border_heights(t, border);
    publish_levels(v, tile, t, border);
#pragma unroll
    for (int d = 0; d < SIDES; d++) {
        /* the height at which the neighbour's search would enter */
        const int there = least_over(d, border[d], back[d], NEVER);
        wake(to_label, beside[d], there < UNREACHED && next_step(there + 1) < halo[d]);
    }
#if TC_NEIGHBOURS == 8
    const int own = own_corners(border);
    if (corners.back && own < UNREACHED && next_step(own + 1) < corners.height) list_add(to_label, corners.tile);
#elif TC_NEIGHBOURS == 6
    for (int k = 0; k < 2; k++) wake(to_label, across.slice[k].tile, wakes_across(across.slice[k], t));
#endif
    wake(todo, tile, b.active & t.set);
}
