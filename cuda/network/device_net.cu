/* SPDX-License-Identifier: MIT
 *
 * device_net.cu - see device_net.cuh.
 */
#include "device_net.cuh"

extern "C" {
#include "cuda_device.h"
}

enum { SATURATE_BLOCK = 256, SATURATE_BLOCKS = 512 };

static tilecut_status copy_there(device_net *device, const tc_net *net, size_t scratch_bytes, tc_net_run *run)
{
    tilecut_status status = TILECUT_OK;
    const size_t nodes = (size_t)net->nodes, slots = (size_t)net->first[nodes];
    size_t total = 0;
    const size_t first = take_bytes(&total, (nodes + 1) * sizeof(int));
    const size_t slot = take_bytes(&total, slots * sizeof(tc_slot));
    const size_t excess = take_bytes(&total, nodes * sizeof(long long));
    const size_t height = take_bytes(&total, nodes * sizeof(int));
    const size_t scratch = take_bytes(&total, scratch_bytes);
    char *base = NULL;
    TRY(device_memory_take(&device->memory, total, device->stream));
    run->bytes += total;
    base = (char *)device->memory.base;
    device->view = {net->nodes, net->source, net->sink, (int *)(base + first), (tc_slot *)(base + slot),
                    (long long *)(base + excess), (int *)(base + height)};
    device->scratch = base + scratch;
    CUDA_TRY(cudaMemcpyAsync(base + first, net->first, (nodes + 1) * sizeof(int), cudaMemcpyHostToDevice,
                             device->stream));
    CUDA_TRY(cudaMemcpyAsync(base + slot, net->slot, slots * sizeof(tc_slot), cudaMemcpyHostToDevice, device->stream));
    CUDA_TRY(cudaMemsetAsync(base + excess, 0, nodes * sizeof(long long), device->stream));
done:
    return status;
}

tilecut_status device_net_open(device_net *device, const tc_net *net, size_t scratch_bytes, tc_net_run *run)
{
    tilecut_status status = tc_cuda_device(0, NULL, 0);
    *device = {};
    if (status != TILECUT_OK) return status;
    if (tc_flag_raised(run->cancel)) return tc_fail(TILECUT_ECANCELLED, "cancelled before solving");
    CUDA_TRY(cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking));
    TRY(copy_there(device, net, scratch_bytes, run));
done:
    return status;
}

tilecut_status device_net_saturate(const device_net *device)
{
    tilecut_status status = TILECUT_OK;
    saturate_kernel<<<SATURATE_BLOCKS, SATURATE_BLOCK, 0, device->stream>>>(device->view);
    CUDA_TRY(cudaGetLastError());
done:
    return status;
}

tilecut_status device_net_fetch(const device_net *device, tc_net *net)
{
    tilecut_status status = TILECUT_OK;
    const size_t slots = (size_t)net->first[net->nodes];
    CUDA_TRY(cudaMemcpyAsync(net->slot, device->view.slot, slots * sizeof(tc_slot), cudaMemcpyDeviceToHost,
                             device->stream));
    CUDA_TRY(cudaStreamSynchronize(device->stream));
done:
    return status;
}

void device_net_close(device_net *device)
{
    device_memory_give(&device->memory);
    if (device->stream) (void)cudaStreamDestroy(device->stream);
    *device = {};
}
