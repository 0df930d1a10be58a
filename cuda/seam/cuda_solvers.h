/* SPDX-License-Identifier: MIT
 *
 * cuda_solvers.h - the solvers on a CUDA device, for the table of solvers. See cuda_device.h.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#include "cuda_device.h"
#include "grid.h"
#include "solve_params.h"

/* A solver as in tc_solver: the grid is copied to the device, and the residual grid is copied back. stats->unfinished
 * is set if it has stopped early because a CPU is faster for the rest. */
#define CUDA_SOLVER(name, function, can, summary) \
    tilecut_status function(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats);
#include "cuda_solvers.def"
#undef CUDA_SOLVER

/* ---- The device's part of `hybrid` (src/solvers/hybrid/) ---------------------------------------- */

/* inspect() reports about a tile in one word. The low bits are the number of active pixels, which have excess that may
 * reach a sink as far as the device knows. For each direction d, a bit is set if a residual link leads to the tile in
 * that direction, from a pixel that reaches a sink to another such pixel. With 8 neighbours there are also the tiles at
 * the four corners, in the directions of the diagonals; in a volume, the tiles in the next and the previous slice. */
enum { TC_TILE_ACTIVE = 0xffff, TC_TILE_CROSSES = 16 /* bit number 16 + d */ };

/* Tiles in the form in which they are copied: packed, in the order of their numbers. Nodes within a tile have the same
 * order as in the grid. */
typedef struct tc_packed_tiles {
    tc_float4 *residual;
    float *more;   /* with 8 neighbours, four numbers a node for the diagonals; for a volume, two for the links to the
                      next slice and to the previous one; else NULL */
    float *excess;
} tc_packed_tiles;

/* The count of numbers that a node has in `more`. */
static inline int tc_packed_more(int connectivity)
{
    return connectivity == 8 ? 4 : connectivity == 6 ? 2 : 0;
}

/* A device that can hold a grid of 4, 8 or 6 neighbours. */
typedef struct tc_hybrid_device {
    tilecut_status (*upload)(void *self, const tc_grid *grid);
    /* Works for about `slice` rounds. *rounds is the total number of rounds so far. *done is set to true if no excess
     * can reach a sink any more. */
    tilecut_status (*work)(void *self, int slice, int *rounds, bool *done);
    tilecut_status (*inspect)(void *self, uint32_t *words);
    tilecut_status (*gather)(void *self, const int32_t *tile, int count, const tc_packed_tiles *to);
    tilecut_status (*scatter)(void *self, const int32_t *tile, int count, const tc_packed_tiles *from);
    tilecut_status (*download)(void *self, tc_grid *grid); /* also clears the words that solvers keep in nodes */
    bool keeps; /* true: if a solve ends on the device, its result stays there for the caller to read */
} tc_hybrid_device;

extern const tc_hybrid_device tc_cuda_hybrid;

/* Opens a device for tc_cuda_hybrid. The caller owns *self until tc_cuda_hybrid_close(), which returns the most device
 * memory that was held, in bytes. That function accepts NULL, which *self is after a failure. In between, CUDA calls of
 * this thread go to `device`. */
tilecut_status tc_cuda_hybrid_open(int device, void **self);
size_t tc_cuda_hybrid_close(void *self);

#ifdef __cplusplus
}
#endif
