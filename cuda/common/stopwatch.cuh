/* SPDX-License-Identifier: MIT
 *
 * stopwatch.cuh - measures by the device's clock how long work on a stream takes.
 */
#ifndef TC_STOPWATCH_CUH
#define TC_STOPWATCH_CUH

#include "check.cuh"

/* All zero before stopwatch_init(). Call stopwatch_free() in any case. Measures as often as wished, one at a time. */
typedef struct stopwatch {
    cudaEvent_t start, stop;
} stopwatch;

static inline tilecut_status stopwatch_init(stopwatch *watch)
{
    tilecut_status status = TILECUT_OK;
    CUDA_TRY(cudaEventCreate(&watch->start));
    CUDA_TRY(cudaEventCreate(&watch->stop));
done:
    return status;
}

static inline tilecut_status stopwatch_start(const stopwatch *watch, cudaStream_t stream)
{
    tilecut_status status = TILECUT_OK;
    CUDA_TRY(cudaEventRecord(watch->start, stream));
done:
    return status;
}

static inline tilecut_status stopwatch_stop(const stopwatch *watch, cudaStream_t stream)
{
    tilecut_status status = TILECUT_OK;
    CUDA_TRY(cudaEventRecord(watch->stop, stream));
done:
    return status;
}

/* Returns the time. The caller has waited until the device has reached the stop. */
static inline tilecut_status stopwatch_look(const stopwatch *watch, double *ms)
{
    tilecut_status status = TILECUT_OK;
    float passed = 0;
    CUDA_TRY(cudaEventElapsedTime(&passed, watch->start, watch->stop));
    *ms = (double)passed;
done:
    return status;
}

/* Waits until the device has reached the stop, then returns the time. */
static inline tilecut_status stopwatch_read(const stopwatch *watch, double *ms)
{
    tilecut_status status = TILECUT_OK;
    CUDA_TRY(cudaEventSynchronize(watch->stop));
    TRY(stopwatch_look(watch, ms));
done:
    return status;
}

static inline void stopwatch_free(const stopwatch *watch)
{
    if (watch->start) (void)cudaEventDestroy(watch->start);
    if (watch->stop) (void)cudaEventDestroy(watch->stop);
}

#endif
