/* SPDX-License-Identifier: MIT
 *
 * lattice_kernels.cuh - builds the grid of a lattice, and proves the answer in it, from any source of capacities; see
 * device_build.cuh and device_certify.cuh. One thread per node. The kernels are separate from their launches, so that a
 * software GPU can run them, too (tests/unit/software_gpu).
 */
#pragma once

#include "device_build.cuh"
#include "device_certify.cuh"
#include "lattice_source.cuh"
#include "worklist.cuh"

enum { LATTICE_BLOCK = 256 };

static __device__ inline void clear_words(const cleared_words &c)
{
    const size_t first = (size_t)blockIdx.x * LATTICE_BLOCK + threadIdx.x;
    for (size_t i = first; i < c.count; i += (size_t)gridDim.x * LATTICE_BLOCK) c.at[i] = 0;
}

/* True if tc_graph_check() accepts the pixel. */
template <int N> static __device__ inline bool is_exact(const lattice_links<N> &c, const terminals &t)
{
    const long long source = t.source, sink = t.sink;
    long long load = source > sink ? source - sink : sink - source;
    bool sound = source >= 0 && sink >= 0 && source < TC_EXACT_LIMIT && sink < TC_EXACT_LIMIT;
#pragma unroll
    for (int k = 0; k < N / 2; k++) {
        sound &= c.next[k].x >= 0 && c.next[k].y >= 0;
        load += (long long)c.next[k].x + c.next[k].y + c.before[k].x + c.before[k].y;
    }
    return sound && load < TC_EXACT_LIMIT;
}

/* The flow that leaves node p over its links. */
template <class Source>
static __device__ inline int32_t flow_from(const grid_view &g, int p, const lattice_links<Source::neighbours> &c)
{
    enum { N = Source::neighbours };
    int32_t flow = 0;
#pragma unroll
    for (int k = 0; k < N / 2; k++)
        flow += c.next[k].x + c.before[k].y - (int32_t)(residual_of<N>(g, p, 2 * k) + residual_of<N>(g, p, 2 * k + 1));
    return flow;
}

/* Writes capacities and excesses of all pixels, zeros in the padding, and zeros in two other places. Sets *bad to 1 if
 * the source has to be checked and a pixel is not exact. If *same is 1, the grid holds a flow for these capacities. It
 * stays, and the excess of a pixel is what that flow leaves of its terminals. */
template <class Source>
static __global__ void build_kernel(Source s, grid_view g, cleared_words first, cleared_words second, int *bad,
                                    const int *same)
{
    enum { N = Source::neighbours };
    clear_words(first);
    clear_words(second);
    const int p = (int)(blockIdx.x * LATTICE_BLOCK + threadIdx.x);
    if (p >= view_nodes(g)) return;
    const lattice_place at = place_of_node(g, p);
    lattice_links<N> c = {};
    terminals t = {0, 0};
    if (is_inside(at, s.size)) c = links_around(s, at), t = s.ends(at);
    if (!Source::is_checked && !is_exact(c, t)) *bad = 1;
    if (same && *same) {
        g.excess[p] = (float)(t.source - t.sink - flow_from<Source>(g, p, c));
        return;
    }
    g.residual[p] = make_float4((float)c.next[0].x, (float)c.before[0].y, (float)c.next[1].x, (float)c.before[1].y);
    g.excess[p] = (float)(t.source - t.sink);
    if (N == 8)
        g.diagonal[p] = make_float4((float)c.next[2].x, (float)c.before[2].y, (float)c.next[N / 2 - 1].x,
                                    (float)c.before[N / 2 - 1].y);
    if (N == 6) g.slices[p] = make_float2((float)c.next[N / 2 - 1].x, (float)c.before[N / 2 - 1].y);
}

/* ---- The proof -------------------------------------------------------------------------------- */

/* The answer: bit rows of the background, `step` words from tile to tile. */
typedef struct bit_rows {
    const uint32_t *background;
    size_t step;
} bit_rows;

static __device__ inline bool is_background(const bit_rows &b, int p)
{
    return b.background[(size_t)(p / TC_TILE_NODES) * b.step + (size_t)(p / TC_TILE % TC_TILE)] >> p % TC_TILE & 1;
}

