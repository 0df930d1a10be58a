/* SPDX-License-Identifier: MIT */
#include <stdint.h>

#include "device_memory.cuh"

/* Unused memory that a pool keeps: 1/32 of the device's memory, within these bounds. A dozen small images cut side by
 * side need more than the lower bound. */
enum { KEPT_LEAST_MB = 256, KEPT_MOST_MB = 1024, KEPT_SHARE = 32 };

static tilecut_status kept_of_device(uint64_t *bytes)
{
    size_t available = 0, all = 0;
    CUDA_NEED(cudaMemGetInfo(&available, &all));
    *bytes = (uint64_t)all / KEPT_SHARE;
    if (*bytes < (uint64_t)KEPT_LEAST_MB << 20) *bytes = (uint64_t)KEPT_LEAST_MB << 20;
    if (*bytes > (uint64_t)KEPT_MOST_MB << 20) *bytes = (uint64_t)KEPT_MOST_MB << 20;
    return TILECUT_OK;
}

/* Finds the memory pool of the device; NULL if it cannot have one. By default a pool returns all unused memory to the
 * driver whenever the device is synchronised; this makes it keep some. */
static tilecut_status pool_of_device(cudaMemPool_t *pool)
{
    int device = 0, has_pools = 0;
    uint64_t kept = 0, wanted = 0;

    *pool = NULL;
    CUDA_NEED(cudaGetDevice(&device));
    CUDA_NEED(cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, device));
    if (!has_pools) return TILECUT_OK;
    CUDA_NEED(cudaDeviceGetDefaultMemPool(pool, device));
    CUDA_NEED(cudaMemPoolGetAttribute(*pool, cudaMemPoolAttrReleaseThreshold, &kept));
    if (kept >= (uint64_t)KEPT_LEAST_MB << 20) return TILECUT_OK;
    NEED(kept_of_device(&wanted));
    return CUDA_STATUS(cudaMemPoolSetAttribute(*pool, cudaMemPoolAttrReleaseThreshold, (void *)&wanted));
}

tilecut_status device_memory_take(device_memory *memory, size_t bytes, cudaStream_t stream)
{
    cudaMemPool_t pool;

    *memory = {NULL, stream, false};
    NEED(pool_of_device(&pool));
    if (pool) CUDA_NEED(cudaMallocFromPoolAsync(&memory->base, bytes, pool, stream));
    else CUDA_NEED(cudaMalloc(&memory->base, bytes));
    memory->pooled = pool != NULL;
    return TILECUT_OK;
}

void device_memory_give(device_memory *memory)
{
    if (memory->base && memory->pooled) (void)cudaFreeAsync(memory->base, memory->stream);
    if (memory->base && !memory->pooled) (void)cudaFree(memory->base);
    *memory = {};
}
