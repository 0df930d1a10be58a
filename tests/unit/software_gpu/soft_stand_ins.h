/* SPDX-License-Identifier: MIT
 *
 * soft_stand_ins.h - for tests that run what the host does around kernels: in place of what they do not need, or what
 * only a GPU has. To be included once in a program.
 */
#pragma once

#include <cstdlib>
#include <cstring>

#include "device_islands.cuh"

size_t islands_scratch_bytes(int, int) { return 0; }
tilecut_status islands_drop(const islands_request *, cudaStream_t) { return TILECUT_EDEVICE; }

/* Fills new memory with noise, because its contents must not matter. */
tilecut_status device_memory_take(device_memory *memory, size_t bytes, cudaStream_t stream)
{
    *memory = {aligned_alloc(256, (bytes + 255) / 256 * 256), stream, false};
    if (!memory->base) return TILECUT_ENOMEM;
    memset(memory->base, 0xa5, bytes);
    return TILECUT_OK;
}

void device_memory_give(device_memory *memory)
{
    free(memory->base);
    *memory = {};
}
