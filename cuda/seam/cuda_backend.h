/* SPDX-License-Identifier: MIT
 *
 * cuda_backend.h - graphs from an image that stay on a CUDA device, for the library's backend there. See cuda_device.h.
 */
#ifndef TC_CUDA_BACKEND_H
#define TC_CUDA_BACKEND_H

#ifdef __cplusplus
extern "C" {
#endif

#include "cuda_solvers.h"
#include "energy.h"

/* A graph from an image that is built, solved by tc_cuda_tiles(), labelled and proven on the device: pixels, seeds and
 * tables go up, the mask comes down. Opaque; holds some 45 bytes of device memory a pixel, 70 without colours, and the
 * flow of its last solve. */
typedef struct tc_cuda_graph tc_cuda_graph;

typedef struct tc_cuda_answer {
    int64_t flow, cut, foreground;
    int64_t changed;    /* pixels that are not as in the mask that is kept, if one is                        */
    int64_t violations; /* of the preflow's rules: 0, or the answer is none                                  */
    bool unfinished;    /* a CPU is better at the rest: the residual grid is to be fetched and solved on     */
    double solve_ms, certify_ms, copy_ms;
    size_t bytes;       /* of device memory                                                                 */
} tc_cuda_answer;

/* How a graph came about. */
typedef struct tc_cuda_origin {
    double copy_ms, model_ms, build_ms;
    double beta, quantum; /* as learnt                                                            */
    double shared;        /* as tc_energy's, if iterations are asked for or something was taught  */
    bool guess;           /* only a box is given: nothing can be solved before something is taught */
} tc_cuda_origin;

/* Both: `*graph` out, owned by the caller; NULL on failure. It lies on one device, where everything is done to it,
 * whatever the caller's current device is. From tables that are there: `energy` has 4 neighbours, and nothing of it is
 * needed afterwards. `device`: its index. */
tilecut_status tc_cuda_graph_create(tc_cuda_graph **graph, const tc_energy *energy, int device, tc_cuda_origin *origin);

/* Learning on the device what tc_energy_init() learns. Image and parameters have been checked; seeds are checked here.
 * With `stream`, pixels, seeds and the mask of the solve are device memory, which must outlive the graph, and all is
 * done on *stream, a cudaStream_t; NULL: they are host memory. The device is that of `params`. */
tilecut_status tc_cuda_graph_learn(tc_cuda_graph **graph, const tilecut_image *image, const uint8_t *seeds,
                                   const tc_setup *params, void *const *stream, tc_cuda_origin *origin);

/* Such a graph can learn again, as tc_energy_relearn(), and has no flow then: from the mask of the last solve, once
 * that is kept, or, if origin->guess, from what is taught: a mask and the mixture to go on from, in host memory. */
void tc_cuda_graph_keep(tc_cuda_graph *graph);
tilecut_status tc_cuda_graph_teach(tc_cuda_graph *graph, const uint8_t *mask, const tc_mixture mixture[2]);
tilecut_status tc_cuda_graph_relearn(tc_cuda_graph *graph, tc_cuda_origin *origin);
tilecut_status tc_cuda_graph_kept(const tc_cuda_graph *graph, uint8_t *mask); /* where the mask of a solve would go */
void tc_cuda_graph_destroy(tc_cuda_graph *graph); /* NULL is fine */

/* Other labels for the image: the flow stays, excesses follow. */
tilecut_status tc_cuda_graph_reseed(tc_cuda_graph *graph, const uint8_t *before, const uint8_t *after);

/* Solves on from the flow that is there; of the answer it fills `unfinished`, solve_ms and bytes. */
tilecut_status tc_cuda_graph_solve(tc_cuda_graph *graph, const tc_solve_params *params, tc_cuda_answer *answer);

/* Labels, proof and mask of a solve that has come to its end on the device: fills the rest of the answer. `mask`:
 * written when there are no violations; NULL: it stays on the device. */
tilecut_status tc_cuda_graph_answer(tc_cuda_graph *graph, uint8_t *mask, tc_cuda_answer *answer);

/* The residual grid, into one of its size. */
tilecut_status tc_cuda_graph_fetch(const tc_cuda_graph *graph, tc_grid *grid);

/* `size` bytes from or to device memory, after what is under way on `stream`, a cudaStream_t. */
tilecut_status tc_cuda_copy(void *to, const void *from, size_t size, void *stream);

/* `height` rows of `bytes` bytes within device memory, likewise. */
tilecut_status tc_cuda_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes,
                                 int height, void *stream);

/* Memory of device `index`, and giving it back (NULL is fine). */
tilecut_status tc_cuda_take(void **memory, size_t size, int index);
void tc_cuda_give(void *memory, int index);

/* The device's part of `hybrid` for a graph from an image with 4 neighbours, which it makes by itself instead of taking
 * it up: of a grid nothing but its size is looked at. *self is the caller's until tc_cuda_hybrid_graph_close(), which
 * gives the graph out, to be owned by the caller, if `graph` is not NULL. `energy` has to outlive it. In
 * between, calls of this thread go to `device`. */
typedef struct tc_cuda_hybrid_told {
    double build_ms; /* of making the graph                   */
    size_t bytes;    /* of device memory, at most             */
} tc_cuda_hybrid_told;

extern const tc_hybrid_device tc_cuda_hybrid_graph;
tilecut_status tc_cuda_hybrid_graph_open(const tc_energy *energy, int device, void **self);
tc_cuda_hybrid_told tc_cuda_hybrid_graph_close(void *self, tc_cuda_graph **graph); /* self NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
