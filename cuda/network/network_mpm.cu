/* SPDX-License-Identifier: MIT
 *
 * network_mpm.cu - network-mpm and network-mpm-active, on the host's side: memory and launches.
 */
#include "cuda_network.h"
#include "device_net.cuh"
#include "mpm_kernel.cuh"

enum { SLICE = 20000 /* steps of a launch */ };

typedef struct layout {
    size_t alive, dirty, potential, order, begin, state, total;
} layout;

static layout lay_out(const tc_net *net)
{
    const size_t nodes = (size_t)net->nodes;
    size_t total = 0;
    layout l;
    l.alive = take(&total, nodes * sizeof(int));
    l.dirty = take(&total, nodes * sizeof(int));
    l.potential = take(&total, nodes * sizeof(unsigned long long));
    l.order = take(&total, (nodes + 2) * sizeof(int));
    l.begin = take(&total, (nodes + 2) * sizeof(int));
    l.state = take(&total, sizeof(mpm_state));
    l.total = total;
    return l;
}

static mpm_work work_of(const device_net *device, const layout *l)
{
    char *const base = device->scratch;
    return {device->view, (int *)(base + l->alive), (int *)(base + l->dirty),
            (unsigned long long *)(base + l->potential), (int *)(base + l->order), (int *)(base + l->begin),
            (mpm_state *)(base + l->state)};
}

static tilecut_status work(const device_net *device, mpm_work w, const void *kernel, tc_net_run *run)
{
    mpm_state seen = {};
    const device_room *const room = &device->room;
    int slice = SLICE, blocks = 0;
    void *arguments[] = {&w, &slice};
    NEED(blocks_at_once(kernel, NET_BLOCK, &blocks));
    NEED(device_room_fill(room, w.state, 0, sizeof *w.state));
    NEED(stopwatch_start(&room->watch, room->stream));
    NEED(device_room_until_done(room, kernel, blocks, NET_BLOCK, arguments, w.state, &seen));
    NEED(stopwatch_stop(&room->watch, room->stream));
    NEED(stopwatch_read(&room->watch, &run->device_ms));
    run->rounds = seen.turns;
    run->relabels = seen.phases;
    return TILECUT_OK;
}

static tilecut_status solve(tc_net *net, const void *kernel, tc_net_run *run)
{
    const device_scope here(0);
    const layout l = lay_out(net);
    tilecut_status status = TILECUT_OK;
    device_net device;
    TRY(device_net_open(&device, net, l.total, run));
    TRY(work(&device, work_of(&device, &l), kernel, run));
    TRY(device_net_fetch(&device, net));
done:
    device_net_close(&device);
    return status;
}

extern "C" tilecut_status tc_net_solve_mpm(tc_net *net, tc_net_run *run)
{
    return solve(net, (const void *)mpm_kernel<false>, run);
}

extern "C" tilecut_status tc_net_solve_mpm_active(tc_net *net, tc_net_run *run)
{
    return solve(net, (const void *)mpm_kernel<true>, run);
}
