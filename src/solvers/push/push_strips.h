/* SPDX-License-Identifier: MIT
 *
 * push_strips.h - what push.c, its search and its sweeps share: the graph, in parts for searching
 * (push_search.c) and in strips for sweeping (push_sweep.c), each of them one thread's at a time.
 *
 * All strips have their heights from one search. They sweep in rounds, each of them once, never beside another at work,
 * so that one at work has the rows of tiles beside it to itself: excess crosses into the next strip as it does
 * anywhere, and what becomes active there is named to it. Every thread has strips of its own, and takes others when it
 * is through. How much there is to do differs from row to row, so the strips are placed anew after each search.
 */
#ifndef TC_PUSH_STRIPS_H
#define TC_PUSH_STRIPS_H

#include "parallel.h"
#include "push.h"
#include "steps.h"
#include "tile_board.h"

#define tc_push_unpack TC_OF(tc_push_unpack)
#define tc_push_parts_take TC_OF(tc_push_parts_take)
#define tc_push_parts_release TC_OF(tc_push_parts_release)
#define tc_push_parts_bytes TC_OF(tc_push_parts_bytes)
#define tc_push_strips_take TC_OF(tc_push_strips_take)
#define tc_push_strips_release TC_OF(tc_push_strips_release)
#define tc_push_strips_bytes TC_OF(tc_push_strips_bytes)
#define tc_push_search TC_OF(tc_push_search)
#define tc_push_fill TC_OF(tc_push_fill)
#define tc_push_sweep TC_OF(tc_push_sweep)

enum { TC_NONE = -1, TC_ROWS_A_STRIP = 2 /* at least, if there is another */ };

/* Tiles or pixels. */
typedef struct tc_push_names {
    int32_t *name;
    int count;
} tc_push_names;

/* Whole rows of tiles. */
typedef struct tc_push_strip {
    const struct tc_push *s;
    int first, end; /* tiles */

    uint32_t base;            /* height of level 0 */
    int32_t *list;            /* active pixels by level: the first of a list through `link` */
    uint32_t levels, used;    /* lists there are; lists that may not be empty */
    uint32_t highest;         /* no pixel of the running sweep is above */
    uint32_t waiting;         /* highest level of those that wait for the next */
    uint32_t floor, window;   /* see push.c */
    uint32_t ceiling;         /* the last search says nothing of levels above */
    int64_t active;           /* pixels with excess not known to be stuck */
    uint64_t work;            /* pushes and lifts since the search */
    tc_push_names crossed[2]; /* pixels of the strips above and below that became active from here */
    bool stop;                /* no memory, or cancelled */
    char apart[64];           /* from the next strip, which may be another thread's */
} tc_push_strip;

/* Between a strip and the one above. Others look at it while the strip is being swept, so it is apart. Written and read
 * by atomic operations alone. */
typedef struct tc_push_seam {
    bool taken; /* by who works on either            */
    bool begun; /* the strip's turn of this round    */
    char apart[62];
} tc_push_seam;

/* How far a search is, or how it ended. */
typedef struct tc_push_found {
    int waiting;      /* tiles that the next level comes to    */
    int turn_steps;   /* since the team last met, ghosts too   */
    int64_t active;   /* pixels with excess that it reached    */
    uint64_t steps;   /* tiles times levels                    */
    uint32_t highest; /* level of an active pixel              */
    uint32_t levels;  /* that it has                           */
    int reach;        /* as far as it was to go in the end     */
    bool complete;    /* no pixel beyond them has a path       */
} tc_push_found;

/* What one of the team searches: rows of tiles. See push_search.c. */
typedef struct tc_push_part tc_push_part;

typedef struct tc_push {
    const tc_board_kernels *kernel;
    const tc_solve_params *params;
    tc_push_node *node;
    tc_push_levels *levels; /* of each tile */
    float *excess;
    tc_float4 *residual;
    tc_float4 *diagonal;    /* NULL for 4 neighbours */
    tc_board *board; /* `level` of a board: the first of the search there, or TC_NONE; `counted`: how far its planes
                        count, or TC_NONE where heights are in the nodes already */
    int tiles_x, tiles_y;
    tc_steps steps;

    tc_push_strip *strip;
    tc_push_seam *seam; /* [strips + 1]: above each, and below the last */
    int strips;
    int *first_row;             /* of tiles, of each strip; and the end */
    int64_t *weight;            /* by row of tiles: what there was to discharge */
    tc_push_part *part;         /* of each of the team */
    int parts;
    uint32_t base, used;        /* of the last search: height of level 0, and levels */
    int reach;                  /* of the first search, in levels */
} tc_push;

/* Writes the heights of `rows`, pixels of a tile that the search has reached, from its planes, `base` being level 0,
 * and heights that read as unreached beside them; from then on they are in the nodes. */
void tc_push_unpack(const tc_push *s, int tile, const uint32_t rows[TC_TILE], uint32_t base);

/* Memory to search in s->parts, one for each of a team, which tc_push_parts_release() gives back, of whatever there
 * was. */
bool tc_push_parts_take(tc_push *s);
void tc_push_parts_release(tc_push *s);
size_t tc_push_parts_bytes(const tc_push *s);

/* The same for s->strips to be swept. */
bool tc_push_strips_take(tc_push *s);
void tc_push_strips_release(tc_push *s);
size_t tc_push_strips_bytes(const tc_push *s);

/* Finds the distance of every pixel to the nearest sink, level 0 being at height `base`, s->base from then on; or only
 * as far as the farthest of `wanted` active pixels, and a little further for those that will be lifted; or only up to
 * level `reach`, or twice as far again and again where hardly an active pixel is found, which is not worth a search.
 * All of the team call it, and return when all are done. */
tc_push_found tc_push_search(tc_push *s, tc_team *team, int number, uint32_t base, int64_t wanted, int reach);

/* Places the strips and lists what is active in them. All of the team call it, and return when all are done. */
void tc_push_fill(tc_push *s, tc_team *team, int number, const tc_push_found *found);

/* Sweeps in rounds until there is nothing to do or it was more than `enough` work. All of the team call it. Returns how
 * many pixels are active, TC_NONE if it was to stop. */
int64_t tc_push_sweep(tc_push *s, tc_team *team, int number, uint64_t enough);

#endif
