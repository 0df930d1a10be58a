/* SPDX-License-Identifier: MIT
 *
 * device_voxels.cu - from voxels and seeds on the host to a volume on the device: copies, grey values, model, grid. See
 * cuda_volume.h.
 */
#include <string.h>

#include "device_volume.cuh"

extern "C" {
#include "energy.h"
#include "parallel.h"
}

static const size_t voxel_bytes[] = {1, 2, 2, 4}; /* by type */

/* The voxels as they came, before the solver needs this memory. Voxels of 8 bits that stay as they are lie where grey
 * values do. */
static void *raw_voxels(const tc_cuda_volume *volume)
{
    return volume->plan.depth == 8 ? (void *)volume->voxels.e.pixels : volume->scratch;
}

/* Queues the copy of all rows, packed. */
static tilecut_status upload_voxels(const tc_cuda_volume *volume, const tilecut_volume *v)
{
    const size_t bytes = (size_t)v->width * voxel_bytes[v->type], row = v->row_stride ? v->row_stride : bytes;
    const size_t height = (size_t)v->height, slice = v->slice_stride ? v->slice_stride : row * height;
    const char *const from = (const char *)v->voxels;
    char *const to = (char *)raw_voxels(volume);
    if (row == bytes && slice == bytes * height) { /* much faster than row by row */
        CUDA_NEED(cudaMemcpyAsync(to, from, slice * (size_t)v->depth, cudaMemcpyHostToDevice, volume->stream));
        return TILECUT_OK;
    }
    for (size_t z = 0; z < (size_t)v->depth; z++)
        CUDA_NEED(cudaMemcpy2DAsync(to + z * bytes * height, bytes, from + z * slice, row, bytes, height,
                                    cudaMemcpyHostToDevice, volume->stream));
    return TILECUT_OK;
}

