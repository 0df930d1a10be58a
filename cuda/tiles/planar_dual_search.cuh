/* SPDX-License-Identifier: MIT
 *
 * planar_dual_search.cuh - shortest distances in the planar dual, one tile of 32 x 32 corners at a time. A block has
 * the tile in registers: each of eight warps has four rows, each lane one column. It works until no distance in the
 * tile gets shorter.
 */
#ifndef TC_PLANAR_DUAL_SEARCH_CUH
#define TC_PLANAR_DUAL_SEARCH_CUH

#include "planar_dual.cuh"

enum {
    REACHES = 5, /* steps of 1, 2, 4, 8 and 16 columns                      */
    TURNS = 64   /* of one visit at most; if that is not enough, the tile stays on the list */
};

/* The part of a lane: four corners of its column. */
typedef struct dual_rows {
    int distance[WARP_ROWS], origin[WARP_ROWS];
    int above[WARP_ROWS], below[WARP_ROWS];                  /* cost of the edge from the corner above or below */
    int left[REACHES][WARP_ROWS], right[REACHES][WARP_ROWS]; /* cost of the walk from 1, 2, 4 .. columns away   */
} dual_rows;

/* The outermost rows of each warp, for the warps above and below it; turns alternate between two halves. The first
 * and the last entry are rows of the tiles above and below. */
typedef struct dual_exchange {
    reach top[2][WARPS + 1][TC_TILE], bottom[2][WARPS + 1][TC_TILE];
} dual_exchange;

static __device__ inline int sum_of_costs(int a, int b)
{
    return (int)min((unsigned)a + (unsigned)b, (unsigned)CLOSED);
}

/* The index of the lane's first corner in the tile. */
static __device__ inline size_t rows_at(int tile)
{
    return (size_t)tile * TC_TILE_NODES + (threadIdx.x >> 5) * WARP_ROWS * TC_TILE + (threadIdx.x & 31);
}

static __device__ inline void rows_costs(const int4 *cost, dual_rows &t)
{
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int r = 0; r < WARP_ROWS; r++) {
        const int4 c = __ldcg(cost + r * TC_TILE);
        t.right[0][r] = c.x, t.left[0][r] = c.y, t.below[r] = c.z, t.above[r] = c.w;
    }
#pragma unroll
    for (int k = 1; k < REACHES; k++) {
        const int step = 1 << (k - 1);
#pragma unroll
        for (int r = 0; r < WARP_ROWS; r++) {
            const int left = __shfl_up_sync(WARP, t.left[k - 1][r], step);
            const int right = __shfl_down_sync(WARP, t.right[k - 1][r], step);
            t.left[k][r] = lane >= step ? sum_of_costs(t.left[k - 1][r], left) : CLOSED;
            t.right[k][r] = lane + step < 32 ? sum_of_costs(t.right[k - 1][r], right) : CLOSED;
        }
    }
}

/* Takes the walk through `from` to row r if it is shorter. */
static __device__ inline bool offer(dual_rows &t, int r, reach from, int cost)
{
    const int distance = from.distance + cost;
    if (distance >= t.distance[r]) return false;
    t.distance[r] = distance, t.origin[r] = from.origin;
    return true;
}

/* Shortens distances along the columns: down and then up through the rows of the warp. */
static __device__ inline bool columns_turn(dual_rows &t, reach above, reach below)
{
    bool changed = offer(t, 0, above, t.above[0]);
#pragma unroll
    for (int r = 1; r < WARP_ROWS; r++) changed |= offer(t, r, {t.distance[r - 1], t.origin[r - 1]}, t.above[r]);
    changed |= offer(t, WARP_ROWS - 1, below, t.below[WARP_ROWS - 1]);
#pragma unroll
    for (int r = WARP_ROWS - 2; r >= 0; r--) changed |= offer(t, r, {t.distance[r + 1], t.origin[r + 1]}, t.below[r]);
    return changed;
}

/* Shortens distances along the rows, in both directions at once. Distances come first. A lane whose distance became
 * shorter has it from the nearest lane on that side whose distance did not, and so takes over that lane's origin. At
 * the ends, a shuffle returns the lane's own distance, which is harmless. */
static __device__ inline bool rows_turn(dual_rows &t)
{
    const int lane = threadIdx.x & 31;
    int right[WARP_ROWS], left[WARP_ROWS];
    unsigned any = 0;
#pragma unroll
    for (int r = 0; r < WARP_ROWS; r++) right[r] = left[r] = t.distance[r];
#pragma unroll
    for (int k = 0; k < REACHES; k++)
#pragma unroll
        for (int r = 0; r < WARP_ROWS; r++) {
            right[r] = min(__shfl_up_sync(WARP, right[r], 1 << k) + t.left[k][r], right[r]);
            left[r] = min(__shfl_down_sync(WARP, left[r], 1 << k) + t.right[k][r], left[r]);
        }
#pragma unroll
    for (int r = 0; r < WARP_ROWS; r++) {
        const int shorter = min(left[r], right[r]);
        const bool gained = shorter < t.distance[r];
        const unsigned gains = __ballot_sync(WARP, gained), before = ~gains & ((1u << lane) - 1);
        const unsigned behind = ~gains & ~((2u << lane) - 1);
        const int from = right[r] <= left[r] ? 31 - __clz((int)before) : __ffs((int)behind) - 1;
        t.origin[r] = __shfl_sync(WARP, t.origin[r], gained ? from : lane);
        t.distance[r] = shorter;
        any |= gains;
    }
    return any;
}

