/* SPDX-License-Identifier: MIT
 *
 * device_room.cuh - device memory, a stream and a clock for the length of one call on a graph of any shape.
 */
#pragma once

#include "device_memory.cuh"
#include "device_scope.cuh"
#include "stopwatch.cuh"

extern "C" {
#include "params.h"
}

typedef struct device_room {
    char *base;
    cudaStream_t stream;
    device_memory memory;
    stopwatch watch;
    const tilecut_flag *cancel;
} device_room;

/* Takes `bytes` bytes of device memory, not cleared. Call device_room_close() in any case. */
tilecut_status device_room_open(device_room *room, size_t bytes, const tilecut_flag *cancel);
void device_room_close(device_room *room);

/* Copy bytes from the host to the device memory, or back. A copy to the host is complete when the call returns. */
tilecut_status device_room_put(const device_room *room, void *to, const void *from, size_t bytes);
tilecut_status device_room_get(const device_room *room, void *to, const void *from, size_t bytes);

/* Sets every byte at `to` to `value`. */
tilecut_status device_room_fill(const device_room *room, void *to, int value, size_t bytes);

/* Returns TILECUT_ECANCELLED if the caller has raised its cancel flag. */
tilecut_status device_room_go_on(const device_room *room);

/* A kernel whose blocks all run at the same time. */
typedef struct device_launch {
    const void *kernel;
    int blocks, threads;
    void **arguments;
} device_launch;

/* Starts the kernel. */
tilecut_status device_room_launch(const device_room *room, const device_launch &launch);

/* Launches the kernel repeatedly, some steps each time, until its state on the device has `done` set. Before each
 * launch its counters, state->launch, are zeroed. *seen is the state at the end. *ms is the time of all launches; `ms`
 * may be NULL. */
template <class State>
static tilecut_status device_room_until_done(const device_room *room, const device_launch &launch, State *state,
                                             State *seen, double *ms)
{
    NEED(stopwatch_start(&room->watch, room->stream));
    for (seen->done = 0; !seen->done;) {
        NEED(device_room_go_on(room));
        NEED(device_room_fill(room, &state->launch, 0, sizeof state->launch));
        NEED(device_room_launch(room, launch));
        NEED(device_room_get(room, seen, state, sizeof *seen));
    }
    NEED(stopwatch_stop(&room->watch, room->stream));
    return ms ? stopwatch_read(&room->watch, ms) : TILECUT_OK;
}
