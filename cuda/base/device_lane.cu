/* SPDX-License-Identifier: MIT */
#include "device_lane.cuh"

#include <algorithm>
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
    for (cudaEvent_t event : lane->copied)
        if (event) (void)cudaEventDestroy(event);
    if (lane->aside) (void)cudaStreamDestroy(lane->aside);
    if (lane->own) (void)cudaStreamDestroy(lane->own);
    if (lane->letter) (void)cudaFreeHost(lane->letter);
    if (lane->staged) (void)cudaFreeHost(lane->staged);
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
    for (cudaEvent_t &event : lane->copied) CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
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
    const size_t unit = (size_t)1 << 18, each = std::min(bytes, (size_t)LANE_STAGED_MOST) / LANE_PIECES;
    const size_t room = (each + unit) / unit * unit;
    if (lane->stream != lane->own || lane->lent < 2 || room <= lane->room) return;
    if (lane->staged) (void)cudaFreeHost(lane->staged);
    lane->staged = NULL, lane->room = 0;
    if (cudaMallocHost(&lane->staged, LANE_PIECES * room) == cudaSuccess) lane->room = room;
    else (void)cudaGetLastError();
}

/* True if copies go through the lane's pinned memory. */
static bool stages(const device_lane *lane)
{
    return lane->staged && lane->stream == lane->own;
}

/* Gets the next piece of pinned memory, after the last copy from it is done. */
static tilecut_status take_piece(device_lane *lane, char **piece)
{
    *piece = lane->staged + (size_t)lane->piece * lane->room;
    return CUDA_STATUS(cudaEventSynchronize(lane->copied[lane->piece]));
}

/* Queues the copy of the present piece. */
static tilecut_status copy_piece(device_lane *lane, void *to, const void *from, size_t bytes)
{
    CUDA_NEED(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, lane->stream));
    CUDA_NEED(cudaEventRecord(lane->copied[lane->piece], lane->stream));
    lane->piece = (lane->piece + 1) % LANE_PIECES;
    return TILECUT_OK;
}

static tilecut_status send_staged(device_lane *lane, char *to, const char *from, size_t bytes)
{
    for (size_t at = 0, some; at < bytes; at += some) {
        char *piece;
        some = std::min(lane->room, bytes - at);
        NEED(take_piece(lane, &piece));
        tc_parallel_copy(lane->threads, piece, from + at, some);
        NEED(copy_piece(lane, to + at, piece, some));
    }
    return TILECUT_OK;
}

/* Copies rows that have gaps between them. Each piece takes whole rows, without the gaps. */
static tilecut_status send_rows_staged(device_lane *lane, char *to, const char *from, size_t stride, size_t bytes,
                                       size_t rows)
{
    for (size_t y = 0, some; y < rows; y += some) {
        char *piece;
        some = std::min(lane->room / bytes, rows - y);
        NEED(take_piece(lane, &piece));
        for (size_t i = 0; i < some; i++) memcpy(piece + i * bytes, from + (y + i) * stride, bytes);
        NEED(copy_piece(lane, to + y * bytes, piece, some * bytes));
    }
    return TILECUT_OK;
}

/* Copies in pieces; the copies of all pieces run at the same time. */
static tilecut_status receive_staged(device_lane *lane, char *to, const char *from, size_t bytes)
{
    const int first = lane->piece;
    size_t asked = 0, got = 0;
    for (int i = first; got < bytes; i = (i + 1) % LANE_PIECES) {
        for (size_t some; asked < bytes && asked < got + LANE_PIECES * lane->room; asked += some) {
            some = std::min(lane->room, bytes - asked);
            NEED(copy_piece(lane, lane->staged + (size_t)lane->piece * lane->room, from + asked, some));
        }
        const size_t some = std::min(lane->room, bytes - got);
        if (got + some < bytes) CUDA_NEED(cudaEventSynchronize(lane->copied[i]));
        else NEED(lane_wait(lane));
        tc_parallel_copy(lane->threads, to + got, lane->staged + (size_t)i * lane->room, some);
        got += some;
    }
    return TILECUT_OK;
}

tilecut_status lane_send(device_lane *lane, void *to, const void *from, size_t stride, size_t bytes, size_t rows)
{
    const size_t all = bytes * rows;
    if (stride != bytes && stages(lane) && bytes <= lane->room)
        NEED(send_rows_staged(lane, (char *)to, (const char *)from, stride, bytes, rows));
    else if (stride != bytes)
        CUDA_NEED(cudaMemcpy2DAsync(to, bytes, from, stride, bytes, rows, cudaMemcpyHostToDevice, lane->stream));
    else if (stages(lane)) NEED(send_staged(lane, (char *)to, (const char *)from, all));
    /* copying one block of memory is much faster than copying rows */
    else CUDA_NEED(cudaMemcpyAsync(to, from, all, cudaMemcpyHostToDevice, lane->stream));
    return TILECUT_OK;
}

tilecut_status lane_receive(device_lane *lane, void *to, const void *from, size_t bytes)
{
    if (stages(lane)) return receive_staged(lane, (char *)to, (const char *)from, bytes);
    NEED(lane_wait(lane)); /* waits first, because a copy to pageable memory would hold a lock while it waits */
    CUDA_NEED(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, lane->stream));
    return CUDA_STATUS(cudaStreamSynchronize(lane->stream));
}
