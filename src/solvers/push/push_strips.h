/* SPDX-License-Identifier: MIT
 *
 * push_strips.h - shared by push.c, its search and its sweeps: the graph, divided into parts for searching
 * (push_search.c) and into strips for sweeping (push_sweep.c). A part or strip belongs to one thread at a time. In a
 * volume, "row of tiles" means a slice in these files (neighbourhood.h).
 *
 * One search gives all strips their heights. They are swept in rounds, each strip once per round. No two neighbouring
 * strips are swept at the same time, so a strip being swept may write to the adjacent rows of tiles. Excess crosses
 * into the next strip like any other push; pixels that become active there are listed for that strip. Every thread has
 * strips of its own and helps with others when it is done. The work differs from row to row, so strips are placed anew
 * after each search.
 */
#pragma once

#include "parallel.h"
#include "push.h"
#include "steps.h"
#include "tile_board.h"

#define tc_push_unpack TC_OF(tc_push_unpack)
#define tc_push_parts_take TC_OF(tc_push_parts_take)
#define tc_push_parts_release TC_OF(tc_push_parts_release)
#define tc_push_parts_bytes TC_OF(tc_push_parts_bytes)
#define tc_push_grow TC_OF(tc_push_grow)
#define tc_push_strips_take TC_OF(tc_push_strips_take)
#define tc_push_strips_release TC_OF(tc_push_strips_release)
#define tc_push_strips_bytes TC_OF(tc_push_strips_bytes)
#define tc_push_search TC_OF(tc_push_search)
#define tc_push_fill TC_OF(tc_push_fill)
#define tc_push_sweep TC_OF(tc_push_sweep)

enum { TC_NONE = -1, TC_ROWS_A_STRIP = 2 /* fewest rows of tiles in a strip, if there are several strips */ };

/* A list of tiles or of pixels. */
typedef struct tc_push_names {
    int32_t *name;
    int count;
} tc_push_names;

/* A strip: whole rows of tiles. */
typedef struct tc_push_strip {
    const struct tc_push *s;
    int first, end; /* tiles */

    uint32_t base;            /* height of level 0 */
    int32_t *list;            /* [levels] the first active pixel of each level; the next ones follow through `link` */
    uint32_t levels, used;    /* number of lists allocated; number of lists that may not be empty */
    uint32_t highest;         /* no pixel of the running sweep is above this level */
    uint32_t waiting;         /* the highest level of the pixels that wait for the next sweep */
    uint32_t floor, window;   /* see push.c */
    uint32_t ceiling;         /* the highest level that the last search has covered */
    int64_t active;           /* number of pixels with excess that are not known to be stuck */
    uint64_t work;            /* number of pushes and lifts since the search */
    tc_push_names crossed[2]; /* pixels of the strips above and below that this strip has made active */
    bool stop;                /* true: the sweep must stop: there is no memory, or it was cancelled */
    char apart[64];           /* keeps the next strip, which may be another thread's, off this cache line */
} tc_push_strip;

/* The border between a strip and the one above it. Other threads read it while the strip is being swept, so it has a
 * cache line of its own. Accessed by atomic operations only. */
typedef struct tc_push_seam {
    bool taken; /* set by the thread that sweeps either of the two strips */
    bool begun; /* true: the sweep of the strip in this round has begun */
    char apart[62];
} tc_push_seam;

/* How far a search has come, or how it ended. */
typedef struct tc_push_found {
    int waiting;      /* tiles that are queued for the next level      */
    int turn_steps;   /* steps since the last barrier, with those in ghosts */
    int64_t active;   /* pixels with excess that the search has reached */
    uint64_t steps;   /* tiles times levels                            */
    uint32_t highest; /* the highest level of an active pixel          */
    uint32_t levels;  /* number of levels                              */
    int reach;        /* how far the search was to go, after any doubling */
    bool complete;    /* true: no pixel beyond these levels has a path to a sink */
    bool left;        /* true: the search stopped, to continue with more threads */
} tc_push_found;

/* How sweeping ended. */
typedef struct tc_push_swept {
    int64_t active; /* pixels                                                       */
    bool stop;      /* true: there is no memory, or the sweep was cancelled         */
    bool thin;      /* true: rounds had too little work to be shared                */
    bool left;      /* true: sweeping stopped, to continue with more threads        */
} tc_push_swept;

/* The rows of tiles that one worker of the team searches. See push_search.c. */
typedef struct tc_push_part {
    const struct tc_push *s;
    int first, end;         /* its rows of tiles, as tiles: first .. end - 1           */
    tc_push_names queue[2]; /* tiles to search at the next even and at the next odd level */
    tc_board *ghost;        /* the row of tiles above and the one below; NULL if the part is searched alone, or in a
                               volume */
    int slice_list_count;   /* in a volume: how many tiles this part has listed for the next level */
    tc_push_found found[2]; /* what was found in this part, in even and in odd turns   */
    int32_t *names;         /* memory for the queues                                   */
    int64_t *waiting;       /* [rows of tiles] number of queued tiles in all parts, while parts are being placed */
    int *first_row;         /* [parts + 1] the first row of tiles of each part         */
    char apart[64];         /* separate cache lines for fields that adjacent parts of a volume read and write: */
    int searched;           /* the last level that the part has searched               */
    tc_push_names noted[2][2]; /* [0: by the previous part, 1: by the next][parity of the level] tiles of this part,
                                  listed by that part for the search */
    char apart_too[64];
} tc_push_part;

