/* SPDX-License-Identifier: MIT
 *
 * backend.h - the table of functions with which a run is made: a row for the host, one for a CUDA device, and one for
 * an image in parts.
 *
 * A run learns an energy, builds its graph, solves the graph, and concludes: it computes labels, proof and mask. The
 * code that steers runs (segment.c, iterate.c, solve.c, session.c) calls the functions of a row and does not ask which
 * row it is.
 *
 * The rows for learning and for cutting are chosen separately, because a device may be able to cut a graph whose energy
 * it cannot learn. The learner is the first row of tc_backends[] that has a learn(), and whose learns(), if it has
 * one, returns true; each cut goes to the first row whose takes() returns true. The host comes last and accepts
 * everything.
 */
#pragma once

#include "box_evidence.h"
#include "build_grid.h"
#include "coarse.h"
#include "graph.h"
#include "grid.h"
#include "params.h"
#include "solver.h"
#include "tilecut.h"

typedef struct tc_backend tc_backend;
struct tc_cuda_graph;

/* A graph with the flow of its last solve. The flow may outlive the graph. All zero means that there is none yet. Free
 * it with tc_kept_flow_free(). */
typedef struct tc_kept_flow {
    const tc_backend *at;        /* the backend that holds the flow */
    tc_grid grid;                /* the flow, if it is on the host  */
    struct tc_cuda_graph *on_device; /* the flow, if it is on a device; made for `solver` */
    tc_color_terminals terminals; /* for a draft: the colour terminals that the grid's excesses contain */
    bool summed;                 /* true: grid.sinks is valid                                 */
    const tc_solver *solver;
    int device;                  /* the index of that device                                  */
    enum {
        TC_NO_FLOW,
        TC_FLOW_UNFINISHED,   /* a flow of this graph that is not maximal yet, because its backend gave up */
        TC_FLOW_OF_ANOTHER,   /* a flow of another graph of this size; it may not be valid for the next graph */
        TC_FLOW_OF_THIS_GRAPH /* excesses are up to date with this graph's terminals                 */
    } flow;
} tc_kept_flow;

/* The caller's pixels and seeds. */
typedef struct tc_source {
    const tilecut_image *image;
    const uint8_t *seeds;
    /* NULL: both are in host memory; otherwise both are in device memory, and all work is ordered on this stream */
    void *const *stream;
    const uint8_t *seeds_here; /* with a stream: the same seeds in host memory; NULL: they are not there */
    bool given;          /* the library may overwrite both; at the end it restores the seeds and, after a failure, the
                            pixels */
    bool boxless;        /* true: no seed is TILECUT_OUTSIDE; false: that is not known */
} tc_source;

/* One run, which starts from a source or from a graph that exists already. */
typedef struct tc_run {
    const tc_setup *params;
    const tc_solver *solver; /* the solver named by params; NULL: "auto" */
    tc_solve_params solve_params;
    tc_source source;
    size_t pixels;
    const tilecut_flow *flow; /* where to write the flow; may be NULL   */
    tc_kept_flow *kept;
    bool few;                 /* true: the flow in the grid on the host is maximal except for a few changed terminals */
    bool again;               /* true: `kept` will be used again after the next cut */
    bool once;                /* the next cut is the last one: `kept` and this run's energy are not used after it */

    bool learns_only;         /* true: the last cut is not made: the graph that it would cut remains in `own` */

    /* The graph to cut next, and its properties. Written by the learner. */
    const tc_backend *learner;
    const tilecut_graph *graph; /* the graph in host memory; NULL: it exists only in kept->on_device          */
    tc_energy *energy;          /* the energy of `graph`; NULL if nothing is learnt anew                  */
    tc_energy before;           /* the energy of masks[0], while `energy` is being tried                  */
    tilecut_graph *own;         /* `graph`, if this run has made it                                       */
    tilecut_report facts;
    double shared; /* the cost that all labellings share; with it, energies of different models can be compared */
    tc_extent strokes; /* the bounding box of the foreground's strokes, if the learner keeps masks          */
    bool guessed;  /* true: there is a box, and its foreground was guessed at first                         */
    bool painted;  /* true: colours were learnt from strokes, with or without a box                         */
    bool learns;   /* true: the model can learn from a mask                                                 */
    bool smaller;  /* true: the model is to be learnt from a smaller copy of the source, instead of the source itself */
    bool put_off;  /* true: the learner has only checked the seeds so far; learn_now() does the rest        */

    /* NULL, or the energy of the whole image, which is prepared while a smaller copy is searched */
    tc_energy *larger;
    bool looks; /* true: masks are compared by what is seen of them, too (box_evidence.h); false: by energy alone */
    const tc_coarse *scene; /* a copy, on the host, of the whole image with its box, in which masks are looked at. NULL:
                               not needed, because nothing is looked at or the learner has a look() of its own */

    tc_kept_flow own_kept; /* the memory of `kept` in a run that another run has made                      */
    tc_coarse coarse; /* the source of a run that another run has made, if it is a smaller copy on the host */

    /* The results. masks[0] is the answer so far, masks[1] the mask of the last cut. If the learner keeps masks, both
     * stay with the learner and are NULL here. */
    uint8_t **masks;
    tilecut_report report;
    bool changed; /* true: the last cut differs from the answer so far; set by a learner that keeps both masks */
    int64_t islands; /* foreground pixels that conclude() has already removed from the last cut, see drop_islands() */
    bool gave_up; /* true: the learner cannot learn this job; the next row of the table will be tried       */
} tc_run;

