/* SPDX-License-Identifier: MIT
 *
 * flood.cuh - finds the pixels that reach a sink: cut.c on a GPU. It is a flood on bit rows, backwards over residual
 * links. It can continue when other parts of the image report that pixels of this part's halo are reached.
 *
 * The result is stored in the memory of a relabelling's result, so that the same code reads it. A warp has a tile. Each
 * lane has one row of it, in the middle of a word of 64 bits, with a pixel of the tile beside it at either end. Tiles
 * whose neighbours have changed along the border are on a list; after each round over the list, all blocks wait at a
 * barrier. In a volume, a tile is also linked to the tiles at the same place in the next and the previous slice, pixel
 * by pixel.
 */
#pragma once

#include "levels.cuh"
#include "patch.cuh"

/* Reads the bit rows of all tiles of a grid. Sinks are marked as reached, and their tiles are put on the list. */
static __global__ void scan_kernel(tiles_view v)
{
    for (int tile = blockIdx.x; tile < view_tiles(v.grid); tile += gridDim.x) {
        patch_read read;
        patch s;
        load_patch(v, tile, read);
        read_patch(read, s);
        store_bits(v, tile, s);
        __syncthreads();
        if (threadIdx.x < 32) {
            const uint32_t sinks = __ldcg(bits_at(v, tile, BITS_SINK) + threadIdx.x);
            levels_at(v, tile, LEVELS_SET)[threadIdx.x] = sinks;
            if (__any_sync(WARP, sinks) && threadIdx.x == 0) list_add(v.todo, tile);
        }
    }
}

/* The pixel of a thread in row y of an image, or in slice y of a volume. The threads of a warp have the pixels of one
 * row of a tile. */
typedef struct border_pixel {
    int tile, row, column; /* within the tile                          */
    int at;                /* index in arrays of the border; -1: the pixel is padding */
} border_pixel;

/* The number of threads for all pixels of a border. */
static __host__ __device__ inline size_t border_threads(const grid_view &g)
{
    return (size_t)(TC_SLICES ? g.height : 1) * (size_t)g.tiles_x * TC_TILE;
}

static __device__ inline border_pixel border_pixel_of(const grid_view &g, int y)
{
    const int i = (int)(blockIdx.x * BLOCK + threadIdx.x), columns = g.tiles_x * TC_TILE;
    const int x = i % columns, below = i / columns, row = TC_SLICES ? below : y; /* row: in its slice or, without
                                                                                    slices, in the image */
    const int first = TC_SLICES ? y * g.slice_rows : 0;
    const bool inside = x < g.width && (size_t)i < border_threads(g);
    return {(first + row / TC_TILE) * g.tiles_x + x / TC_TILE, row % TC_TILE, x % TC_TILE,
            inside ? below * g.width + x : -1};
}

/* Marks pixels along a border as reached, and puts their tiles on the list. */
static __global__ void reach_kernel(tiles_view v, int y, const uint8_t *news)
{
    const border_pixel p = border_pixel_of(v.grid, y);
    const uint32_t set = __ballot_sync(WARP, p.at >= 0 && news[p.at]);
    if (!set || p.column) return;
    levels_at(v, p.tile, LEVELS_SET)[p.row] |= set;
    list_add(v.todo, p.tile);
}

/* Writes to `reached` whether each pixel along a border is reached. */
static __global__ void reached_kernel(tiles_view v, int y, uint8_t *reached)
{
    const border_pixel p = border_pixel_of(v.grid, y);
    if (p.at >= 0) reached[p.at] = levels_at(v, p.tile, LEVELS_SET)[p.row] >> p.column & 1;
}

