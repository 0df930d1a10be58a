/* SPDX-License-Identifier: MIT
 *
 * device_scope.cuh - sets the CUDA device of this thread for the length of one call. The present device of a thread
 * belongs to the caller, so it must be the same afterwards. Every function of the seam that touches a device has a
 * device_scope as its first variable, which restores the caller's device however the function ends. This way kernels,
 * memory and streams all belong to the device that was asked for.
 */
#pragma once

#include "check.cuh"

typedef struct device_scope {
    int before; /* the caller's device; -1: nothing to restore */

    explicit device_scope(int index) : before(-1)
    {
        int now = 0;
        if (cudaGetDevice(&now) == cudaSuccess && now != index && cudaSetDevice(index) == cudaSuccess) before = now;
        (void)cudaGetLastError(); /* the first real use of the device reports the error */
    }
    ~device_scope()
    {
        if (before >= 0) (void)cudaSetDevice(before);
    }
    device_scope(const device_scope &) = delete;
    device_scope &operator=(const device_scope &) = delete;
} device_scope;
