/* SPDX-License-Identifier: MIT
 *
 * check.cuh - every CUDA call is checked, and a failure becomes a status with one sentence.
 */
#pragma once

#include <cuda_runtime.h>

#include "launch.cuh"

extern "C" {
#include "status.h"
}

/* Returns TILECUT_OK, or the status that corresponds to `error`, and sets the error sentence. Also clears the error
 * that the CUDA runtime would report again. */
tilecut_status cuda_status(cudaError_t error, const char *call, const char *file, int line);

/* CUDA_STATUS() is the status of a call of the CUDA runtime; CUDA_TRY() and CUDA_NEED() are TRY() and NEED() of
 * status.h for such a call. With TRY, declare all variables before the first use, because in C++ a goto must not jump
 * over an initialisation. Each quotes the text of the call in the error. */
#define CUDA_STATUS(call) cuda_status((call), #call, __FILE__, __LINE__)
#define CUDA_TRY(call) TRY(cuda_status((call), #call, __FILE__, __LINE__))
#define CUDA_NEED(call) NEED(cuda_status((call), #call, __FILE__, __LINE__))

/* Launches a kernel with the same error checks: LAUNCH_TRY(kernel, blocks, threads, stream, arguments) goes to `done`
 * on failure, LAUNCH_RETURN() ends the function with the status. */
#define LAUNCH_TRY(...)               \
    do {                              \
        LAUNCH(__VA_ARGS__);          \
        CUDA_TRY(cudaGetLastError()); \
    } while (0)
#define LAUNCH_RETURN(...)                      \
    do {                                        \
        LAUNCH(__VA_ARGS__);                    \
        return CUDA_STATUS(cudaGetLastError()); \
    } while (0)
#define LAUNCH_NEED(...)               \
    do {                               \
        LAUNCH(__VA_ARGS__);           \
        CUDA_NEED(cudaGetLastError()); \
    } while (0)

static __host__ __device__ inline int ceil_div(size_t n, int by)
{
    return (int)((n + (size_t)by - 1) / (size_t)by);
}
