/* SPDX-License-Identifier: MIT
 *
 * cuda-tiled: cache emulation (Hussein et al. 2007, VI.B). A level is a list of the tiles that hold nodes of it. All
 * threads of a block load the labels of its tile and of a halo of one pixel into shared memory; then only the threads
 * whose node is on the level continue. Advantages over cuda-lockstep: lists and atomics are per tile, loads are
 * coalesced and shared, and a level takes a single launch, as in cuda-basic.
 */
#include "hussein_waves.cuh"

enum { RIM = TC_TILE + 2 };

/* Loads the labels of a tile and of a halo of one pixel. The halo's corners are never read. Needs 1024 threads. */
static __device__ inline void load_labels(const grid_view &g, const lattice &l, int tile, int (*s)[RIM])
{
    const int x = threadIdx.x & 31, y = threadIdx.x >> 5, p = tile * TC_TILE_NODES + (int)threadIdx.x;
    s[y + 1][x + 1] = l.label[p];
    if (x == 0) s[y + 1][0] = l.label[neighbour(g, p, TC_LEFT)];
    if (x == TC_TILE - 1) s[y + 1][RIM - 1] = l.label[neighbour(g, p, TC_RIGHT)];
    if (y == 0) s[0][x + 1] = l.label[neighbour(g, p, TC_UP)];
    if (y == TC_TILE - 1) s[RIM - 1][x + 1] = l.label[neighbour(g, p, TC_DOWN)];
    __syncthreads();
}

/* The directions, as bits, in which the neighbour is on level k. */
static __device__ inline unsigned on_level(const int (*s)[RIM], int k)
{
    const int x = (threadIdx.x & 31) + 1, y = (threadIdx.x >> 5) + 1;
    return (unsigned)(s[y][x + 1] == k) << TC_RIGHT | (unsigned)(s[y][x - 1] == k) << TC_LEFT |
           (unsigned)(s[y + 1][x] == k) << TC_DOWN | (unsigned)(s[y - 1][x] == k) << TC_UP;
}

/* Puts the block's tile on level k. Level k - 1 must be complete. */
static __device__ inline void append_tile(const lattice &l, int k, int tile)
{
    const int begin = k > 0 ? l.level[k - 1].x + l.level[k - 1].y : 0;
    l.level[k].x = begin;
    l.member[begin + atomicAdd(&l.level[k].y, 1)] = tile;
}

static __global__ void sinks_kernel(grid_view g, lattice l)
{
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    const bool sink = g.excess[p] < 0;
    if (sink) l.label[p] = 0;
    if (__syncthreads_or(sink) && threadIdx.x == 0) append_tile(l, 0, blockIdx.x);
}

/* Labels the nodes of one tile from which residual links lead to level k. */
static __device__ inline void expand_tile(const grid_view &g, const lattice &l, int k, int tile)
{
    __shared__ int s[RIM][RIM];
    const int p = tile * TC_TILE_NODES + (int)threadIdx.x;
    bool taken = false;
    load_labels(g, l, tile, s);
    if (s[(threadIdx.x >> 5) + 1][(threadIdx.x & 31) + 1] == UNLABELLED) {
        const unsigned there = on_level(s, k);
        if (there) {
            float4 c = g.residual[p];
            for (int d = 0; d < 4; d++) taken |= (there >> d & 1) && component(c, d) > 0;
        }
    }
    if (taken) l.label[p] = k + 1;
    if (__syncthreads_or(taken) && threadIdx.x == 0) append_tile(l, k + 1, tile);
}

/* A block in row 0 expands a tile of level k itself. A block in row d + 1 expands the tile beside it in direction d,
 * if nodes of level k lie at that side and no other block has taken that tile. */
static __global__ void __launch_bounds__(TC_TILE_NODES) expand_kernel(grid_view g, lattice l, int k)
{
    __shared__ int mine;
    const int2 level = l.level[k];
    for (int i = blockIdx.x; i < level.y; i += gridDim.x) {
        int tile = l.member[level.x + i];
        const int x = threadIdx.x & 31, y = threadIdx.x >> 5, d = (int)blockIdx.y - 1;
        if (d >= 0) {
            const int p = tile * TC_TILE_NODES + (int)threadIdx.x;
            const bool rim = d == TC_RIGHT ? x == 31 : d == TC_LEFT ? x == 0 : d == TC_DOWN ? y == 31 : y == 0;
            const int corner = d == TC_RIGHT || d == TC_DOWN ? TC_TILE_NODES - 1 : 0;
            const int tx = tile % g.tiles_x, next = neighbour(g, tile * TC_TILE_NODES + corner, d);
            const bool outside = (d == TC_RIGHT && tx == g.tiles_x - 1) || (d == TC_LEFT && tx == 0) || next < 0 ||
                                 next >= view_nodes(g);
            if (!__syncthreads_or(rim && !outside && l.label[p] == k)) continue;
            tile = next / TC_TILE_NODES;
        }
        if (threadIdx.x == 0) mine = atomicExch(l.stamp + tile, k) != k;
        __syncthreads();
        if (mine) expand_tile(g, l, k, tile);
        __syncthreads();
    }
}

static __global__ void __launch_bounds__(TC_TILE_NODES) push_kernel(grid_view g, lattice l, int k, int top)
{
    __shared__ int s[RIM][RIM];
    const int2 level = l.level[k];
    for (int i = blockIdx.x; i < level.y; i += gridDim.x) {
        const int tile = l.member[level.x + i];
        load_labels(g, l, tile, s);
        if (s[(threadIdx.x >> 5) + 1][(threadIdx.x & 31) + 1] == k)
            wave_node(g, l, tile * TC_TILE_NODES + (int)threadIdx.x, k < top ? on_level(s, k + 1) : 0,
                      k > 0 ? on_level(s, k - 1) : 0);
        __syncthreads();
    }
}

static void sinks(const grid_view &g, const lattice &l, cudaStream_t stream)
{
    sinks_kernel<<<view_tiles(g), TC_TILE_NODES, 0, stream>>>(g, l);
}

static void expand(const grid_view &g, const lattice &l, int k, cudaStream_t stream)
{
    const int tiles = view_tiles(g);
    expand_kernel<<<dim3(tiles < 132 ? tiles : 132, 5), TC_TILE_NODES, 0, stream>>>(g, l, k);
}

static void push(const grid_view &g, const lattice &l, int k, int top, cudaStream_t stream)
{
    const int tiles = view_tiles(g);
    push_kernel<<<tiles < 264 ? tiles : 264, TC_TILE_NODES, 0, stream>>>(g, l, k, top);
}

WAVE_RUNG(tiled, sinks, expand, push)
