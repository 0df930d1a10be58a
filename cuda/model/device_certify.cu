/* SPDX-License-Identifier: MIT
 *
 * device_certify.cu - see device_certify.cuh. One thread per pixel. Capacities are read from image and tables, never
 * from anything that a solver has written.
 */
#include "device_certify.cuh"

enum { BLOCK = 256 };

static __device__ inline bool labelled(const grid_view &g, const uint32_t *background, size_t step, int x, int y)
{
    const int tile = (y >> TC_TILE_BITS) * g.tiles_x + (x >> TC_TILE_BITS);
    return background[(size_t)tile * step + (y & (TC_TILE - 1))] >> (x & (TC_TILE - 1)) & 1;
}

/* What flows out of pixel p over its diagonals, of capacities c. Both directions of a diagonal are checked at its
 * upper end. */
static __device__ int32_t prove_diagonals(const grid_view &g, int x, int y, int p, const int4 &c, int *violations)
{
    const bool left = x > 0, right = x + 1 < g.width, down = y + 1 < g.height, up = y > 0;
    const float4 r = g.diagonal[p];
    const int32_t rest = whole_residual(r.x, violations) + whole_residual(r.y, violations) +
                         whole_residual(r.z, violations) + whole_residual(r.w, violations);
    if (down && right) *violations += r.x + g.diagonal[neighbour8(g, p, TC_DOWN_RIGHT)].y != (float)(2 * c.x);
    else *violations += r.x != 0;
    if (down && left) *violations += r.z + g.diagonal[neighbour8(g, p, TC_DOWN_LEFT)].w != (float)(2 * c.z);
    else *violations += r.z != 0;
    *violations += (!(up && left) && r.y != 0) + (!(up && right) && r.w != 0);
    return c.x + c.y + c.z + c.w - rest;
}

/* Checks the preflow at pixel (x, y), from which `aslant` flows out over diagonals; see tc_certify(). */
static __device__ node_proof prove_flow(const grid_view &g, int x, int y, int p, const int4 &c, const terminals &t,
                                        int32_t aslant)
{
    node_proof proof = {0, 0, 0};
    const float4 r = g.residual[p];
    const int32_t right = whole_residual(r.x, &proof.violations), left = whole_residual(r.y, &proof.violations);
    const int32_t down = whole_residual(r.z, &proof.violations), up = whole_residual(r.w, &proof.violations);
    const int32_t excess = t.source - t.sink - (c.x - right + c.y - left + c.z - down + c.w - up) - aslant;
    proof.violations += g.excess[p] != (float)excess;
    proof.flow = t.sink + min(excess, 0);
    /* A graph from an image is symmetric: both directions of a link have the same capacity. */
    if (x + 1 < g.width) proof.violations += r.x + g.residual[neighbour(g, p, TC_RIGHT)].y != (float)(2 * c.x);
    else proof.violations += r.x != 0;
    if (y + 1 < g.height) proof.violations += r.z + g.residual[neighbour(g, p, TC_DOWN)].w != (float)(2 * c.z);
    else proof.violations += r.z != 0;
    proof.violations += (x == 0 && r.y != 0) + (y == 0 && r.w != 0);
    return proof;
}

/* What the diagonals of a foreground pixel cost that lead to background. */
static __device__ long long cut_aslant(const grid_view &g, const uint32_t *background, size_t step, int x, int y,
                                       const int4 &c)
{
    const bool left = x > 0, right = x + 1 < g.width, down = y + 1 < g.height, up = y > 0;
    long long cut = 0;
    if (down && right && labelled(g, background, step, x + 1, y + 1)) cut += c.x;
    if (up && left && labelled(g, background, step, x - 1, y - 1)) cut += c.y;
    if (down && left && labelled(g, background, step, x - 1, y + 1)) cut += c.z;
    if (up && right && labelled(g, background, step, x + 1, y - 1)) cut += c.w;
    return cut;
}

/* Sums over rows first .. end - 1; the mask is of all rows. */
static __global__ void certify_kernel(device_energy e, grid_view g, const uint32_t *background, size_t step, int first,
                                      int end, const uint8_t *before, proof_sums *sums, uint8_t *mask)
{
    __shared__ proof_sums block;
    const int p = (int)(blockIdx.x * BLOCK + threadIdx.x);
    int x = 0, y = 0, foreground = 0, changed = 0;
    node_proof proof = {0, 0, 0};

    if (threadIdx.x == 0) block = proof_sums{};
    __syncthreads();
    position_of(g, p, &x, &y);
    if (p < view_nodes(g) && x < g.width && y < g.height && (y < first || y >= end)) {
        mask[(size_t)y * g.width + x] = labelled(g, background, step, x, y) ? 0 : 255;
    } else if (p < view_nodes(g) && x < g.width && y < g.height) {
        const size_t at = (size_t)y * g.width + x;
        const int4 c = links_of(e, x, y);
        const terminals t = terminals_of(e, x, y, e.seeds[at]);
        int4 d = make_int4(0, 0, 0, 0);
        int32_t aslant = 0;
        int bad = 0;
        if (g.diagonal) d = diagonals_of(e, x, y), aslant = prove_diagonals(g, x, y, p, d, &bad);
        proof = prove_flow(g, x, y, p, c, t, aslant);
        proof.violations += bad;
        foreground = !labelled(g, background, step, x, y);
        if (foreground) {
            proof.cut = t.sink;
            if (x + 1 < g.width && labelled(g, background, step, x + 1, y)) proof.cut += c.x;
            if (x > 0 && labelled(g, background, step, x - 1, y)) proof.cut += c.y;
            if (y + 1 < g.height && labelled(g, background, step, x, y + 1)) proof.cut += c.z;
            if (y > 0 && labelled(g, background, step, x, y - 1)) proof.cut += c.w;
            if (g.diagonal) proof.cut += cut_aslant(g, background, step, x, y, d);
        } else {
            proof.cut = t.source;
        }
        mask[at] = foreground ? 255 : 0;
        changed = before && before[at] != mask[at];
    }
    add_proof(&block, proof, foreground, changed);
    __syncthreads();
    add_block(sums, &block);
}

tilecut_status grid_certify(const device_energy *energy, const grid_view *grid, const uint32_t *background, size_t step,
                            int first, int end, const uint8_t *before, proof_sums *sums, uint8_t *mask,
                            cudaStream_t stream)
{
    LAUNCH_RETURN(certify_kernel, ceil_div((size_t)view_nodes(*grid), BLOCK), BLOCK, stream, *energy, *grid, background,
                  step, first, end, before, sums, mask);
}
