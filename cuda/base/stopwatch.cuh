/* SPDX-License-Identifier: MIT
 *
 * stopwatch.cuh - measures with the device's clock how long work on a stream takes.
 */
#pragma once

#include "check.cuh"

/* All zero before stopwatch_init(). Call stopwatch_free() in any case. It can measure any number of times, one
 * measurement at a time. */
typedef struct stopwatch {
    cudaEvent_t start, stop;
} stopwatch;

static inline tilecut_status stopwatch_init(stopwatch *watch)
{
    CUDA_NEED(cudaEventCreate(&watch->start));
    return CUDA_STATUS(cudaEventCreate(&watch->stop));
}

static inline tilecut_status stopwatch_start(const stopwatch *watch, cudaStream_t stream)
{
    return CUDA_STATUS(cudaEventRecord(watch->start, stream));
}

static inline tilecut_status stopwatch_stop(const stopwatch *watch, cudaStream_t stream)
{
    return CUDA_STATUS(cudaEventRecord(watch->stop, stream));
}

/* Returns the time. The caller must have waited until the device has passed the stop. */
static inline tilecut_status stopwatch_look(const stopwatch *watch, double *ms)
{
    float passed = 0;
    CUDA_NEED(cudaEventElapsedTime(&passed, watch->start, watch->stop));
    *ms = (double)passed;
    return TILECUT_OK;
}

/* Waits until the device has passed the stop, then returns the time. */
static inline tilecut_status stopwatch_read(const stopwatch *watch, double *ms)
{
    CUDA_NEED(cudaEventSynchronize(watch->stop));
    return stopwatch_look(watch, ms);
}

static inline void stopwatch_free(const stopwatch *watch)
{
    if (watch->start) (void)cudaEventDestroy(watch->start);
    if (watch->stop) (void)cudaEventDestroy(watch->stop);
}
