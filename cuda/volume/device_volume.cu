/* SPDX-License-Identifier: MIT
 *
 * device_volume.cu - a volume on the device: its memory, its grid, solving, and the answer. How it comes there is in
 * device_voxels.cu and device_arrays.cu. See cuda_volume.h.
 *
 * Memory is what bounds the size of a volume. So what is needed at different times shares it: before the solve, voxels
 * as they came and the work of learning lie where the solver's own memory will be; after it, the mask lies where its
 * heights were.
 */
#include <algorithm>
#include <new>
#include <string.h>

#include "device_volume.cuh"

extern "C" {
#include "parallel.h"
}

/* Where the parts of the memory lie that voxels need, from *total on. */
static void lay_out_voxels(tc_cuda_volume *volume, char *base, size_t *total)
{
    const volume_plan *const plan = &volume->plan;
    const size_t n = volume_count(&plan->shape), bins = plan->request.bins;
    device_energy *const e = &volume->voxels.e;
    e->pixels = (uint8_t *)base + reserve_bytes(total, n * (size_t)(plan->depth / 8));
    e->seeds = (uint8_t *)base + reserve_bytes(total, n);
    e->straight = (int32_t *)(base + reserve_bytes(total, 3 * (size_t)plan->keys * sizeof(int32_t)));
    e->source_cost = (int32_t *)(base + reserve_bytes(total, bins * sizeof(int32_t)));
    e->sink_cost = (int32_t *)(base + reserve_bytes(total, bins * sizeof(int32_t)));
    e->seed_capacity = &volume->facts->seed_capacity;
    e->width = plan->shape.width, e->height = plan->shape.height * plan->shape.depth;
    e->channels = 1, e->depth = plan->depth;
    e->stride = (size_t)plan->shape.width * (size_t)(plan->depth / 8);
    e->last = plan->keys - 1;
    e->color_bits = plan->request.bits;
}

static void lay_out_arrays(tc_cuda_volume *volume, char *base, size_t *total)
{
    const size_t bytes = volume_count(&volume->plan.shape) * sizeof(int32_t);
    array_source *const a = &volume->arrays;
    a->source = (int32_t *)(base + reserve_bytes(total, bytes));
    a->sink = (int32_t *)(base + reserve_bytes(total, bytes));
    for (int k = 0; k < 3; k++) {
        a->to[k] = (int32_t *)(base + reserve_bytes(total, bytes));
        a->from[k] = volume->plan.symmetric[k] ? a->to[k] : (int32_t *)(base + reserve_bytes(total, bytes));
    }
}

/* Sets all pointers, for memory from `base` on. Returns its size. */
static size_t lay_out_volume(tc_cuda_volume *volume, char *base)
{
    const volume_plan *const plan = &volume->plan;
    grid_view *const v = &volume->view;
    const size_t nodes = (size_t)view_nodes(*v), guard = (size_t)view_guard(*v), all = nodes + 2 * guard;
    size_t total = 0, scratch = tiles_scratch_bytes(v);
    if (!plan->arrays) scratch = std::max(scratch, volume_model_scratch_bytes(&plan->shape, &plan->request));
    v->residual = (float4 *)(base + reserve_bytes(&total, all * sizeof(float4))) + guard;
    v->excess = (float *)(base + reserve_bytes(&total, all * sizeof(float))) + guard;
    v->slices = (float2 *)(base + reserve_bytes(&total, nodes * sizeof(float2)));
    volume->scratch = base + reserve_bytes(&total, scratch);
    volume->scratch_bytes = scratch;
    volume->facts = (learnt *)(base + reserve_bytes(&total, sizeof(learnt)));
    volume->sums = (proof_sums *)(base + reserve_bytes(&total, sizeof(proof_sums)));
    volume->range = (volume_range *)(base + reserve_bytes(&total, sizeof(volume_range)));
    volume->bad = (int *)(base + reserve_bytes(&total, sizeof(int)));
    if (plan->arrays) lay_out_arrays(volume, base, &total);
    else lay_out_voxels(volume, base, &total);
    return total;
}

static void set_shape(tc_cuda_volume *volume)
{
    const volume_shape *const shape = &volume->plan.shape;
    grid_view *const v = &volume->view;
    const int size[3] = {shape->width, shape->height, shape->depth};
    v->width = shape->width, v->height = shape->height;
    v->tiles_x = (shape->width + TC_TILE - 1) / TC_TILE;
    v->slice_rows = (shape->height + TC_TILE - 1) / TC_TILE;
    v->tiles_y = v->slice_rows * shape->depth;
    memcpy(volume->voxels.size, size, sizeof size);
    memcpy(volume->arrays.size, size, sizeof size);
}

/* Nothing else is read that nobody has written. */
static tilecut_status clear_guards(const tc_cuda_volume *volume)
{
    const grid_view *const v = &volume->view;
    const size_t guard = (size_t)view_guard(*v), nodes = (size_t)view_nodes(*v);
    CUDA_NEED(cudaMemsetAsync(v->residual - guard, 0, guard * sizeof(float4), volume->stream));
    CUDA_NEED(cudaMemsetAsync(v->residual + nodes, 0, guard * sizeof(float4), volume->stream));
    CUDA_NEED(cudaMemsetAsync(v->excess - guard, 0, guard * sizeof(float), volume->stream));
    return CUDA_STATUS(cudaMemsetAsync(v->excess + nodes, 0, guard * sizeof(float), volume->stream));
}

