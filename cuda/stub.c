/* SPDX-License-Identifier: MIT
 *
 * stub.c - in place of the GPU solvers where there is no nvcc.
 */
#include "status.h"
#include "tc_cuda.h"

const int tc_cuda_built = 0;

tilecut_status tc_cuda_device(char *name, size_t size)
{
    (void)name, (void)size;
    return tc_fail(TILECUT_ENODEVICE, "this tilecut was built without CUDA");
}

#define WITHOUT_CUDA(solver)                                                                       \
    tilecut_status solver(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats) \
    {                                                                                              \
        (void)grid, (void)params, (void)stats;                                                     \
        return tc_cuda_device(NULL, 0);                                                            \
    }

WITHOUT_CUDA(tc_cuda_solve)
WITHOUT_CUDA(tc_cuda_hybrid)
WITHOUT_CUDA(tc_cuda_basic)
WITHOUT_CUDA(tc_cuda_lockstep)
WITHOUT_CUDA(tc_cuda_tiled)
WITHOUT_CUDA(tc_cuda_lockfree)
WITHOUT_CUDA(tc_cuda_queue)

tilecut_status tc_cuda_hybrid_at(tc_grid *grid, const tc_costs *costs, const tc_solve_params *params,
                                 tc_solve_stats *stats)
{
    (void)costs;
    return tc_cuda_hybrid(grid, params, stats);
}