/* Counts the pixels with excess, and how many of them are reached. */
static __global__ void count_kernel(tiles_view v, unsigned long long *counts)
{
    const int lane = threadIdx.x & 31;
    unsigned long long all = 0, reached = 0;
    for (int tile = blockIdx.x * WARPS + (threadIdx.x >> 5); tile < view_tiles(v.grid); tile += gridDim.x * WARPS) {
        const uint32_t active = bits_at(v, tile, BITS_ACTIVE)[lane];
        all += (unsigned)__popc(active);
        reached += (unsigned)__popc(active & levels_at(v, tile, LEVELS_SET)[lane]);
    }
    for (int d = 16; d; d >>= 1) {
        all += __shfl_xor_sync(WARP, all, d);
        reached += __shfl_xor_sync(WARP, reached, d);
    }
    if (lane == 0 && all) atomicAdd(counts, all);
    if (lane == 0 && reached) atomicAdd(counts + 1, reached);
}

/* The reached pixels in row `row` of a tile; 0 if there is no tile. */
static __device__ inline uint64_t reached_in(const tiles_view &v, int tile, int row)
{
    return tile < 0 ? 0 : __ldcg(levels_at(v, tile, LEVELS_SET) + row);
}

/* A row of a tile, extended by one pixel of the tile on either side: bit x + 1 is pixel x. */
static __device__ inline uint64_t with_ends(uint64_t row, uint64_t left, uint64_t right)
{
    return row << 1 | left >> 31 | (right & 1) << 33;
}

/* The rows of a tile and of the tiles above and below, as a lane sees them. */
typedef struct flood_rows {
    uint64_t here;
    uint64_t beyond; /* in the first lane the row above the tile, in the last lane the row below it */
} flood_rows;

/* The pixels of the lane's row that are reached from the next or the previous slice. */
static __device__ inline uint64_t from_slices(const tiles_view &v, int tile, const tile_bits &b)
{
    uint64_t set = 0;
#if TC_NEIGHBOURS == 6
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int d = TC_BEHIND; d <= TC_BEFORE; d++) set |= b.open[d] & reached_in(v, tile_beside(v.grid, tile, d), lane);
#else
    (void)v, (void)tile, (void)b;
#endif
    return set << 1;
}

static __device__ inline flood_rows rows_open(const tiles_view &v, int tile, uint32_t own)
{
    const int lane = threadIdx.x & 31;
    const int left = tile_beside(v.grid, tile, TC_LEFT), right = tile_beside(v.grid, tile, TC_RIGHT);
    flood_rows r = {with_ends(own, reached_in(v, left, lane), reached_in(v, right, lane)), 0};
    if (lane != 0 && lane != 31) return r;
    const int across = lane == 0 ? TC_UP : TC_DOWN, row = lane == 0 ? 31 : 0, over = tile_beside(v.grid, tile, across);
    r.beyond = with_ends(reached_in(v, over, row), reached_in(v, diagonal_tile(v.grid, tile, across, TC_LEFT), row),
                         reached_in(v, diagonal_tile(v.grid, tile, across, TC_RIGHT), row));
    return r;
}

/* Extends the set bits of `set` through adjacent bits of `pass`, by the method of Kogge and Stone, as in cut.c. */
static __device__ inline uint64_t spread_up(uint64_t set, uint64_t pass)
{
#pragma unroll
    for (int d = 1; d <= 16; d *= 2) set |= pass & set << d, pass &= pass << d;
    return set;
}

static __device__ inline uint64_t spread_down(uint64_t set, uint64_t pass)
{
#pragma unroll
    for (int d = 1; d <= 16; d *= 2) set |= pass & set >> d, pass &= pass >> d;
    return set;
}

/* The reached pixels of the lane's row after a step from the rows above and below, and steps along the row. */
static __device__ inline uint64_t flood_step(const tile_bits &b, const flood_rows &r)
{
    const int lane = threadIdx.x & 31;
    uint64_t above = __shfl_up_sync(WARP, r.here, 1), below = __shfl_down_sync(WARP, r.here, 1), set = r.here;
    if (lane == 0) above = r.beyond;
    if (lane == 31) below = r.beyond;
    set |= ((uint64_t)b.open[TC_UP] << 1 & above) | ((uint64_t)b.open[TC_DOWN] << 1 & below);
#if TC_NEIGHBOURS == 8
    set |= ((uint64_t)b.open[TC_DOWN_RIGHT] << 1 & below >> 1) | ((uint64_t)b.open[TC_DOWN_LEFT] << 1 & below << 1) |
           ((uint64_t)b.open[TC_UP_RIGHT] << 1 & above >> 1) | ((uint64_t)b.open[TC_UP_LEFT] << 1 & above << 1);
#endif
    set = spread_up(set, (uint64_t)b.open[TC_LEFT] << 1);
    return spread_down(set, (uint64_t)b.open[TC_RIGHT] << 1);
}

