/* SPDX-License-Identifier: MIT
 *
 * hybrid.h - one solve on two devices. It uses the other device through an interface, so that it runs with a GPU
 * (cuda/tiles/hybrid_device.cu) and, in tests, with a device in software.
 */
#pragma once

#include "cuda_solvers.h"
#include "hybrid_decide.h"
#include "solver.h"
#include "survey.h"

/* Solves `grid`, which must have been built. */
tilecut_status tc_hybrid(const tc_hybrid_device *device, void *self, const tc_costs *costs, tc_grid *grid,
                         const tc_solve_params *params, tc_solve_stats *stats);

/* The two halves of tc_hybrid(). The first decides whether the CPU does the whole solve, and records that decision. If
 * not, the second does the rest. The first uses only the size of `grid`; so does the second if the device gets the
 * capacities from elsewhere. *kept is true if the flow has stayed on a device that keeps it; `grid` then has no
 * meaning. */
bool tc_hybrid_starts_on_cpu(const tc_costs *costs, const tc_survey *survey, const tc_grid *grid,
                             tc_solve_stats *stats);
tilecut_status tc_hybrid_go_on(const tc_hybrid_device *device, void *self, const tc_costs *costs, tc_grid *grid,
                               const tc_solve_params *params, tc_solve_stats *stats, bool *kept);

/* Does the same as the solver `hybrid`, but decides by other costs; for testing and tuning. */
tilecut_status tc_solver_hybrid_at(tc_grid *grid, const tc_costs *costs, const tc_solve_params *params,
                                   tc_solve_stats *stats);
