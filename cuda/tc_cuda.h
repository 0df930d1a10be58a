/* SPDX-License-Identifier: MIT
 *
 * tc_cuda.h - the seam between the library and its GPU solvers: plain C, no CUDA types. Without nvcc the
 * file stub.c takes the place of the .cu files and answers every call with TILECUT_ENODEVICE.
 */
#ifndef TC_CUDA_H
#define TC_CUDA_H

#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "arbitrator.h"
#include "energy.h"

extern const int tc_cuda_built; /* 1; 0 in the stub */

/* TILECUT_OK when a device can be used; else ENODEVICE or EDEVICE with a sentence that says why not. `name`
 * (may be NULL) gets the device's name, at most `size` bytes with the final 0. */
tilecut_status tc_cuda_device(char *name, size_t size);

/* Solvers, as tc_solver asks for: the grid goes up, the residual grid comes back. */
tilecut_status tc_cuda_solve(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats);
tilecut_status tc_cuda_hybrid(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats);
tilecut_status tc_cuda_basic(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats);
tilecut_status tc_cuda_lockstep(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats);
tilecut_status tc_cuda_tiled(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats);
tilecut_status tc_cuda_lockfree(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats);
tilecut_status tc_cuda_queue(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats);

/* A graph from an image that is built, solved, labelled and proven on the device: pixels, seeds and tables go up,
 * the mask comes down. Opaque; holds some 45 bytes of device memory a pixel, and the flow of its last solve. */
typedef struct tc_cuda_graph tc_cuda_graph;

typedef struct tc_cuda_answer {
    int64_t flow, cut, foreground;
    int64_t violations; /* of the preflow's rules: 0, or the answer is none                                  */
    bool unfinished;    /* a CPU is better at the rest: the residual grid is to be fetched and solved on     */
    double solve_ms, certify_ms, copy_ms;
    size_t bytes;       /* of device memory                                                                 */
} tc_cuda_answer;

/* `*graph` out, owned by the caller; NULL on failure. `energy` has 4 neighbours; nothing of it is needed afterwards.
 * *copy_ms and *build_ms: of its pixels' way up, and of the capacities into the grid. */
tilecut_status tc_cuda_graph_create(tc_cuda_graph **graph, const tc_energy *energy, double *copy_ms, double *build_ms);
void tc_cuda_graph_destroy(tc_cuda_graph *graph); /* NULL is fine */

/* Other labels for the image: the flow stays, excesses follow. */
tilecut_status tc_cuda_graph_reseed(tc_cuda_graph *graph, const uint8_t *before, const uint8_t *after);

/* Solves on from the flow that is there. `mask`: written when the answer is not unfinished and has no violations. */
tilecut_status tc_cuda_graph_solve(tc_cuda_graph *graph, const tc_solve_params *params, uint8_t *mask,
                                   tc_cuda_answer *answer);

/* The residual grid, into one of its size. */
tilecut_status tc_cuda_graph_fetch(const tc_cuda_graph *graph, tc_grid *grid);

/* `hybrid` with other figures to decide by, for those who test or tune it. */
tilecut_status tc_cuda_hybrid_at(tc_grid *grid, const tc_costs *costs, const tc_solve_params *params,
                                 tc_solve_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
