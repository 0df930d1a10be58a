/* SPDX-License-Identifier: MIT
 *
 * device_build.cu - see device_build.cuh. One thread per pixel.
 */
#include "lattice_kernels.cuh"

enum { BLOCK = 256 };

tilecut_status grid_build(const device_lattice *lattice, const grid_view *grid, const cleared_words clear[2], int *bad,
                          const int *same, cudaStream_t stream)
{
    const size_t blocks = ceil_div((size_t)view_nodes(*grid), LATTICE_BLOCK);
    return with_source(*lattice, [&](const auto &source) -> tilecut_status {
        LAUNCH_RETURN(build_kernel, blocks, LATTICE_BLOCK, stream, source, *grid, clear[0], clear[1], bad, same);
    });
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