/* Puts tiles that border on changed pixels of `tile` on the list. `changed` holds the changed pixels of the lane's
 * row. */
static __device__ inline void flood_wake(const tiles_view &v, int tile, uint32_t changed, uint32_t *next)
{
    const int lane = threadIdx.x & 31;
    const bool left = __any_sync(WARP, changed & 1), right = __any_sync(WARP, changed >> 31);
    const bool up = __any_sync(WARP, lane == 0 && changed), down = __any_sync(WARP, lane == 31 && changed);
    const bool wakes[4] = {right, left, down, up}; /* by direction */
    if (lane >= 4) return;
    const int to = wakes[lane] ? tile_beside(v.grid, tile, lane) : -1;
    if (to >= 0) list_add(next, to);
#if TC_NEIGHBOURS == 8
    const int across = lane & 2 ? TC_DOWN : TC_UP, along = lane & 1 ? TC_RIGHT : TC_LEFT;
    const bool diagonal = (lane & 2 ? down : up) && (lane & 1 ? right : left);
    const int corner = diagonal ? diagonal_tile(v.grid, tile, across, along) : -1;
    if (corner >= 0) list_add(next, corner);
#endif
}

/* Puts the tiles at the same place in the next and the previous slice on the list, if some of their pixels are reached
 * from `changed` pixels. */
static __device__ inline void wake_slices(const tiles_view &v, int tile, uint32_t changed, uint32_t *next)
{
#if TC_NEIGHBOURS == 6
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int d = TC_BEHIND; d <= TC_BEFORE; d++) {
        const int to = tile_beside(v.grid, tile, d);
        const uint32_t back = to < 0 ? 0 : __ldcg(bits_at(v, to, d ^ 1) + lane);
        const bool wakes = changed & back & ~(uint32_t)reached_in(v, to, lane);
        if (__any_sync(WARP, wakes) && lane == 0) list_add(next, to);
    }
#else
    (void)v, (void)tile, (void)changed, (void)next;
#endif
}

/* Floods one tile. `first`: the pixels reached so far have not been passed on to the neighbours yet. */
static __device__ inline void flood_tile(const tiles_view &v, int tile, bool first, uint32_t *next)
{
    const int lane = threadIdx.x & 31;
    uint32_t *const label = levels_at(v, tile, LEVELS_SET) + lane;
    const tile_bits b = bits_load(v, tile);
    const uint32_t before = __ldcg(label);
    flood_rows r = rows_open(v, tile, before);
    r.here |= from_slices(v, tile, b);
    for (bool more = true; more;) {
        const uint64_t set = flood_step(b, r);
        more = __any_sync(WARP, set != r.here);
        r.here = set;
    }
    const uint32_t now = (uint32_t)(r.here >> 1);
    if (now != before) __stcg(label, now);
    __syncwarp();
    flood_wake(v, tile, first ? now : now ^ before, next);
    wake_slices(v, tile, first ? now : now ^ before, next);
}

/* Floods from the tiles on the first list; the other lists must be empty. Cooperative launch. */
static __global__ void __launch_bounds__(BLOCK) flood_kernel(tiles_view v, unsigned *arrived)
{
    const unsigned warp = (threadIdx.x >> 5) * gridDim.x + blockIdx.x, warps = gridDim.x * WARPS;
    unsigned target = 0;
    for (unsigned round = 0;; round++) {
        uint32_t *const next = list_of(v.todo, v.words, round + 1);
        const int n = list_share(list_of(v.todo, v.words, round), v.words, warp, warps,
                                 [&](int tile) { flood_tile(v, tile, round == 0, next); });
        if (n == 0) return;
        list_clear(list_of(v.todo, v.words, round + 2), v.words);
        barrier_all(arrived, &target);
    }
}
