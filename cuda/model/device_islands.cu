/* SPDX-License-Identifier: MIT */
#include "device_islands.cuh"
#include "islands_kernels.cuh"

size_t islands_scratch_bytes(int width, int height)
{
    size_t total;
    (void)place_islands(width, height, (char *)256, &total); /* this call only finds the size */
    return total;
}

tilecut_status islands_drop(const islands_request *r, cudaStream_t stream)
{
    const dim3 block(32, ISLANDS_BLOCK / 32);
    const dim3 blocks((unsigned)ceil_div((size_t)r->width, 32),
                      (unsigned)ceil_div((size_t)r->height, ISLANDS_BLOCK / 32));
    size_t total;
    islands s = place_islands(r->width, r->height, (char *)r->scratch, &total);
    s.diagonal = r->diagonal, s.seeds = r->seeds, s.before = r->before, s.done = r->done, s.mask = r->mask;
    runs_kernel<<<blocks, block, 0, stream>>>(s);
    join_kernel<<<blocks, block, 0, stream>>>(s);
    reach_kernel<<<blocks, block, 0, stream>>>(s);
    keep_kernel<<<blocks, block, 0, stream>>>(s, r->sums);
    return CUDA_STATUS(cudaGetLastError());
}
