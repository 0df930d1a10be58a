/* SPDX-License-Identifier: MIT
 *
 * device_net.cuh - a network in device memory for the length of one solve: it is copied to the device, and its residual
 * capacities are copied back.
 */
#pragma once

#include "device_room.cuh"
#include "net_view.cuh"

#include "net_solver.h"

typedef struct device_net {
    net_view view;
    char *scratch; /* scratch memory of the requested size, not cleared */
    device_room room;
} device_net;

/* Copies the network to the device; excess is 0 everywhere, heights are not set. Adds the device memory held to
 * run->bytes. Call device_room_close() on its room in any case. */
tilecut_status device_net_open(device_net *device, const tc_net *net, size_t scratch_bytes, tc_net_run *run);

/* Saturates all links out of the source. */
tilecut_status device_net_saturate(const device_net *device);

/* Waits for the device and copies all slots back. */
tilecut_status device_net_fetch(const device_net *device, tc_net *net);
