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
#ifndef TC_BACKEND_H
#define TC_BACKEND_H

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
    const tc_backend *at;        /* the row on whose side the flow lies                       */
    tc_grid grid;                /* if on the host                                            */
    struct tc_cuda_graph *there; /* if on a device; made for `solver`                         */
    const tc_solver *solver;
    int device;                  /* index of that device                                      */
    enum {
        TC_NO_FLOW,
        TC_FLOW_UNFINISHED,   /* of this graph, but not maximal yet: its backend gave up                   */
        TC_FLOW_OF_ANOTHER,   /* of a graph of this size; it may or may not be a flow of the next graph    */
        TC_FLOW_OF_THIS_GRAPH /* excesses are up to date with this graph's terminals                       */
    } flow;
} tc_kept;

/* The caller's pixels and seeds. */
typedef struct tc_source {
    const tilecut_image *image;
    const uint8_t *seeds;
    void *const *stream; /* NULL: in host memory. Else all work on device memory is ordered on it */
    bool given;          /* both may be written; in the end seeds are what they were, and pixels after a failure */
} tc_source;

/* One run, from a source or from a graph that exists already. */
typedef struct tc_run {
    const tc_setup *params;
    const tc_solver *solver; /* named by params; NULL: "auto"           */
    tc_solve_params how;
    tc_source source;
    size_t pixels;
    const tilecut_flow *flow; /* where to write the flow; may be NULL   */
    tc_kept *kept;
    bool few;                 /* the grid on the host holds a maximum flow, but for a few terminals */
    bool again;               /* `kept` is used again after the next cut */
    bool once;                /* `kept` and the energy that this run has made are not: one cut, and no other */

    /* What is cut next, and what is known of it before cutting. Written by the learner. */
    const tc_backend *learner;
    const tilecut_graph *graph; /* on the host; NULL: it is only in kept->there                           */
    tc_energy *energy;          /* of `graph`; NULL if nothing is learnt anew                             */
    tc_energy before;           /* the energy of masks[0], while `energy` is on trial                     */
    tilecut_graph *own;         /* `graph`, if the run has made it                                        */
    tilecut_report facts;
    double shared; /* the cost that all labellings have; with it, energies of different models can be compared */
    bool guessed;  /* there is a box, and the foreground in it was guessed at first                         */
    bool painted;  /* strokes, in a box or alone, have taught colours                                       */
    bool learns;   /* the model can learn from a mask                                                       */
    bool smaller;  /* what a smaller copy of the source teaches is to replace what the source itself teaches */
    bool put_off;  /* so the learner has only looked at the seeds yet, and learn_now() does the rest        */

    const tc_coarse *scene; /* pixels and seeds of a box on the host, as a whole, by which its masks are compared; NULL:
                               energies decide                                                             */

    tc_kept own_kept; /* `kept` of a run that was made by another run                                       */
    tc_coarse coarse; /* the source of such a run, if it is a smaller copy on the host                      */

    /* The results. masks[0] is the answer so far, masks[1] that of the last cut. If the learner keeps masks, both
     * stay with it and are NULL here. */
    uint8_t **masks;
    tilecut_report told;
    bool changed; /* the last cut differs from the answer so far; set by a learner that keeps both masks   */
    int64_t islands; /* foreground pixels of the last cut that its learner has removed in advance, see drop_islands() */
    bool gave_up; /* the learner found something that it cannot learn; the next row is to try              */
} tc_run;

/* Another lesson, from masks[0], beside the present one: taught as it is; or from a first guess with the model's
 * start `number`; or without the colours of one part of the model, see tc_energy_unlearn(). */
typedef struct tc_branch {
    enum { TC_AS_IT_IS, TC_OTHER_START, TC_OTHER_MOVE } kind;
    int number;
} tc_branch;

struct tc_backend {
    const char *name;

    /* ---- Learning ---- */

