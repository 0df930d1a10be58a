/* SPDX-License-Identifier: MIT */
#include "device_net.cuh"

enum { SATURATE_BLOCK = 256, SATURATE_BLOCKS = 512 };

/* Sets all pointers, for memory that begins at `base`. Returns the size of that memory. */
static size_t lay_out_net(device_net *device, const tc_net *net, size_t scratch_bytes, char *base)
{
    const size_t nodes = (size_t)net->nodes;
    net_view *const v = &device->view;
    size_t total = 0;
    v->nodes = net->nodes, v->source = net->source, v->sink = net->sink;
    lay(&v->first, base, &total, nodes + 1);
    lay(&v->slot, base, &total, (size_t)net->first[nodes]);
    lay(&v->excess, base, &total, nodes);
    lay(&v->height, base, &total, nodes);
    lay(&device->scratch, base, &total, scratch_bytes);
    return total;
}

tilecut_status device_net_open(device_net *device, const tc_net *net, size_t scratch_bytes, tc_net_run *run)
{
    const size_t nodes = (size_t)net->nodes, slots = (size_t)net->first[nodes];
    const device_room *const room = &device->room;
    const size_t total = lay_out_net(device, net, scratch_bytes, LAYOUT_TRIAL);
    NEED(device_room_open(&device->room, total, run->cancel));
    run->bytes += lay_out_net(device, net, scratch_bytes, room->base);
    NEED(device_room_put(room, (void *)device->view.first, net->first, (nodes + 1) * sizeof(int)));
    NEED(device_room_put(room, device->view.slot, net->slot, slots * sizeof(tc_slot)));
    return device_room_fill(room, device->view.excess, 0, nodes * sizeof(long long));
}

tilecut_status device_net_saturate(const device_net *device)
{
    LAUNCH_RETURN(saturate_kernel, SATURATE_BLOCKS, SATURATE_BLOCK, device->room.stream, device->view);
}

tilecut_status device_net_fetch(const device_net *device, tc_net *net)
{
    return device_room_get(&device->room, net->slot, device->view.slot,
                           (size_t)net->first[net->nodes] * sizeof(tc_slot));
}
