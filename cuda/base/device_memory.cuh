/* SPDX-License-Identifier: MIT
 *
 * device_memory.cuh - device memory that is held for the length of one call.
 */
#pragma once

#include <stddef.h>

#include "check.cuh"

/* All zero: no memory. */
typedef struct device_memory {
    void *base;
    cudaStream_t stream; /* only work on this stream may use the memory; the stream must outlive the memory */
    bool pooled;
} device_memory;

/* Takes memory from CUDA's pool for the device. The pool keeps 256 MB to 1 GB for later calls, because getting memory
 * from the driver and returning it takes a quarter of a millisecond, longer than a small cut. */
tilecut_status device_memory_take(device_memory *memory, size_t bytes, cudaStream_t stream);

/* Returns the memory once the work on its stream is done. */
void device_memory_give(device_memory *memory);

/* Reserves `bytes` more in a block of memory of which *total bytes are reserved already, and returns their offset. */
static inline size_t reserve_bytes(size_t *total, size_t bytes)
{
    const size_t at = *total;
    *total += (bytes + 255) / 256 * 256;
    return at;
}

/* Reserves `count` items and points *at to them, in memory that begins at `base`. A function that lays out memory this
 * way runs twice: first at LAYOUT_TRIAL, only to find the size. */
#define LAYOUT_TRIAL ((char *)256)
template <class Item> static inline void lay(Item **at, char *base, size_t *total, size_t count)
{
    *at = (Item *)(base + reserve_bytes(total, count * sizeof(Item)));
}
