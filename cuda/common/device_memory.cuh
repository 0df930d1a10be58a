/* SPDX-License-Identifier: MIT
 *
 * device_memory.cuh - device memory for the length of a call.
 */
#ifndef TC_DEVICE_MEMORY_CUH
#define TC_DEVICE_MEMORY_CUH

#include <stddef.h>

#include "check.cuh"

/* All zero: none. */
typedef struct device_memory {
    void *base;
    cudaStream_t stream; /* whose work may use it; has to outlive it */
    bool pooled;
} device_memory;

/* It comes from the pool that CUDA has for the device, in which up to 256 MB are then kept for whoever comes next:
 * asking the driver for memory and giving it back takes a quarter of a millisecond, longer than a small cut. */
tilecut_status device_memory_take(device_memory *memory, size_t bytes, cudaStream_t stream);

/* Once the work on its stream is done. */
void device_memory_give(device_memory *memory);

#endif
