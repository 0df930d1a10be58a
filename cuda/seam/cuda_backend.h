/* SPDX-License-Identifier: MIT
 *
 * cuda_backend.h - graphs that stay on a CUDA device; used by the library's backend for CUDA. See cuda_device.h.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#include "box_tally.h"
#include "cuda_solvers.h"
#include "graph.h"

/* A graph of 4, 6 or 8 neighbours that is built, solved by tc_cuda_tiles(), labelled and proven on the device. Pixels,
 * seeds and tables, or arrays of capacities, are copied to the device, and the mask is copied back. Opaque. It keeps
 * the flow of its last solve. It takes about 45 bytes of device memory a pixel, 70 without colours, and 39 to 44 a
 * voxel. */
typedef struct tc_cuda_graph tc_cuda_graph;

/* How a graph was made. If its seeds were known before, learning does not wait for the device: then only `strokes`,
 * `guessed`, `painted` and `lambda` are set here, and the next solve reports the rest. */
typedef struct tc_cuda_origin {
    double copy_ms, model_ms, build_ms;
    double lambda;        /* the lambda of its links                              */
    double beta, quantum; /* the values that the training computed                */
    double shared;        /* as in tc_energy                                      */
    tc_extent strokes;    /* the box around the foreground's strokes              */
    bool guessed;         /* true: the seeds draw a box, and its foreground was guessed */
    bool painted;         /* true: the colours were learnt from strokes           */
} tc_cuda_origin;

typedef struct tc_cuda_answer {
    int64_t flow, cut, foreground;
    int64_t islands;    /* foreground pixels that were connected to no stroke and have become background */
    int64_t changed;    /* pixels that differ from the kept mask, if there is one                     */
    int64_t violations; /* violations of the preflow's rules; if not 0, the answer is not valid       */
    bool unfinished;    /* true: a CPU is faster for the rest: fetch the residual grid and continue there */
    double solve_ms, certify_ms, copy_ms;
    size_t bytes;       /* device memory held                                                               */
    bool learnt;        /* true: there was a training for which the host did not wait                         */
    tc_cuda_origin training; /* the results of that training: beta, quantum, shared and both times            */
} tc_cuda_answer;

/* Both functions make a graph. *graph is the result, which the caller owns; NULL on failure. A graph lies on one
 * device, and all its functions work there, whatever the caller's current device is. tc_cuda_graph_create() copies the
 * tables or arrays of `from`, a graph on the host, which is not needed afterwards. `device`: index of the device.
 * `threads`: how many threads pack what is copied, at least 1. ERANGE if `from` is unchecked and
 * tc_graph_check() would refuse it. */
tilecut_status tc_cuda_graph_create(tc_cuda_graph **graph, const tilecut_graph *from, int device, int threads,
                                    tc_cuda_origin *origin);

/* Learns on the device what tc_energy_init() learns on the host. Image and parameters must have been checked; this
 * function checks the seeds. `stream` NULL: pixels, seeds and masks are in host memory. Otherwise they are device
 * memory that must outlive the graph, and all work is on *stream, a cudaStream_t. With params->there the pixels are
 * read there, which must outlive the graph, too. The device is params->device; params->guess has evidence only with a
 * box or in a volume. With `put_off`, only seeds and guess are read, and only `strokes`, `guessed`, `painted` and
 * `copy_ms` of *origin are set. The graph then has to learn before it is cut: from a smaller one, or by
 * tc_cuda_graph_learn_now(). */
tilecut_status tc_cuda_graph_learn(tc_cuda_graph **graph, const tilecut_image *image, const uint8_t *seeds,
                                   const tc_setup *params, void *const *stream, bool put_off, tc_cuda_origin *origin);
tilecut_status tc_cuda_graph_learn_now(tc_cuda_graph *graph, const tc_setup *params, tc_cuda_origin *origin);

/* relearn() learns again, like tc_energy_relearn(), from the kept mask; the graph has no flow after that. keep() keeps
 * the mask of the last solve. drop() discards the last training and returns to the one before. */
tilecut_status tc_cuda_graph_relearn(tc_cuda_graph *graph, tc_cuda_origin *origin);
void tc_cuda_graph_keep(tc_cuda_graph *graph);
void tc_cuda_graph_drop(tc_cuda_graph *graph);
tilecut_status tc_cuda_graph_kept(const tc_cuda_graph *graph, uint8_t *mask); /* copies the kept mask */

/* Counts what the kept mask shows of its box, as tc_box_look() does on the host. */
tilecut_status tc_cuda_graph_look(const tc_cuda_graph *graph, tc_box_tally *tally);

