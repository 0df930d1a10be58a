/* SPDX-License-Identifier: MIT
 *
 * hybrid.h - one solve on two devices, written against what it needs of the other device, so that it runs
 * with a GPU (cuda/tiles/hybrid_cuda.cu) and, in the tests, with a device made of software.
 */
#ifndef TC_SOLVER_HYBRID_H
#define TC_SOLVER_HYBRID_H

#include "hybrid_decide.h"
#include "solver.h"
#include "survey.h"

/* What survey() says of a tile, in a word: the number of its active pixels, those with excess that may reach a
 * sink as far as the device knows, and for each direction d whether a link with residual capacity leads from such
 * a reaching pixel over that side to another. */
enum { TC_TILE_ACTIVE = 0xffff, TC_TILE_CROSSES = 16 /* bit 16 + d */ };

/* A device that can hold a grid. Tiles travel packed, in the order of their numbers; nodes in a tile as in the grid. */
typedef struct tc_device {
    tilecut_status (*upload)(void *self, const tc_grid *grid);
    /* Works for about `slice` rounds. `*rounds` counts from the beginning; `*done`: no excess reaches a sink now. */
    tilecut_status (*work)(void *self, int slice, int *rounds, bool *done);
    tilecut_status (*survey)(void *self, uint32_t *words);
    tilecut_status (*gather)(void *self, const int32_t *tile, int count, tc_float4 *residual, float *excess);
    tilecut_status (*scatter)(void *self, const int32_t *tile, int count, const tc_float4 *residual,
                              const float *excess);
    tilecut_status (*download)(void *self, tc_grid *grid); /* solvers' words of the nodes are zero then */
    bool keeps; /* what comes to its end there stays there, for whoever runs the device to read */
} tc_device;

/* `grid` comes in built, and leaves solved. */
tilecut_status tc_hybrid(const tc_device *device, void *self, const tc_costs *costs, tc_grid *grid,
                         const tc_solve_params *params, tc_solve_stats *stats);

/* Its parts: whether the CPU is to do it all from the beginning, which is the first decision noted; and all that comes
 * after a no. Of `grid` nothing but its size is wanted then, if the device has the capacities from elsewhere. *kept:
 * whether it ended on a device that keeps it; `grid` is then of no meaning. */
bool tc_hybrid_starts_on_cpu(const tc_costs *costs, const tc_survey *survey, int64_t pixels, size_t grid_bytes,
                             tc_solve_stats *stats);
tilecut_status tc_hybrid_go_on(const tc_device *device, void *self, const tc_costs *costs, tc_grid *grid,
                               const tc_solve_params *params, tc_solve_stats *stats, bool *kept);

#endif
