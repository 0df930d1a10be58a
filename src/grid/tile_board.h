/* SPDX-License-Identifier: MIT
 *
 * tile_board.h - a tile as bitboards: each property of its 32 x 32 pixels takes 32 words, one word per row and one bit
 * per pixel.
 *
 * A breadth-first search in a residual graph needs one bit per pixel for each property: has this link residual capacity
 * (an open link), is this pixel a sink, has it been reached. One step of the search for all 1024 pixels of a tile is
 * then a shift and an `and` per direction: some tens of instructions with vectors of 8 or 16 rows. Boards lie in an
 * array of their own. Between the tiles' capacities they would be many KB apart, and would compete for the same few
 * cache sets.
 */
#pragma once

#include "neighbourhood.h"

#define tc_boards_take TC_OF(tc_boards_take)
#define tc_board_kernels_at TC_OF(tc_board_kernels_at)

/* Bits of the pixels along the edges of a tile, by direction: bit x for column x at the upper and lower edge, bit y for
 * row y at the sides, bit 0 at a corner. The halo of a tile has, for each edge and corner, the pixels just beyond the
 * tile that a search reached one level earlier. */
typedef struct tc_halo {
    uint32_t side[TC_TILE_SIDES];
} tc_halo;

/* For diagonals: the open links that lead out of a tile from pixels not yet reached, for each of its four edges; the
 * bits are those of the pixels where the links begin. [0]: straight across the edge; [1]: one pixel further along the
 * edge; [2]: one pixel back. */
typedef struct tc_outward {
    uint32_t link[4][3];
} tc_outward;

typedef struct tc_board {
    uint32_t open[TC_NEIGHBOURS][TC_TILE]; /* pixels whose link in direction d is open (has residual capacity) */
    uint32_t source[TC_TILE];  /* pixels with excess > 0 that may still reach a sink        */
    uint32_t sink[TC_TILE];    /* pixels with excess < 0                                    */
    uint32_t lead[TC_NEIGHBOURS][TC_TILE]; /* pixels whose open link leads one level nearer to a sink; see
                                              advance_leading() */
    uint32_t seen[TC_TILE];    /* pixels reached by the running search                      */
    uint32_t front[TC_TILE];   /* pixels reached by the running search at `level`           */
    /* One cache line, or three with diagonals, with all data that neighbouring tiles read and write: */
    __attribute__((aligned(64))) tc_halo halo[2]; /* bits from neighbouring tiles: [0] of even, [1] of odd levels */
    tc_halo wanted;            /* pixels beyond the edges to which an open link leads from own pixels that are not
                                  reached yet */
#if TC_NEIGHBOURS == 8
    tc_outward outward;        /* `wanted` is computed from this                              */
#endif
#if TC_NEIGHBOURS == 6
    uint32_t beyond[2][2][TC_TILE]; /* halos from the next and the previous slice, as whole boards; they alternate like
                                       `halo` */
    bool reached[2][2];           /* which of these halos have been written */
#endif
    int32_t queued[2];         /* the even and the odd level for which this tile was last queued */
    uint32_t inside;           /* bit d: the neighbour in direction d belongs to the region */
    /* Other fields lie between `ready` and `stale`: if the two were side by side, compilers would load both as one word
     * right after they were stored separately, and such a load stalls. */
    uint32_t ready;            /* bit y: row y may have sources that can push along `lead`  */
    int32_t level, counted;    /* for push: the level at which a search first reached this tile; see push_strips.h */
    uint32_t stale;            /* bit y: open, source and sink of row y are out of date     */
    uint32_t visits;           /* for push: how many times it was discharged, to balance threads */
} tc_board;

/* Allocates `count` boards, uninitialised; release them with free(). Returns NULL if there is no memory. */
tc_board *tc_boards_take(int count);

/* The data of a tile that `drain` needs: its board, its excesses, and its links by row (grid.h); links[1] are those of
 * grid->diagonal. */
typedef struct tc_tile_view {
    tc_board *board;
    float *excess, *links[TC_LINK_ARRAYS];
} tc_tile_view;

static inline tc_tile_view tc_tile_view_of(const tc_grid *grid, tc_board *board, int tile)
{
    const size_t first = (size_t)tile * TC_TILE_NODES;
    tc_tile_view view = {board + tile, grid->excess + first, {grid->residual[first].to}};
    if (TC_LINK_ARRAYS > 1) view.links[TC_LINK_ARRAYS - 1] = grid->diagonal[first].to;
    return view;
}