    /* Whether this row can learn all that run->params ask for, such that run->solver can cut it. Params are checked. */
    bool (*learns)(const tc_run *run);
    bool reads_device_memory; /* whether learn() takes a source with a stream */
    bool keeps_masks;         /* whether masks stay with this row             */
    /* Makes an energy from run->source. Image and parameters have been checked; this checks seeds. */
    tilecut_status (*learn)(tc_run *run);
    tilecut_status (*learn_now)(tc_run *run); /* what was put off; NULL: this row puts nothing off */
    /* Learns anew from masks[0]. The new model is on trial until keep(), which also makes the last cut masks[0], or
     * until drop(). */
    tilecut_status (*relearn)(tc_run *run);
    void (*keep)(tc_run *run);
    void (*drop)(tc_run *run);
    /* For a search among several lessons. fork() makes `other`, a run that uses masks + 1; close it with
     * tc_run_close() even after a failure. take() replaces `run` by it. */
    tilecut_status (*fork)(const tc_run *run, tc_branch branch, tc_run *other);
    void (*take)(tc_run *run, tc_run *other);
    /* Makes `small`, which is open with its own parameters and flow, learn from a copy of the source that is `factor`
     * times smaller. *done: false if such a copy would not do (coarse.h). Close it with tc_run_close() in any case. */
    tilecut_status (*shrink)(const tc_run *run, int factor, tc_run *small, bool *done);
    /* Goes on from the model and masks[0] of such a run, as if they had been found here. */
    tilecut_status (*teach)(tc_run *run, const tc_run *small, int factor);
    /* Removes from `mask`, that of the last cut, all foreground that is connected to no stroke. Called after conclude()
     * where tc_run_drops_islands(), so that a row may do both at once. */
    tilecut_status (*drop_islands)(tc_run *run, uint8_t *mask, tilecut_report *report);
    tilecut_status (*deliver)(const tc_run *run, uint8_t *mask); /* copies masks[0] to the caller */

    /* ---- Cutting: each function reads what the one before it left in run->kept ---- */

    bool (*takes)(const tc_run *run);
    tilecut_status (*build)(tc_run *run, tilecut_report *report);
    /* Finds a maximum flow, or an unfinished one. kept->at says where it lies afterwards. */
    tilecut_status (*solve)(tc_run *run, tilecut_report *report);
    /* Finishes an unfinished flow on the host; run->graph must exist. NULL: this row never leaves one. */
    tilecut_status (*finish)(tc_run *run, tilecut_report *report);
    /* Computes labels, proof and mask. If `mask` is NULL, the mask stays where the learner keeps masks. */
    tilecut_status (*conclude)(tc_run *run, uint8_t *mask, tilecut_report *report);
    /* Gives the graph of `kept` other seeds; the flow stays. After a failure `kept` is useless. */
    tilecut_status (*reseed)(tc_kept *kept, const tc_energy *energy, const uint8_t *before, const uint8_t *after);
};

/* Whether what is connected to no stroke is dropped: if strokes have taught the colours, because an object's colours
 * occur elsewhere, too. In a box, where a guess has taught them, everything is kept. */
static inline bool tc_run_drops_islands(const tc_run *run)
{
    return run->painted && !run->guessed && !run->params->islands;
}

extern const tc_backend tc_backend_host, tc_backend_cuda, tc_backend_parts; /* the last is in src/parts */
extern const tc_backend *const tc_backends[]; /* in the order in which they are asked; the host is last */

void tc_kept_free(tc_kept *kept);
void tc_run_close(tc_run *run); /* does not touch run->kept */

/* Makes the host the learner for a graph that exists. `energy` is the graph's; NULL means that it must not change. */
void tc_run_adopt(tc_run *run, const tilecut_graph *graph, tc_energy *energy);

/* Fills in what is known of a graph before it is cut. */
void tc_graph_describe(const tilecut_graph *graph, int threads, tilecut_report *report);

/* Pixels and seeds in host memory. If the source is in device memory, they are copies, and there is room for a mask. */
typedef struct tc_fetched {
    tilecut_image image;
    const uint8_t *seeds;
    uint8_t *mask; /* NULL: the source is in host memory already          */
    void *memory;  /* all copies; to be freed, also after a failure       */
} tc_fetched;

/* Fills in what the report says about the solver. On entry report->solve_ms has the whole time, copying included. */
void tc_run_describe_solve(const tc_run *run, const tc_solver *solver, const tc_solve_stats *stats,
                           tilecut_report *report);

tilecut_status tc_source_fetch(const tc_source *source, tc_fetched *out);

#endif
