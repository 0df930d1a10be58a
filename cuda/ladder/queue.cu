/* SPDX-License-Identifier: MIT
 *
 * cuda-queue: the workload-balanced push-relabel of Hsieh, Lin & Kuo (2024) on the grid. Every cycle collects the
 * active nodes in a queue. Each node gets a few threads, one per link, which find the lowest neighbour together; the
 * first of them pushes or relabels. Advantages over cuda-lockfree: only the collecting pass looks at nodes without
 * excess, and all threads have the same number of links.
 */
#include <string.h>

#include "host_relabel.cuh"

enum { QUEUE_BLOCK = 256, QUEUE_BLOCKS = 528, CYCLES = 256, LINKS = 4 };

/* Appends the active nodes to `queue`, with one atomic per warp. Also prepares count[] for the next cycle. */
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

typedef struct layout {
    size_t height, queue, count, total;
} layout;

static layout lay_out(const grid_view *g)
{
    const size_t n = (size_t)view_nodes(*g);
    layout l;
    size_t total = 0;
    l.height = take(&total, (n + 2 * (size_t)view_guard(*g)) * sizeof(int));
    l.queue = take(&total, n * sizeof(int));
    l.count = take(&total, 2 * sizeof(int));
    l.total = total;
    return l;
}

static size_t scratch_bytes(const grid_view *g)
{
    return lay_out(g).total;
}

static tilecut_status solve(const grid_view *g, void *scratch, const tc_solve_params *params, cudaStream_t stream,
                            device_run *run)
{
    tilecut_status status = TILECUT_OK;
    const layout l = lay_out(g);
    char *base = (char *)scratch;
    int *height = (int *)(base + l.height) + view_guard(*g), *queue = (int *)(base + l.queue);
    int *count = (int *)(base + l.count);
    host_copy host;
    bool active = true;
    memset(&host, 0, sizeof host);
    TRY(host_copy_init(&host, g));
    CUDA_TRY(cudaMemsetAsync(base + l.height, 0x3f, l.queue - l.height, stream)); /* guards are above all others */
    CUDA_TRY(cudaMemsetAsync(count, 0, 2 * sizeof(int), stream));
    for (;;) {
        TRY(relabel_on_host(g, height, &host, stream, &active));
        run->relabels++;
        if (!active) break;
        if (tc_cancelled(params)) TRY(tc_fail(TILECUT_ECANCELLED, "cancelled while solving"));
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            collect_kernel<<<view_nodes(*g) / QUEUE_BLOCK, QUEUE_BLOCK, 0, stream>>>(*g, height, queue, count, cycle);
            discharge_kernel<<<QUEUE_BLOCKS, QUEUE_BLOCK, 0, stream>>>(*g, height, queue, count, cycle);
        }
        CUDA_TRY(cudaGetLastError());
        run->rounds += CYCLES;
    }
done:
    host_copy_free(&host);
    return status;
}

static const device_solver queue_solver = {scratch_bytes, solve};

extern "C" tilecut_status tc_ladder_queue(tc_grid *grid, const tc_solve_params *params, tc_solve_stats *stats)
{
    return solve_on_device(&queue_solver, grid, params, stats);
}
