/* SPDX-License-Identifier: MIT */
#include "host_relabel.cuh"

#include <stdlib.h>

typedef struct host_copy {
    float4 *residual;
    float *excess;
    int *height, *queue;
} host_copy;

static tilecut_status take_copy(host_copy *host, const grid_view *g)
{
    const size_t n = (size_t)view_nodes(*g);
    host->residual = (float4 *)malloc(n * sizeof(float4));
    host->excess = (float *)malloc(n * sizeof(float));
    host->height = (int *)malloc(n * sizeof(int));
    host->queue = (int *)malloc(n * sizeof(int));
    if (host->residual && host->excess && host->height && host->queue) return TILECUT_OK;
    return tc_fail(TILECUT_ENOMEM, "no memory to relabel %zu nodes", n);
}

/* Breadth-first search backwards over residual links: sets every node's distance to the nearest sink. */
static bool search_back(const grid_view *g, host_copy *host)
{
    const int n = view_nodes(*g);
    int found = 0;
    bool active = false;
    for (int p = 0; p < n; p++) {
        host->height[p] = host->excess[p] < 0 ? 0 : STUCK;
        if (host->excess[p] < 0) host->queue[found++] = p;
    }
    for (int i = 0; i < found; i++) {
        const int p = host->queue[i];
        for (int d = 0; d < 4; d++) {
            const int q = neighbour(*g, p, d);
            if (q < 0 || q >= n || host->height[q] != STUCK) continue;
            if (!(((const float *)(host->residual + q))[d ^ 1] > 0)) continue;
            host->height[q] = host->height[p] + 1;
            host->queue[found++] = q;
            active |= host->excess[q] > 0;
        }
    }
    return active;
}

/* Computes exact heights on the host. Sets *active to true if some excess can reach a sink. */
static tilecut_status relabel(const grid_view *g, int *height, host_copy *host, cudaStream_t stream, bool *active)
{
    const size_t n = (size_t)view_nodes(*g);
    CUDA_NEED(cudaMemcpyAsync(host->residual, g->residual, n * sizeof(float4), cudaMemcpyDeviceToHost, stream));
    CUDA_NEED(cudaMemcpyAsync(host->excess, g->excess, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
    CUDA_NEED(cudaStreamSynchronize(stream));
    *active = search_back(g, host);
    CUDA_NEED(cudaMemcpyAsync(height, host->height, n * sizeof(int), cudaMemcpyHostToDevice, stream));
    return CUDA_STATUS(cudaStreamSynchronize(stream));
}

tilecut_status relabel_and_push(const grid_view *g, int *height, const ladder_cycles *cycles,
                                const tc_solve_params *params, cudaStream_t stream, device_run *run)
{
    tilecut_status status = TILECUT_OK;
    host_copy host = {};
    bool active = true;
    TRY(take_copy(&host, g));
    for (;;) {
        TRY(relabel(g, height, &host, stream, &active));
        run->relabels++;
        if (!active) break;
        if (tc_cancelled(params)) TRY(tc_fail(TILECUT_ECANCELLED, "cancelled while solving"));
        TRY(cycles->queue(g, height, cycles->own, stream));
        run->rounds += cycles->rounds;
    }
done:
    free(host.residual), free(host.excess), free(host.height), free(host.queue);
    return status;
}
