/* SPDX-License-Identifier: MIT
 *
 * backend.h - where a run takes place: a row of verbs for the host, and one for a CUDA device.
 *
 * A run learns an energy, builds a graph of it, solves that, and concludes: labels, proof, mask. Those who steer runs
 * (segment.c, iterate.c, solve.c, session.c) are written on the verbs of a row and do not ask which row it is.
 *
 * Learning and cutting are given to rows apart, since a device may cut what it cannot learn: the learner is the first
 * row of tc_backends[] that says it learns such a thing, and each cut goes to the first row that says it takes it. The
 * host comes last and takes everything.
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

/* A graph with the flow of its last solve, which may outlive it. All zero: none yet. Free with tc_kept_free(). */
typedef struct tc_kept {
    const tc_backend *at;        /* where the flow lies                                       */
    tc_grid grid;                /* on the host                                               */
    struct tc_cuda_graph *there; /* on a device, made for `solver`                            */
    const tc_solver *solver;
    int device;                  /* its index, of `there`                                     */
    enum {
        TC_NO_FLOW,
        TC_FLOW_UNFINISHED,   /* of this graph, and not yet maximal: given up by its backend                       */
        TC_FLOW_OF_ANOTHER,   /* of a graph of this size: it may be one of the next graph too, or not      */
        TC_FLOW_OF_THIS_GRAPH /* whose terminals the excesses are up to date with                          */
    } flow;
} tc_kept;

/* Pixels and seeds, of the caller. */
typedef struct tc_source {
    const tilecut_image *image;
    const uint8_t *seeds;
    void *const *stream; /* NULL: in host memory. Else in a device's, all work ordered on *stream, a cudaStream_t */
} tc_source;

/* One run, from a source or from a graph that has been made already. */
typedef struct tc_run {
    const tc_setup *params;
    const tc_solver *solver; /* that params name; NULL: "auto"          */
    tc_solve_params how;
    tc_source source;
    size_t pixels;
    const tilecut_flow *flow; /* to be told, too; or NULL               */
    tc_kept *kept;
    bool again;               /* `kept` is of use after the next cut    */

    /* What is cut next, and what is known of it without cutting. The learner's to write. */
    const tc_backend *learner;
    const tilecut_graph *graph; /* on the host; NULL: nowhere but in kept->there                          */
    tc_energy *energy;          /* of `graph`; NULL where nothing is learnt anew                          */
    tc_energy before;           /* of masks[0], while `energy` is on trial                                */
    tilecut_graph *own;         /* `graph`, if the run has made it                                        */
    tilecut_report facts;
    double shared; /* what all labellings cost: with it, energies of different models can be compared       */
    bool guessed;  /* there is a box, and what is in it was a guess at first                                */
    bool painted;  /* there are strokes, in a box or alone, that have taught it colours                     */
    bool learns;   /* a mask could teach it something                                                       */

    tc_kept own_kept; /* `kept` of a run that another has made                                              */
    tc_coarse coarse; /* and its source, if it is a smaller copy on the host                                */

    /* What came out. masks[0] is the answer so far, masks[1] that of the last cut; where the learner keeps masks, both
     * stay there and are NULL here. */
    uint8_t **masks;
    tilecut_report told;
    bool changed; /* the last cut is not the answer so far: told by a learner that has both masks           */
    bool gave_up; /* what the learner cannot do has turned up: the next row is to have a try               */
} tc_run;

/* Another lesson beside the present one, from masks[0]: taught as it is; from the first guess again with the model's
 * start `number`; or without the colours of one part of the model: see tc_energy_unlearn(). */
typedef struct tc_branch {
    enum { TC_AS_IT_IS, TC_OTHER_START, TC_OTHER_MOVE } kind;
    int number;
} tc_branch;

struct tc_backend {
    const char *name;

    /* ---- Learning ---- */

    /* Whether what run->params ask for is learnt here, all of it, for run->solver to cut. They have been checked. */
    bool (*learns)(const tc_run *run);
    bool reads_device_memory; /* whether learn() takes a source with a stream */
    bool keeps_masks;         /* whether masks stay with it                   */
    /* An energy from run->source, whose image and parameters have been checked; seeds are checked here. */
    tilecut_status (*learn)(tc_run *run);
    /* Learns anew from masks[0]. That is on trial until keep(), with which the last cut becomes masks[0], or drop(). */
    tilecut_status (*relearn)(tc_run *run);
    void (*keep)(tc_run *run);
    void (*drop)(tc_run *run);
    /* A search among several lessons. fork() makes `other`, a run beside `run` on masks + 1, to be closed by
     * tc_run_close() even on failure; take() puts it in the place of `run`. */
    tilecut_status (*fork)(const tc_run *run, tc_branch branch, tc_run *other);
    void (*take)(tc_run *run, tc_run *other);
    /* Lets `small`, which is open on its own parameters and flow, learn from a copy of the source, `factor` times
     * smaller. *done: false where the copy would not do (coarse.h). To be closed by tc_run_close() either way. */
    tilecut_status (*shrink)(const tc_run *run, int factor, tc_run *small, bool *done);
    /* Goes on from the model and masks[0] of such a run, as if that had been cut here. */
    tilecut_status (*teach)(tc_run *run, const tc_run *small, int factor);
    /* Drops what does not hang together with the strokes from `mask`, that of the last cut. */
    tilecut_status (*drop_islands)(tc_run *run, uint8_t *mask, tilecut_report *report);
    tilecut_status (*deliver)(const tc_run *run, uint8_t *mask); /* masks[0], to the caller */

    /* ---- Cutting: each call reads what the one before it left in run->kept ---- */

    bool (*takes)(const tc_run *run);
    tilecut_status (*build)(tc_run *run, tilecut_report *report);
    /* Gets a maximum flow, or one that is unfinished; kept->at says where it has come to lie. */
    tilecut_status (*solve)(tc_run *run, tilecut_report *report);
    /* What is unfinished, on the host; run->graph is there. NULL: nothing ever is. */
    tilecut_status (*finish)(tc_run *run, tilecut_report *report);
    /* Labels, proof and mask; a mask of NULL stays where the learner keeps masks. */
    tilecut_status (*conclude)(tc_run *run, uint8_t *mask, tilecut_report *report);
    /* Other seeds for the graph of `kept`: the flow stays. On failure `kept` is of no use any more. */
    tilecut_status (*reseed)(tc_kept *kept, const tc_energy *energy, const uint8_t *before, const uint8_t *after);
};

extern const tc_backend tc_backend_host, tc_backend_cuda;
extern const tc_backend *const tc_backends[]; /* in the order in which they are asked; the host is the last */

void tc_kept_free(tc_kept *kept);
void tc_run_close(tc_run *run); /* run->kept is left alone */

/* Makes the host the learner, of a graph that is there. `energy` is the graph's, or NULL: it must not change. */
void tc_run_adopt(tc_run *run, const tilecut_graph *graph, tc_energy *energy);

/* Pixels and seeds in host memory, wherever they are, and room for a mask where they are not. */
typedef struct tc_fetched {
    tilecut_image image;
    const uint8_t *seeds;
    uint8_t *mask; /* NULL: the source is in host memory already          */
    void *memory;  /* all of it, to be freed, after a failure too */
} tc_fetched;

/* What of the report the solver tells; report->solve_ms comes in with all of its time. */
void tc_run_describe_solve(const tc_run *run, const tc_solver *solver, const tc_solve_stats *stats,
                           tilecut_report *report);

tilecut_status tc_source_fetch(const tc_source *source, tc_fetched *out);

#endif
