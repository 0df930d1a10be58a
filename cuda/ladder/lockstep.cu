/* SPDX-License-Identifier: MIT
 *
 * cuda-lockstep: lockstep BFS, one direction at a time (Hussein et al. 2007, VI.A). Advantage over cuda-basic: in one
 * direction, a node is reached from exactly one neighbour, so no two threads claim it. No flags of all nodes have to be
 * scanned, and the work of a level is proportional to its number of nodes. The price is four launches per level.
 */
#include "hussein_waves.cuh"

/* Nodes of level k label their neighbours in direction d from which residual links lead to them. */
static __global__ void expand_kernel(grid_view g, lattice l, int k, int d)
{
    const int2 level = l.level[k];
    const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i - (int)(threadIdx.x & 31) < level.y; i += stride) {
        bool take = false;
        int q = 0;
        if (i < level.y) {
            q = neighbour(g, l.member[level.x + i], d);
            take = residual_back(g, q, d) > 0 && l.label[q] == UNLABELLED;
            if (take) l.label[q] = k + 1;
        }
        append(l, k + 1, take, q);
    }
}

static void expand(const grid_view &g, const lattice &l, int k, cudaStream_t stream)
{
    for (int d = 0; d < 4; d++) expand_kernel<<<WAVE_BLOCKS, WAVE_BLOCK, 0, stream>>>(g, l, k, d);
}

WAVE_RUNG(lockstep, sinks_of_nodes, expand, push_from_nodes)
