/* SPDX-License-Identifier: MIT
 *
 * cuda-basic: Hussein, Varshney & Davis (2007) without their optimisations. To find the next level, the nodes of the
 * last level raise flags at neighbours that have no label yet. A prefix sum over the flags of all nodes turns the
 * flagged nodes into a list. Several nodes may raise the same flag, which is harmless. But every level costs a pass
 * over the whole image, however few nodes it has.
 */
#include "hussein_waves.cuh"

/* Nodes of level k raise the flags of the neighbours from which residual links lead to them. */
static __global__ void raise_kernel(grid_view g, lattice l, int k)
{
    const int2 level = l.level[k];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < level.y; i += gridDim.x * blockDim.x) {
        const int p = l.member[level.x + i];
        for (int d = 0; d < 4; d++) {
            const int q = neighbour(g, p, d);
            if (residual_back(g, q, d) > 0 && l.label[q] == UNLABELLED) l.flag[q] = 1;
        }
    }
}

/* Turns flags into the list of level k. A prefix sum gives ranks within a block, and one atomic per block gives the
 * block's place in the list. The paper uses a second prefix sum for the latter. */
static __global__ void collect_kernel(grid_view g, lattice l, int k)
{
    __shared__ int before[WAVE_BLOCK / 32], place;
    const int p = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const bool raised = l.flag[p];
    const unsigned who = __ballot_sync(0xffffffffu, raised);
    if (lane == 0) before[warp] = __popc(who);
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int w = 0; w < WAVE_BLOCK / 32; w++) {
            const int count = before[w];
            before[w] = sum;
            sum += count;
        }
        const int begin = l.level[k - 1].x + l.level[k - 1].y;
        if (sum > 0) l.level[k].x = begin;
        place = begin + (sum > 0 ? atomicAdd(&l.level[k].y, sum) : 0);
    }
    __syncthreads();
    if (!raised) return;
    l.flag[p] = 0;
    l.label[p] = k;
    l.member[place + before[warp] + __popc(who & ((1u << lane) - 1))] = p;
}

static void expand(const grid_view &g, const lattice &l, int k, cudaStream_t stream)
{
    raise_kernel<<<WAVE_BLOCKS, WAVE_BLOCK, 0, stream>>>(g, l, k);
    collect_kernel<<<view_nodes(g) / WAVE_BLOCK, WAVE_BLOCK, 0, stream>>>(g, l, k + 1);
}

WAVE_RUNG(basic, sinks_of_nodes, expand, push_from_nodes)
