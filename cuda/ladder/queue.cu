/* SPDX-License-Identifier: MIT
 *
 * cuda-queue: the workload-balanced push-relabel of Hsieh, Lin & Kuo (2024) on the grid. Every cycle collects the
 * active nodes in a queue. Each node gets a few threads, one per link, which find the lowest neighbour together; the
 * first of them pushes or relabels. Advantages over cuda-lockfree: only the collecting pass looks at nodes without
 * excess, and all threads have the same number of links.
 */
#include "host_relabel.cuh"

enum { QUEUE_BLOCK = 256, QUEUE_BLOCKS = 528, CYCLES = 256, LINKS = 4 };

/* Appends the active nodes to `queue`, with one atomic per warp. Also sets count[] for the next cycle. */
static __global__ void collect_kernel(grid_view g, const int *height, int *queue, int *count, int cycle)
{
    const int p = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const bool active = g.excess[p] > 0 && height[p] < STUCK;
    const unsigned who = __ballot_sync(0xffffffffu, active);
    int at = 0;
    if (p == 0) count[(cycle + 1) & 1] = 0;
    if (!who) return;
    if (lane == __ffs(who) - 1) at = atomicAdd(count + (cycle & 1), __popc(who));
    at = __shfl_sync(0xffffffffu, at, __ffs(who) - 1);
    if (active) queue[at + __popc(who & ((1u << lane) - 1))] = p;
}

static __global__ void discharge_kernel(grid_view g, int *height, const int *queue, const int *count, int cycle)
{
    const int n = count[cycle & 1] * LINKS, stride = gridDim.x * blockDim.x, d = threadIdx.x & (LINKS - 1);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - d < n; i += stride) {
        const unsigned group = 0xfu << (threadIdx.x & 31 & ~(LINKS - 1));
        const int p = queue[i / LINKS];
        float capacity = __ldcg((const float *)(g.residual + p) + d);
        int lowest = capacity > 0 ? __ldcg(height + neighbour(g, p, d)) : STUCK, best = d;
#pragma unroll
        for (int step = 1; step < LINKS; step <<= 1) {
            const int other = __shfl_xor_sync(group, lowest, step), its = __shfl_xor_sync(group, best, step);
            const float room = __shfl_xor_sync(group, capacity, step);
            if (other < lowest || (other == lowest && its < best)) lowest = other, best = its, capacity = room;
        }
        if (d == 0) push_or_rise(g, height, p, __ldcg(g.excess + p), lowest < STUCK ? best : -1, capacity, lowest);
    }
}

typedef struct queue_view {
    int *height; /* guarded */
    int *queue;  /* [nodes] */
    int *count;  /* [2]     */
} queue_view;

/* Sets all pointers, for memory that begins at `base`. Returns the size of that memory. */
static size_t lay_out_queue(const grid_view *g, char *base, queue_view *q)
{
    const size_t n = (size_t)view_nodes(*g);
    size_t total = 0;
    lay(&q->height, base, &total, n + 2 * (size_t)view_guard(*g));
    lay(&q->queue, base, &total, n);
    lay(&q->count, base, &total, 2);
    q->height += view_guard(*g);
    return total;
}

static size_t scratch_bytes(const grid_view *g)
{
    queue_view q;
    return lay_out_queue(g, LAYOUT_TRIAL, &q);
}

static tilecut_status push_on(const grid_view *g, int *height, const void *own, cudaStream_t stream)
{
    const queue_view *const q = (const queue_view *)own;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        collect_kernel<<<view_nodes(*g) / QUEUE_BLOCK, QUEUE_BLOCK, 0, stream>>>(*g, height, q->queue, q->count, cycle);
        discharge_kernel<<<QUEUE_BLOCKS, QUEUE_BLOCK, 0, stream>>>(*g, height, q->queue, q->count, cycle);
    }
    return CUDA_STATUS(cudaGetLastError());
}

static tilecut_status solve_by_queue(const grid_view *g, void *scratch, const tc_solve_params *params,
                                     cudaStream_t stream, device_run *run)
{
    queue_view q;
    const ladder_cycles cycles = {push_on, &q, CYCLES};
    (void)lay_out_queue(g, (char *)scratch, &q);
    CUDA_NEED(cudaMemsetAsync(scratch, 0x3f, (size_t)((char *)q.queue - (char *)scratch), stream)); /* guards */
    CUDA_NEED(cudaMemsetAsync(q.count, 0, 2 * sizeof(int), stream));
    return relabel_and_push(g, q.height, &cycles, params, stream, run);
}

static const device_solver queue_solver = {scratch_bytes, solve_by_queue};

extern "C" tilecut_status tc_ladder_queue(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    return solve_on_device(&queue_solver, grid, params, stats);
}