typedef struct tc_push {
    const tc_board_kernels *kernel;
    const tc_solve_params *params;
    tc_push_node *node;
    tc_push_plane *levels; /* see tc_push_memory */
    size_t step;
    float *excess;
    tc_float4 *residual;
    tc_float4 *diagonal;    /* NULL for 4 neighbours */
    tc_board *board; /* board.level is the level at which the search first reached the tile, or TC_NONE. board.counted
                        is the level up to which its planes count, or TC_NONE if its heights are unpacked */
    int tiles_x;
    int row_tiles, rows; /* tc_row_tiles() and tc_rows() of the grid; in a volume, a row of tiles is a slice */
    int across;          /* the number of tiles of a row in which pushes happen: row_tiles, or fewer with one thread */
    tc_steps steps;

    tc_push_strip *strip;
    tc_push_seam *seam; /* [strips + 1] above each strip, and below the last one */
    int strips, most_strips;    /* strips in use; strips for which there is memory */
    int64_t thin;               /* several strips had too little work in rounds with this many active pixels; with no
                                   more than that, one strip is swept */
    int *first_row;             /* [strips + 1] the first row of tiles of each strip */
    int64_t *weight;            /* [rows of tiles] the work of discharging each row */
    tc_push_part *part;         /* [parts] one part for each worker of the team */
    int parts;
    int team;                   /* how many workers are wanted at present: `parts` or fewer */
    bool may_grow;              /* true: more workers could be had; all workers see the same value after a barrier */
    const tc_team *alone;       /* a team with a single member that should have been larger, or NULL */
    double leave_at, patience;  /* in ms: when a team that may grow may be left; the least time that the next team
                                   works */
    uint32_t base, used;        /* the height of level 0, and the number of levels, of the last search */
    int reach;                  /* reach of the next search, in levels */
    tc_push_swept swept;        /* the result of sweeping a single strip */
    int64_t wanted, first;      /* wanted: how many active pixels may be left, 0 when done; first: how many were active
                                   in the first search with this `reach` */
} tc_push;

/* True if this team should be left for a larger one. After each such change, the next team works at least four times as
 * long, because on a busy machine threads may be late again and again. */
static inline bool tc_push_can_grow(const tc_push *s, const tc_team *team)
{
    return tc_team_may_grow(team) && tc_now_ms() >= s->leave_at;
}

/* Unpacks heights of a tile from its planes: `base` + level for the pixels in `rows`, which the search has reached, and
 * heights that count as unreached for the others. From then on the heights in the nodes are valid. */
void tc_push_unpack(const tc_push *s, int tile, const uint32_t rows[TC_TILE], uint32_t base);

/* Allocates memory to search in s->parts parts, one for each worker. tc_push_parts_release() frees it, also after a
 * failure. */
bool tc_push_parts_take(tc_push *s);
void tc_push_parts_release(tc_push *s);
size_t tc_push_parts_bytes(const tc_push *s);

/* Enlarges the lists of a strip to hold `level`. Returns false, and sets t->stop, if there is no memory. */
bool tc_push_grow(tc_push_strip *t, uint32_t level);

static inline bool tc_push_reserve(tc_push_strip *t, uint32_t level)
{
    return level < t->levels || tc_push_grow(t, level);
}

/* Allocates memory for sweeping up to s->most_strips strips. tc_push_strips_release() frees it, also after a
 * failure. */
bool tc_push_strips_take(tc_push *s);
void tc_push_strips_release(tc_push *s);
size_t tc_push_strips_bytes(const tc_push *s);

/* Finds the distance of every pixel to the nearest sink and sets s->base to `base`, the height of level 0. The search
 * may stop early: at level `reach`, or when it has reached all `wanted` active pixels and some further levels, which
 * are for pixels that will be lifted. But if it has found hardly any active pixel at level `reach`, it doubles `reach`
 * and continues, because searching again would cost more. All workers of the team call it, and return when all are
 * done. */
tc_push_found tc_push_search(tc_push *s, tc_team *team, int number, uint32_t base, int64_t wanted, int reach);

/* Places the strips and lists their active pixels. All workers of the team call it, and return when all are done. */
void tc_push_fill(tc_push *s, tc_team *team, int number, const tc_push_found *found);

/* Sweeps in rounds until no pixel is active, until more than `enough` work was done, or until it has to stop early
 * (tc_push_swept). All workers of the team call it and get the same result. */
tc_push_swept tc_push_sweep(tc_push *s, tc_team *team, int number, uint64_t enough);
