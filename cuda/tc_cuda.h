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

/* `hybrid` with other figures to decide by, for those who test or tune it. */
tilecut_status tc_cuda_hybrid_at(tc_grid *grid, const tc_costs *costs, const tc_solve_params *params,
                                 tc_solve_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
