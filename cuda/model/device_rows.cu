/* SPDX-License-Identifier: MIT
 *
 * device_rows.cu - copies bytes, and rows of bytes, between the caller's device memory and packed rows.
 */
#include "cuda_backend.h"
#include "device_lane.cuh"
#include "device_memory.cuh"
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

extern "C" tilecut_status tc_cuda_send_rows(void *to, const void *from, size_t stride, size_t bytes, int height,
                                            int index, int threads)
{
    const device_scope scope(index);
    tilecut_status status = TILECUT_OK;
    device_lane *lane = NULL;
    TRY(lane_open(&lane, index, NULL));
    lane_share(lane, threads);
    lane_reserve(lane, bytes * (size_t)height);
    TRY(lane_send(lane, to, from, stride, bytes, (size_t)height));
    TRY(lane_wait(lane));
done:
    lane_leave(lane);
    return status;
}

/* Rows with gaps are packed on the device first, because a copy of short rows to the host takes long. */
extern "C" tilecut_status tc_cuda_fetch_rows(void *to, const void *from, size_t stride, size_t bytes, int height,
                                             int index)
{
    const device_scope scope(index);
    tilecut_status status = TILECUT_OK;
    device_memory packed = {};
    device_lane *lane = NULL;
    TRY(lane_open(&lane, index, NULL));
    if (stride != bytes) {
        TRY(device_memory_take(&packed, bytes * (size_t)height, lane->stream));
        CUDA_TRY(cudaMemcpy2DAsync(packed.base, bytes, from, stride, bytes, (size_t)height, cudaMemcpyDeviceToDevice,
                                   lane->stream));
    }
    TRY(lane_receive(lane, to, packed.base ? packed.base : from, bytes * (size_t)height));
done:
    device_memory_give(&packed);
    lane_leave(lane);
    return status;
}

extern "C" tilecut_status tc_cuda_take(void **memory, size_t size, int index)
{
    const device_scope scope(index);
    device_memory taken;
    *memory = NULL;
    NEED(device_memory_take(&taken, size, cudaStreamPerThread));
    *memory = taken.base;
    return CUDA_STATUS(cudaStreamSynchronize(cudaStreamPerThread)); /* from now on any stream may use it */
}

extern "C" void tc_cuda_give(void *memory, int index)
{
    int has_pools = 0;
    if (!memory) return;
    const device_scope scope(index);
    (void)cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, index);
    device_memory taken = {memory, cudaStreamPerThread, has_pools != 0};
    device_memory_give(&taken);
}
