/* SPDX-License-Identifier: MIT */
#include "device_room.cuh"

extern "C" {
#include "cuda_device.h"
}

tilecut_status device_room_open(device_room *room, size_t bytes, const tilecut_flag *cancel)
{
    *room = {};
    room->cancel = cancel;
    NEED(tc_cuda_device(0, NULL, 0));
    NEED(device_room_go_on(room));
    CUDA_NEED(cudaStreamCreateWithFlags(&room->stream, cudaStreamNonBlocking));
    NEED(device_memory_take(&room->memory, bytes, room->stream));
    NEED(stopwatch_init(&room->watch));
    room->base = (char *)room->memory.base;
    return TILECUT_OK;
}

void device_room_close(device_room *room)
{
    stopwatch_free(&room->watch);
    device_memory_give(&room->memory);
    if (room->stream) (void)cudaStreamDestroy(room->stream);
    *room = {};
}

tilecut_status device_room_put(const device_room *room, void *to, const void *from, size_t bytes)
{
    if (bytes) CUDA_NEED(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, room->stream));
    return TILECUT_OK;
}

tilecut_status device_room_get(const device_room *room, void *to, const void *from, size_t bytes)
{
    if (bytes) CUDA_NEED(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, room->stream));
    return CUDA_STATUS(cudaStreamSynchronize(room->stream));
}

tilecut_status device_room_fill(const device_room *room, void *to, int value, size_t bytes)
{
    if (bytes) CUDA_NEED(cudaMemsetAsync(to, value, bytes, room->stream));
    return TILECUT_OK;
}

tilecut_status device_room_go_on(const device_room *room)
{
    return tc_flag_raised(room->cancel) ? tc_fail(TILECUT_ECANCELLED, "cancelled between two launches") : TILECUT_OK;
}

tilecut_status device_room_launch(const device_room *room, const device_launch &l)
{
    return CUDA_STATUS(cudaLaunchCooperativeKernel(l.kernel, l.blocks, l.threads, l.arguments, 0, room->stream));
}
