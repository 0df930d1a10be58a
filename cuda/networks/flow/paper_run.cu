/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "paper_run.cuh"

extern "C" {
#include "cuda_device.h"
}

static tilecut_status no_memory_for_nodes(int nodes)
{
    return tc_fail(TILECUT_ENOMEM, "no memory for the labels of %d nodes", nodes);
}

tilecut_status paper_open(paper_run *p, const tc_net *net, tc_net_run *run)
{
    const size_t nodes = (size_t)net->nodes;
    memset(p, 0, sizeof *p);
    NEED(tc_cuda_device(0, NULL, 0));
    p->nodes = net->nodes;
    p->source = net->source;
    p->sink = net->sink;
    p->excess = (long long *)calloc(nodes, sizeof *p->excess);
    p->height = (int *)malloc(nodes * sizeof *p->height);
    p->queue = (int *)malloc(nodes * sizeof *p->queue);
    run->bytes += nodes * (sizeof *p->excess + 2 * sizeof(int));
    if (!p->excess || !p->height || !p->queue) return no_memory_for_nodes(net->nodes);
    paper_add(p, p->excess, nodes * sizeof *p->excess, true);
    paper_add(p, p->height, nodes * sizeof *p->height, false);
    return TILECUT_OK;
}

int paper_add(paper_run *p, void *host, size_t bytes, bool changes)
{
    p->array[p->arrays] = {host, NULL, bytes, changes};
    return p->arrays++;
}

tilecut_status paper_place(paper_run *p, tc_net_run *run)
{
    size_t total = 0, at[PAPER_ARRAYS];
    for (int k = 0; k < p->arrays; k++) at[k] = reserve_bytes(&total, p->array[k].bytes);
    const size_t list = reserve_bytes(&total, (size_t)p->nodes * sizeof(int));
    const size_t count = reserve_bytes(&total, sizeof *p->there.count);
    char *base = NULL;
    NEED(device_room_open(&p->room, total, run->cancel));
    run->bytes += total;
    base = p->room.base;
    for (int k = 0; k < p->arrays; k++) {
        mirror *const one = &p->array[k];
        one->device = base + at[k];
        NEED(device_room_put(&p->room, one->device, one->host, one->bytes));
    }
    p->there = {p->nodes, p->source, p->sink, (long long *)p->array[0].device, (int *)p->array[1].device,
                (int *)(base + list), (paper_nodes::paper_count *)(base + count)};
    return TILECUT_OK;
}

void paper_close(paper_run *p)
{
    device_room_close(&p->room);
    free(p->excess);
    free(p->height);
    free(p->queue);
    memset(p, 0, sizeof *p);
}

tilecut_status paper_send(paper_run *p)
{
    for (int k = 0; k < p->arrays; k++)
        if (k == 1 || (p->stale && p->array[k].changes))
            NEED(device_room_put(&p->room, p->array[k].device, p->array[k].host, p->array[k].bytes));
    NEED(device_room_fill(&p->room, p->there.count, 0, sizeof *p->there.count));
    p->stale = false;
    return TILECUT_OK;
}

tilecut_status paper_fetch(paper_run *p)
{
    for (int k = 0; k < p->arrays; k++)
        if (p->array[k].changes)
            CUDA_NEED(cudaMemcpyAsync(p->array[k].host, p->array[k].device, p->array[k].bytes, cudaMemcpyDeviceToHost,
                                      p->room.stream));
    return CUDA_STATUS(cudaStreamSynchronize(p->room.stream));
}

tilecut_status paper_steps(const paper_run *p, long long *steps)
{
    paper_nodes::paper_count seen = {};
    const tilecut_status status = device_room_get(&p->room, &seen, p->there.count, sizeof seen);
    *steps = (long long)seen.steps;
    return status;
}

tilecut_status paper_launch(paper_run *p, const void *kernel, bool cooperative, void **arguments, tc_net_run *run)
{
    const device_room *const room = &p->room;
    double ms = 0;
    int blocks = 0;
    NEED(paper_send(p));
    NEED(blocks_at_once(kernel, PAPER_BLOCK, &blocks));
    NEED(stopwatch_start(&room->watch, room->stream));
    if (cooperative) NEED(device_room_launch(room, {kernel, blocks, PAPER_BLOCK, arguments}));
    else CUDA_NEED(cudaLaunchKernel(kernel, blocks, PAPER_BLOCK, arguments, 0, room->stream));
    NEED(stopwatch_stop(&room->watch, room->stream));
    NEED(paper_fetch(p));
    NEED(stopwatch_read(&room->watch, &ms));
    run->device_ms += ms;
    run->rounds++;
    return TILECUT_OK;
}
