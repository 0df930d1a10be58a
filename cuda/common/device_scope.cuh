/* SPDX-License-Identifier: MIT
 *
 * device_scope.cuh - which device the calls of this thread go to. It is the caller's choice too, so that it is changed
 * for the length of a call only. One of these, at the top of every function of the seam that touches a device, sees to
 * that however the function ends; so kernels, memory and streams all belong to the device that was asked for.
 */
#ifndef TC_DEVICE_SCOPE_CUH
#define TC_DEVICE_SCOPE_CUH

#include "check.cuh"

typedef struct device_scope {
    int before; /* the caller's; -1: it is that one already, or there is none */

    explicit device_scope(int index) : before(-1)
    {
        int now = 0;
        if (cudaGetDevice(&now) == cudaSuccess && now != index && cudaSetDevice(index) == cudaSuccess) before = now;
        (void)cudaGetLastError(); /* what uses the device tells */
    }
    ~device_scope()
    {
        if (before >= 0) (void)cudaSetDevice(before);
    }
    device_scope(const device_scope &) = delete;
    device_scope &operator=(const device_scope &) = delete;
} device_scope;

#endif