tilecut_status volume_allocate(tc_cuda_volume **out, const volume_plan *plan, int device)
{
    tilecut_status status = TILECUT_OK;
    tc_cuda_volume *volume = NULL;

    *out = NULL;
    TRY(tc_cuda_device(device, NULL, 0));
    volume = new (std::nothrow) tc_cuda_volume();
    if (!volume) return tc_fail(TILECUT_ENOMEM, "no memory for a volume on the device");
    volume->device = device;
    volume->plan = *plan;
    set_shape(volume);
    volume->bytes = lay_out_volume(volume, LAYOUT_TRIAL); /* only to get the size */
    TRY(lane_open(&volume->lane, device, NULL));
    volume->stream = volume->lane->stream;
    TRY(device_memory_take(&volume->memory, volume->bytes, volume->stream));
    (void)lay_out_volume(volume, (char *)volume->memory.base);
    TRY(clear_guards(volume));
    *out = volume;
    volume = NULL;
done:
    tc_cuda_volume_destroy(volume);
    return status;
}

extern "C" void tc_cuda_volume_destroy(tc_cuda_volume *volume)
{
    if (!volume) return;
    const device_scope scope(volume->device);
    device_memory_give(&volume->memory);
    lane_leave(volume->lane);
    delete volume;
}

tilecut_status volume_build(tc_cuda_volume *volume)
{
    const grid_view *const v = &volume->view;
    const unsigned blocks = (unsigned)ceil_div((size_t)view_nodes(*v), LATTICE_BLOCK);
    const cudaStream_t stream = volume->stream;
    const cleared_words none = {NULL, 0};
    NEED(stopwatch_start(&volume->lane->watch, stream));
    if (volume->plan.arrays) LAUNCH_NEED(build_kernel, blocks, LATTICE_BLOCK, stream, volume->arrays, *v, none, none);
    else LAUNCH_NEED(build_kernel, blocks, LATTICE_BLOCK, stream, volume->voxels, *v, none, none);
    return stopwatch_stop(&volume->lane->watch, stream);
}

extern "C" tilecut_status tc_cuda_volume_solve(tc_cuda_volume *volume, const tc_solve_params *params,
                                               tc_cuda_volume_answer *answer)
{
    const device_scope scope(volume->device);
    const tiles_schedule plan = tiles_schedule_default();
    const stopwatch *const watch = &volume->lane->watch;

    memset(answer, 0, sizeof *answer);
    NEED(stopwatch_start(watch, volume->stream));
    NEED(tiles_open(&volume->session, &volume->view, volume->scratch, volume->stream, volume->lane, &plan, false));
    NEED(tiles_finish(&volume->session, params));
    NEED(stopwatch_stop(watch, volume->stream));
    NEED(stopwatch_read(watch, &answer->solve_ms));
    answer->bytes = volume->bytes;
    answer->unfinished = volume->session.run.unfinished;
    return TILECUT_OK;
}

uint8_t *volume_mask(const tc_cuda_volume *volume)
{
    return (uint8_t *)volume->session.view.height; /* which nobody needs any more */
}

tilecut_status volume_prove(const tc_cuda_volume *volume, int first, int end, proof_sums *sums)
{
    const grid_view *const v = &volume->view;
    const unsigned blocks = (unsigned)ceil_div((size_t)view_nodes(*v), LATTICE_BLOCK);
    const cudaStream_t stream = volume->stream;
    uint8_t *const mask = volume_mask(volume);
    const int height = volume->plan.shape.height;
    size_t step = 0;
    const uint32_t *const background = tiles_background(&volume->session, &step);

    CUDA_NEED(cudaMemsetAsync(volume->sums, 0, sizeof *sums, stream));
    if (volume->plan.arrays)
        LAUNCH_NEED(certify_kernel, blocks, LATTICE_BLOCK, stream, volume->arrays, *v, background, step, first * height,
                    end * height, (const uint8_t *)NULL, volume->sums, mask);
    else
        LAUNCH_NEED(certify_kernel, blocks, LATTICE_BLOCK, stream, volume->voxels, *v, background, step, first * height,
                    end * height, (const uint8_t *)NULL, volume->sums, mask);
    CUDA_NEED(cudaMemcpyAsync(sums, volume->sums, sizeof *sums, cudaMemcpyDeviceToHost, stream));
    return CUDA_STATUS(cudaStreamSynchronize(stream));
}

extern "C" tilecut_status tc_cuda_volume_conclude(tc_cuda_volume *volume, uint8_t *mask, tc_cuda_volume_answer *answer)
{
    const device_scope scope(volume->device);
    double clock = tc_now_ms();
    proof_sums sums = {};

    NEED(volume_prove(volume, 0, volume->plan.shape.depth, &sums));
    answer->flow = (int64_t)sums.flow, answer->cut = (int64_t)sums.cut;
    answer->foreground = (int64_t)sums.foreground, answer->violations = (int64_t)sums.violations;
    answer->certify_ms = tc_lap_ms(&clock);
    if (answer->violations || answer->flow != answer->cut) return TILECUT_OK;
    CUDA_NEED(cudaMemcpyAsync(mask, volume_mask(volume), volume_count(&volume->plan.shape), cudaMemcpyDeviceToHost,
                              volume->stream));
    CUDA_NEED(cudaStreamSynchronize(volume->stream));
    answer->copy_ms = tc_lap_ms(&clock);
    return TILECUT_OK;
}

extern "C" tilecut_status tc_cuda_volume_fetch(const tc_cuda_volume *volume, tc_grid *grid)
{
    const device_scope scope(volume->device);
    const device_grid device = {volume->view, {}, volume->scratch, volume->bytes, volume->scratch_bytes};
    return device_grid_download(&device, grid, volume->stream);
}
