/* SPDX-License-Identifier: MIT
 *
 * device_rows.cu - copies bytes, and rows of bytes, between the caller's device memory and packed rows.
 */
#include "cuda_backend.h"
#include "device_scope.cuh"

extern "C" tilecut_status tc_cuda_copy(void *to, const void *from, size_t size, void *stream)
{
    CUDA_NEED(cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, (cudaStream_t)stream));
    return CUDA_STATUS(cudaStreamSynchronize((cudaStream_t)stream));
}

extern "C" tilecut_status tc_cuda_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride,
                                            size_t bytes, int height, void *stream)
{
    CUDA_NEED(cudaMemcpy2DAsync(to, to_stride, from, from_stride, bytes, (size_t)height, cudaMemcpyDeviceToDevice,
                                (cudaStream_t)stream));
    return CUDA_STATUS(cudaStreamSynchronize((cudaStream_t)stream));
}

extern "C" tilecut_status tc_cuda_take(void **memory, size_t size, int index)
{
    const device_scope scope(index);
    *memory = NULL;
    return CUDA_STATUS(cudaMalloc(memory, size));
}

extern "C" void tc_cuda_give(void *memory, int index)
{
    if (!memory) return;
    const device_scope scope(index);
    (void)cudaFree(memory);
}
