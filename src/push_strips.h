/* SPDX-License-Identifier: MIT
 *
 * push_strips.h - what solver_push.c and its search, push_search.c, share: the graph in strips, each of them one
 * thread's at a time.
 *
 * All strips have their heights from one search. They sweep in two turns, every other strip at a time, so that a strip
 * at work has the rows of tiles beside it to itself: excess crosses into the next strip as it does anywhere, and what
 * becomes active there is named to it. How much there is to do differs from row to row, so the strips are placed
 * anew before each search.
 */
#ifndef TC_PUSH_STRIPS_H
#define TC_PUSH_STRIPS_H

#include "parallel.h"
#include "solver_push.h"
#include "tile_board.h"

enum { TC_NONE = -1, TC_LEVEL_PLANES = 12, TC_ROWS_A_STRIP = 2 /* at least, if there is another */ };

/* By how much the level at which a search reached a pixel is above the first in its tile, as bit planes. */
typedef struct tc_push_levels {
    uint32_t plane[TC_LEVEL_PLANES][TC_TILE];
} tc_push_levels;

/* Tiles or pixels. */
typedef struct tc_push_names {
    int32_t *name;
    int count;
} tc_push_names;

/* Whole rows of tiles. */
typedef struct tc_push_strip {
    const struct tc_push *s;
    int first, end; /* tiles */

    tc_push_names queue[2];   /* tiles the search comes to, by parity of level         */
    tc_push_names told[2][2]; /* those that the strip above and below named, by parity */
    uint64_t steps;           /* tiles times levels of the last search                 */

    uint32_t base;            /* height of level 0 */
    int32_t *list;            /* active pixels by level: the first of a list through `link` */
    uint32_t levels, used;    /* lists there are; lists that may not be empty */
    uint32_t highest;         /* no pixel of the running sweep is above */
    uint32_t waiting;         /* highest level of those that wait for the next */
    uint32_t floor, window;   /* see solver_push.c */
    uint32_t ceiling;         /* the last search says nothing of levels above */
    int64_t active;           /* pixels with excess not known to be stuck */
    uint64_t work;            /* pushes and lifts since the search */
    tc_push_names crossed[2]; /* pixels of the strips above and below that became active from here */
    bool stop;                /* no memory, or cancelled */
    char apart[64];           /* from the next strip, which may be another thread's */
} tc_push_strip;

/* How far a search is, or how it ended. */
typedef struct tc_push_found {
    int64_t waiting; /* tiles that the next level comes to */
    int64_t active;
    uint64_t steps;
    uint32_t highest; /* level of an active pixel */
    bool stop;
} tc_push_found;

typedef struct tc_push {
    const tc_board_kernels *kernel;
    const tc_solve_params *params;
    tc_push_node *node;
    float *excess;
    tc_float4 *residual;
    tc_board *board; /* `level` of a board: the first of the search there, or TC_NONE; `snapshot`: how far its planes
                        count, or TC_NONE where heights are in the nodes already */
    int tiles_x, tiles_y;
    int32_t inner[4], outer[4];     /* index steps to a neighbour in the tile, and to the next tile */
    uint32_t edge_mask[4], edge[4]; /* p is at edge d of its tile if (p & edge_mask[d]) == edge[d] */

    tc_push_strip *strip;
    int strips;
    int *first_row;             /* of tiles, of each strip; and the end */
    tc_push_levels *levels;     /* of each tile */
    int32_t *queue[2];          /* a place for each tile */
    int64_t *weight;            /* by row of tiles: what there was to do */
    tc_push_found (*progress)[2]; /* of each of the team, by parity of level */
} tc_push;

/* Makes room for lists up to `level`; false, and t->stop, if there is no memory. */
bool tc_push_reserve(tc_push_strip *t, uint32_t level);

static inline void tc_push_enlist(tc_push_strip *t, int32_t p, uint32_t level)
{
    t->s->node[p].link = t->list[level];
    t->list[level] = p;
}

/* Writes the heights of `rows`, pixels of a tile that the search has reached, from its planes, `base` being level 0,
 * and heights that read as unreached beside them; from then on they are in the nodes. */
void tc_push_unpack(const tc_push *s, int tile, const uint32_t rows[TC_TILE], uint32_t base);

/* The strips of worker `number` of the team: pairs go round, since what there is to do comes in heaps. */
#define TC_EACH_STRIP(t, s, team, number)                                                                    \
    for (tc_push_strip *t = (s)->strip; t < (s)->strip + (s)->strips; t++)                                   \
        if ((int)(t - (s)->strip) / 2 % tc_team_size(team) == (number))

/* Finds the distance of every pixel to the nearest sink and lists the active ones; or only as far as the
 * farthest of `wanted` active pixels, and a little further for those that will be lifted. All of the team call it. */
tc_push_found tc_push_search(tc_push *s, tc_team *team, int number, int64_t wanted);

#endif
