/* SPDX-License-Identifier: MIT
 *
 * device_grid.cu - copies a grid to the device and back, in the same way for every rung of the ladder.
 */
#include <stdio.h>
#include <string.h>

#include "device_scope.cuh"
#include "grid_view.cuh"
#include "stopwatch.cuh"

extern "C" {
#include "parallel.h"
}

tilecut_status cuda_status(cudaError_t error, const char *call, const char *file, int line)
{
    const char *name = strrchr(file, '/');
    const char *reason = cudaGetErrorString(error);
    if (error == cudaSuccess) return TILECUT_OK;
    (void)cudaGetLastError();
    switch (error) {
    case cudaErrorMemoryAllocation:
        return tc_fail(TILECUT_ENOMEM, "not enough device memory for this image; a solver of the CPU can cut it");
    case cudaErrorNoDevice: return tc_fail(TILECUT_ENODEVICE, "no CUDA device was found");
    case cudaErrorInsufficientDriver:
        return tc_fail(TILECUT_ENODEVICE, "the CUDA driver is missing, or older than this program needs");
    case cudaErrorNoKernelImageForDevice:
        return tc_fail(TILECUT_ENODEVICE, "this program holds no code for the CUDA device (build with CUDA_ARCH)");
    case cudaErrorDevicesUnavailable:
        return tc_fail(TILECUT_ENODEVICE, "the CUDA device is busy or not available");
    default:
        return tc_fail(TILECUT_EDEVICE, "the CUDA device failed: %s (%s:%d: %.60s)", reason,
                       name ? name + 1 : file, line, call);
    }
}

extern "C" const int tc_cuda_built = 1;

extern "C" int tc_cuda_devices(void)
{
    int count = 0;
    const bool counted = cudaGetDeviceCount(&count) == cudaSuccess;
    if (!counted) (void)cudaGetLastError();
    return counted ? count : 0;
}

extern "C" tilecut_status tc_cuda_device(int index, char *name, size_t size)
{
    cudaDeviceProp properties;
    int count = 0, major = 0, minor = 0;
    CUDA_NEED(cudaGetDeviceCount(&count));
    if (count == 0) CUDA_NEED(cudaErrorNoDevice);
    if (index >= count)
        return tc_fail(TILECUT_ENODEVICE, "there is no CUDA device %d; there are %d, counted from 0", index, count);
    CUDA_NEED(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, index));
    CUDA_NEED(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, index));
    if (major * 10 + minor < 75)
        return tc_fail(TILECUT_ENODEVICE, "CUDA device %d has compute capability %d.%d; 7.5 or later is needed", index,
                       major, minor);
    if (!name || size == 0) return TILECUT_OK;
    CUDA_NEED(cudaGetDeviceProperties(&properties, index)); /* slow */
    snprintf(name, size, "%s", properties.name);
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_device_of(const void *address, const char *what, int *index)
{
    cudaPointerAttributes found;
    CUDA_NEED(cudaPointerGetAttributes(&found, address));
    if (found.type == cudaMemoryTypeUnregistered)
        return tc_fail(TILECUT_EINVAL, "%s not in the memory of a CUDA device", what);
    *index = found.device;
    return TILECUT_OK;
}

/* Sets all pointers of the view, for memory that begins at `base`. Returns the size of that memory, all of which must
 * be zeroed. */
static size_t lay_out_grid(grid_view *v, const tc_grid *grid, char *base)
{
    const size_t guard = (size_t)view_guard(*v), all = grid->nodes + 2 * guard;
    size_t total = 0;
    lay(&v->residual, base, &total, all);
    lay(&v->excess, base, &total, all);
    v->residual += guard, v->excess += guard;
    if (grid->slice_rows) {
        lay(&v->slices, base, &total, grid->nodes);
    } else if (grid->diagonal) {
        lay(&v->diagonal, base, &total, all);
        v->diagonal += guard;
    }
    return total;
}

tilecut_status device_grid_init(device_grid *device, const tc_grid *grid, const device_solver *solver,
                                cudaStream_t stream)
{
    tilecut_status status = TILECUT_OK;
    grid_view *const v = &device->view;
    memset(device, 0, sizeof *device);
    v->tiles_x = grid->tiles_x;
    v->tiles_y = grid->tiles_y;
    v->width = grid->width;
    v->height = grid->height;
    v->slice_rows = grid->slice_rows;
    const size_t zeroed = lay_out_grid(v, grid, LAYOUT_TRIAL);
    device->scratch_bytes = solver->scratch_bytes(v);
    device->bytes = zeroed + device->scratch_bytes;
    TRY(device_memory_take(&device->memory, device->bytes, stream));
    (void)lay_out_grid(v, grid, (char *)device->memory.base);
    device->scratch = (char *)device->memory.base + zeroed;
    /* On the same stream as all later work, because other streams do not wait for the default stream. */
    CUDA_TRY(cudaMemsetAsync(device->memory.base, 0, zeroed, stream));
done:
    if (status != TILECUT_OK) device_grid_free(device);
    return status;
}

void device_grid_free(device_grid *device)
{
    device_memory_give(&device->memory);
    memset(device, 0, sizeof *device);
}

