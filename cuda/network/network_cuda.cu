/* SPDX-License-Identifier: MIT
 *
 * network_cuda.cu - network-cuda, on the host's side: its memory, its launches.
 */
#include <stddef.h>

#include "cuda_network.h"
#include "device_net.cuh"
#include "net_kernel.cuh"

typedef struct layout {
    size_t list[4], state, total;
} layout;

static layout lay_out(const tc_net *net)
{
    const size_t nodes = (size_t)net->nodes;
    layout l;
    l.total = 0;
    for (int k = 0; k < 4; k++) l.list[k] = take(&l.total, nodes * sizeof(int));
    l.state = take(&l.total, sizeof(net_progress));
    return l;
}

static net_work work_of(const device_net *device, const layout *l)
{
    char *const base = device->scratch;
    net_work w;
    w.net = device->view;
    w.even = (int *)(base + l->list[0]);
    w.odd = (int *)(base + l->list[1]);
    w.even_hubs = (int *)(base + l->list[2]);
    w.odd_hubs = (int *)(base + l->list[3]);
    w.hub = NET_HUB;
    w.state = (net_progress *)(base + l->state);
    return w;
}

/* Twice as many lanes share a node as it has slots on average, so that most nodes are read in one go: a step takes as
 * long as its longest chain of reads, and lists are mostly too short to fill the device. */
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

/* Launches until the flow is found, or the caller has had enough. */
static tilecut_status work(const device_net *device, net_work w, const void *kernel, tc_net_schedule plan,
                           tc_net_run *run)
{
    net_progress seen = {};
    void *arguments[] = {&w, &plan};
    const device_room *const room = &device->room;
    int blocks = 0;
    NEED(blocks_for(kernel, &plan, &blocks));
    NEED(device_room_fill(room, w.state, 0, sizeof *w.state));
    NEED(stopwatch_start(&room->watch, room->stream)); /* after the copies, as they are on the same stream */
    NEED(device_net_saturate(device));
    NEED(device_room_until_done(room, kernel, blocks, NET_BLOCK, arguments, w.state, &seen));
    NEED(stopwatch_stop(&room->watch, room->stream));
    NEED(stopwatch_read(&room->watch, &run->device_ms));
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
    const device_scope here(0);
    const layout l = lay_out(net);
    tilecut_status status = TILECUT_OK;
    device_net device;
    TRY(device_net_open(&device, net, l.total, run));
    TRY(work(&device, work_of(&device, &l), kernel_for(net, plan), *plan, run));
    TRY(device_net_fetch(&device, net));
done:
    device_net_close(&device);
    return status;
}

extern "C" tilecut_status tc_net_solve_cuda(tc_net *net, tc_net_run *run)
{
    const tc_net_schedule plan = tc_net_schedule_default();
    return tc_net_solve_cuda_at(net, &plan, run);
}
