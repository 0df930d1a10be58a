/* SPDX-License-Identifier: MIT
 *
 * network_cuda.cu - the host's side of network-cuda: its memory and its launches.
 */
#include <stddef.h>

#include "cuda_network.h"
#include "device_net.cuh"
#include "net_kernel.cuh"

/* Sets all pointers, for memory that begins at `base`. Returns the size of that memory. */
static size_t lay_out_work(const tc_net *net, char *base, net_work *w)
{
    int **const lists[] = {&w->even, &w->odd, &w->even_hubs, &w->odd_hubs};
    size_t total = 0;
    for (int k = 0; k < 4; k++) lay(lists[k], base, &total, (size_t)net->nodes);
    lay(&w->state, base, &total, 1);
    w->hub = NET_HUB;
    return total;
}

/* A node gets twice as many lanes as nodes have slots on average, so the slots of most nodes are read at once. A step
 * takes as long as its longest chain of reads, and most lists are too short to fill the device. */
static const void *kernel_for(const tc_net *net, const tc_net_schedule *plan)
{
    const int slots = net->first[net->nodes] / net->nodes, lanes = plan->lanes ? plan->lanes : 2 * slots;
    if (lanes <= 4) return (const void *)net_kernel<4>;
    if (lanes <= 8) return (const void *)net_kernel<8>;
    if (lanes <= 16) return (const void *)net_kernel<16>;
    return (const void *)net_kernel<32>;
}

static tilecut_status blocks_for(const void *kernel, const tc_net_schedule *plan, int *blocks)
{
    int processors = 0;
    NEED(blocks_at_once(kernel, NET_BLOCK, blocks));
    CUDA_NEED(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    if (plan->blocks && *blocks > plan->blocks * processors) *blocks = plan->blocks * processors;
    return TILECUT_OK;
}

/* Launches the kernel until the flow is maximum or the caller has cancelled. */
static tilecut_status launch_rounds(const device_net *device, net_work w, const void *kernel, tc_net_schedule plan,
                           tc_net_run *run)
{
    net_progress seen = {};
    void *arguments[] = {&w, &plan};
    const device_room *const room = &device->room;
    int blocks = 0;
    NEED(blocks_for(kernel, &plan, &blocks));
    NEED(device_room_fill(room, w.state, 0, sizeof *w.state));
    NEED(device_net_saturate(device));
    NEED(device_room_until_done(room, {kernel, blocks, NET_BLOCK, arguments}, w.state, &seen, &run->device_ms));
    run->rounds = seen.rounds;
    run->relabels = seen.searches;
    return TILECUT_OK;
}

extern "C" tc_net_schedule tc_net_schedule_default(void)
{
    return {30000, 50, 4, 20000, 1, 0};
}

extern "C" tilecut_status tc_net_solve_cuda_at(tc_net *net, const tc_net_schedule *plan, tc_net_run *run)
{
    const device_scope scope(0);
    tilecut_status status = TILECUT_OK;
    device_net device;
    net_work w;
    TRY(device_net_open(&device, net, lay_out_work(net, LAYOUT_TRIAL, &w), run));
    (void)lay_out_work(net, device.scratch, &w);
    w.net = device.view;
    TRY(launch_rounds(&device, w, kernel_for(net, plan), *plan, run));
    TRY(device_net_fetch(&device, net));
done:
    device_room_close(&device.room);
    return status;
}

extern "C" tilecut_status tc_net_solve_cuda(tc_net *net, tc_net_run *run)
{
    const tc_net_schedule plan = tc_net_schedule_default();
    return tc_net_solve_cuda_at(net, &plan, run);
}
