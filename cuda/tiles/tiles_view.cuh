/* SPDX-License-Identifier: MIT
 *
 * tiles_view.cuh - what the fastest GPU solver stores for each tile besides capacities and excesses.
 *
 * The solver is written once, for TC_NEIGHBOURS neighbours (src/grid/neighbourhood.h), and compiled for 4, 6 and 8.
 * Over each of its four sides, a tile has links to the tile beside it: straight ones and, with diagonals, two more
 * kinds, which lead one pixel further along the side or one pixel back. At a corner these lead to a third tile. In a
 * volume a tile is also linked, pixel by pixel, to the tiles at the same place in the next and the previous slice.
 */
#pragma once

#include "grid_view.cuh"
#include "worklist.cuh"

extern "C" {
#include "neighbourhood.h"
}

enum {
    WARP_ROWS = 4,                 /* rows of a tile that a warp holds in registers  */
    WARPS = TC_TILE / WARP_ROWS,  /* warps of a block; a block works on one tile at a time */
    BLOCK = WARPS * 32,
    UNREACHED = 0x3fffffff,    /* height of a pixel that reaches no sink         */
    PLANES = 16,               /* heights within a tile stay below 2^16          */
    LINKS = TC_NEIGHBOURS,
    KINDS = TC_DIAGONALS ? 3 : 1, /* kinds of links over a side: straight, one pixel further along, one pixel back */
    SIDES = 4,
    /* bit rows of a tile, 32 words each: first the links with residual capacity, by direction, then */
    BITS_SINK = LINKS, BITS_ACTIVE, BITS,
    /* heights as a relabelling leaves them: the pixels that have a height, the bit planes, the lowest height and the
     * number of planes */
    LEVELS_SET = 0, LEVELS_PLANE, LEVELS_BASE = LEVELS_PLANE + PLANES, LEVELS
};

/* Heights during a visit to a tile are floats. The sink is at 0, and a pixel whose sink link has room is at LEVEL.
 * HIGHEST means that far or farther, or that the pixel reaches no sink. Sums of two heights are exact. */
static constexpr float LEVEL = 1.0f / (1 << 23), HIGHEST = 1;

static __device__ inline float height_of(int levels)
{
    /* LEVEL is the last bit of a float between 1 and 2 */
    return __int_as_float(0x3f800001 + min(levels, (1 << 23) - 1)) - 1.0f;
}

static __device__ inline int levels_of(float height)
{
    return height < HIGHEST ? __float_as_int(height + 1.0f) - 0x3f800001 : (int)UNREACHED;
}

typedef struct tiles_view {
    grid_view grid;
    float *height;      /* [tile][pixel] from LEVEL to HIGHEST, as the last visit to the tile left them */
    uint32_t *bits;     /* [tile][BITS][row]                                                       */
    uint32_t *levels;   /* [tile][LEVELS][row]                                                     */
    int *border;        /* [tile][side][32] heights of the tile's outermost pixels                 */
    /* [2][tile][side][kind][32] flow that came over each side and has not been added yet, indexed by the receiving
     * pixel and the kind of its link back */
    float *inbox;
    uint32_t *relabelled; /* [tile] 1: the heights are in `levels`; 0: they are in `height`        */
    uint32_t *todo;     /* [3][words] bit sets of the tiles to discharge in this round and the next two */
    uint32_t *to_label; /* [3][words] bit sets of the tiles to relabel in this round and the next two   */
    int words;
} tiles_view;

/* The direction of the diagonal that leads down or up (`across`) and right or left (`along`). */
static __host__ __device__ constexpr int diagonal_of(int across, int along)
{
    return across == TC_DOWN ? (along == TC_RIGHT ? TC_DOWN_RIGHT : TC_DOWN_LEFT)
                             : (along == TC_RIGHT ? TC_UP_RIGHT : TC_UP_LEFT);
}

/* The direction of a link of the given kind over side d. */
static __host__ __device__ constexpr int link_over(int d, int kind)
{
    if (kind == 0) return d;
    if (d == TC_RIGHT || d == TC_LEFT) return diagonal_of(kind == 1 ? TC_DOWN : TC_UP, d);
    return diagonal_of(d, kind == 1 ? TC_RIGHT : TC_LEFT);
}

/* How many pixels a link of this kind leads along the side, and the kind of the link back. */
static __host__ __device__ constexpr int shift_of(int kind)
{
    return kind == 0 ? 0 : kind == 1 ? 1 : -1;
}

static __host__ __device__ constexpr int kind_back(int kind)
{
    return kind == 0 ? 0 : 3 - kind;
}

/* The number of tiles in a slice. */
static __device__ inline int slice_tiles(const grid_view &g)
{
    return g.tiles_x * g.slice_rows;
}

/* Returns the tile next to `tile` in direction d, over a side or, in a volume, in another slice; -1 if there is
 * none. */
static __device__ inline int tile_beside(const grid_view &g, int tile, int d)
{
    const int x = tile % g.tiles_x;
    if (d == TC_RIGHT) return x + 1 < g.tiles_x ? tile + 1 : -1;
    if (d == TC_LEFT) return x > 0 ? tile - 1 : -1;
    if (TC_SLICES) {
        const int y = tile / g.tiles_x % g.slice_rows;
        if (d == TC_DOWN) return y + 1 < g.slice_rows ? tile + g.tiles_x : -1;
        if (d == TC_UP) return y > 0 ? tile - g.tiles_x : -1;
        if (d == TC_BEHIND) return tile + slice_tiles(g) < view_tiles(g) ? tile + slice_tiles(g) : -1;
        return tile >= slice_tiles(g) ? tile - slice_tiles(g) : -1;
    }
    if (d == TC_DOWN) return tile + g.tiles_x < view_tiles(g) ? tile + g.tiles_x : -1;
    return tile - g.tiles_x;
}

/* Returns the tile that touches `tile` at a corner; -1 if there is none. */
static __device__ inline int diagonal_tile(const grid_view &g, int tile, int across, int along)
{
    const int over = tile_beside(g, tile, across);
    return over < 0 ? -1 : tile_beside(g, over, along);
}

/* True if the tile is worked on in this round. In a volume, tiles of even and of odd slices take turns, so that a tile
 * never changes while a tile of a neighbouring slice is worked on. */
static __device__ inline bool has_turn(const grid_view &g, int tile, unsigned round)
{
    return !TC_SLICES || (((unsigned)(tile / slice_tiles(g)) + round) & 1) == 0;
}

/* In a volume a tile is worked on in every second round only, so limits of rounds are multiplied by this. */
enum { SLICE_TURNS = TC_SLICES ? 2 : 1 };

static __device__ inline size_t side_at(int tile, int d)
{
    return ((size_t)tile * SIDES + (size_t)d) * TC_TILE;
}

static __device__ inline uint32_t *bits_at(const tiles_view &v, int tile, int which)
{
    return v.bits + ((size_t)tile * BITS + (size_t)which) * TC_TILE;
}

static __device__ inline uint32_t *levels_at(const tiles_view &v, int tile, int which)
{
    return v.levels + ((size_t)tile * LEVELS + (size_t)which) * TC_TILE;
}

/* The inboxes that are filled in `round`. A tile empties them the next time it is worked on. */
static __device__ inline float *inbox_at(const tiles_view &v, unsigned round, int tile, int d, int kind)
{
    const size_t half = (size_t)(round / SLICE_TURNS & 1) * view_tiles(v.grid) * SIDES * KINDS * TC_TILE;
    return v.inbox + half + side_at(tile, d) * KINDS + (size_t)(kind * TC_TILE);
}
