/* SPDX-License-Identifier: MIT
 *
 * device_graph.cuh - what a tc_cuda_graph of cuda_backend.h is.
 */
#ifndef TC_DEVICE_GRAPH_CUH
#define TC_DEVICE_GRAPH_CUH

#include "device_build.cuh"
#include "device_certify.cuh"
#include "device_model.cuh"
#include "device_scope.cuh"
#include "tiles_solver.cuh"

extern "C" {
#include "cuda_backend.h"
}

struct tc_cuda_graph {
    device_energy energy;
    grid_view view;
    device_memory memory;
    void *scratch;
    uint8_t *seeds, *other_seeds, *mask; /* [pixels] each; `seeds` NULL: the caller's are used      */
    uint8_t *kept; /* [pixels] a mask to learn from; NULL where there is no model of colours there   */
    bool taught;                         /* there is one in it                                       */
    bool guessed, totals;                /* of its lessons                                           */
    int64_t foreground, kept_foreground; /* pixels of both masks                                     */
    model_request request;               /* of a graph that has learnt on the device                 */
    learnt *facts;
    proof_sums *sums;
    size_t bytes;
    int device; /* its index */
    cudaStream_t stream;
    tiles_session session; /* of the last solve */
    bool own_stream;
    bool hard;     /* no terminals but those of hard seeds */
    bool pristine; /* no flow in it yet                     */
};

/* Opens the session of a solve, with a flow to begin with where there is a quick one. */
tilecut_status graph_open(tc_cuda_graph *graph);

#endif
