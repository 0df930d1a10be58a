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
    tilecut_image image; /* with channels 0 if `arrays` is true; the slices of a volume follow one another as rows */
    int neighbours, slice_rows; /* slice_rows: rows of a slice; 0: an image */
    bool arrays, symmetric; /* arrays: the capacities are the caller's; symmetric: links have the same capacity both
                               ways */
    int32_t keys;
    int color_bits;
    size_t bins;
    bool near, borrowed; /* near: it has levels of nearness; borrowed: pixels and seeds belong to the caller */
    bool in_place;       /* true: the pixels are read where they are on the device already */
    bool update;         /* true: the graph can learn from masks                                             */
    bool islands;        /* true: islands may have to be removed from its masks                              */
    size_t scratch;      /* the least size of the scratch memory, in bytes                                   */
} graph_plan;

/* What the host reads about a training and an answer; in device memory. */
typedef struct graph_results {
    learnt facts;
    proof_sums sums[2]; /* the sums of the proof, and the same sums after islands were removed */
} graph_results;

struct tc_cuda_graph {
    device_energy energy;
    device_arrays arrays; /* used instead of the energy if plan.arrays is set */
    grid_view view;
    device_memory memory;
    void *scratch;
    size_t scratch_bytes;
    uint8_t *seeds, *other_seeds, *mask; /* [pixels] each; `seeds` NULL: the caller's memory is used; `mask` NULL: the
                                            mask will be written where the heights of the solve were */
    uint8_t *kept; /* [pixels] the mask to learn from; NULL if the graph has no colour model               */
    bool update;                         /* true: `kept` holds a mask                                                 */
    model_request request;               /* the request with which the graph has learnt on the device                 */
    bool learnt_once, measured;          /* learnt_once: there is a mixture to start from; measured: the contrast scale
                                            is known */
    int start;                           /* the start of the first fit, see tc_training_set                           */
    graph_results *results;              /* its memory contains `facts` and `sums`                                    */
    built_links *links;                  /* the scales of the grid's links */
    bool complete;                       /* true: the grid holds a complete flow                                      */
    learnt *facts, *before;              /* facts: results of the last training; before: of the training before it, to
                                            which tc_cuda_graph_drop() returns */
    model_census census;                 /* the seeds' census, copied from the facts once it is known                 */
    bool seen;                           /* true: the census has been copied                                          */
    tilecut_status (*catch_up)(tc_cuda_graph *graph); /* if not NULL, queues first_training before the first solve */
    model_training first_training;       /* only mask, start and move are set */
    const tc_cuda_graph *source;         /* the graph whose pixels, seeds and mask catch_up() copies; NULL: done      */
    bool pending;                        /* true: the host has not yet read the results of the last training          */
    bool answered;                       /* true: the last solve has also computed the sums of its answer             */
    bool islands_go;                     /* true: that answer is without islands                                      */
    proof_sums proof[2];
    double certify_ms;                   /* the time for an answer that was computed together with the solve */
    proof_sums *sums;
    int *bad;                            /* set to 1 if the arrays are not exact                     */
    size_t bytes;
    int device; /* the index of the device */
    device_lane *lane;     /* the lane; graphs made from one another share it */
    cudaStream_t stream;   /* the lane's stream; no work is left on it between calls                */
    tiles_session session; /* the session of the last solve                                         */
    bool parted; /* nearness is being computed beside other work of the lane, and graph_join() was not called yet */
    /* building the grid has cleared the lists of a solve, and the sums of an answer */
    bool lists_cleared, sums_cleared;
    graph_plan plan;
};

/* Allocates a graph of size `plan` on a lane, and counts it as a user of the lane. */
tilecut_status graph_take(tc_cuda_graph **graph, const graph_plan *plan, int device, device_lane *lane);

/* Queue copies of the host's seeds and pixels to the device. */
tilecut_status graph_upload_seeds(const tc_cuda_graph *graph, const uint8_t *seeds);
tilecut_status graph_upload_pixels(const tc_cuda_graph *graph, const tilecut_image *image);

/* Makes later work wait until nearness is known, if it is being computed on a stream of its own. */
tilecut_status graph_join(tc_cuda_graph *graph);

static inline size_t graph_pixels(const tc_cuda_graph *graph)
{
    return (size_t)graph->energy.width * (size_t)graph->energy.height;
}

/* The graph's lattice, with all slices. */
device_lattice graph_lattice(const tc_cuda_graph *graph);

/* The memory that holds the mask of its last solve. */
static inline uint8_t *graph_mask(const tc_cuda_graph *graph)
{
    return graph->mask ? graph->mask : (uint8_t *)graph->session.view.height;
}

/* Queues the building of the grid. If *same, on the device, is 1, the flow stays; NULL: it does not. */
tilecut_status graph_build(tc_cuda_graph *graph, const int *same);

/* Opens the session of a solve. If a flow to start with is found quickly, the session starts from it. */
tilecut_status graph_open(tc_cuda_graph *graph);

/* Writes the results of a training to *origin, and the time for building as measured by `building`, which must have
 * stopped. */
tilecut_status graph_report_training(const tc_cuda_graph *graph, const learnt *facts, const stopwatch *building,
                                     tc_cuda_origin *origin);