/* Checks the links of kind k of a pixel. Returns the flow that leaves the pixel over these links. Each link is checked
 * at its first end; if it is cut in either direction, its cost is added there. */
template <class Source>
static __device__ inline int32_t prove_links(const Source &s, const grid_view &g, const lattice_place &at, int k,
                                             const lattice_links<Source::neighbours> &c, const bit_rows &answer,
                                             node_proof &proof)
{
    enum { N = Source::neighbours };
    const int p = lattice_node(g, at);
    const float forward = residual_of<N>(g, p, 2 * k), back = residual_of<N>(g, p, 2 * k + 1);
    const int32_t rest = whole_residual(forward, &proof.violations) + whole_residual(back, &proof.violations);
    const lattice_place next = place_beside<N>(at, k, 1);
    if (is_inside(next, s.size)) {
        const int q = lattice_node(g, next);
        const bool here = is_background(answer, p);
        proof.violations += forward + residual_of<N>(g, q, 2 * k + 1) != (float)(c.next[k].x + c.next[k].y);
        if (here != is_background(answer, q)) proof.cut += here ? c.next[k].y : c.next[k].x;
    } else {
        proof.violations += forward != 0;
    }
    if (!is_inside(place_beside<N>(at, k, -1), s.size)) proof.violations += back != 0;
    return c.next[k].x + c.before[k].y - rest;
}

template <class Source>
static __device__ inline node_proof prove_pixel(const Source &s, const grid_view &g, const lattice_place &at,
                                                const bit_rows &answer)
{
    const lattice_links<Source::neighbours> c = links_around(s, at);
    const terminals t = s.ends(at);
    const int p = lattice_node(g, at);
    node_proof proof = {0, 0, 0};
    int32_t excess = t.source - t.sink;
#pragma unroll
    for (int k = 0; k < Source::neighbours / 2; k++) excess -= prove_links(s, g, at, k, c, answer, proof);
    proof.violations += g.excess[p] != (float)excess;
    proof.flow = t.sink + min(excess, 0);
    proof.cut += is_background(answer, p) ? t.source : t.sink;
    return proof;
}

/* Writes the tree of a pixel's run for islands_kernels.cuh. The lanes of a warp are 32 pixels of a row, beginning at a
 * multiple of 32, and call it together. `i` is the pixel's number, `votes` has the bits of the foreground. */
static __device__ inline void begin_tree(int *parent, int i, unsigned votes)
{
    const unsigned lane = threadIdx.x & 31, gaps = ~votes & ((1u << lane) - 1); /* background before this lane */
    const int first = gaps ? 32 - __clz((int)gaps) : 0;
    if (i == 0) parent[0] = 0;
    parent[1 + i] = votes >> lane & 1 ? 1 + i - (int)lane + first : -1;
}

/* Computes the sums of a proof over rows r.first .. r.end - 1, counted through all slices, and the mask of all rows. */
template <class Source> static __global__ void certify_kernel(Source s, grid_view g, proof_request r)
{
    __shared__ proof_sums block;
    const bit_rows answer = {r.background, r.step};
    const int p = (int)(blockIdx.x * LATTICE_BLOCK + threadIdx.x);
    node_proof proof = {0, 0, 0};
    int foreground = 0, changed = 0;

    if (threadIdx.x == 0) block = proof_sums{};
    __syncthreads();
    if (p < view_nodes(g)) { /* all lanes of a warp, or none */
        const lattice_place at = place_of_node(g, p);
        const bool inside = is_inside(at, s.size), front = inside && !is_background(answer, p);
        const int row = at.at[2] * s.size[1] + at.at[1];
        const size_t i = (size_t)row * (size_t)s.size[0] + (size_t)at.at[0];
        const unsigned votes = __ballot_sync(WARP, front);
        if (inside) {
            const bool own = row >= r.first && row < r.end;
            if (own) proof = prove_pixel(s, g, at, answer);
            r.mask[i] = front ? 255 : 0;
            foreground = own && front;
            changed = own && r.before && (r.before[i] != 0) != front;
            if (r.parent && !(r.done && !*r.done)) begin_tree(r.parent, (int)i, votes);
        }
    }
    add_proof(&block, proof, foreground, changed);
    __syncthreads();
    add_block(r.sums, &block);
}
