/* SPDX-License-Identifier: MIT
 *
 * slab_cuda.c - a part of a volume whose grid lies on a CUDA device, from voxels or arrays on. See slab.h.
 */
#include "cuda_volume.h"
#include "energy.h"
#include "parallel.h"
#include "slab.h"
#include "status.h"

tilecut_status tc_slab_learn_there(tc_slab *slab, const tilecut_volume *voxels, const uint8_t *seeds,
                                   const tc_setup *setup, tc_volume *made, tilecut_report *report)
{
    tc_cuda_volume_origin origin;
    double distance[3], range[2];
    tc_volume_distances(voxels, distance);
    const tilecut_status status = tc_cuda_volume_learn(&slab->there, voxels, distance, seeds, setup, &origin);
    /* says which voxel it was */
    if (status == TILECUT_EINVAL) (void)tc_volume_own_range(voxels, setup->comm, setup->threads, range);
    NEED(status);
    *made = (tc_volume){.links = 3, .quantum = origin.quantum, .beta = origin.beta, .lambda = setup->lambda,
                        .colors = tc_colors_find(setup->colors)->name};
    made->arrays.width = voxels->width, made->arrays.height = voxels->height, made->arrays.depth = voxels->depth;
    report->model_ms = origin.model_ms, report->graph_ms = origin.build_ms, report->copy_ms = origin.copy_ms;
    return TILECUT_OK;
}

/* Brings capacities to the device. */
static tilecut_status take_arrays(tc_slab *slab, const tc_setup *setup, tilecut_report *report)
{
    tc_cuda_volume_origin origin;
    NEED(tc_cuda_volume_take(&slab->there, &slab->volume->arrays, true, setup->device, &origin));
    report->graph_ms = origin.build_ms, report->copy_ms = origin.copy_ms;
    return TILECUT_OK;
}

/* What tc_volume_describe() tells of a grid on the host. */
static void describe(const tc_volume *volume, const tc_solver *solver, const tc_solve_params *how,
                     const tc_solve_stats *stats, tilecut_report *report)
{
    report->solver = solver->name, report->device = "cuda", report->device_index = how->device;
    report->threads = 1, report->connectivity = 6;
    report->quantum = volume->quantum, report->lambda = volume->lambda, report->beta = volume->beta;
    report->colors = volume->colors;
    report->energy = (double)report->cut * report->quantum;
    report->bytes_per_pixel = (double)stats->bytes / (double)tc_volume_voxels(&volume->arrays);
}

tilecut_status tc_slab_solve_there(tc_slab *slab, const tc_setup *setup, const tc_solver *solver, uint8_t *mask,
                                   tilecut_report *report)
{
    const tilecut_volume_arrays *const a = &slab->volume->arrays;
    const tc_solve_params how = {.threads = setup->threads, .device = setup->device, .cancel = setup->cancel};
    tc_part *const part = &slab->part;
    tc_solve_stats stats = {0};

    if (!slab->there) NEED(take_arrays(slab, setup, report));
    slab->backend = tc_part_backend_cuda;
    slab->backend.active = NULL, slab->backend.pack = slab->backend.unpack = NULL; /* there are no strips */
    NEED(tc_part_open(part, &part->comm, &slab->backend, a->width * a->height, 6));
    NEED(tc_part_take_volume(part, &slab->there));
    double clock = tc_now_ms();
    NEED(tc_part_solve(part, &solver, &how, &stats));
    report->solve_ms = tc_lap_ms(&clock);
    NEED(tc_part_conclude(part, NULL, how.threads, mask, report));
    report->certify_ms = tc_lap_ms(&clock);
    report->certified = 1;
    describe(slab->volume, solver, &how, &stats, report);
    return TILECUT_OK;
}

void tc_slab_drop_there(tc_slab *slab)
{
    tc_cuda_volume_destroy(slab->there);
    slab->there = NULL;
}
