/* SPDX-License-Identifier: MIT
 *
 * tile_board.h - a tile as bitboards: 32 x 32 yes/no facts about its pixels in 32 words, a word per row.
 *
 * Everything a breadth-first search asks of a residual graph is one bit per pixel: is this link open, is
 * this pixel a sink, was it seen. One step of the search for all 1024 pixels of a tile is then a shift and
 * an `and` per direction, some tens of instructions with vectors of 8 or 16 rows. Boards live in an array
 * of their own: spread over the nodes, 16 KB apart, they would share few sets of the cache.
 *
 * While boards are in use the nodes of a tile, 16 KB, are cut in four planes of 4 KB: plane (tile & 3)
 * holds the excesses, a float per pixel; the other three hold snapshots of search levels, numbered
 * through all tiles. So the whole search costs no memory but the boards.
 */
#ifndef TC_TILE_BOARD_H
#define TC_TILE_BOARD_H

#include "grid.h"

/* The rim of the four neighbours that a search reached one level earlier. Bit x of top and bottom is
 * column x, bit y of left and right is row y. */
typedef struct tc_halo {
    uint32_t top, bottom, left, right;
} tc_halo;

typedef struct tc_board {
    uint32_t open[4][TC_TILE]; /* the link in direction d has residual capacity             */
    uint32_t source[TC_TILE];  /* excess > 0 that may still reach a sink                    */
    uint32_t sink[TC_TILE];    /* excess < 0                                                */
    uint32_t lead[4][TC_TILE]; /* the open link in direction d is a step to a sink, if kept */
    uint32_t seen[TC_TILE];    /* reached by the running search                             */
    uint32_t front[TC_TILE];   /* reached by it at `level`                                  */
    tc_halo halo[2];           /* told by the neighbours, by parity of the level they feed  */
    int32_t queued;            /* the level this tile was last queued for                   */
    int32_t level, snapshot;   /* the last level that reached it, and its number in the log */
    uint32_t inside;           /* bit d: the neighbour in direction d belongs to the region */
} tc_board;

/* The pixels of a tile that one level of a search reached. */
typedef struct tc_snapshot {
    int32_t tile;
    int32_t previous; /* snapshot of the same tile one level earlier, or NO_SNAPSHOT */
    tc_halo halo;     /* of the level before                                          */
    uint32_t front[TC_TILE];
} tc_snapshot;

enum { TC_NO_SNAPSHOT = -1, TC_SNAPSHOTS_A_PLANE = 4096 / (int)sizeof(tc_snapshot) };
enum { TC_SNAPSHOTS_A_TILE = 3 * TC_SNAPSHOTS_A_PLANE };

static inline char *tc_plane(tc_node *node, int tile, int plane)
{
    return (char *)(node + (size_t)tile * TC_TILE_NODES) + (size_t)(plane & 3) * 4096;
}

static inline float *tc_excess_plane(tc_node *node, int tile)
{
    return (float *)(void *)tc_plane(node, tile, tile);
}

static inline tc_snapshot *tc_snapshot_at(tc_node *node, int number)
{
    const int tile = number / TC_SNAPSHOTS_A_TILE, rest = number % TC_SNAPSHOTS_A_TILE;
    char *plane = tc_plane(node, tile, tile + 1 + rest / TC_SNAPSHOTS_A_PLANE);
    return (tc_snapshot *)(void *)plane + rest % TC_SNAPSHOTS_A_PLANE;
}

/* A tile for `drain`: its excesses, and its links in four planes of TC_TILE_NODES, one for each direction. */
typedef struct tc_tile_view {
    tc_board *board;
    float *excess, *links;
} tc_tile_view;

/* The inner loops, compiled for several instruction sets; the results are the same bits. */
typedef struct tc_board_kernels {
    /* Moves the search in `board` one level on, from its front (empty unless `go_on`) and `halo`: front
     * and seen are updated. False when nothing new was reached. left and right: the columns of the front
     * at the tile's edges, bit y for row y. sources: how many of the new pixels are sources. */
    bool (*advance)(tc_board *board, const tc_halo *halo, bool go_on, uint32_t *left, uint32_t *right,
                    int *sources);
    /* The same, and adds to `lead` the links from new pixels to the front they were reached from. */
    bool (*advance_leading)(tc_board *board, const tc_halo *halo, bool go_on, uint32_t *left, uint32_t *right,
                            int *sources);
    /* Lets the sources of tile `here` push along `lead`, in up to `sweeps` sweeps over its rows, and keeps
     * the boards right. around[d]: the tile in direction d. Returns whether any may still push. more: by how
     * many the sources have become more; over: bit d is set if the tile in direction d was fed. */
    bool (*drain)(const tc_tile_view *here, const tc_tile_view around[4], int sweeps, int *more,
                  uint32_t *over);
    /* push[d]: the sources of `board` within `front` that have an open link in direction d to a pixel of
     * `previous` (may be NULL: none) or `halo`. Returns the rows where there is one, a bit per row. */
    uint32_t (*aim)(const tc_board *board, const uint32_t *front, const uint32_t *previous,
                    const tc_halo *halo, uint32_t push[4][TC_TILE]);
    /* Bit rows of: open links; excess below and above zero. */
    void (*scan_links)(const tc_float4 *residual, uint32_t open[4][TC_TILE]);
    void (*scan_excess)(const float *excess, uint32_t below[TC_TILE], uint32_t above[TC_TILE]);
    /* Column x = 0 or x = 31 of open & ~seen. */
    uint32_t (*column)(const uint32_t open[TC_TILE], const uint32_t seen[TC_TILE], int x);
} tc_board_kernels;

/* The sets that this processor runs, the fastest first; NULL past the last. */
const tc_board_kernels *tc_board_kernels_at(int index);

static inline const tc_board_kernels *tc_board_kernels_get(void)
{
    return tc_board_kernels_at(0);
}

#endif
