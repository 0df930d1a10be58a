/* SPDX-License-Identifier: MIT
 *
 * device_arrays.cu - from arrays of capacities on the host to a volume on the device. They stay there, as the proof
 * reads them again. See cuda_volume.h.
 */
#include "device_volume.cuh"

extern "C" {
#include "parallel.h"
}

static tilecut_status upload(const tc_cuda_volume *volume, const int32_t *to, const int32_t *from)
{
    const size_t bytes = volume_count(&volume->plan.shape) * sizeof *to;
    return CUDA_STATUS(cudaMemcpyAsync((void *)to, from, bytes, cudaMemcpyHostToDevice, volume->stream));
}

static tilecut_status bring(const tc_cuda_volume *volume, const tilecut_volume_arrays *a)
{
    NEED(upload(volume, volume->arrays.source, a->source));
    NEED(upload(volume, volume->arrays.sink, a->sink));
    for (int k = 0; k < 3; k++) {
        NEED(upload(volume, volume->arrays.to[k], a->to[k]));
        if (!volume->plan.symmetric[k]) NEED(upload(volume, volume->arrays.from[k], a->from[k]));
    }
    return CUDA_STATUS(cudaStreamSynchronize(volume->stream));
}

/* Checks the capacities, if that has not been done, and builds the grid meanwhile. */
static tilecut_status check_and_build(tc_cuda_volume *volume, bool checked, tc_cuda_volume_origin *origin)
{
    const size_t n = volume_count(&volume->plan.shape);
    int bad = 0;
    CUDA_NEED(cudaMemsetAsync(volume->bad, 0, sizeof *volume->bad, volume->stream));
    if (!checked)
        LAUNCH_NEED(check_arrays_kernel, ceil_div(n, VOLUME_BLOCK), VOLUME_BLOCK, volume->stream, volume->arrays, n,
                    volume->bad);
    NEED(volume_build(volume));
    CUDA_NEED(cudaMemcpyAsync(&bad, volume->bad, sizeof bad, cudaMemcpyDeviceToHost, volume->stream));
    CUDA_NEED(cudaStreamSynchronize(volume->stream));
    NEED(stopwatch_read(&volume->lane->watch, &origin->build_ms));
    if (bad) return tc_fail(TILECUT_ERANGE, "capacities of the volume are negative, or too large to be exact");
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_volume_take(tc_cuda_volume **out, const tilecut_volume_arrays *arrays, bool checked,
                                              int device, tc_cuda_volume_origin *origin)
{
    const device_scope scope(device);
    const double start = tc_now_ms();
    tilecut_status status = TILECUT_OK;
    tc_cuda_volume *volume = NULL;
    volume_plan plan = {};

    *out = NULL;
    *origin = {};
    plan.arrays = true;
    plan.shape = {arrays->width, arrays->height, arrays->depth, {1, 1, 1}, 0, arrays->depth, 0, arrays->depth};
    for (int k = 0; k < 3; k++) plan.symmetric[k] = arrays->from[k] == arrays->to[k];
    TRY(volume_allocate(&volume, &plan, device));
    TRY(bring(volume, arrays));
    origin->copy_ms = tc_now_ms() - start;
    TRY(check_and_build(volume, checked, origin));
    *out = volume;
    volume = NULL;
done:
    tc_cuda_volume_destroy(volume);
    return status;
}
