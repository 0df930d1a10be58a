/* SPDX-License-Identifier: MIT
 *
 * tiles_view.cuh - what the fastest GPU solver keeps for each tile besides capacities and excesses.
 */
#ifndef TC_TILES_VIEW_CUH
#define TC_TILES_VIEW_CUH

#include "grid_view.cuh"
#include "worklist.cuh"

enum {
    WARP_ROWS = 4,                 /* rows of a tile that a warp has in registers    */
    WARPS = TC_TILE / WARP_ROWS,  /* warps of a block, which has a tile at a time   */
    BLOCK = WARPS * 32,
    UNREACHED = 0x3fffffff,    /* height of a pixel that reaches no sink         */
    PLANES = 16,               /* heights within a tile stay below 2^16          */
    /* bit rows of a tile, 32 words each: links with residual capacity by direction, then */
    BITS_SINK = 4, BITS_ACTIVE, BITS,
    /* heights as a relabelling leaves them: pixels that have one, bit planes, lowest height and number of planes */
    LEVELS_SET = 0, LEVELS_PLANE, LEVELS_BASE = LEVELS_PLANE + PLANES, LEVELS
};

/* Heights during a visit to a tile are floats. The sink is at 0, and a pixel whose sink link has room is at LEVEL.
 * HIGHEST means that far or farther, or that no sink is reached. Sums of two heights are exact. */
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
    int *border;        /* [tile][direction][32] heights of the tile's outermost pixels            */
    float *inbox;       /* [2][tile][direction][32] flow that came over each side and is not added yet */
    uint32_t *relabelled; /* [tile] 1: heights are in `levels`; 0: in `height`                     */
    uint32_t *todo;     /* [3][words] tiles to discharge in this round, the next, and the one after */
    uint32_t *to_label; /* [3][words] the same for relabelling                                     */
    int words;
} tiles_view;

/* The tile next to `tile` on side `d`, -1 outside the image. */
static __device__ inline int tile_beside(const grid_view &g, int tile, int d)
{
    const int x = tile % g.tiles_x;
    if (d == TC_RIGHT) return x + 1 < g.tiles_x ? tile + 1 : -1;
    if (d == TC_LEFT) return x > 0 ? tile - 1 : -1;
    if (d == TC_DOWN) return tile + g.tiles_x < view_tiles(g) ? tile + g.tiles_x : -1;
    return tile - g.tiles_x;
}

static __device__ inline size_t side_at(int tile, int d)
{
    return ((size_t)tile * 4 + (size_t)d) * TC_TILE;
}

static __device__ inline uint32_t *bits_at(const tiles_view &v, int tile, int which)
{
    return v.bits + ((size_t)tile * BITS + (size_t)which) * TC_TILE;
}

static __device__ inline uint32_t *levels_at(const tiles_view &v, int tile, int which)
{
    return v.levels + ((size_t)tile * LEVELS + (size_t)which) * TC_TILE;
}

static __device__ inline float *inbox_at(const tiles_view &v, unsigned round, int tile, int d)
{
    return v.inbox + (size_t)(round & 1) * view_tiles(v.grid) * 4 * TC_TILE + side_at(tile, d);
}

#endif
