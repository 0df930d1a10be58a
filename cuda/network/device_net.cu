/* SPDX-License-Identifier: MIT
 *
 * device_net.cu - see device_net.cuh.
 */
#include "device_net.cuh"

enum { SATURATE_BLOCK = 256, SATURATE_BLOCKS = 512 };

tilecut_status device_net_open(device_net *device, const tc_net *net, size_t scratch_bytes, tc_net_run *run)
{
    const size_t nodes = (size_t)net->nodes, slots = (size_t)net->first[nodes];
    size_t total = 0;
    const size_t first = take(&total, (nodes + 1) * sizeof(int));
    const size_t slot = take(&total, slots * sizeof(tc_slot));
    const size_t excess = take(&total, nodes * sizeof(long long));
    const size_t height = take(&total, nodes * sizeof(int));
    const size_t scratch = take(&total, scratch_bytes);
    const device_room *const room = &device->room;
    NEED(device_room_open(&device->room, total, run->cancel));
    char *const base = room->base;
    run->bytes += total;
    device->view = {net->nodes, net->source, net->sink, (int *)(base + first), (tc_slot *)(base + slot),
                    (long long *)(base + excess), (int *)(base + height)};
    device->scratch = base + scratch;
    NEED(device_room_put(room, base + first, net->first, (nodes + 1) * sizeof(int)));
    NEED(device_room_put(room, base + slot, net->slot, slots * sizeof(tc_slot)));
    return device_room_fill(room, base + excess, 0, nodes * sizeof(long long));
}

tilecut_status device_net_saturate(const device_net *device)
{
    LAUNCH_NEED(saturate_kernel, SATURATE_BLOCKS, SATURATE_BLOCK, device->room.stream, device->view);
    return TILECUT_OK;
}

tilecut_status device_net_fetch(const device_net *device, tc_net *net)
{
    return device_room_get(&device->room, net->slot, device->view.slot,
                           (size_t)net->first[net->nodes] * sizeof(tc_slot));
}

void device_net_close(device_net *device)
{
    device_room_close(&device->room);
}
