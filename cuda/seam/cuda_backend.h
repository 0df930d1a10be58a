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
    double shared;        /* as tc_energy's                                                       */
    bool guessed;         /* there is a box, and what is in it was guessed                        */
    bool painted;         /* there are strokes that taught it                                     */
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

/* Such a graph can learn again, as tc_energy_relearn(), from the mask of the last solve, once that is kept; it has no
 * flow then. What the last lesson but one had learnt comes back when the last is dropped instead. */
tilecut_status tc_cuda_graph_relearn(tc_cuda_graph *graph, tc_cuda_origin *origin);
void tc_cuda_graph_keep(tc_cuda_graph *graph);
void tc_cuda_graph_drop(tc_cuda_graph *graph);
tilecut_status tc_cuda_graph_kept(const tc_cuda_graph *graph, uint8_t *mask); /* where the mask of a solve would go */

/* Another graph of the same image, taught from the mask that is kept, as tc_energy_unlearn() with that `move`, or as
 * tc_energy_relearn(), if that is < 0. `start` >= 0: taught from the first guess, as tc_energy_restart(). */
tilecut_status tc_cuda_graph_fork(const tc_cuda_graph *from, int start, int move, tc_cuda_graph **graph,
                                  tc_cuda_origin *origin);

/* A graph of a copy of the image, `factor` times smaller (see coarse.h), that has learnt from the copy of its seeds.
 * *graph is NULL where the copy would not do. */
tilecut_status tc_cuda_graph_shrink(const tc_cuda_graph *from, int factor, double lambda, tc_cuda_graph **graph,
                                    tc_cuda_origin *origin);

/* Learns again, from the mask that is kept in such a copy and from its mixtures. */
tilecut_status tc_cuda_graph_teach(tc_cuda_graph *graph, const tc_cuda_graph *small, int factor,
                                   tc_cuda_origin *origin);
void tc_cuda_graph_destroy(tc_cuda_graph *graph); /* NULL is fine */

/* Other labels for the image: the flow stays, excesses follow. */
tilecut_status tc_cuda_graph_reseed(tc_cuda_graph *graph, const uint8_t *before, const uint8_t *after);

/* Solves on from the flow that is there; of the answer it fills `unfinished`, solve_ms and bytes. */
tilecut_status tc_cuda_graph_solve(tc_cuda_graph *graph, const tc_solve_params *params, tc_cuda_answer *answer);

/* Labels, proof and mask of a solve that has come to its end on the device: fills the rest of the answer. `mask`:
 * written when there are no violations; NULL: it stays on the device. */
tilecut_status tc_cuda_graph_answer(tc_cuda_graph *graph, uint8_t *mask, tc_cuda_answer *answer);

/* Drops what does not hang together with the strokes from the mask of the last solve: tc_drop_islands(). `foreground`
 * and `changed` of its answer follow, and certify_ms grows. `mask`: as above. */
tilecut_status tc_cuda_graph_drop_islands(tc_cuda_graph *graph, uint8_t *mask, tc_cuda_answer *answer);

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
