/* SPDX-License-Identifier: MIT
 *
 * drain.h - excess runs downhill by whole rows of pixels, in a rectangle of tiles or the whole image.
 *
 * One descent is a search and what then runs down. The search goes back from the sinks over bitboards (tile_board.h)
 * and leaves behind, for each pixel, which of its links lead one level nearer to a sink. That is a graph without
 * circles, so excess may run along it in any order and no heights are needed: each tile is swept from the top down and
 * from the bottom up, and a row pushes in all four directions with a few vector instructions (tile_drain_kernels.h).
 * When nothing can move any more, the next descent begins. This is the push of Goldberg & Tarjan (1988) along exact
 * distances, as the waves of Hussein, Varshney & Davis (2007) are, but the levels have no order among each other.
 *
 * What is far from all sinks waits: it would only be moved to where nearer sources fill the links before it gets there,
 * and be stuck. So the first descents reach a few levels, and the next ones twice as far when they meet a third less
 * than at first, or hardly a source at all.
 *
 * When few sources are left, descents run around the tiles that have them. It is given up, for another solver to go on
 * with, when they would have to reach far, or when a search costs more steps than it meets sources and the number of
 * sources does not fall fast either.
 */
#ifndef TC_DRAIN_H
#define TC_DRAIN_H

#include "parallel.h"
#include "solver.h"
#include "tile_board.h"

#define tc_drain_take TC_OF(tc_drain_take)
#define tc_drain_release TC_OF(tc_drain_release)
#define tc_drain_bytes TC_OF(tc_drain_bytes)
#define tc_drain_run TC_OF(tc_drain_run)
#define tc_drain_sample TC_OF(tc_drain_sample)
#define tc_drain_run_whole TC_OF(tc_drain_run_whole)

/* The graph as boards, a worker for each thread, and how rows of tiles are shared out among them. */
typedef struct tc_drain {
    const tc_board_kernels *kernel;
    const tc_solve_params *params;
    const tc_grid *grid;
    tc_board *board;
    struct tc_drain_worker *worker; /* [threads] */
    int threads;
    int64_t *weight; /* by row of tiles, */
    int *first_row;  /* and the halves of bands by it: [2 threads + 1] */
} tc_drain;

/* A row of tiles. Rows may be different threads', and so lie on cache lines of their own. */
typedef struct tc_drain_row {
    int queued[2];  /* so many of its tiles are in the queue, by parity */
    int64_t weight; /* what there was to do in it, of late              */
    char apart[64 - 2 * sizeof(int) - sizeof(int64_t)];
} tc_drain_row;

/* Tiles by parity of level or of turn, row by row of them: there are tiles_x places for each row. */
typedef struct tc_drain_queue {
    int *tile[2];
    tc_drain_row *row;
} tc_drain_queue;

enum { TC_DRAIN_SAMPLES = 4 };

/* A rectangle of tiles under work, by one thread; or by a team, each with a band of it, four rows of tiles or more. */
typedef struct tc_drain_worker {
    const tc_drain *s;
    tc_team *team;                 /* NULL: works alone                                        */
    struct tc_drain_worker *mate;   /* the team's workers in the order of their bands; or itself */
    int mates, number;             /* so many; which of them this is                           */
    int first_x, first_y, end_x, end_y, middle_y; /* halves meet at the middle: of a team only */
    tc_drain_queue own, queue;      /* the one in use is a team's together                      */
    int *told[2][2], tolds[2][2];  /* what the band above and below reached in this one: tiles, by parity of level */
    char apart[64];                /* on cache lines of its own is what other threads look at all the time: */
    int searched[2];               /* the last level that the search has done in the first and last row    */
    char apart_too[64];
    int64_t waiting;               /* in queues and told                                       */
    int64_t sources, met;          /* alive in the rectangle; met by its last search           */
    int64_t steps;                 /* tiles times levels of that search                        */
    int64_t met_in[TC_DRAIN_SAMPLES]; /* sources met in the first descent, the second ..., of samples */
    bool sample;
    bool stop;                     /* cancelled                                                */
    char apart_at_last[64];
} tc_drain_worker;

/* Takes boards (not yet written) and workers for `s`, of which kernel, params, grid and threads are set. False: there
 * is no memory; what was taken is released by tc_drain_release() either way. */
bool tc_drain_take(tc_drain *s);
void tc_drain_release(tc_drain *s);
size_t tc_drain_bytes(const tc_drain *s);

static inline tc_tile_view tc_drain_view(const tc_drain *s, int tile)
{
    return tc_tile_view_of(s->grid, s->board, tile);
}

/* Up to `descents` descents in the rectangle of `w`, of the whole team. Links out of the rectangle are held back, and
 * what excess is stuck in there is no source afterwards. Returns whether no source can reach a sink any more. */
bool tc_drain_run(tc_drain_worker *w, int descents);

/* TC_DRAIN_SAMPLES descents at most; adds to met_in. */
void tc_drain_sample(tc_drain_worker *w);

/* The same in the whole image, on all threads. */
bool tc_drain_run_whole(tc_drain *s, int descents);

#endif
