/* SPDX-License-Identifier: MIT
 *
 * tiles_solver.cuh - the fastest rung in single steps, for callers that read the grid between them; and its schedule,
 * for tuning.
 */
#pragma once

#include "tiles_view.cuh"

enum { TILES_LIMITS = 4, TILES_NO_LIMIT = 1 << 30 };

typedef struct tiles_schedule {
    /* Discharging. A visit to a tile makes `sweeps_many` sweeps while there are more tiles to discharge than blocks,
     * and `sweeps_few` when there are fewer: then most of a round's time does not depend on the number of sweeps. A
     * relabelling is followed by as many rounds of discharging as it had rounds itself, but within rounds_least ..
     * rounds_most. */
    int sweeps_many, sweeps_few;
    int rounds_least, rounds_most;
    /* Relabelling. Relabelling i has at most limits[i] rounds after its opening, unless it has reached no active pixel
     * by then; the last entry is for all later relabellings. After relabelling number `patience`, each may have
     * `growth` rounds more than the one before, and is followed by twice as many rounds of discharging. */
    int limits[TILES_LIMITS];
    int patience, growth;
    int slice;         /* rounds of both kinds in one launch                */
    int rounds_in_all; /* after this many rounds, the rest is left to a CPU */
} tiles_schedule;

static inline tiles_schedule tiles_schedule_default(void)
{
    const tiles_schedule plan = {4, 6, 2, 32, {0, 2, 3, 5}, 12, 4, 4096, 40960};
    return plan;
}

extern const device_solver tiles_solver; /* solves from beginning to end */

size_t tiles_scratch_bytes(const grid_view *grid);

struct tiles_engine;
struct device_lane;
struct progress;

/* A solve in progress. Between steps the grid is complete except for flow in inboxes, see tiles_deliver(). */
typedef struct tiles_session {
    const struct tiles_engine *engine; /* the engine for the grid's number of neighbours */
    tiles_view view;
    void *scratch;          /* in device memory */
    struct progress *state; /* likewise      */
    size_t zeroed;         /* bytes from view.todo on that are 0 at the start */
    tiles_schedule plan;
    cudaStream_t stream;
    device_lane *lane; /* the lane through which results are fetched; its stopwatch is stopped after each launch; may be
                          NULL */
    /* Queues further work on the grid, for the case that this launch ends the solve. It is called before the host waits
     * for the launch. May be NULL. */
    tilecut_status (*after)(void *context);
    void *context;
    int blocks;
    bool launched; /* true: there was a launch, so its working memory must be zeroed before the next one */
    bool fresh;    /* true: capacities were set from outside, so the next step begins anew */
    bool done;     /* true: no excess reaches a sink                                */
    device_run run;
} tiles_session;

/* Opens a session on a lane or, if `lane` is NULL, on a stream alone. */
tilecut_status tiles_open(tiles_session *session, const grid_view *grid, void *scratch, cudaStream_t stream,
                          device_lane *lane, const tiles_schedule *schedule, bool cleared);

/* Finds which part of `scratch` must be 0 when a session begins. tiles_open() clears that part, unless `cleared` says
 * that it is zero already. */
void tiles_zeroed(const grid_view *grid, void *scratch, uint32_t **at, size_t *words);
tilecut_status tiles_step(tiles_session *session); /* makes at most `slice` rounds */
tilecut_status tiles_deliver(tiles_session *session);
/* delivers the inboxes, then does the same as tiles_engine.inspect */
tilecut_status tiles_inspect(tiles_session *session, uint32_t *words);

/* Makes steps until the solve is done, or until a CPU is faster for the rest: then run.unfinished is set, and no flow
 * is left in inboxes. */
tilecut_status tiles_finish(tiles_session *session, const tc_solve_params *params);

/* A flag in device memory: nonzero if the solve is done. */
const int *tiles_done(const tiles_session *session);

/* After a solve: one bit per pixel, set if the pixel reaches a sink. The words of tile t begin at index `*step` * t. */
const uint32_t *tiles_background(const tiles_session *session, size_t *step);
