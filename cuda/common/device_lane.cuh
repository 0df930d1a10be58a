/* SPDX-License-Identifier: MIT
 *
 * device_lane.cuh - the stream on which a graph and all graphs made from it work one after the other, and the events
 * that measure them.
 *
 * Making a stream takes half a millisecond, and like making an event a lock of the whole process. Sixteen threads with
 * images of 0.4 megapixels spent three quarters of their time there when each solve had its own. So a graph works on
 * the stream that CUDA keeps for the calling thread. Another thread may go on with it, as every call waits for its work
 * before it returns.
 */
#ifndef TC_DEVICE_LANE_CUH
#define TC_DEVICE_LANE_CUH

#include <new>

#include "stopwatch.cuh"

typedef struct device_lane {
    cudaStream_t stream;
    stopwatch watch; /* for one measurement at a time */
    int users;       /* graphs, all used by one thread at a time, and who opened it */
} device_lane;

/* Lets one go; the last user frees the lane. NULL-safe. */
static inline void lane_leave(device_lane *lane)
{
    if (!lane || --lane->users > 0) return;
    stopwatch_free(&lane->watch);
    delete lane;
}

/* A lane on the caller's stream or, if `stream` is NULL, on that of the calling thread. */
static inline tilecut_status lane_open(device_lane **out, void *const *stream)
{
    tilecut_status status = TILECUT_OK;
    device_lane *lane = new (std::nothrow) device_lane();
    *out = NULL;
    if (!lane) return tc_fail(TILECUT_ENOMEM, "no memory for the events of a device");
    lane->users = 1;
    lane->stream = stream ? (cudaStream_t)*stream : cudaStreamPerThread;
    TRY(stopwatch_init(&lane->watch));
    *out = lane;
    lane = NULL;
done:
    lane_leave(lane);
    return status;
}

#endif
