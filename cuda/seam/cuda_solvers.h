/* SPDX-License-Identifier: MIT
 *
 * cuda_solvers.h - the solvers on a CUDA device, for the table of solvers. See cuda_device.h.
 */
#ifndef TC_CUDA_SOLVERS_H
#define TC_CUDA_SOLVERS_H

#ifdef __cplusplus
extern "C" {
#endif

#include "cuda_device.h"
#include "grid.h"
#include "solve_params.h"

/* As tc_solver asks for: the grid goes up, the residual grid comes back. stats->unfinished: it comes back before all
 * is pushed that can be, as a CPU is better at the rest. */
#define CUDA_SOLVER(name, function, summary)      \
    tilecut_status function(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats);
#include "cuda_solvers.def"
#undef CUDA_SOLVER

/* ---- The device's part of `hybrid` (src/solvers/hybrid/) ---------------------------------------- */

/* What inspect() says of a tile, in a word: the number of its active pixels, those with excess that may reach a
 * sink as far as the device knows, and for each direction d whether a link with residual capacity leads from such
 * a reaching pixel over that side to another. */
enum { TC_TILE_ACTIVE = 0xffff, TC_TILE_CROSSES = 16 /* bit 16 + d */ };

/* A device that can hold a grid. Tiles travel packed, in the order of their numbers; nodes in a tile as in the grid. */
typedef struct tc_hybrid_device {
    tilecut_status (*upload)(void *self, const tc_grid *grid);
    /* Works for about `slice` rounds. `*rounds` counts from the beginning; `*done`: no excess reaches a sink now. */
    tilecut_status (*work)(void *self, int slice, int *rounds, bool *done);
    tilecut_status (*inspect)(void *self, uint32_t *words);
    tilecut_status (*gather)(void *self, const int32_t *tile, int count, tc_float4 *residual, float *excess);
    tilecut_status (*scatter)(void *self, const int32_t *tile, int count, const tc_float4 *residual,
                              const float *excess);
    tilecut_status (*download)(void *self, tc_grid *grid); /* solvers' words of the nodes are zero then */
    bool keeps; /* what comes to its end there stays there, for whoever runs the device to read */
} tc_hybrid_device;

extern const tc_hybrid_device tc_cuda_hybrid;

/* What tc_cuda_hybrid works on. *self is the caller's until tc_cuda_hybrid_close(), which tells how many bytes of the
 * device it held at most; NULL, as after a failure, is fine there. In between, calls of this
 * thread go to `device`. */
tilecut_status tc_cuda_hybrid_open(int device, void **self);
size_t tc_cuda_hybrid_close(void *self);

#ifdef __cplusplus
}
#endif
#endif
