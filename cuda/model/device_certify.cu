/* SPDX-License-Identifier: MIT
 *
 * device_certify.cu - see device_certify.cuh. One thread per pixel. Capacities are read from image and tables, never
 * from anything that a solver has written.
 */
#include "lattice_kernels.cuh"

tilecut_status grid_certify(const device_energy *energy, const grid_view *grid, const proof_request *r,
                            cudaStream_t stream)
{
    const size_t blocks = ceil_div((size_t)view_nodes(*grid), LATTICE_BLOCK);
    const image_source<4> four = {*energy, {energy->width, energy->height, 1}};
    const image_source<8> eight = {*energy, {energy->width, energy->height, 1}};
    if (grid->diagonal)
        LAUNCH_RETURN(certify_kernel, blocks, LATTICE_BLOCK, stream, eight, *grid, r->background, r->step, r->first,
                      r->end, r->before, r->sums, r->mask);
    LAUNCH_RETURN(certify_kernel, blocks, LATTICE_BLOCK, stream, four, *grid, r->background, r->step, r->first, r->end,
                  r->before, r->sums, r->mask);
}
