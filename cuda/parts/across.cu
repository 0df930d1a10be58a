/* SPDX-License-Identifier: MIT
 *
 * across.cu - copies between devices. If a device can access the other's memory, it copies directly; otherwise CUDA
 * copies through the host.
 */
#include "device_scope.cuh"

extern "C" {
#include "cuda_parts.h"
}

extern "C" bool tc_cuda_reaches(int from, int to)
{
    int can = from == to;
    if (!can && cudaDeviceCanAccessPeer(&can, from, to) != cudaSuccess) can = 0;
    (void)cudaGetLastError();
    return can != 0;
}

extern "C" uint64_t tc_cuda_memory(int index)
{
    const device_scope scope(index);
    size_t free = 0, all = 0;
    if (tc_cuda_device(index, NULL, 0) != TILECUT_OK || cudaMemGetInfo(&free, &all) != cudaSuccess) free = 0;
    (void)cudaGetLastError();
    return free;
}

extern "C" void tc_cuda_reach(int from, int to)
{
    const device_scope scope(from);
    (void)cudaDeviceEnablePeerAccess(to, 0); /* fails if access is already enabled; the next line clears the error */
    (void)cudaGetLastError();
}

extern "C" void tc_cuda_reach_no_more(int from, int to)
{
    const device_scope scope(from);
    (void)cudaDeviceDisablePeerAccess(to);
    (void)cudaGetLastError();
}

extern "C" tilecut_status tc_cuda_copy_across(void *to, const void *from, size_t bytes)
{
    int target = 0, source = 0;
    NEED(tc_cuda_device_of(to, "what is received is", &target));
    NEED(tc_cuda_device_of(from, "what is sent is", &source));
    {
        const device_scope scope(target);
        CUDA_NEED(cudaMemcpyPeerAsync(to, target, from, source, bytes, cudaStreamPerThread));
        CUDA_NEED(cudaStreamSynchronize(cudaStreamPerThread));
    }
    return TILECUT_OK;
}
