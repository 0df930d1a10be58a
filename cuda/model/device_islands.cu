/* SPDX-License-Identifier: MIT
 *
 * device_islands.cu - see device_islands.cuh.
 */
#include "device_islands.cuh"
#include "islands_kernels.cuh"

size_t islands_scratch_bytes(int width, int height)
{
    size_t total;
    (void)place_islands(width, height, (char *)256, &total); /* only to get the size */
    return total;
}

tilecut_status islands_drop(const uint8_t *seeds, int width, int height, bool diagonal, const uint8_t *before,
                            const int *done, void *scratch, uint8_t *mask, proof_sums *sums, cudaStream_t stream)
{
    const dim3 block(32, ISLANDS_BLOCK / 32);
    const dim3 blocks((unsigned)ceil_div((size_t)width, 32), (unsigned)ceil_div((size_t)height, ISLANDS_BLOCK / 32));
    size_t total;
    islands s = place_islands(width, height, (char *)scratch, &total);
    s.diagonal = diagonal, s.seeds = seeds, s.before = before, s.done = done, s.mask = mask;
    runs_kernel<<<blocks, block, 0, stream>>>(s);
    join_kernel<<<blocks, block, 0, stream>>>(s);
    reach_kernel<<<blocks, block, 0, stream>>>(s);
    keep_kernel<<<blocks, block, 0, stream>>>(s, sums);
    return CUDA_STATUS(cudaGetLastError());
}
