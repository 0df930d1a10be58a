/* SPDX-License-Identifier: MIT
 *
 * device_build.cu - see device_build.cuh. One thread per pixel.
 */
#include "device_build.cuh"

enum { BLOCK = 256 };

static __device__ inline void clear_words(const cleared_words &c)
{
    for (size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x; i < c.count; i += (size_t)gridDim.x * BLOCK) c.at[i] = 0;
}

static __global__ void build_kernel(device_energy e, grid_view g, cleared_words first, cleared_words second)
{
    clear_words(first);
    clear_words(second);
    const int p = (int)(blockIdx.x * BLOCK + threadIdx.x);
    int x, y;
    if (p >= view_nodes(g)) return;
    position_of(g, p, &x, &y);
    if (x >= g.width || y >= g.height) {
        g.residual[p] = make_float4(0, 0, 0, 0);
        g.excess[p] = 0;
        if (g.diagonal) g.diagonal[p] = make_float4(0, 0, 0, 0);
        return;
    }
    const int4 c = links_of(e, x, y);
    const terminals t = terminals_of(e, x, y, e.seeds[(size_t)y * e.width + x]);
    g.residual[p] = make_float4((float)c.x, (float)c.y, (float)c.z, (float)c.w);
    g.excess[p] = (float)(t.source - t.sink);
    if (!g.diagonal) return;
    const int4 d = diagonals_of(e, x, y);
    g.diagonal[p] = make_float4((float)d.x, (float)d.y, (float)d.z, (float)d.w);
}

tilecut_status grid_build(const device_energy *energy, const grid_view *grid, const cleared_words clear[2],
                          cudaStream_t stream)
{
    LAUNCH_RETURN(build_kernel, ceil_div((size_t)view_nodes(*grid), BLOCK), BLOCK, stream, *energy, *grid, clear[0],
                  clear[1]);
}

static __global__ void reseed_kernel(device_energy e, grid_view g, const uint8_t *seeds, uint8_t *in_force, int y0,
                                     int rows)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= (size_t)rows * e.width) return;
    const int x = (int)(i % e.width), y = y0 + (int)(i / e.width);
    const size_t at = (size_t)y * e.width + x;
    const uint8_t before = in_force[at], after = seeds[i];
    if (before == after) return;
    const terminals was = terminals_of(e, x, y, before), is = terminals_of(e, x, y, after);
    g.excess[node_at(g, x, y)] += (float)(is.source - was.source - is.sink + was.sink);
    in_force[at] = after;
}

tilecut_status grid_reseed(const device_energy *energy, const grid_view *grid, const uint8_t *seeds, uint8_t *in_force,
                           int y0, int y1, cudaStream_t stream)
{
    const size_t pixels = (size_t)(y1 - y0) * (size_t)energy->width;
    if (pixels == 0) return TILECUT_OK;
    LAUNCH_RETURN(reseed_kernel, ceil_div(pixels, BLOCK), BLOCK, stream, *energy, *grid, seeds, in_force, y0, y1 - y0);
}