/* Makes another graph of the same image. With `start` >= 0 it learns from the first guess, like tc_energy_restart().
 * Otherwise it learns from the kept mask: with `move` >= 0 like tc_energy_move_color(), else like tc_energy_relearn().
 * If `beside` is not 0, it is the number of graphs that are made in this way and cut at the same time, each by a thread
 * of its own; such a graph learns when it is first solved, and with `move` >= 0 `from` must not change until then. */
tilecut_status tc_cuda_graph_fork(const tc_cuda_graph *from, int start, int move, int beside,
                                  tc_cuda_graph **graph, tc_cuda_origin *origin);

/* Makes a graph of a copy of the image that is `factor` times smaller (coarse.h) and learns from the copy's seeds, or
 * from params->guess. Only lambda and guess of `params` are read. *graph is NULL if the image cannot be represented by
 * such a copy. */
tilecut_status tc_cuda_graph_shrink(const tc_cuda_graph *from, int factor, const tc_setup *params,
                                    tc_cuda_graph **graph, tc_cuda_origin *origin);

/* Learns again, from the mask that `small`, the graph of a smaller copy, has kept, and starts from that graph's
 * mixtures. */
tilecut_status tc_cuda_graph_learn_from_copy(tc_cuda_graph *graph, const tc_cuda_graph *small, int factor,
                                             tc_cuda_origin *origin);
void tc_cuda_graph_destroy(tc_cuda_graph *graph); /* NULL is allowed */

/* Gives the graph of an image other seeds. The flow stays, and excesses are updated. */
tilecut_status tc_cuda_graph_reseed(tc_cuda_graph *graph, const uint8_t *before, const uint8_t *after);

/* Solves, starting from the flow in the graph. Of *answer it sets unfinished, solve_ms, bytes and the results of the
 * last training. `islands_go` must be the same as for tc_cuda_graph_answer(), which has to be called next: its work is
 * queued already, so that the host waits only once for training, solve and answer. */
tilecut_status tc_cuda_graph_solve(tc_cuda_graph *graph, const tc_solve_params *params, bool islands_go,
                                   tc_cuda_answer *answer);

/* Call it after a solve that has finished on the device. Computes labels, proof and mask, and sets the rest of *answer.
 * With `islands_go`, islands are removed from the mask as by tc_drop_islands(). `mask` is written if there are no
 * violations; if it is NULL, the mask stays on the device. */
tilecut_status tc_cuda_graph_answer(tc_cuda_graph *graph, bool islands_go, uint8_t *mask, tc_cuda_answer *answer);

/* Copies the residual grid to a grid of the same size on the host. */
tilecut_status tc_cuda_graph_fetch(const tc_cuda_graph *graph, tc_grid *grid);

/* Copies `size` bytes from or to device memory, after all work queued so far on `stream`, a cudaStream_t. */
tilecut_status tc_cuda_copy(void *to, const void *from, size_t size, void *stream);

/* Copies `height` rows of `bytes` bytes within device memory, also after all work queued so far on `stream`. */
tilecut_status tc_cuda_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t bytes,
                                 int height, void *stream);

/* Copy rows of `bytes` bytes: from the host, where they are `stride` bytes apart, to packed rows on device `index`; and
 * from there to packed rows on the host. Both wait for the copy, but for no other work. `threads`: those of the job. */
tilecut_status tc_cuda_send_rows(void *to, const void *from, size_t stride, size_t bytes, int height, int index,
                                 int threads);
tilecut_status tc_cuda_fetch_rows(void *to, const void *from, size_t stride, size_t bytes, int height, int index);

/* Allocate and free memory on device `index`, from CUDA's pool if the device has one. Work that uses it must be done
 * before it is freed. Freeing NULL is allowed. */
tilecut_status tc_cuda_take(void **memory, size_t size, int index);
void tc_cuda_give(void *memory, int index);

/* The device functions of the solver `hybrid` for a graph of an image. The device builds the grid itself, so only the
 * size of the host's grid is used. The caller owns *self until tc_cuda_hybrid_graph_close(). If `graph` is not NULL,
 * closing returns the graph through it, and the caller owns it. `from` must live as long as *self. In between, CUDA
 * calls of this thread go to `device`. */
typedef struct tc_cuda_hybrid_report {
    double build_ms; /* time to build the graph               */
    size_t bytes;    /* the most device memory held           */
} tc_cuda_hybrid_report;

extern const tc_hybrid_device tc_cuda_hybrid_graph;
tilecut_status tc_cuda_hybrid_graph_open(const tilecut_graph *from, int device, void **self);
tc_cuda_hybrid_report tc_cuda_hybrid_graph_close(void *self, tc_cuda_graph **graph); /* `self` may be NULL */

#ifdef __cplusplus
}
#endif
