/* SPDX-License-Identifier: MIT
 *
 * drain.h - lets excess run downhill by whole rows of pixels, in a rectangle of tiles or in the whole image.
 *
 * A descent is a search followed by draining. The search goes backwards from the sinks over bitboards (tile_board.h)
 * and stores for each pixel which of its links lead one level nearer to a sink. These links form a graph without
 * cycles, so excess may run along them in any order, and no heights are needed. Draining sweeps each tile from the top
 * down and from the bottom up; a row pushes in all four directions with a few vector instructions
 * (tile_drain_kernels.h). When nothing can move any more, the next descent begins. This is the push of Goldberg &
 * Tarjan (1988) along exact distances, like the waves of Hussein, Varshney & Davis (2007), but not level by level.
 *
 * Excess that is far from all sinks waits. If it moved now, nearer sources would fill the links ahead of it, and it
 * would get stuck. So the first descents reach a few levels only. The reach doubles when a descent reaches a third
 * fewer sources than the first one with that reach, or hardly any source at all.
 *
 * When few sources are left, descents run only around the tiles that have them. Descents give up, and another solver
 * continues, if their reach would become large, or if a search takes more steps than it reaches sources while the
 * number of sources hardly falls.
 */
#pragma once

#include "parallel.h"
#include "solver.h"
#include "tile_board.h"

#define tc_drain_take TC_OF(tc_drain_take)
#define tc_drain_release TC_OF(tc_drain_release)
#define tc_drain_bytes TC_OF(tc_drain_bytes)
#define tc_drain_run TC_OF(tc_drain_run)
#define tc_drain_sample TC_OF(tc_drain_sample)
#define tc_drain_run_whole TC_OF(tc_drain_run_whole)

/* The graph as boards, one worker per thread, and the division of the rows of tiles among the workers. */
typedef struct tc_drain {
    const tc_board_kernels *kernel;
    const tc_solve_params *params;
    const tc_grid *grid;
    tc_board *board;
    struct tc_drain_worker *worker; /* [threads] */
    int threads;
    int row_tiles, rows; /* tc_row_tiles() and tc_rows() of the grid; in a volume, a row of tiles is a slice */
    int64_t *weight; /* [rows of tiles] recent work                            */
    int *first_row;  /* [2 threads + 1] first row of each half of a band       */
} tc_drain;

/* The state of a row of tiles. Rows may belong to different threads, so each has a cache line of its own. */
typedef struct tc_drain_row {
    int queued[2];  /* how many of its tiles are queued for even and for odd turns or levels */
    int64_t weight; /* recent work in this row */
    char apart[64 - 2 * sizeof(int) - sizeof(int64_t)];
} tc_drain_row;

/* Two queues of tiles, for even and for odd turns or levels. They are sorted by rows; each row has room for all its
 * tiles. */
typedef struct tc_drain_queue {
    int *tile[2];
    tc_drain_row *row;
} tc_drain_queue;

enum { TC_DRAIN_SAMPLES = 4 };

/* A rectangle of tiles. Either one thread works on it alone, or a team whose workers have a band each, of four or more
 * rows of tiles. */
typedef struct tc_drain_worker {
    const tc_drain *s;
    tc_team *team;                 /* NULL: the worker is alone                                */
    struct tc_drain_worker *mate;   /* all workers of the team in the order of their bands, or just this one */
    int mates, number;             /* size of the team; number of this worker */
    int first_x, first_y, end_x, end_y, middle_y; /* middle_y: in a team, where the halves of a band touch */
    tc_drain_queue own, queue;      /* its own queue; the queue in use, which a team shares     */
    int *noted[2][2],
        noted_count[2][2]; /* [above, below][parity of level] tiles of this band that the adjacent bands have reached */
    char apart[64];                /* separate cache lines for fields that other threads read all the time: */
    int searched[2];               /* the last level searched in the first and in the last row */
    char apart_too[64];
    int64_t waiting;               /* number of tiles in queues and in `noted`                  */
    int64_t sources, met;          /* sources in the rectangle; how many of them the last search reached */
    int64_t steps;                 /* steps of the last search: tiles times levels */
    int64_t met_in[TC_DRAIN_SAMPLES]; /* in samples: sources reached by the first descent, the second, and so on */
    bool sample;                   /* true: the running descents are in a sample               */
    bool stop;                     /* true: cancelled                                          */
    char apart_at_last[64];
} tc_drain_worker;

/* Allocates boards (uninitialised) and workers for `s`, in which kernel, params, grid and threads are set. Returns
 * false if there is no memory. Call tc_drain_release() in either case. */
bool tc_drain_take(tc_drain *s);
void tc_drain_release(tc_drain *s);
size_t tc_drain_bytes(const tc_drain *s);

/* Runs up to `descents` descents in the rectangle of `w`, with its whole team. Links out of the rectangle are closed,
 * and sources that are stuck in it are dropped. Returns true if no source can reach a sink any more. */
bool tc_drain_run(tc_drain_worker *w, int descents);

/* Runs at most TC_DRAIN_SAMPLES descents, and counts in met_in the sources that each reached. */
void tc_drain_sample(tc_drain_worker *w);

/* Runs descents in the whole image, on all threads. */
bool tc_drain_run_whole(tc_drain *s, int descents);
