/* SPDX-License-Identifier: MIT
 *
 * hybrid.h - one solve on two devices, written against what it needs of the other device, so that it runs
 * with a GPU (cuda/tiles/hybrid_device.cu) and, in the tests, with a device made of software.
 */
#ifndef TC_HYBRID_H
#define TC_HYBRID_H

#include "cuda_solvers.h"
#include "hybrid_decide.h"
#include "solver.h"
#include "survey.h"

/* `grid` comes in built, and leaves solved. */
tilecut_status tc_hybrid(const tc_hybrid_device *device, void *self, const tc_costs *costs, tc_grid *grid,
                         const tc_solve_params *params, tc_solve_stats *stats);

/* Its parts: whether the CPU is to do it all from the beginning, which is the first decision noted; and all that comes
 * after a no. Of `grid` nothing but its size is wanted then, if the device has the capacities from elsewhere. *kept:
 * whether it ended on a device that keeps it; `grid` is then of no meaning. */
bool tc_hybrid_starts_on_cpu(const tc_costs *costs, const tc_survey *survey, int64_t pixels, size_t grid_bytes,
                             tc_solve_stats *stats);
tilecut_status tc_hybrid_go_on(const tc_hybrid_device *device, void *self, const tc_costs *costs, tc_grid *grid,
                               const tc_solve_params *params, tc_solve_stats *stats, bool *kept);

/* The solver `hybrid` with other figures to decide by, for those who test or tune it. */
tilecut_status tc_solver_hybrid_at(tc_grid *grid, const tc_costs *costs, const tc_solve_params *params,
                                   tc_solve_stats *stats);

#endif