/* The inner loops, compiled for several instruction sets. All give the same bits. */
typedef struct tc_board_kernels {
    /* Prepares `board` for a search: only the sinks are reached. `leading` is true if the search will use
     * advance_leading(). */
    void (*restart)(tc_board *board, bool leading);
    /* Advances the search in `board` to `level`, from its front and from the halo for that level, and empties that
     * halo. Updates front, seen and wanted. Returns false if nothing new was reached. *border is the new front along
     * the edges, and *sources the number of sources among the new pixels. */
    bool (*advance)(tc_board *board, int level, tc_halo *border, int *sources);
    /* Does what advance() does. Also adds to `lead` the links from new pixels to the front from which they were
     * reached, and to `ready` the rows with new sources. */
    bool (*advance_leading)(tc_board *board, int level, tc_halo *border, int *sources);
    /* Rearrange four links of each pixel of a tile in place: split_links() from by node to by row, join_links()
     * back. */
    void (*split_links)(float *links);
    void (*join_links)(float *links);
    /* Pushes excess into sinks next to it, within the tile. Does not use boards. */
    void (*feed_beside)(const tc_tile_view *tile);
    /* Lets the sources of tile `here` push along `lead`, in up to `sweeps` sweeps over the rows that are ready. Updates
     * which rows are still ready and which have become stale. around[d] is the tile in direction d. Returns the
     * directions, one bit each, in which excess went to another tile. */
    uint32_t (*drain)(const tc_tile_view *here, const tc_tile_view around[TC_NEIGHBOURS], int sweeps);
    /* Recomputes open, source and sink of the rows whose bit is set in `rows`. A pixel with excess counts as a source
     * only if it was reached, or was a source before. Returns by how much the number of sources has grown. */
    int (*read_off)(const tc_tile_view *tile, uint32_t rows);
    /* Computes the bit rows of one tile: open links, from four links of each pixel by node or by row; and the pixels
     * with negative and with positive excess. */
    void (*scan_links)(const tc_float4 *residual, uint32_t open[4][TC_TILE]);
    void (*scan_link_rows)(const float *links, uint32_t open[4][TC_TILE]);
    void (*scan_excess)(const float *excess, uint32_t below[TC_TILE], uint32_t above[TC_TILE]);
    /* Returns the number of bits set. */
    int (*count)(const uint32_t rows[TC_TILE]);
    /* Every pixel has a number, stored in bit planes: bit k is in plane[k * step]. All pixels that are not yet reached,
     * or are in the front, have the number `from`; this function changes it to `to` > from. Planes that `from` does not
     * use start as 0. */
    void (*count_on)(uint32_t (*plane)[TC_TILE], size_t step, const tc_board *board, uint32_t from, uint32_t to);
    /* Reads numbers from `planes` planes. In each row that has a pixel in `rows`, those pixels get their number plus
     * `first`, and all others of the row get `other`. Other rows are left alone. */
    void (*read_numbers)(uint32_t (*plane)[TC_TILE], size_t step, int planes, const uint32_t rows[TC_TILE],
                         uint32_t first, uint32_t other, uint32_t number[TC_TILE][TC_TILE]);
    /* Returns the bits of `rows` along the edges of the tile. */
    tc_halo (*border)(const uint32_t rows[TC_TILE]);
#if TC_NEIGHBOURS == 6
    /* Hands `front`, the pixels that a tile has just reached, to its neighbour `other` in the next or previous slice (d
     * is TC_BEHIND or TC_BEFORE), which continues at level `next`. Returns true if any of the pixels is new to that
     * tile. For `ours` see tc_board_spread(). */
    bool (*spread_to_slice)(tc_board *other, int d, const uint32_t front[TC_TILE], bool ours, int next);
#endif
} tc_board_kernels;

/* Returns the kernels for the instruction sets of this processor, fastest first; NULL past the last. */
const tc_board_kernels *tc_board_kernels_at(int index);

/* Returns the pixels beyond edge or corner d to which the links in `outward` lead. */
static inline uint32_t tc_outward_to(const tc_outward *outward, int d)
{
    const uint32_t *const link = outward->link[d < 4 ? d : tc_along[d]];
    if (d < 4) return link[0] | link[1] << 1 | link[2] >> 1;
    return tc_across[d] == TC_DOWN ? link[1] >> (TC_TILE - 1) : link[2] & 1;
}

/* Returns the pixels of the tile in direction d, in another row of tiles, to which open links lead. */
static inline uint32_t tc_board_leads_to(const tc_board *board, int d)
{
    const int edge = tc_across[d] == TC_UP ? 0 : TC_TILE - 1;
#if TC_NEIGHBOURS == 8
    if (d >= 4) return board->open[d][edge] >> (tc_along[d] == TC_RIGHT ? TC_TILE - 1 : 0) & 1;
    return board->open[d][edge] | board->open[d == TC_DOWN ? TC_DOWN_RIGHT : TC_UP_RIGHT][edge] << 1 |
           board->open[d == TC_DOWN ? TC_DOWN_LEFT : TC_UP_LEFT][edge] >> 1;
#else
    return board->open[d][edge];
#endif
}

/* Writes the front `border` of a tile along its edge in direction d to the halo of `other`, the tile beyond that edge,
 * for level `next`. Returns true if anything is new to `other`. If another thread owns that tile (not `ours`), it may
 * be changing at the same time; then all pixels to which its links lead count as new. */
static inline bool tc_board_spread(tc_board *other, int d, uint32_t border, bool ours, int next)
{
    const uint32_t news = border & (ours ? other->wanted.side[d ^ 1] : tc_board_leads_to(other, d ^ 1));
    if (news) other->halo[next & 1].side[d ^ 1] = news;
    return news != 0;
}

static inline const tc_board_kernels *tc_board_kernels_get(void)
{
    return tc_board_kernels_at(0);
}
