/* SPDX-License-Identifier: MIT
 *
 * check.cuh - every CUDA call is checked, and a failure becomes a status with one sentence.
 */
#ifndef TC_CHECK_CUH
#define TC_CHECK_CUH

#include <cuda_runtime.h>

#include "launch.cuh"

extern "C" {
#include "status.h"
}

/* For a function with a variable `tilecut_status status` and a label `done`. Declare all variables before the first
 * use, because in C++ a goto must not jump over an initialisation. */
#define CUDA_TRY(call)                                                  \
    do {                                                                \
        const cudaError_t cuda_error = (call);                          \
        if (cuda_error != cudaSuccess) {                                \
            status = cuda_failure(cuda_error, #call, __FILE__, __LINE__); \
            goto done;                                                  \
        }                                                               \
    } while (0)

/* The launch of a kernel, likewise: LAUNCH_TRY(kernel, blocks, threads, stream, arguments). `blocks` is a number. */
#define LAUNCH_TRY(...)               \
    do {                              \
        LAUNCH(__VA_ARGS__);          \
        CUDA_TRY(cudaGetLastError()); \
    } while (0)

/* Turns `error` into a status with a sentence. Also clears the error that the CUDA runtime would report again. */
tilecut_status cuda_failure(cudaError_t error, const char *call, const char *file, int line);

static inline int ceil_div(size_t n, int by)
{
    return (int)((n + (size_t)by - 1) / (size_t)by);
}

#endif
