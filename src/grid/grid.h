/* SPDX-License-Identifier: MIT
 *
 * grid.h - the capacitated pixel grid. Every graph is built into one, every solver works on one, and CPU and GPU
 * share its layout. This header alone defines that layout; it is plain C, so nvcc can read it, too.
 *
 * Pixels lie in tiles of TC_TILE x TC_TILE. Tiles are row-major in the image, and pixels are row-major in their tile
 * (Hussein, Varshney & Davis 2007, section VI.B). Tiles at ragged borders are padded with nodes whose capacities are
 * all zero, and links that would leave the image have capacity zero. Before and after each array lie guard nodes, a row
 * of tiles and one more tile, which read as zero and are never written. So the neighbour of any node may be read in any
 * direction, and a push needs no bounds test.
 *
 * There are two layouts of links. By node: the four links of a node lie together, as in tc_float4. By row, so that
 * loops over a row can use vectors: each row of a tile has its TC_TILE links to the right, then those to the left, down
 * and up (tc_link_at()). Diagonals are another array in the same layout. `by_rows` says which layout a grid has, and
 * tc_grid_arrange() changes it.
 *
 * Terminal links are merged into the excess. A positive excess came from the source and has to move. A negative excess
 * is the residual capacity of the link to the sink; a push that arrives is simply added to it. The flow min(source,
 * sink) goes from source to sink directly, and is stored in no node.
 *
 * Invariants (tc_certify proves them after every solve):
 *   - capacities and excesses are whole numbers below 2^24 in magnitude: float32 holds them exactly;
 *   - residual(u,v) + residual(v,u) never changes, both stay >= 0;
 *   - excess(u) = terminal(u) + flow in - flow out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lattice.h"
#include "stored.h"
#include "tilecut.h"

enum {
    TC_TILE_BITS = 5,
    TC_TILE = 1 << TC_TILE_BITS,      /* pixels along a side of a tile: the width of a warp */
    TC_TILE_NODES = TC_TILE * TC_TILE
};

/* Every number that float32 must hold exactly is smaller than this in magnitude. */
#define TC_EXACT_LIMIT (1 << 24)

/* Directions of links. The opposite of d is d ^ 1. */
enum {
    TC_RIGHT, TC_LEFT, TC_DOWN, TC_UP,
    TC_DOWN_RIGHT, TC_UP_LEFT, TC_DOWN_LEFT, TC_UP_RIGHT
};

/* Directions in a volume, which replace the diagonals: to the same pixel of the next slice, and of the previous one. */
enum { TC_BEHIND = 4, TC_BEFORE = 5 };

/* Residual capacities of the four links out of a node, indexed by direction (for diagonals: d - 4). */
typedef struct tc_float4 {
    float to[4];
} tc_float4;

/* Words for the solver's own use. They are zero when it starts, and have no meaning when it returns. */
typedef struct tc_node {
    int32_t height;
    union { int32_t mark; uint32_t mark_u; };
    int32_t link;
} tc_node;

typedef struct tc_grid {
    int width, height;    /* pixels of the image                                          */
    int depth;            /* number of slices; 1: an image                                */
    int connectivity;     /* 4 or 8; a volume has 6 or 26                                 */
    int tiles_x, tiles_y; /* number of tiles across and down; in a volume, slices lie one below the other */
    int slice_rows;       /* for a volume: rows of tiles in a slice; else 0               */
    size_t nodes;         /* tiles_x * tiles_y * TC_TILE_NODES                            */
    bool by_rows;         /* the layout of links, see above                               */
    int stored;           /* the descriptor of the file that holds capacities and excesses; 0: they are in memory */
    tc_float4 *residual;  /* [nodes] to the right, left, down, up                         */
    tc_float4 *diagonal;  /* [nodes] down-right, up-left, down-left, up-right; NULL with 4 neighbours. In a volume: to
                             the next slice, to the previous slice, and two unused numbers */
    float *wide;          /* [nodes][26] in a volume with 26 neighbours, instead of residual and diagonal; else NULL:
                             see wide.h */
    float *excess;        /* [nodes]                                                      */
    tc_node *node;        /* [nodes] only the parts that a solver writes take memory      */
    int64_t sinks;        /* the sum of the capacities of all links to the sink, as built from a graph */
    tc_stored mapping[4]; /* the memory of residual or wide, of excess, of node and of diagonal, including guard
                             nodes */
} tc_grid;

/* Index of pixel (x, y) in the arrays of a grid that is `tiles_x` tiles wide. */
static inline size_t tc_index(int tiles_x, int x, int y)
{
    const size_t tile = (size_t)(y >> TC_TILE_BITS) * (size_t)tiles_x + (size_t)(x >> TC_TILE_BITS);
    return tile * TC_TILE_NODES + (size_t)((y & (TC_TILE - 1)) << TC_TILE_BITS) + (size_t)(x & (TC_TILE - 1));
}

static inline size_t tc_grid_at(const tc_grid *grid, int x, int y)
{
    return tc_index(grid->tiles_x, x, y);
}

