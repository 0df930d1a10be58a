/* SPDX-License-Identifier: MIT
 *
 * hussein_waves.cu - the rounds of the rungs after Hussein et al.; see hussein_waves.cuh.
 */
#include "hussein_waves.cuh"

/* Sets all pointers, for memory that begins at `base`. Returns the size of that memory. */
static size_t lay_out_lattice(const grid_view *g, char *base, lattice *l)
{
    const size_t n = (size_t)view_nodes(*g);
    size_t total = 0;
    lay(&l->label, base, &total, n + 2 * (size_t)view_guard(*g));
    l->label += view_guard(*g);
    lay(&l->reservoir, base, &total, n);
    lay(&l->member, base, &total, n);
    lay(&l->level, base, &total, n + LOOK_EVERY + 2);
    lay(&l->top, base, &total, 1);
    lay(&l->flag, base, &total, n);
    lay(&l->stamp, base, &total, (size_t)view_tiles(*g));
    return total;
}

size_t waves_scratch_bytes(const grid_view *g)
{
    lattice l;
    return lay_out_lattice(g, LAYOUT_TRIAL, &l);
}

static __global__ void sinks_kernel(grid_view g, lattice l)
{
    const int p = blockIdx.x * blockDim.x + threadIdx.x; /* nodes come in whole tiles, so every thread has a node */
    const bool sink = g.excess[p] < 0;
    if (sink) l.label[p] = 0;
    append(l, 0, sink, p);
}

void sinks_of_nodes(const grid_view &g, const lattice &l, cudaStream_t stream)
{
    sinks_kernel<<<view_nodes(g) / WAVE_BLOCK, WAVE_BLOCK, 0, stream>>>(g, l);
}

static __global__ void push_kernel(grid_view g, lattice l, int k, int top)
{
    const int2 level = l.level[k];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < level.y; i += gridDim.x * blockDim.x) {
        const int p = l.member[level.x + i];
        unsigned above = 0, below = 0;
        for (int d = 0; d < 4; d++) {
            const int other = l.label[neighbour(g, p, d)];
            above |= (unsigned)(other == k + 1 && k < top) << d;
            below |= (unsigned)(other == k - 1 && k > 0) << d;
        }
        wave_node(g, l, p, above, below);
    }
}

void push_from_nodes(const grid_view &g, const lattice &l, int k, int top, cudaStream_t stream)
{
    push_kernel<<<WAVE_BLOCKS, WAVE_BLOCK, 0, stream>>>(g, l, k, top);
}

/* Finds the highest level that has excess. The wave begins there. */
static __global__ void top_kernel(grid_view g, lattice l)
{
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    int top = g.excess[p] > 0 ? l.label[p] : UNLABELLED;
    for (int d = 16; d; d >>= 1) top = max(top, __shfl_xor_sync(0xffffffffu, top, d));
    if ((threadIdx.x & 31) == 0 && top > UNLABELLED) atomicMax(l.top, top);
}

/* Labels all nodes that reach a sink. *top is the highest label of a node with excess. */
static tilecut_status label_all(const grid_view &g, const lattice &l, const tc_solve_params *params,
                                cudaStream_t stream, const wave_steps *steps, int *top, device_run *run)
{
    const size_t n = (size_t)view_nodes(g), guard = (size_t)view_guard(g);
    int2 last = {0, 1};
    CUDA_NEED(cudaMemsetAsync(l.label - guard, 0xff, (n + 2 * guard) * sizeof(int), stream));
    CUDA_NEED(cudaMemsetAsync(l.level, 0, (n + LOOK_EVERY + 2) * sizeof(int2), stream));
    CUDA_NEED(cudaMemsetAsync(l.stamp, 0xff, (size_t)view_tiles(g) * sizeof(int), stream));
    CUDA_NEED(cudaMemsetAsync(l.top, 0xff, sizeof(int), stream));
    steps->sinks(g, l, stream);
    for (int k = 0; last.y > 0; k++) {
        steps->expand(g, l, k, stream);
        run->relabel_rounds++;
        if (k % LOOK_EVERY != LOOK_EVERY - 1) continue;
        CUDA_NEED(cudaGetLastError());
        CUDA_NEED(cudaMemcpyAsync(&last, l.level + k + 1, sizeof last, cudaMemcpyDeviceToHost, stream));
        CUDA_NEED(cudaStreamSynchronize(stream));
        if (tc_cancelled(params)) return tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
    }
    LAUNCH_NEED(top_kernel, view_nodes(g) / WAVE_BLOCK, WAVE_BLOCK, stream, g, l);
    CUDA_NEED(cudaMemcpyAsync(top, l.top, sizeof *top, cudaMemcpyDeviceToHost, stream));
    CUDA_NEED(cudaStreamSynchronize(stream));
    run->relabels++;
    return TILECUT_OK;
}

tilecut_status waves_solve(const grid_view *g, void *scratch, const tc_solve_params *params, cudaStream_t stream,
                           const wave_steps *steps, device_run *run)
{
    lattice l;
    int top = 0;
    (void)lay_out_lattice(g, (char *)scratch, &l);
    CUDA_NEED(cudaMemsetAsync(l.flag, 0, (size_t)view_nodes(*g), stream));
    for (;;) {
        NEED(label_all(*g, l, params, stream, steps, &top, run));
        if (top == UNLABELLED) break;
        for (int k = top; k >= 0; k--) steps->push(*g, l, k, top, stream);
        run->rounds += top + 1;
        CUDA_NEED(cudaGetLastError());
    }
    return TILECUT_OK;
}
