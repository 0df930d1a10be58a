/* SPDX-License-Identifier: MIT */
#include "device_islands.cuh"
#include "islands_kernels.cuh"

size_t islands_scratch_bytes(int width, int height)
{
    return (1 + (size_t)width * (size_t)height) * sizeof(int);
}

tilecut_status islands_drop(const islands_request *r, cudaStream_t stream)
{
    const dim3 block = {32, ISLANDS_BLOCK / 32};
    const int blocks = ceil_div((size_t)r->width, 32) * ceil_div((size_t)r->rows, ISLANDS_BLOCK / 32) * r->slices;
    const islands s = {r->width, r->rows, r->diagonal, r->seeds, r->before, r->done, r->mask, r->parent};
    LAUNCH_NEED(join_kernel, blocks, block, stream, s);
    LAUNCH_RETURN(keep_kernel, blocks, block, stream, s, r->sums);
}
