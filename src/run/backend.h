/* SPDX-License-Identifier: MIT
 *
 * backend.h - the table of functions with which a run is made: a row for the host, one for a CUDA device, and one for
 * an image in parts.
 *
 * A run learns an energy, builds a graph of it, solves the graph and concludes: labels, proof, mask. The code that
 * steers runs (segment.c, iterate.c, solve.c, session.c) calls the functions of a row and does not ask which row it is.
 *
 * Rows for learning and for cutting are chosen apart, because a device may cut what it cannot learn. The learner is the
 * first row of tc_backends[] whose learns() agrees; each cut goes to the first row whose takes() agrees. The host comes
 * last and takes everything.
 */
#pragma once

#include "build_grid.h"
#include "coarse.h"
#include "graph.h"
#include "grid.h"
#include "params.h"
#include "solver.h"
#include "tilecut.h"

typedef struct tc_backend tc_backend;
struct tc_cuda_graph;

/* A graph with the flow of its last solve. The flow may outlive the graph. All zero: none yet. Free with
 * tc_kept_free(). */
typedef struct tc_kept {
    const tc_backend *at;        /* the backend that holds the flow */
    tc_grid grid;                /* the flow, if it is on the host  */
    struct tc_cuda_graph *on_device; /* the flow, if it is on a device; made for `solver` */
    tc_color_terminals terminals; /* for a draft: which colour terminals the grid's excesses stand for */
    bool summed;                 /* grid.sinks is known                                       */
    const tc_solver *solver;
    int device;                  /* index of that device                                      */
    enum {
        TC_NO_FLOW,
        TC_FLOW_UNFINISHED,   /* a flow of this graph that is not maximal yet: its backend gave up   */
        TC_FLOW_OF_ANOTHER,   /* a flow of a graph of this size; it may not be one of the next graph */
        TC_FLOW_OF_THIS_GRAPH /* excesses are up to date with this graph's terminals                 */
    } flow;
} tc_kept;

/* The caller's pixels and seeds. */
typedef struct tc_source {
    const tilecut_image *image;
    const uint8_t *seeds;
    /* NULL: both are in host memory; else both are in device memory, and all work is ordered on this stream */
    void *const *stream;
    bool given;          /* the library may write to both; in the end it restores seeds, and after a failure pixels */
} tc_source;

/* One run, from a source or from a graph that exists already. */
typedef struct tc_run {
    const tc_setup *params;
    const tc_solver *solver; /* named by params; NULL: "auto"           */
    tc_solve_params solve_params;
    tc_source source;
    size_t pixels;
    const tilecut_flow *flow; /* where to write the flow; may be NULL   */
    tc_kept *kept;
    bool few;                 /* the flow in the grid on the host is maximal except for a few changed terminals */
    bool again;               /* `kept` is used again after the next cut */
    bool once;                /* the next cut is the last: `kept` and this run's energy are not used after it */

    bool learns_only;         /* the last cut is not made: the graph it would cut remains in `own` */

    /* The graph to cut next, and its properties. Written by the learner. */
    const tc_backend *learner;
    const tilecut_graph *graph; /* on the host; NULL: it is only in kept->on_device                           */
    tc_energy *energy;          /* of `graph`; NULL if nothing is learnt anew                             */
    tc_energy before;           /* the energy of masks[0], while `energy` is on trial                     */
    tilecut_graph *own;         /* `graph`, if the run has made it                                        */
    tilecut_report facts;
    double shared; /* the cost that all labellings have; with it, energies of different models can be compared */
    tc_extent strokes; /* the box around the foreground's strokes, if the learner keeps masks               */
    bool guessed;  /* there is a box, and the foreground in it was guessed at first                         */
    bool painted;  /* colours were learnt from strokes, in a box or alone                                   */
    bool learns;   /* the model can learn from a mask                                                       */
    bool smaller;  /* the model is to be learnt from a smaller copy of the source, not from the source itself */
    bool put_off;  /* the learner has only checked the seeds so far; learn_now() does the rest              */

    /* NULL, or the energy of the whole image, which is prepared while a search runs in a smaller copy */
    tc_energy *larger;
    const tc_coarse *scene; /* a copy, on the host, of the whole image with its box; masks are compared in it (see
                               box_evidence.h). NULL: masks are compared by energy                          */

    tc_kept own_kept; /* `kept` of a run that was made by another run                                 */
    tc_coarse coarse; /* the source of a run made by another run, if it is a smaller copy on the host */

    /* The results. masks[0] is the answer so far, masks[1] the mask of the last cut. If the learner keeps masks, both
     * stay with the learner and are NULL here. */
    uint8_t **masks;
    tilecut_report report;
    bool changed; /* the last cut differs from the answer so far; set by a learner that keeps both masks   */
    int64_t islands; /* foreground pixels that conclude() has removed from the last cut already, see drop_islands() */
    bool gave_up; /* the learner cannot learn this job; the next row of the table is to try                 */
} tc_run;

/* A model to be learnt beside the present one: from masks[0] as it is; or from a first guess with the model's start
 * `number`; or from masks[0] without the colours of one part of the model, where `number` is the `move` of
 * tc_energy_unlearn(). */
