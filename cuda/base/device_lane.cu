/* SPDX-License-Identifier: MIT
 *
 * device_lane.cu - see device_lane.cuh.
 */
#include "device_lane.cuh"

#include <new>
#include <string.h>
#include <unistd.h>

/* ---- Lanes that are free -------------------------------------------------------------------------- */

static void free_lane(device_lane *lane)
{
    if (!lane) return;
    stopwatch_free(&lane->watch);
    stopwatch_free(&lane->training);
    if (lane->proven) (void)cudaEventDestroy(lane->proven);
    if (lane->met) (void)cudaEventDestroy(lane->met);
    if (lane->own) (void)cudaStreamDestroy(lane->own);
    if (lane->letter) (void)cudaFreeHost(lane->letter);
    if (lane->staged) (void)cudaFreeHost(lane->staged);
    delete lane;
}

/* Those of a thread, of all devices. They go when it ends. */
struct lane_list {
    device_lane *first;
    ~lane_list()
    {
        while (first) {
            device_lane *const lane = first;
            first = lane->next;
            free_lane(lane);
        }
    }
};

static thread_local lane_list free_lanes = {NULL};

/* Takes a free lane of the device off the list; NULL: there is none. */
static device_lane *take_free(int device)
{
    device_lane **at = &free_lanes.first;
    while (*at && (*at)->device != device) at = &(*at)->next;
    device_lane *const lane = *at;
    if (lane) *at = lane->next;
    return lane;
}

/* ---- Opening and leaving -------------------------------------------------------------------------- */

static tilecut_status make_lane(device_lane **out, int device)
{
    tilecut_status status = TILECUT_OK;
    device_lane *lane = new (std::nothrow) device_lane();
    *out = NULL;
    if (!lane) return tc_fail(TILECUT_ENOMEM, "no memory for the events of a device");
    lane->device = device;
    CUDA_TRY(cudaStreamCreateWithFlags(&lane->own, cudaStreamNonBlocking));
    TRY(stopwatch_init(&lane->watch));
    TRY(stopwatch_init(&lane->training));
    CUDA_TRY(cudaEventCreate(&lane->proven));
    CUDA_TRY(cudaEventCreateWithFlags(&lane->met, cudaEventBlockingSync | cudaEventDisableTiming));
    CUDA_TRY(cudaMallocHost(&lane->letter, LANE_LETTER));
    *out = lane;
    lane = NULL;
done:
    free_lane(lane);
    return status;
}

/* Whether a lane still exists: after a reset of the device, all that it holds is gone. */
static bool is_alive(const device_lane *lane)
{
    const bool alive = cudaEventQuery(lane->met) == cudaSuccess;
    if (!alive) (void)cudaGetLastError();
    return alive;
}

tilecut_status lane_open(device_lane **out, int device, void *const *stream)
{
    device_lane *lane = take_free(device);
    *out = NULL;
    if (lane && !is_alive(lane)) {
        delete lane;
        lane = NULL;
    }
    if (!lane) NEED(make_lane(&lane, device));
    lane->users = 1;
    lane->lent++;
    lane->filled = 0;
    lane->sleeps = false;
    lane->stream = stream ? (cudaStream_t)*stream : lane->own;
    *out = lane;
    return TILECUT_OK;
}

/* A lane whose device is lost is not lent again. */
void lane_leave(device_lane *lane)
{
    if (!lane || --lane->users > 0) return;
    if (cudaStreamSynchronize(lane->own) == cudaSuccess) {
        lane->next = free_lanes.first;
        free_lanes.first = lane;
        return;
    }
    (void)cudaGetLastError();
    free_lane(lane);
}

/* A thread that waits by looking all the time answers soonest, but keeps a processor busy. Where a job has fewer than
 * four threads of a machine that has more, others run beside it, which could read and write images meanwhile. */
void lane_share(device_lane *lane, int threads)
{
    lane->sleeps = threads > 0 && threads < 4 && threads < sysconf(_SC_NPROCESSORS_ONLN);
}

/* ---- Waiting and copying -------------------------------------------------------------------------- */

tilecut_status lane_wait(device_lane *lane)
{
    lane->filled = 0;
    if (lane->sleeps) {
        CUDA_NEED(cudaEventRecord(lane->met, lane->stream));
        CUDA_NEED(cudaEventSynchronize(lane->met));
    } else {
        CUDA_NEED(cudaStreamSynchronize(lane->stream));
    }
    return TILECUT_OK;
}

tilecut_status lane_note(device_lane *lane, size_t at, const void *from, size_t bytes)
{
    return CUDA_STATUS(cudaMemcpyAsync(lane->letter + at, from, bytes, cudaMemcpyDeviceToHost, lane->stream));
}

tilecut_status lane_fetch(device_lane *lane, void *to, const void *from, size_t bytes)
{
    NEED(lane_note(lane, 0, from, bytes));
    NEED(lane_wait(lane));
    memcpy(to, lane->letter, bytes);
    return TILECUT_OK;
}

void lane_reserve(device_lane *lane, size_t bytes)
{
    const size_t unit = (size_t)1 << 20, room = (bytes + unit - 1) / unit * unit;
    if (lane->stream != lane->own || lane->lent < 2 || room <= lane->room || room > LANE_STAGED_MOST) return;
    if (lane->staged) (void)cudaFreeHost(lane->staged);
    lane->staged = NULL, lane->room = 0;
    if (cudaMallocHost(&lane->staged, room) == cudaSuccess) lane->room = room;
    else (void)cudaGetLastError();
}

/* Whether pinned memory has room for `bytes` more. */
static bool has_room(const device_lane *lane, size_t bytes)
{
    return lane->stream == lane->own && lane->filled <= lane->room && bytes <= lane->room - lane->filled;
}

tilecut_status lane_send(device_lane *lane, void *to, const void *from, size_t stride, size_t bytes, size_t rows)
{
    const size_t all = bytes * rows;
    if (has_room(lane, all)) {
        char *const staged = lane->staged + lane->filled;
        if (stride == bytes) memcpy(staged, from, all);
        else
            for (size_t y = 0; y < rows; y++) memcpy(staged + y * bytes, (const char *)from + y * stride, bytes);
        CUDA_NEED(cudaMemcpyAsync(to, staged, all, cudaMemcpyHostToDevice, lane->stream));
        lane->filled += all;
    } else if (stride == bytes) { /* much faster than row by row */
        CUDA_NEED(cudaMemcpyAsync(to, from, all, cudaMemcpyHostToDevice, lane->stream));
    } else {
        CUDA_NEED(cudaMemcpy2DAsync(to, bytes, from, stride, bytes, rows, cudaMemcpyHostToDevice, lane->stream));
    }
    return TILECUT_OK;
}

tilecut_status lane_receive(device_lane *lane, void *to, const void *from, size_t bytes)
{
    if (has_room(lane, bytes)) {
        char *const staged = lane->staged + lane->filled;
        CUDA_NEED(cudaMemcpyAsync(staged, from, bytes, cudaMemcpyDeviceToHost, lane->stream));
        NEED(lane_wait(lane));
        memcpy(to, staged, bytes);
    } else {
        NEED(lane_wait(lane)); /* a copy to pageable memory would keep a lock meanwhile */
        CUDA_NEED(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, lane->stream));
        CUDA_NEED(cudaStreamSynchronize(lane->stream));
    }
    return TILECUT_OK;
}
