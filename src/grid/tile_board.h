/* SPDX-License-Identifier: MIT
 *
 * tile_board.h - a tile as bitboards: 32 x 32 yes/no facts about its pixels in 32 words, a word per row.
 *
 * Everything a breadth-first search asks of a residual graph is one bit per pixel: is this link open, is
 * this pixel a sink, was it seen. One step of the search for all 1024 pixels of a tile is then a shift and
 * an `and` per direction, some tens of instructions with vectors of 8 or 16 rows. Boards live in an array
 * of their own: spread over the tiles, many KB apart, they would share few sets of the cache.
 */
#ifndef TC_TILE_BOARD_H
#define TC_TILE_BOARD_H

#include "grid.h"

/* What lies along the four edges of a tile, by direction: bit x above and below for column x, bit y at the sides for
 * row y. In a halo it is the pixels of the four neighbours there that a search reached one level earlier. */
typedef struct tc_halo {
    uint32_t side[4];
} tc_halo;

typedef struct tc_board {
    uint32_t open[4][TC_TILE]; /* the link in direction d has residual capacity             */
    uint32_t source[TC_TILE];  /* excess > 0 that may still reach a sink                    */
    uint32_t sink[TC_TILE];    /* excess < 0                                                */
    uint32_t lead[4][TC_TILE]; /* the open link in direction d is a step to a sink, if kept */
    uint32_t seen[TC_TILE];    /* reached by the running search                             */
    uint32_t front[TC_TILE];   /* reached by it at `level`                                  */
    /* One cache line, all that the tiles around look at and write: */
    __attribute__((aligned(64))) tc_halo halo[2]; /* told by the neighbours, by parity of the level they feed  */
    tc_halo wanted;            /* own pixels with an open link outwards that were not yet seen */
    int32_t queued[2];         /* the level this tile was last queued for, by parity        */
    uint32_t inside;           /* bit d: the neighbour in direction d belongs to the region */
    /* `ready` and `stale` are written one after the other: side by side, compilers read them as one before they are
     * in the cache, which stalls. */
    uint32_t ready;            /* bit y: row y may have sources that can push along `lead`  */
    int32_t level, counted;    /* of push: the first level that reached it, how far its planes count: push_strips.h */
    uint32_t stale;            /* bit y: open, source and sink of row y are out of date     */
    uint32_t visits;           /* of push, to balance threads                               */
} tc_board;

/* Memory for so many boards, to be released with free(); nothing is written yet. NULL: there is none. */
tc_board *tc_boards_take(int count);

/* A tile for `drain`: its excesses, and its links by row (grid.h). */
typedef struct tc_tile_view {
    tc_board *board;
    float *excess, *links;
} tc_tile_view;

/* The inner loops, compiled for several instruction sets; the results are the same bits. */
typedef struct tc_board_kernels {
    /* Makes `board` ready for a search, by advance_leading() if `leading`: only the sinks are seen. */
    void (*restart)(tc_board *board, bool leading);
    /* Moves the search in `board` on to `level`, from its front and the halo told for that level, which is empty
     * afterwards: front, seen and wanted are updated. False when nothing new was reached. rim: of the new front.
     * sources: how many of the new pixels are sources. */
    bool (*advance)(tc_board *board, int level, tc_halo *rim, int *sources);
    /* The same, and adds to `lead` the links from new pixels to the front they were reached from, and to `ready`
     * the rows of new sources. */
    bool (*advance_leading)(tc_board *board, int level, tc_halo *rim, int *sources);
    /* The links of a tile from lying by node to lying by row, in the same place; and back. */
    void (*split_links)(float *links);
    void (*join_links)(float *links);
    /* Lets excess into sinks right beside it, inside the tile; the boards are not looked at. */
    void (*feed_beside)(const tc_tile_view *tile);
    /* Lets the sources of tile `here` push along `lead`, in up to `sweeps` sweeps over the rows that are ready, and
     * says which rows still are and which have become stale. around[d]: the tile in direction d. Returns where
     * excess went: bit d is set if the tile in direction d was fed. */
    uint32_t (*drain)(const tc_tile_view *here, const tc_tile_view around[4], int sweeps);
    /* Brings open, source and sink of `rows`, a bit each, up to date; sources are pixels that were seen or were
     * sources before. Returns by how many there are more of them. */
    int (*read_off)(const tc_tile_view *tile, uint32_t rows);
    /* Bit rows of: open links of a tile where they lie by node, or by row; excess below and above zero. */
    void (*scan_links)(const tc_float4 *residual, uint32_t open[4][TC_TILE]);
    void (*scan_link_rows)(const float *links, uint32_t open[4][TC_TILE]);
    void (*scan_excess)(const float *excess, uint32_t below[TC_TILE], uint32_t above[TC_TILE]);
    /* How many bits are set. */
    int (*count)(const uint32_t rows[TC_TILE]);
    /* Numbers of pixels in bit planes, bit k of them in plane[k]. Those of pixels that are not yet seen, or in the
     * front, go on from `from`, which all of them have, to `to` > from; planes that `from` does not need begin as 0. */
    void (*count_on)(uint32_t (*plane)[TC_TILE], const tc_board *board, uint32_t from, uint32_t to);
    /* The numbers in so many planes, plus `first`, of the pixels set in `rows`, and `other` for those that are not;
     * rows without any are left alone. */
    void (*read_numbers)(uint32_t (*plane)[TC_TILE], int planes, const uint32_t rows[TC_TILE], uint32_t first,
                         uint32_t other, uint32_t number[TC_TILE][TC_TILE]);
    /* What `rows` have along the edges of the tile. */
    tc_halo (*rim)(const uint32_t rows[TC_TILE]);
} tc_board_kernels;

/* The sets that this processor runs, the fastest first; NULL past the last. */
const tc_board_kernels *tc_board_kernels_at(int index);

/* Tells tile `other`, in direction d of one with the front `rim` there, what it is to go on from at level `next`.
 * Returns whether it is anything new to it. What is new to a tile of another thread (not `ours`) is just being written:
 * it is told of all that its links lead to. */
static inline bool tc_board_tell(tc_board *other, int d, uint32_t rim, bool ours, int next)
{
    const int edge = d == TC_DOWN ? 0 : TC_TILE - 1;
    const uint32_t news = rim & (ours ? other->wanted.side[d ^ 1] : other->open[d ^ 1][edge]);
    if (news) other->halo[next & 1].side[d ^ 1] = news;
    return news != 0;
}

static inline const tc_board_kernels *tc_board_kernels_get(void)
{
    return tc_board_kernels_at(0);
}

#endif
