/* SPDX-License-Identifier: MIT
 *
 * device_rows.cu - copies bytes, and rows of bytes, between callers' device memory and packed rows.
 */
#include "cuda_backend.h"
#include "device_scope.cuh"

extern "C" tilecut_status tc_cuda_copy(void *to, const void *from, size_t size, void *stream)
{
    tilecut_status status = TILECUT_OK;
    CUDA_TRY(cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, (cudaStream_t)stream));
    CUDA_TRY(cudaStreamSynchronize((cudaStream_t)stream));
done:
    return status;
}

extern "C" tilecut_status tc_cuda_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride,
                                            size_t bytes, int height, void *stream)
{
    tilecut_status status = TILECUT_OK;
    CUDA_TRY(cudaMemcpy2DAsync(to, to_stride, from, from_stride, bytes, (size_t)height, cudaMemcpyDeviceToDevice,
                               (cudaStream_t)stream));
    CUDA_TRY(cudaStreamSynchronize((cudaStream_t)stream));
done:
    return status;
}

extern "C" tilecut_status tc_cuda_take(void **memory, size_t size, int index)
{
    const device_scope here(index);
    tilecut_status status = TILECUT_OK;
    *memory = NULL;
    CUDA_TRY(cudaMalloc(memory, size));
done:
    return status;
}

extern "C" void tc_cuda_give(void *memory, int index)
{
    if (!memory) return;
    const device_scope here(index);
    (void)cudaFree(memory);
}
