/* SPDX-License-Identifier: MIT */
#include "device_lane.cuh"

#include <new>
#include <string.h>
#include <unistd.h>

extern "C" {
#include "parallel.h"
}

/* ---- Lanes that are free -------------------------------------------------------------------------- */

static void free_lane(device_lane *lane)
{
    if (!lane) return;
    stopwatch_free(&lane->watch);
    stopwatch_free(&lane->training);
    if (lane->proven) (void)cudaEventDestroy(lane->proven);
    if (lane->met) (void)cudaEventDestroy(lane->met);
    for (cudaEvent_t event : {lane->parted, lane->joined})
        if (event) (void)cudaEventDestroy(event);
    if (lane->aside) (void)cudaStreamDestroy(lane->aside);
    if (lane->own) (void)cudaStreamDestroy(lane->own);
    if (lane->letter) (void)cudaFreeHost(lane->letter);
    staging_free(&lane->staging);
    delete lane;
}

/* The free lanes of one thread, for all devices. They are freed when the thread ends. */
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

/* Takes a free lane of the device off the list. Returns NULL if there is none. */
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
    int last = 0, first = 0;
    *out = NULL;
    if (!lane) return tc_fail(TILECUT_ENOMEM, "no memory for the events of a device");
    lane->device = device;
    CUDA_TRY(cudaDeviceGetStreamPriorityRange(&last, &first));
    CUDA_TRY(cudaStreamCreateWithPriority(&lane->own, cudaStreamNonBlocking, first));
    CUDA_TRY(cudaStreamCreateWithPriority(&lane->aside, cudaStreamNonBlocking, last));
    TRY(stopwatch_init(&lane->watch));
    TRY(stopwatch_init(&lane->training));
    CUDA_TRY(cudaEventCreate(&lane->proven));
    CUDA_TRY(cudaEventCreateWithFlags(&lane->met, cudaEventBlockingSync | cudaEventDisableTiming));
    for (cudaEvent_t *event : {&lane->parted, &lane->joined})
        CUDA_TRY(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    TRY(staging_init(&lane->staging));
    CUDA_TRY(cudaMallocHost(&lane->letter, LANE_LETTER));
    *out = lane;
    lane = NULL;
done:
    free_lane(lane);
    return status;
}

/* True if the lane is still valid: a reset of the device destroys all that a lane holds. */
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
    lane->threads = 1;
    lane->sleeps = false;
    lane->beside = 0;
    lane->after = false;
    lane->stream = stream ? (cudaStream_t)*stream : lane->own;
    *out = lane;
    return TILECUT_OK;
}

/* A lane whose device is lost is freed instead of being kept for the next user. */
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

/* A thread that polls while it waits reacts soonest, but keeps a processor busy. If the job uses fewer than four
 * threads and the machine has more, the thread sleeps instead, so that other jobs can use the processor, for example to
 * read and write images. */
void lane_share(device_lane *lane, int threads)
{
    lane->threads = threads > 0 ? threads : tc_processors();
    lane->sleeps = threads > 0 && threads < 4 && threads < sysconf(_SC_NPROCESSORS_ONLN);
}

/* ---- Waiting and copying -------------------------------------------------------------------------- */

tilecut_status lane_wait(device_lane *lane)
{
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

tilecut_status lane_part(const device_lane *lane, cudaStream_t *stream)
{
    *stream = lane->aside;
    CUDA_NEED(cudaEventRecord(lane->parted, lane->stream));
    return CUDA_STATUS(cudaStreamWaitEvent(lane->aside, lane->parted, 0));
}

tilecut_status lane_part_end(const device_lane *lane)
{
    return CUDA_STATUS(cudaEventRecord(lane->joined, lane->aside));
}

tilecut_status lane_join(const device_lane *lane)
{
    return CUDA_STATUS(cudaStreamWaitEvent(lane->stream, lane->joined, 0));
}

tilecut_status lane_follow(const device_lane *lane, const device_lane *other)
{
    if (lane == other) return TILECUT_OK;
    CUDA_NEED(cudaEventRecord(other->met, other->stream));
    return CUDA_STATUS(cudaStreamWaitEvent(lane->stream, other->met, 0));
}

/* ---- Through pinned memory ------------------------------------------------------------------------ */

void lane_reserve(device_lane *lane, size_t bytes)
{
    if (lane->stream == lane->own && (lane->lent > 1 || bytes >= STAGING_LARGE)) staging_reserve(&lane->staging, bytes);
}

/* True if copies go through the lane's pinned memory; then it is ready for them. */
static bool stages(device_lane *lane)
{
    lane->staging.stream = lane->stream, lane->staging.threads = lane->threads;
    return lane->staging.memory && lane->stream == lane->own;
}

tilecut_status lane_send(device_lane *lane, void *to, const void *from, size_t stride, size_t bytes, size_t rows)
{
    device_staging *const staging = &lane->staging;
    const bool gaps = stride != bytes;
    if (stages(lane) && (!gaps || bytes <= staging->room))
        return staging_send(staging, to, from, stride, bytes, rows);
    /* a copy of rows is much slower, so it is only for rows with gaps */
    if (gaps) CUDA_NEED(cudaMemcpy2DAsync(to, bytes, from, stride, bytes, rows, cudaMemcpyHostToDevice, lane->stream));
    else CUDA_NEED(cudaMemcpyAsync(to, from, bytes * rows, cudaMemcpyHostToDevice, lane->stream));
    return TILECUT_OK;
}

tilecut_status lane_receive(device_lane *lane, void *to, const void *from, size_t bytes)
{
    const bool staged = stages(lane);
    /* A sleeping lane waits here without a processor. A copy to pageable memory would hold a lock while it waits. */
    if (lane->sleeps || !staged) NEED(lane_wait(lane));
    if (staged) return staging_receive(&lane->staging, to, from, bytes);
    CUDA_NEED(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, lane->stream));
    return CUDA_STATUS(cudaStreamSynchronize(lane->stream));
}