static double value_of(int type, int word)
{
    const int bits = ordered_bits(word);
    float value;
    if (type != TILECUT_VOXEL_F32) return word;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* tc_volume_range(), of voxels that are on the device: of own slices, with those of other parts. */
static tilecut_status find_range(const tc_cuda_volume *volume, const tilecut_volume *v, tc_comm *comm, double *low,
                                 double *high)
{
    const volume_shape *const shape = &volume->plan.shape;
    const size_t slice = (size_t)v->width * (size_t)v->height, n = (size_t)(shape->end - shape->first) * slice;
    const char *const own = (const char *)raw_voxels(volume) + (size_t)shape->first * slice * voxel_bytes[v->type];
    const size_t blocks = ((n < (size_t)1 << 20 ? n : (size_t)1 << 20) + VOLUME_BLOCK - 1) / VOLUME_BLOCK;
    const bool given = v->low != 0 || v->high != 0;
    volume_range range = {INT32_MAX, INT32_MIN, 0};
    *low = v->low, *high = v->high;
    if (!given && v->type == TILECUT_VOXEL_U8) *low = 0, *high = 255;
    if ((given || v->type == TILECUT_VOXEL_U8) && v->type != TILECUT_VOXEL_F32) return TILECUT_OK;
    CUDA_NEED(cudaMemcpyAsync(volume->range, &range, sizeof range, cudaMemcpyHostToDevice, volume->stream));
    LAUNCH_NEED(range_kernel, blocks, VOLUME_BLOCK, volume->stream, (const void *)own, v->type, n, volume->range);
    CUDA_NEED(cudaMemcpyAsync(&range, volume->range, sizeof range, cudaMemcpyDeviceToHost, volume->stream));
    CUDA_NEED(cudaStreamSynchronize(volume->stream));
    if (range.odd) return tc_fail(TILECUT_EINVAL, "a voxel is not a finite number");
    if (given) return TILECUT_OK;
    double values[2] = {value_of(v->type, range.least), value_of(v->type, range.greatest)};
    NEED(tc_comm_range(comm, values));
    *low = values[0], *high = values[1];
    return TILECUT_OK;
}

static tilecut_status scale_grey(const tc_cuda_volume *volume, const tilecut_volume *v, tc_comm *comm)
{
    const size_t n = volume_count(&volume->plan.shape);
    double low, high;
    NEED(find_range(volume, v, comm, &low, &high));
    if (volume->plan.depth == 8) return TILECUT_OK;
    LAUNCH_RETURN(grey_kernel, ceil_div(n, VOLUME_BLOCK), VOLUME_BLOCK, volume->stream, raw_voxels(volume), v->type, n,
                  tc_grey_scale_of(v->type, low, high), (void *)volume->voxels.e.pixels);
}

/* Queues the copy of seeds. In the rim nothing is known. */
static tilecut_status upload_seeds(const tc_cuda_volume *volume, const uint8_t *seeds)
{
    const volume_shape *const shape = &volume->plan.shape;
    const size_t slice = (size_t)shape->width * (size_t)shape->height, first = (size_t)shape->first * slice;
    const size_t own = (size_t)(shape->end - shape->first) * slice;
    uint8_t *const device_seeds = (uint8_t *)volume->voxels.e.seeds;
    if (own < volume_count(shape))
        CUDA_NEED(cudaMemsetAsync(device_seeds, TILECUT_UNKNOWN, volume_count(shape), volume->stream));
    return CUDA_STATUS(
        cudaMemcpyAsync(device_seeds + first, seeds + first, own, cudaMemcpyHostToDevice, volume->stream));
}

/* Copies voxels and seeds to the device, and makes grey values. */
static tilecut_status bring(const tc_cuda_volume *volume, const tilecut_volume *v, const uint8_t *seeds,
                            tc_comm *comm)
{
    NEED(upload_voxels(volume, v));
    NEED(upload_seeds(volume, seeds));
    NEED(scale_grey(volume, v, comm));
    return CUDA_STATUS(cudaStreamSynchronize(volume->stream));
}

/* Learns, and builds the grid. That is queued before the host knows whether the seeds suffice. */
static tilecut_status learn_voxels(tc_cuda_volume *volume, tc_comm *comm, tc_cuda_volume_origin *origin)
{
    const double start = tc_now_ms();
    const device_energy *const e = &volume->voxels.e;
    const model_tables tables = {(int32_t *)e->straight, NULL, (int32_t *)e->source_cost, (int32_t *)e->sink_cost, NULL,
                                 volume->facts};
    uint64_t labels[4];
    learnt facts;

    NEED(model_learn_volume(e, &volume->plan.request, &volume->plan.shape, &tables, volume->scratch, comm,
                            volume->stream));
    NEED(volume_build(volume));
    CUDA_NEED(cudaMemcpyAsync(&facts, volume->facts, sizeof facts, cudaMemcpyDeviceToHost, volume->stream));
    CUDA_NEED(cudaStreamSynchronize(volume->stream));
    NEED(stopwatch_read(&volume->lane->watch, &origin->build_ms));
    for (int label = 0; label < 4; label++) labels[label] = facts.census.labels[label];
    NEED(tc_energy_check_labels(labels, facts.census.bad, volume->plan.request.colors));
    origin->beta = facts.beta, origin->quantum = facts.quantum;
    origin->model_ms = tc_now_ms() - start - origin->build_ms;
    return TILECUT_OK;
}

static volume_plan plan_of(const tilecut_volume *v, const double distance[3], const tc_setup *given)
{
    const bool ranged = v->low != 0 || v->high != 0;
    const tc_grey_scale scale = tc_grey_scale_of(v->type, ranged ? v->low : 0, ranged ? v->high : 255);
    volume_plan plan = {};
    tc_setup setup = *given;
    const tc_own_rows own = tc_own_rows_of(given->comm, v->depth);
    plan.shape = {v->width, v->height, v->depth, {distance[0], distance[1], distance[2]}, own.first, own.end,
                  tc_comm_above(given->comm), tc_comm_height(given->comm, v->depth)};
    plan.depth = scale.depth;
    const tilecut_image image = volume_image(&plan.shape, plan.depth);
    plan.keys = model_keys(&image);
    setup.connectivity = 4, setup.iterations = -1, setup.spatial = 0;
    plan.request = model_request_of(&image, &setup);
    return plan;
}

extern "C" tilecut_status tc_cuda_volume_learn(tc_cuda_volume **out, const tilecut_volume *voxels,
                                               const double distance[3], const uint8_t *seeds, const tc_setup *setup,
                                               tc_cuda_volume_origin *origin)
{
    const device_scope scope(setup->device);
    const volume_plan plan = plan_of(voxels, distance, setup);
    const double start = tc_now_ms();
    tilecut_status status = TILECUT_OK;
    tc_cuda_volume *volume = NULL;

    *out = NULL;
    *origin = {};
    TRY(volume_allocate(&volume, &plan, setup->device));
    volume->voxels.e.soft_seeds = setup->soft_seeds;
    TRY(bring(volume, voxels, seeds, setup->comm));
    origin->copy_ms = tc_now_ms() - start;
    TRY(learn_voxels(volume, setup->comm, origin));
    *out = volume;
    volume = NULL;
done:
    tc_cuda_volume_destroy(volume);
    return status;
}
