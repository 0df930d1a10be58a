/* SPDX-License-Identifier: MIT
 *
 * soft_stand_ins.h - replacements for device functions that the tests do not need or that only a GPU has, for tests
 * that run the host code around kernels. Include it once in a program.
 */
#pragma once

#include <cstdlib>
#include <cstring>

#include "device_islands.cuh"

size_t islands_scratch_bytes(int, int) { return 0; }
tilecut_status islands_drop(const islands_request *, cudaStream_t) { return TILECUT_EDEVICE; }

/* Fills new memory with noise, because no code may rely on its contents. */
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