typedef struct tc_branch {
    enum { TC_AS_IT_IS, TC_OTHER_START, TC_OTHER_MOVE } kind;
    int number;
    int beside; /* how many branches are cut at the same time, each by a thread of its own; 0: it is alone */
} tc_branch;

struct tc_backend {
    const char *name;

    /* ---- Learning ---- */

    /* Whether this row can learn what run->params ask for in a form that run->solver can cut. Params are valid. */
    bool (*learns)(const tc_run *run);
    bool reads_device_memory; /* whether learn() takes a source with a stream */
    bool keeps_masks;         /* whether masks stay with this row             */
    /* Makes an energy from run->source. Image and parameters have been checked; this checks seeds. */
    tilecut_status (*learn)(tc_run *run);
    /* does what learn() put off (run->put_off); NULL: learn() never puts anything off */
    tilecut_status (*learn_now)(tc_run *run);
    /* Learns a new model from masks[0]. After the next cut call keep(), which adopts the model and makes that cut
     * masks[0], or drop(), which returns to the earlier model. */
    tilecut_status (*relearn)(tc_run *run);
    void (*keep)(tc_run *run);
    void (*drop)(tc_run *run);
    /* For a search among several models. fork() makes `other`, a run with another model, whose masks are masks + 1 of
     * `run`; close it with tc_run_close() even after a failure. take() replaces `run` by it. */
    tilecut_status (*fork)(const tc_run *run, tc_branch branch, tc_run *other);
    void (*take)(tc_run *run, tc_run *other);
    /* Makes `small`, a run that is open with its own parameters and flow, learn from a copy of the source that is
     * `factor` times smaller on each side. *done: false if such a copy is of no use (tc_coarse_init()). Close `small`
     * with tc_run_close() in any case. */
    tilecut_status (*shrink)(const tc_run *run, int factor, tc_run *small, bool *done);
    /* Takes over the model and masks[0] of `small`, and enlarges the mask by `factor`. */
    tilecut_status (*teach)(tc_run *run, const tc_run *small, int factor);
    /* Removes from `mask`, the mask of the last cut, all foreground that is not connected to a stroke. Called after
     * conclude() if tc_run_drops_islands(); a row may do this in conclude() already. */
    tilecut_status (*drop_islands)(tc_run *run, uint8_t *mask, tilecut_report *report);
    tilecut_status (*deliver)(const tc_run *run, uint8_t *mask); /* copies masks[0] to the caller */

    /* ---- Cutting: each function reads what the one before it left in run->kept ---- */

    bool (*takes)(const tc_run *run);
    /* builds the graph; kept->at then names the backend that is to solve it */
    tilecut_status (*build)(tc_run *run, tilecut_report *report);
    /* Finds a maximum flow, or an unfinished one. Afterwards kept->at names the backend that holds the flow. */
    tilecut_status (*solve)(tc_run *run, tilecut_report *report);
    /* Finishes an unfinished flow on the host; run->graph must exist. NULL: solve() always finishes its flow. */
    tilecut_status (*finish)(tc_run *run, tilecut_report *report);
    /* Computes labels, proof and mask. If `mask` is NULL, the mask stays where the learner keeps masks. */
    tilecut_status (*conclude)(tc_run *run, uint8_t *mask, tilecut_report *report);
    /* Gives the graph of `kept` other seeds; its flow stays. After a failure `kept` cannot be used any more. */
    tilecut_status (*reseed)(tc_kept *kept, const tc_energy *energy, const uint8_t *before, const uint8_t *after);
};

/* Whether foreground that is not connected to a stroke is removed. If colours were learnt from strokes alone, it is,
 * because the object's colours may occur elsewhere, too. In a box, where colours are learnt from a guess, it is
 * kept. */
static inline bool tc_run_drops_islands(const tc_run *run)
{
    return run->painted && !run->guessed && !run->params->islands;
}

extern const tc_backend tc_backend_host, tc_backend_cuda, tc_backend_parts; /* tc_backend_parts is in src/parts */
extern const tc_backend *const tc_backends[]; /* in the order in which they are tried; the host is last */

void tc_kept_free(tc_kept *kept);
void tc_run_close(tc_run *run); /* does not touch run->kept */

/* Makes the host the learner for a graph that exists. `energy` is the graph's; NULL means that it must not change. */
void tc_run_adopt(tc_run *run, const tilecut_graph *graph, tc_energy *energy);

/* Fills in the parts of the report that depend on the graph alone, not on its cut. */
void tc_graph_describe(const tilecut_graph *graph, int threads, tilecut_report *report);

/* Pixels and seeds in host memory. If the source is in device memory, they are copies, and there is room for a mask. */
typedef struct tc_fetched {
    tilecut_image image;
    const uint8_t *seeds;
    uint8_t *mask; /* NULL: the source is in host memory already              */
    void *memory;  /* memory of all copies; to be freed, also after a failure */
} tc_fetched;

/* Fills in what the report says about the solver. On entry report->solve_ms has the whole time, copying included. */
void tc_run_describe_solve(const tc_run *run, const tc_solver *solver, const tc_solve_stats *stats,
                           tilecut_report *report);

tilecut_status tc_source_fetch(const tc_source *source, tc_fetched *out);
