/* SPDX-License-Identifier: MIT
 *
 * tiles_solver.cuh - the fastest rung in steps, for those who want to look at it between them, and its schedule, for
 * those who tune it.
 */
#ifndef TC_TILES_SOLVER_CUH
#define TC_TILES_SOLVER_CUH

#include "tiles_view.cuh"

enum { TILES_LIMITS = 4, TILES_NO_LIMIT = 1 << 30 };

typedef struct tiles_schedule {
    int sweeps_many, sweeps_few;   /* of a tile in one visit, while there are more tiles to discharge than blocks, and
                                      later, when what a round costs by itself is most of it              */
    int rounds_least, rounds_most; /* of discharging after a relabelling; in that range, as many as it had */
    int limits[TILES_LIMITS];        /* rounds of the first relabellings after their opening; the last of
                                      these holds on, until                                             */
    int patience, growth;          /* so many are over: then each may have so many more than the one before,
                                      and twice as many rounds of discharging follow                    */
    int slice;                     /* rounds of both kinds in one launch                                */
    int rounds_in_all;             /* then the rest is left to a CPU                                    */
} tiles_schedule;

static inline tiles_schedule tiles_schedule_default(void)
{
    const tiles_schedule plan = {4, 6, 2, 32, {0, 2, 3, 5}, 12, 4, 4096, 40960};
    return plan;
}

extern const device_solver tiles_solver; /* all of it, from beginning to end */

size_t tiles_scratch_bytes(const grid_view *grid);

/* A solve under way. Between steps the grid lies there as it is but for flow in inboxes: see tiles_deliver(). */
typedef struct tiles_session {
    tiles_view view;
    void *scratch, *state; /* on the device */
    size_t zeroed;         /* bytes from view.todo on that begin as 0 */
    tiles_schedule plan;
    cudaStream_t stream;
    int blocks;
    bool launched; /* before: what it works with has to be zeroed                       */
    bool fresh;    /* the capacities were set from outside: the next step begins anew   */
    bool pristine; /* there is no flow in the grid: planar_start() may have one         */
    bool done;     /* no excess reaches a sink                                          */
    device_run run;
} tiles_session;

/* If it is `pristine`, `scratch` has to have room for planar_start(), too. */
tilecut_status tiles_open(tiles_session *session, const grid_view *grid, void *scratch, cudaStream_t stream,
                        const tiles_schedule *schedule, bool pristine);
tilecut_status tiles_step(tiles_session *session); /* at most `slice` rounds */
tilecut_status tiles_deliver(tiles_session *session);

/* Steps until it is done, or until a CPU is better at the rest: then run.unfinished, and drained. */
tilecut_status tiles_finish(tiles_session *session, const tc_solve_params *params);

/* Of a session that is done: which pixels reach a sink, a bit each, those of tile t from `*step` * t on. */
const uint32_t *tiles_background(const tiles_session *session, size_t *step);

#endif