/* Returns the node of voxel (x, y, z) of a volume. */
static inline size_t tc_volume_at(const tc_grid *grid, int x, int y, int z)
{
    return tc_grid_at(grid, x, y) + (size_t)z * (size_t)grid->slice_rows * (size_t)grid->tiles_x * TC_TILE_NODES;
}

/* The number of rows of tiles in a slice. */
static inline int tc_slice_rows(const tc_grid *grid)
{
    return grid->tiles_y / grid->depth;
}

/* Column and row of node p: the inverse of tc_index(). */
static inline void tc_position(int tiles_x, size_t p, int *x, int *y)
{
    const int tile = (int)(p / TC_TILE_NODES);
    const int inside = (int)(p % TC_TILE_NODES);
    *x = (tile % tiles_x) * TC_TILE + (inside & (TC_TILE - 1));
    *y = (tile / tiles_x) * TC_TILE + (inside >> TC_TILE_BITS);
}

/* The neighbour of p in direction d (0..3). At the edge of the image this is a guard node, whose index may be negative,
 * or a node at the opposite edge. The link to it has capacity zero, and so has the link back. */
static inline ptrdiff_t tc_neighbour(int tiles_x, ptrdiff_t p, int d)
{
    const ptrdiff_t row = (ptrdiff_t)tiles_x * TC_TILE_NODES; /* one row of tiles */
    const ptrdiff_t x = p & (TC_TILE - 1), y = (p >> TC_TILE_BITS) & (TC_TILE - 1);
    switch (d) {
    case TC_RIGHT: return x != TC_TILE - 1 ? p + 1 : p + TC_TILE_NODES - (TC_TILE - 1);
    case TC_LEFT: return x != 0 ? p - 1 : p - TC_TILE_NODES + (TC_TILE - 1);
    case TC_DOWN: return y != TC_TILE - 1 ? p + TC_TILE : p + row - (TC_TILE - 1) * TC_TILE;
    default: return y != 0 ? p - TC_TILE : p - row + (TC_TILE - 1) * TC_TILE;
    }
}

/* Does the same as tc_neighbour() for all eight directions; for solvers such as that of
 * docs/design/adding-a-solver.md. */
static inline ptrdiff_t tc_neighbour8(int tiles_x, ptrdiff_t p, int d)
{
    if (d < 4) return tc_neighbour(tiles_x, p, d);
    p = tc_neighbour(tiles_x, p, d == TC_DOWN_RIGHT || d == TC_DOWN_LEFT ? TC_DOWN : TC_UP);
    return tc_neighbour(tiles_x, p, d == TC_DOWN_RIGHT || d == TC_UP_RIGHT ? TC_RIGHT : TC_LEFT);
}

/* The index of the link of pixel (x, y) in direction d, 0 .. 3, in a tile whose links lie by row. For a diagonal, pass
 * d - 4; the index is then one of the array of diagonals. */
static inline int tc_link_at(int d, int x, int y)
{
    return (4 * y + d) * TC_TILE + x;
}

/* The residual capacity of the link out of p in direction d (0..7; 4..7 only with 8 neighbours), in either layout. */
static inline float *tc_residual(const tc_grid *grid, ptrdiff_t p, int d)
{
    tc_float4 *const four = d < 4 ? grid->residual : grid->diagonal;
    if (!grid->by_rows) return &four[p].to[d & 3];
    const ptrdiff_t x = p & (TC_TILE - 1);
    return (float *)(four + p - x) + tc_link_at(d & 3, (int)x, 0); /* spans more than this node's four links */
}

/* Maps memory for a grid of `width` x `height` x `depth` pixels, aligned to large pages and not yet touched. An image
 * has depth 1, and 4 or 8 neighbours; a volume has 6 or 26. The threads that build the grid write every node. `file` is
 * 0, or the descriptor of a file that will hold capacities and excesses; its space on the disk is reserved at once.
 * Errors: ENOMEM; the grid is then empty. */
tilecut_status tc_grid_init_lattice(tc_grid *grid, int width, int height, int depth, int connectivity, int file);

/* These do the same as tc_grid_init_lattice() in memory: the first for an image, the second for a volume. */
tilecut_status tc_grid_init(tc_grid *grid, int width, int height, int connectivity);
tilecut_status tc_grid_init_volume(tc_grid *grid, int width, int height, int depth, int connectivity);

/* Releases the memory of a grid that lies in a file until it is read again, and forgets `node`. Does nothing to a grid
 * in memory. */
void tc_grid_release_pages(tc_grid *grid);

void tc_grid_free(tc_grid *grid);

/* The bytes of capacities and excesses. For a solver that uses `node`, all of it is counted, though in a large grid the
 * pages that the solver does not write take no memory. */
size_t tc_grid_bytes(const tc_grid *grid);

/* Makes all of `node` zero again, for the next solver. */
void tc_grid_clear(tc_grid *grid);

/* Rearranges links by row or by node. Does nothing if that is their layout already. */
void tc_grid_arrange(tc_grid *grid, bool by_rows, int threads);
