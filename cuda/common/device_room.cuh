/* SPDX-License-Identifier: MIT
 *
 * device_room.cuh - device memory, a stream and a clock for the length of one call on a bipartite graph.
 */
#ifndef TC_DEVICE_ROOM_CUH
#define TC_DEVICE_ROOM_CUH

#include "device_net.cuh"
#include "stopwatch.cuh"

typedef struct device_room {
    char *base;
    cudaStream_t stream;
    device_memory memory;
    stopwatch watch;
    const tilecut_flag *cancel;
} device_room;

/* So many bytes, not cleared. Call device_room_close() in any case. */
tilecut_status device_room_open(device_room *room, size_t bytes, const tilecut_flag *cancel);
void device_room_close(device_room *room);

/* Copies `count` numbers to that place, or back. */
tilecut_status device_room_put(const device_room *room, void *to, const void *from, size_t bytes);
tilecut_status device_room_get(const device_room *room, void *to, const void *from, size_t bytes);

/* Every byte of the place is `value` afterwards. */
tilecut_status device_room_fill(const device_room *room, void *to, int value, size_t bytes);

/* ECANCELLED if the caller has had enough. */
tilecut_status device_room_go_on(const device_room *room);

/* Starts a kernel whose blocks all run at the same time. */
tilecut_status device_room_launch(const device_room *room, const void *kernel, int blocks, int threads,
                                  void **arguments);

#endif
