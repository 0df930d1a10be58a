/* SPDX-License-Identifier: MIT
 *
 * cuda-lockfree: Hong's push-relabel without locks on the grid, in the form of He & Hong (2010) and Lupinska (2011).
 * Each thread has one node and pushes or relabels KERNEL_CYCLES times without waiting for others; then the CPU
 * relabels. Advantage over the waves: no thread waits for a level to end.
 */
#include "host_relabel.cuh"

enum { LOCKFREE_BLOCK = 256, KERNEL_CYCLES = 1024 };

static __global__ void push_relabel_kernel(grid_view g, int *height)
{
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    for (int cycle = 0; cycle < KERNEL_CYCLES; cycle++) {
        const float e = __ldcg(g.excess + p);
        if (!(e > 0) || __ldcg(height + p) >= STUCK) continue;
        float capacity = 0;
        int lowest;
        const int d = lowest_neighbour(g, height, p, &capacity, &lowest);
        push_or_rise(g, height, p, e, d, capacity, lowest);
    }
}

static size_t scratch_bytes(const grid_view *g)
{
    return ((size_t)view_nodes(*g) + 2 * (size_t)view_guard(*g)) * sizeof(int);
}

static tilecut_status push_on(const grid_view *g, int *height, const void *own, cudaStream_t stream)
{
    (void)own;
    LAUNCH_RETURN(push_relabel_kernel, view_nodes(*g) / LOCKFREE_BLOCK, LOCKFREE_BLOCK, stream, *g, height);
}

static tilecut_status solve_lockfree(const grid_view *g, void *scratch, const tc_solve_params *params,
                                     cudaStream_t stream, device_run *run)
{
    const ladder_cycles cycles = {push_on, NULL, 1};
    /* sets all heights, including those of guard nodes, above all possible heights */
    CUDA_NEED(cudaMemsetAsync(scratch, 0x3f, scratch_bytes(g), stream));
    return relabel_and_push(g, (int *)scratch + view_guard(*g), &cycles, params, stream, run);
}

static const device_solver lockfree_solver = {scratch_bytes, solve_lockfree};

extern "C" tilecut_status tc_ladder_lockfree(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    return solve_on_device(&lockfree_solver, grid, params, stats);
}