/* Another model to be learnt besides the present one: from masks[0] as it is; or from a first guess, with start
 * `number` of the model; or from masks[0] without the colours of one part of the model, where `number` is the `move` of
 * tc_energy_move_color(). */
typedef struct tc_branch {
    enum { TC_AS_IT_IS, TC_OTHER_START, TC_OTHER_MOVE } kind;
    int number;
    int beside; /* how many branches are cut at the same time, each by a thread of its own; 0: only this one */
} tc_branch;

struct tc_backend {
    const char *name;

    /* ---- Learning ---- */

    /* True if this row can learn what run->params ask for from run->source.image, in a form that run->solver can cut.
     * The params must be valid. */
    bool (*learns)(const tc_run *run);
    bool reads_device_memory; /* true: learn() accepts a source with a stream */
    bool keeps_masks;         /* true: masks of a run stay where this row learns, e.g. on a device */
    /* Makes an energy from run->source. Image and parameters must have been checked; this function checks the seeds. */
    tilecut_status (*learn)(tc_run *run);
    /* does the work that learn() put off (run->put_off); NULL: learn() never puts anything off */
    tilecut_status (*learn_now)(tc_run *run);
    /* Learns a new model from masks[0]. After the next cut call either keep(), which adopts the model and makes that
     * cut masks[0], or drop(), which returns to the earlier model. */
    tilecut_status (*relearn)(tc_run *run);
    void (*keep)(tc_run *run);
    void (*drop)(tc_run *run);
    /* For a search among several models. fork() makes `other`, a run with another model, whose masks are masks + 1 of
     * `run`; close it with tc_run_close() even after a failure. take() replaces `run` by it. */
    tilecut_status (*fork)(const tc_run *run, tc_branch branch, tc_run *other);
    void (*take)(tc_run *run, tc_run *other);
    /* Makes a smaller copy of the source, by `factor` on each side, from which `small` learns. `small` is an open run
     * with its own parameters and flow. *done is false if such a copy cannot be used (tc_coarse_init()). Close `small`
     * with tc_run_close() in any case. */
    tilecut_status (*shrink)(const tc_run *run, int factor, tc_run *small, bool *done);
    /* Takes over the model and masks[0] of `small`, and enlarges the mask by `factor`. */
    tilecut_status (*learn_from_copy)(tc_run *run, const tc_run *small, int factor);
    /* Removes from `mask`, the mask of the last cut, all foreground that is not connected to a stroke. Called after
     * conclude() if tc_run_drops_islands() is true; a row may do this work in conclude() already. */
    tilecut_status (*drop_islands)(tc_run *run, uint8_t *mask, tilecut_report *report);
    tilecut_status (*deliver)(const tc_run *run, uint8_t *mask); /* copies masks[0] to the caller */
    /* measures masks[0] where it is; NULL: masks are delivered and measured on the host, in run->scene */
    tilecut_status (*look)(const tc_run *run, tc_box_evidence *seen);

    /* ---- Cutting: each function reads what the one before it left in run->kept ---- */

    bool (*takes)(const tc_run *run);
    /* builds the graph; afterwards kept->at is the backend that is to solve it */
    tilecut_status (*build)(tc_run *run, tilecut_report *report);
    /* Finds a maximum flow, or an unfinished one. Afterwards kept->at is the backend that holds the flow. */
    tilecut_status (*solve)(tc_run *run, tilecut_report *report);
    /* Finishes an unfinished flow on the host; run->graph must exist. NULL: solve() always finishes its flow. */
    tilecut_status (*finish)(tc_run *run, tilecut_report *report);
    /* Computes labels, proof and mask. If `mask` is NULL, the mask stays where the learner keeps masks. */
    tilecut_status (*conclude)(tc_run *run, uint8_t *mask, tilecut_report *report);
    /* Updates the graph of `kept` for other seeds; its flow stays. After a failure `kept` cannot be used any more. */
    tilecut_status (*reseed)(tc_kept_flow *kept, const tc_energy *energy, const uint8_t *before, const uint8_t *after);
};

/* True if foreground that is not connected to a stroke is removed. That is so if colours were learnt from strokes
 * alone, because the object's colours may also occur elsewhere. In a box, where colours are learnt from a guess, such
 * foreground is kept. */
static inline bool tc_run_drops_islands(const tc_run *run)
{
    return run->painted && !run->guessed && !run->params->islands;
}

extern const tc_backend tc_backend_host, tc_backend_cuda, tc_backend_parts; /* tc_backend_parts is in src/parts */
extern const tc_backend *const tc_backends[]; /* in the order in which they are tried; the host is last */

void tc_kept_flow_free(tc_kept_flow *kept);
void tc_run_close(tc_run *run); /* does not change run->kept */

/* Makes the host the learner for a graph that exists. `energy` is the graph's energy; NULL means that the energy must
 * not change. */
void tc_run_adopt(tc_run *run, const tilecut_graph *graph, tc_energy *energy);

/* Pixels and seeds in host memory. What the source has in device memory alone is copied. */
typedef struct tc_fetched {
    tilecut_image image;
    const uint8_t *seeds;
    uint8_t *mask; /* memory for a mask; NULL: the caller's masks are in host memory, too */
    void *memory;  /* the memory of all copies; free it after a failure, too */
} tc_fetched;

/* Sets the fields of the report about the solver. On entry report->solve_ms is the whole time, including copies. */
void tc_run_describe_solve(const tc_run *run, const tc_solver *solver, const tc_solve_stats *stats,
                           tilecut_report *report);

tilecut_status tc_source_fetch(const tc_source *source, const tc_setup *setup, tc_fetched *out);
