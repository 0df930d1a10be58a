/* SPDX-License-Identifier: MIT
 *
 * device_certify.cu - see device_certify.cuh. One thread per pixel. Capacities are read from their original source,
 * never from memory that a solver has written.
 */
#include "lattice_kernels.cuh"

tilecut_status grid_certify(const device_lattice *lattice, const grid_view *grid, const proof_request *r,
                            cudaStream_t stream)
{
    const size_t blocks = ceil_div((size_t)view_nodes(*grid), LATTICE_BLOCK);
    return with_source(*lattice, [&](const auto &source) -> tilecut_status {
        LAUNCH_RETURN(certify_kernel, blocks, LATTICE_BLOCK, stream, source, *grid, *r);
    });
}