/* ---- Links to other slices, of which the device has two a node, and the host four ----------------- */

enum { PACK_BLOCK = 256 };

static __global__ void pack_kernel(const float4 *four, float2 *two, size_t count)
{
    const size_t i = (size_t)blockIdx.x * PACK_BLOCK + threadIdx.x;
    if (i < count) two[i] = make_float2(four[i].x, four[i].y);
}

static __global__ void unpack_kernel(const float2 *two, float4 *four, size_t count)
{
    const size_t i = (size_t)blockIdx.x * PACK_BLOCK + threadIdx.x;
    if (i < count) four[i] = make_float4(two[i].x, two[i].y, 0, 0);
}

/* Copies links to other slices piece by piece through the solver's scratch memory, which is not in use. */
static tilecut_status copy_slices(const device_grid *device, tc_grid *grid, bool down, cudaStream_t stream)
{
    float4 *const staging = (float4 *)device->scratch;
    const size_t most = device->scratch_bytes / sizeof *staging;
    for (size_t first = 0; first < grid->nodes; first += most) {
        const size_t count = grid->nodes - first < most ? grid->nodes - first : most, bytes = count * sizeof *staging;
        const unsigned blocks = (unsigned)((count + PACK_BLOCK - 1) / PACK_BLOCK);
        if (down) {
            LAUNCH_NEED(unpack_kernel, blocks, PACK_BLOCK, stream, device->view.slices + first, staging, count);
            CUDA_NEED(cudaMemcpyAsync(grid->diagonal + first, staging, bytes, cudaMemcpyDeviceToHost, stream));
        } else {
            CUDA_NEED(cudaMemcpyAsync(staging, grid->diagonal + first, bytes, cudaMemcpyHostToDevice, stream));
            LAUNCH_NEED(pack_kernel, blocks, PACK_BLOCK, stream, staging, device->view.slices + first, count);
        }
    }
    return TILECUT_OK;
}

tilecut_status device_grid_upload(const device_grid *device, const tc_grid *grid, cudaStream_t stream)
{
    const size_t n = grid->nodes;
    const grid_view *const v = &device->view;
    CUDA_NEED(cudaMemcpyAsync(v->residual, grid->residual, n * sizeof(float4), cudaMemcpyHostToDevice, stream));
    CUDA_NEED(cudaMemcpyAsync(v->excess, grid->excess, n * sizeof(float), cudaMemcpyHostToDevice, stream));
    if (v->diagonal)
        CUDA_NEED(cudaMemcpyAsync(v->diagonal, grid->diagonal, n * sizeof(float4), cudaMemcpyHostToDevice, stream));
    if (v->slices) NEED(copy_slices(device, (tc_grid *)grid, false, stream));
    return CUDA_STATUS(cudaStreamSynchronize(stream));
}

tilecut_status device_grid_download(const device_grid *device, tc_grid *grid, cudaStream_t stream)
{
    const size_t n = grid->nodes;
    const grid_view *const v = &device->view;
    CUDA_NEED(cudaMemcpyAsync(grid->residual, v->residual, n * sizeof(float4), cudaMemcpyDeviceToHost, stream));
    CUDA_NEED(cudaMemcpyAsync(grid->excess, v->excess, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
    if (v->diagonal)
        CUDA_NEED(cudaMemcpyAsync(grid->diagonal, v->diagonal, n * sizeof(float4), cudaMemcpyDeviceToHost, stream));
    if (v->slices) NEED(copy_slices(device, grid, true, stream));
    return CUDA_STATUS(cudaStreamSynchronize(stream));
}

tilecut_status solve_on_device(const device_solver *solver, tc_grid *grid, const tc_solve_params *params,
                               tc_solve_stats *stats)
{
    const device_scope scope(params->device);
    tilecut_status status = TILECUT_OK;
    device_grid device = {};
    device_run run = {};
    cudaStream_t stream = NULL;
    const double start = tc_now_ms();
    stopwatch watch = {};
    double mark = 0;

    status = tc_cuda_device(params->device, NULL, 0);
    if (status != TILECUT_OK) return status;
    if (tc_cancelled(params)) return tc_fail(TILECUT_ECANCELLED, "cancelled while solving");
    CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    TRY(device_grid_init(&device, grid, solver, stream));
    stats->bytes = device.bytes;
    TRY(device_grid_upload(&device, grid, stream));
    stats->copy_ms = tc_now_ms() - start; /* includes the time to start the device and to get its memory */
    TRY(stopwatch_init(&watch));
    TRY(stopwatch_start(&watch, stream));
    TRY(solver->solve(&device.view, device.scratch, params, stream, &run));
    TRY(stopwatch_stop(&watch, stream));
    TRY(stopwatch_read(&watch, &stats->device_ms));
    stats->rounds = run.rounds;
    mark = tc_now_ms();
    TRY(device_grid_download(&device, grid, stream));
    stats->copy_ms += tc_now_ms() - mark;
    stats->unfinished = run.unfinished;
    if (run.unfinished) stats->device_ms = 0; /* the host continues the solve, so this time is only a part */
done:
    stopwatch_free(&watch);
    device_grid_free(&device);
    if (stream) (void)cudaStreamDestroy(stream);
    return status;
}
