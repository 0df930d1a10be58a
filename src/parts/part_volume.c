/* SPDX-License-Identifier: MIT
 *
 * part_volume.c - see part_volume.h.
 */
#include "part_volume.h"

#include "backend.h"
#include "cuda_volume.h"
#include "energy.h"
#include "parallel.h"
#include "status.h"

/* Before each meeting: even what lies along the borders, which is a whole slice, is too much to keep. */
static void rest(const void *idle)
{
    const tc_part *const part = idle;
    tc_grid_rest(part->grid);
    if (part->voxels) tc_volume_rest(part->voxels);
    tc_stored_rest(&part->wide.room);
    tc_stored_rest(&part->flood.room);
}

tilecut_status tc_part_learn_there(tc_part *part, const tilecut_volume *voxels, const uint8_t *seeds,
                                   const tc_setup *setup, tilecut_graph *shape, tilecut_report *report)
{
    tc_cuda_volume_origin origin;
    double distance[3], range[2];
    tc_volume_distances(voxels, distance);
    const tilecut_status status = tc_cuda_volume_learn(&part->learnt, voxels, distance, seeds, setup, &origin);
    /* says which voxel it was */
    if (status == TILECUT_EINVAL) (void)tc_volume_own_range(voxels, setup->comm, setup->threads, range);
    NEED(status);
    *shape = (tilecut_graph){.width = voxels->width, .height = voxels->height, .depth = voxels->depth,
                             .connectivity = 6, .from_image = true,
                             .energy = {.quantum = origin.quantum, .beta = origin.beta, .lambda = setup->lambda,
                                        .model = tc_colors_find(setup->colors), .model_ms = origin.model_ms}};
    report->graph_ms = origin.build_ms, report->copy_ms = origin.copy_ms;
    return TILECUT_OK;
}

/* Brings the volume to the device, unless it was learnt there. */
static tilecut_status open_there(tc_part *part, const tilecut_graph *g, const tc_setup *setup, tilecut_report *report)
{
    const tc_capacities *const c = &g->arrays;
    const tilecut_volume_arrays a = {.width = g->width, .height = g->height, .depth = g->depth, .source = c->source,
                                     .sink = c->sink, .to = {c->to[0], c->to[1], c->to[2]},
                                     .from = {c->from[0], c->from[1], c->from[2]}};
    tc_cuda_volume_origin origin;
    if (part->learnt) return TILECUT_OK;
    NEED(tc_cuda_volume_take(&part->learnt, &a, true, setup->device, &origin));
    report->graph_ms = origin.build_ms, report->copy_ms = origin.copy_ms;
    return TILECUT_OK;
}

static tilecut_status open_here(tc_part *part, const tilecut_graph *g, const tc_solver *solver)
{
    NEED(tc_grid_init_lattice(&part->slices, g->width, g->height, g->depth, g->connectivity, part->comm.store));
    part->slices.by_rows = g->connectivity == 6 && tc_solver_wants_rows(solver);
    part->grid = &part->slices;
    if (part->comm.store) part->comm.rest = rest, part->comm.idle = part;
    return TILECUT_OK;
}

static void describe(const tc_part *part, const tilecut_graph *graph, const tc_solver *solver, const tc_setup *setup,
                     size_t bytes, tilecut_report *report)
{
    const bool there = tc_volume_stays_there(solver);
    if (!there) bytes += tc_grid_bytes(&part->slices);
    tc_graph_describe(graph, setup->threads, report);
    report->solver = solver->name, report->device = there ? "cuda" : "cpu";
    report->device_index = there ? setup->device : 0;
    report->energy = (double)report->cut * report->quantum;
    report->bytes_per_pixel = (double)bytes / (double)tc_graph_pixels(graph);
    report->certified = 1;
}

tilecut_status tc_part_solve_volume(tc_part *part, const tilecut_graph *graph, const tc_setup *setup,
                                    const tc_solver *solver, uint8_t *mask, tilecut_report *report)
{
    const tc_solve_params how = {.threads = setup->threads, .device = setup->device, .cancel = setup->cancel};
    const bool there = tc_volume_stays_there(solver);
    tc_solve_stats stats = {0};
    double clock = tc_now_ms();

    part->volume = true;
    part->lines = graph->height;
    if (graph->connectivity == 26) solver = tc_solver_find("bk");
    if (there) NEED(open_there(part, graph, setup, report));
    NEED(tc_part_open(part, &part->comm, there ? &tc_part_backend_cuda : &tc_part_backend_host,
                      graph->width * graph->height, graph->connectivity));
    if (!there) NEED(open_here(part, graph, solver));
    NEED(part->backend->build(part, graph, &how));
    const double built = tc_lap_ms(&clock);
    if (!there) report->graph_ms = built;
    NEED(tc_part_solve(part, &solver, &how, &stats));
    report->solve_ms = tc_lap_ms(&clock);
    NEED(tc_part_conclude(part, graph, how.threads, mask, report));
    report->certify_ms = tc_lap_ms(&clock);
    describe(part, graph, solver, setup, stats.bytes, report);
    return TILECUT_OK;
}

void tc_part_close_volume(tc_part *part)
{
    part->comm.rest = NULL;
    tc_part_close(part);
    tc_cuda_volume_destroy(part->learnt);
    part->learnt = NULL;
    part->voxels = NULL;
    tc_grid_free(&part->slices);
}
