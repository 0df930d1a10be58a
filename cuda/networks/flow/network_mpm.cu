/* SPDX-License-Identifier: MIT
 *
 * network_mpm.cu - the host's side of network-mpm and network-mpm-active: memory and launches.
 */
#include "cuda_network.h"
#include "device_net.cuh"
#include "mpm_kernel.cuh"

enum { SLICE = 20000 /* the number of steps per launch */ };

/* Sets all pointers, for memory that begins at `base`. Returns the size of that memory. */
static size_t lay_out_mpm(const tc_net *net, char *base, mpm_work *w)
{
    const size_t nodes = (size_t)net->nodes;
    size_t total = 0;
    lay(&w->alive, base, &total, nodes);
    lay(&w->dirty, base, &total, nodes);
    lay(&w->potential, base, &total, nodes);
    lay(&w->order, base, &total, nodes + 2);
    lay(&w->begin, base, &total, nodes + 2);
    lay(&w->state, base, &total, 1);
    return total;
}

static tilecut_status launch_mpm(const device_net *device, mpm_work w, const void *kernel, tc_net_run *run)
{
    mpm_state seen = {};
    const device_room *const room = &device->room;
    int slice = SLICE, blocks = 0;
    void *arguments[] = {&w, &slice};
    NEED(blocks_at_once(kernel, NET_BLOCK, &blocks));
    NEED(device_room_fill(room, w.state, 0, sizeof *w.state));
    NEED(device_room_until_done(room, {kernel, blocks, NET_BLOCK, arguments}, w.state, &seen, &run->device_ms));
    run->rounds = seen.turns;
    run->relabels = seen.phases;
    return TILECUT_OK;
}

static tilecut_status run_mpm(tc_net *net, const void *kernel, tc_net_run *run)
{
    const device_scope scope(0);
    tilecut_status status = TILECUT_OK;
    device_net device;
    mpm_work w;
    TRY(device_net_open(&device, net, lay_out_mpm(net, LAYOUT_TRIAL, &w), run));
    (void)lay_out_mpm(net, device.scratch, &w);
    w.net = device.view;
    TRY(launch_mpm(&device, w, kernel, run));
    TRY(device_net_fetch(&device, net));
done:
    device_room_close(&device.room);
    return status;
}

extern "C" tilecut_status tc_net_solve_mpm(tc_net *net, tc_net_run *run)
{
    return run_mpm(net, (const void *)mpm_kernel<false>, run);
}

extern "C" tilecut_status tc_net_solve_mpm_active(tc_net *net, tc_net_run *run)
{
    return run_mpm(net, (const void *)mpm_kernel<true>, run);
}