static __device__ inline void show(dual_exchange &x, int turn, const dual_rows &t)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    x.top[turn & 1][warp][lane] = {t.distance[0], t.origin[0]};
    x.bottom[turn & 1][warp + 1][lane] = {t.distance[WARP_ROWS - 1], t.origin[WARP_ROWS - 1]};
}

/* Repeats both until no distance changes. True: TURNS were not enough. A warp can skip a turn if, in the last one,
 * neither it nor a warp beside it changed. */
static __device__ inline bool tile_turns(dual_rows &t, dual_exchange &x)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    reach before_above = {FAR, 0}, before_below = {FAR, 0};
    bool again = true;
    for (int turn = 0; turn < TURNS; turn++) {
        const reach above = x.bottom[turn & 1][warp][lane], below = x.top[turn & 1][warp + 1][lane];
        const bool news = above.distance < before_above.distance || below.distance < before_below.distance;
        bool changed = false;
        if (__any_sync(WARP, news || again)) {
            changed = __any_sync(WARP, columns_turn(t, above, below));
            again = (changed || turn == 0) && rows_turn(t); /* if rows changed, columns have to follow */
            changed |= again;
            before_above = above, before_below = below;
        }
        show(x, turn + 1, t);
        if (!__syncthreads_or(changed)) return false;
    }
    return true;
}

/* A corner beyond the side of a tile. */
typedef struct dual_side {
    reach there;
    int cost; /* of the edge from the tile's corner to that one */
} dual_side;

static __device__ inline dual_side side_of(const dual_view &v, int x, int y, int d)
{
    dual_side side = {{FAR, 0}, CLOSED};
    x += step_x(d), y += step_y(d);
    if (x < 0 || y < 0 || x > v.grid.width || y > v.grid.height) return side;
    side.there = reach_of(v, x, y);
    side.cost = __ldcg((const int *)(v.cost + corner_at(v, x, y)) + (d ^ 1));
    return side;
}

/* One visit: recomputes the distances of the tile from those of its neighbours. Neighbours whose distances may become
 * shorter by that are put on the list `next`. */
static __device__ inline void search_corners(const dual_view &v, int tile, uint32_t *next, dual_exchange &exchange)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int x = tile % v.tiles_x * TC_TILE + lane, y0 = tile / v.tiles_x * TC_TILE + warp * WARP_ROWS;
    const bool first = warp == 0, last = warp == WARPS - 1, at_end = lane == 0 || lane == 31;
    const size_t at = rows_at(tile);
    const int bound = __ldcg(&v.facts->bound);
    dual_rows t;
    int was[WARP_ROWS];
    dual_side sideways[WARP_ROWS]; /* used by lanes 0 and 31 */
    dual_side outward = {{FAR, 0}, CLOSED}; /* above the first warp, below the last */
    bool rim = false;

#pragma unroll
    for (int r = 0; r < WARP_ROWS; r++) {
        const bool on = on_rim(v, x, y0 + r);
        const reach own = unpack(__ldcg(on ? &v.facts->outer : v.label + at + r * TC_TILE));
        t.distance[r] = was[r] = min(own.distance, bound), t.origin[r] = own.origin;
        sideways[r] = {{FAR, 0}, CLOSED};
        if (at_end) sideways[r] = side_of(v, x, y0 + r, lane == 0 ? TC_LEFT : TC_RIGHT);
    }
    if (first) outward = side_of(v, x, y0, TC_UP);
    if (last) outward = side_of(v, x, y0 + WARP_ROWS - 1, TC_DOWN);
    rows_costs(v.cost + at, t);
#pragma unroll
    for (int r = 0; r < WARP_ROWS; r++) offer(t, r, sideways[r].there, lane == 0 ? t.left[0][r] : t.right[0][r]);
    if (first) exchange.bottom[0][0][lane] = exchange.bottom[1][0][lane] = outward.there;
    if (last) exchange.top[0][WARPS][lane] = exchange.top[1][WARPS][lane] = outward.there;
    show(exchange, 0, t);
    __syncthreads();
    const bool more = tile_turns(t, exchange);

    if (more && threadIdx.x == 0) list_add(next, tile);
#pragma unroll
    for (int r = 0; r < WARP_ROWS; r++) {
        if (t.distance[r] >= was[r]) continue;
        const unsigned long long mine = pack({t.distance[r], t.origin[r]});
        if (on_rim(v, x, y0 + r)) rim |= atomicMin(&v.facts->outer, mine) > mine;
        else __stcg(v.label + at + r * TC_TILE, mine);
        if (at_end && t.distance[r] + sideways[r].cost < min(sideways[r].there.distance, bound))
            list_add(next, lane == 0 ? tile - 1 : tile + 1);
        if ((first && r == 0) || (last && r == WARP_ROWS - 1))
            if (t.distance[r] + outward.cost < min(outward.there.distance, bound))
                list_add(next, first ? tile - v.tiles_x : tile + v.tiles_x);
    }
    if (__syncthreads_or(rim) && threadIdx.x == 0) wake_around(v, 0, 0, next);
}

#endif
