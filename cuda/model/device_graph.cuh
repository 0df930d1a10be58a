/* SPDX-License-Identifier: MIT
 *
 * device_graph.cuh - the contents of a tc_cuda_graph of cuda_backend.h.
 */
#pragma once

#include "device_build.cuh"
#include "device_certify.cuh"
#include "device_lane.cuh"
#include "device_model.cuh"
#include "device_scope.cuh"
#include "tiles_solver.cuh"

extern "C" {
#include "cuda_backend.h"
}

/* Everything that determines how much memory a graph takes. */
typedef struct graph_plan {
    tilecut_image image; /* a volume's slices lie one below the other; for arrays it has no channels */
    int neighbours, slice_rows; /* slice_rows: rows of a slice; 0: an image */
    bool arrays, symmetric; /* capacities are the caller's; links weigh the same both ways */
    int32_t keys;
    int color_bits;
    size_t bins;
    bool near, borrowed; /* near: it has levels of nearness; borrowed: pixels and seeds belong to the caller */
    bool update;         /* the graph can learn from masks                                                   */
    size_t scratch;      /* bytes, at least                                                                  */
} graph_plan;

/* What the host reads about a training and an answer; in device memory. */
typedef struct graph_results {
    learnt facts;
    proof_sums sums[2]; /* the sums of the proof, and those after islands were removed */
} graph_results;

struct tc_cuda_graph {
    device_energy energy;
    device_arrays arrays; /* used in place of the energy, if plan.arrays is set */
    grid_view view;
    device_memory memory;
    void *scratch;
    size_t scratch_bytes;
    uint8_t *seeds, *other_seeds, *mask; /* [pixels] each; `seeds` NULL: the caller's are used; `mask` NULL: it will
                                            lie where the heights of the solve were                  */
    uint8_t *kept; /* [pixels] the mask to learn from; NULL if the graph has no colour model               */
    bool update;                         /* `kept` holds a mask                                                       */
    model_request request;               /* for a graph that has learnt on the device: what was asked for             */
    bool learnt_once, measured;          /* there is a mixture to continue from; a contrast scale                     */
    int start;                           /* the start of the first fit, see tc_training_set                           */
    graph_results *results;              /* `facts` and `sums` lie in it                                              */
    learnt *facts, *before;              /* results of this training, and of the training with which masks[0] was cut */
    model_census census;                 /* the seeds' census, copied from the facts once it is known                 */
    bool seen;                           /* which is so                                                               */
    tilecut_status (*catch_up)(tc_cuda_graph *graph); /* NULL, or queues first_lesson, before the first solve        */
    model_lesson first_lesson;           /* only mask, start and move are set                                        */
    bool pending;                        /* the host does not know what the last training has found                   */
    bool answered;                       /* the last solve also computed the sums of its answer                       */
    bool islands_go;                     /* whether that answer is without islands                                    */
    proof_sums proof[2];
    double certify_ms;                   /* the time for an answer that came with the solve          */
    proof_sums *sums;
    int *bad;                            /* 1: the arrays are not exact                              */
    size_t bytes;
    int device; /* its index */
    device_lane *lane;     /* shared with the graphs made from this one, and those it was made from */
    cudaStream_t stream;   /* the lane's stream; no work is left on it between calls                */
    tiles_session session; /* of the last solve                                                     */
    bool parted; /* nearness is being computed beside other work of the lane, and graph_join() was not called yet */
    /* building the grid has cleared the lists of a solve, and the sums of an answer */
    bool lists_cleared, sums_cleared;
    graph_plan plan;
};

/* Allocates a graph of size `plan` on a lane, and becomes a user of the lane. */
tilecut_status graph_take(tc_cuda_graph **graph, const graph_plan *plan, int device, device_lane *lane);

/* Queue copies of the host's seeds and pixels to the device. */
tilecut_status graph_upload_seeds(const tc_cuda_graph *graph, const uint8_t *seeds);
tilecut_status graph_upload_pixels(const tc_cuda_graph *graph, const tilecut_image *image);

/* Makes later work wait for nearness, if nearness is being computed on a stream of its own. */
tilecut_status graph_join(tc_cuda_graph *graph);

static inline size_t graph_pixels(const tc_cuda_graph *graph)
{
    return (size_t)graph->energy.width * (size_t)graph->energy.height;
}

/* The graph's lattice, with all slices. */
device_lattice graph_lattice(const tc_cuda_graph *graph);

/* Where the mask of its last solve lies. */
static inline uint8_t *graph_mask(const tc_cuda_graph *graph)
{
    return graph->mask ? graph->mask : (uint8_t *)graph->session.view.height;
}

/* Queues the building of the grid. */
tilecut_status graph_build(tc_cuda_graph *graph);

/* Opens the session of a solve. If a flow to begin with is found quickly, the session starts from it. */
tilecut_status graph_open(tc_cuda_graph *graph);

/* Writes the results of a training to *origin, and the time for building from the stopwatch `building`, which must have
 * stopped. */
tilecut_status graph_tell_lesson(const tc_cuda_graph *graph, const learnt *facts, const stopwatch *building,
                                 tc_cuda_origin *origin);
