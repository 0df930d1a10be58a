/* SPDX-License-Identifier: MIT
 *
 * part_volume.c - see part_volume.h.
 */
#include "part_volume.h"

#include "cuda_volume.h"
#include "energy.h"
#include "parallel.h"
#include "status.h"

/* Before each meeting: even what lies along the borders, which is a whole slice, is too much to keep. */
static void rest(const void *idle)
{
    const tc_part *const part = idle;
    tc_grid_rest(part->grid);
    tc_stored_rest(&part->volume->stored);
    tc_stored_rest(&part->wide.room);
    tc_stored_rest(&part->flood.room);
}

tilecut_status tc_part_learn_there(tc_part *part, const tilecut_volume *voxels, const uint8_t *seeds,
                                   const tc_setup *setup, tc_volume *made, tilecut_report *report)
{
    tc_cuda_volume_origin origin;
    double distance[3], range[2];
    tc_volume_distances(voxels, distance);
    const tilecut_status status = tc_cuda_volume_learn(&part->learnt, voxels, distance, seeds, setup, &origin);
    /* says which voxel it was */
    if (status == TILECUT_EINVAL) (void)tc_volume_own_range(voxels, setup->comm, setup->threads, range);
    NEED(status);
    *made = (tc_volume){.links = 3, .quantum = origin.quantum, .beta = origin.beta, .lambda = setup->lambda,
                        .colors = tc_colors_find(setup->colors)->name};
    made->arrays.width = voxels->width, made->arrays.height = voxels->height, made->arrays.depth = voxels->depth;
    report->model_ms = origin.model_ms, report->graph_ms = origin.build_ms, report->copy_ms = origin.copy_ms;
    return TILECUT_OK;
}

/* Brings the volume to the device, unless it was learnt there. */
static tilecut_status open_there(tc_part *part, const tc_setup *setup, tilecut_report *report)
{
    tc_cuda_volume_origin origin;
    if (part->learnt) return TILECUT_OK;
    NEED(tc_cuda_volume_take(&part->learnt, &part->volume->arrays, true, setup->device, &origin));
    report->graph_ms = origin.build_ms, report->copy_ms = origin.copy_ms;
    return TILECUT_OK;
}

static tilecut_status open_here(tc_part *part)
{
    const tilecut_volume_arrays *const a = &part->volume->arrays;
    const int neighbours = 2 * part->volume->links;
    NEED(tc_grid_init_slab(&part->slices, a->width, a->height, a->depth, neighbours, part->comm.store));
    part->grid = &part->slices;
    if (part->comm.store) part->comm.rest = rest, part->comm.idle = part;
    return TILECUT_OK;
}

tilecut_status tc_part_solve_volume(tc_part *part, const tc_volume *volume, const tc_setup *setup,
                                    const tc_solver *solver, uint8_t *mask, tilecut_report *report)
{
    const tilecut_volume_arrays *const a = &volume->arrays;
    const tc_solve_params how = {.threads = setup->threads, .device = setup->device, .cancel = setup->cancel};
    const bool there = tc_volume_stays_there(solver);
    tc_solve_stats stats = {0};
    double clock = tc_now_ms();

    part->volume = volume;
    if (volume->links == TC_WIDE_LINKS) solver = tc_solver_find("bk");
    if (there) NEED(open_there(part, setup, report));
    NEED(tc_part_open(part, &part->comm, there ? &tc_part_backend_cuda : &tc_part_backend_host, a->width * a->height,
                      2 * volume->links));
    if (!there) NEED(open_here(part));
    NEED(part->backend->build(part, NULL, &how));
    const double built = tc_lap_ms(&clock);
    if (!there) report->graph_ms = built;
    NEED(tc_part_solve(part, &solver, &how, &stats));
    report->solve_ms = tc_lap_ms(&clock);
    NEED(tc_part_conclude(part, NULL, how.threads, mask, report));
    report->certify_ms = tc_lap_ms(&clock);
    report->certified = 1;
    const double copied = report->copy_ms, solved = report->solve_ms;
    tc_volume_describe(&part->slices, volume, solver, &how, &stats, report);
    if (there) report->copy_ms = copied, report->solve_ms = solved;
    return TILECUT_OK;
}

void tc_part_close_volume(tc_part *part)
{
    part->comm.rest = NULL;
    tc_part_close(part);
    tc_cuda_volume_destroy(part->learnt);
    part->learnt = NULL;
    part->volume = NULL;
    tc_grid_free(&part->slices);
}
