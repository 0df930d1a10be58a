/* SPDX-License-Identifier: MIT
 *
 * backend_parts.c - the backend for an image or volume in parts (see backend.h). It cuts as described in part.h. The
 * models are learnt on the host, from sums over all parts (comm.h).
 */
#include "backend.h"
#include "cuda_solvers.h"
#include "parallel.h"
#include "part.h"
#include "status.h"

static tc_part *part_of(const tc_run *run)
{
    return (tc_part *)(void *)run->params->comm->root;
}

static bool takes(const tc_run *run)
{
    return run->params->comm != NULL;
}

static bool on_device(const tc_run *run)
{
    return run->solver && run->solver->solve == tc_cuda_tiles;
}

/* Makes the part use the grid of run->kept on the host, so that the graph is built there. */
static tilecut_status take_grid(tc_run *run)
{
    const tilecut_graph *const graph = run->graph;
    tc_kept_flow *const kept = run->kept;
    if (kept->flow == TC_NO_FLOW)
        NEED(tc_grid_init_lattice(&kept->grid, graph->width, graph->height, graph->depth, graph->connectivity,
                                  part_of(run)->comm.store));
    else tc_grid_clear(&kept->grid);
    kept->flow = TC_FLOW_OF_ANOTHER;
    kept->grid.by_rows = graph->connectivity != 26 && tc_solver_wants_rows(run->solver);
    part_of(run)->grid = &kept->grid;
    return TILECUT_OK;
}

/* Releases the memory of a volume on disk before each wait for other parts. This includes the slices along the borders,
 * because even one whole slice is too much to keep. */
static void release_pages(const void *idle)
{
    const tc_part *const part = idle;
    tc_grid_release_pages(part->grid);
    if (part->voxels) tc_volume_release_pages(part->voxels);
    tc_stored_release_pages(&part->wide.room);
    tc_stored_release_pages(&part->flood.room);
}

/* Builds the grid; an earlier flow is never used. On a device the part makes a grid of its own. */
static tilecut_status build_parts(tc_run *run, tilecut_report *report)
{
    const tilecut_graph *const graph = run->graph;
    const tc_part_backend *const backend = on_device(run) ? &tc_part_backend_cuda : &tc_part_backend_host;
    tc_part *const part = part_of(run);
    double clock = tc_now_ms();

    tc_part_close(part);
    NEED(tc_part_open(part, run->params->comm, backend, graph));
    if (!on_device(run)) NEED(take_grid(run));
    if (part->volume && part->grid && part->comm.store) part->comm.rest = release_pages, part->comm.idle = part;
    NEED(backend->build(part, graph, &run->solve_params));
    report->graph_ms = tc_lap_ms(&clock);
    return TILECUT_OK;
}

static tilecut_status solve_parts(tc_run *run, tilecut_report *report)
{
    const tc_solver *solver = run->graph->connectivity == 26 ? tc_solver_find("bk") : run->solver;
    tc_solve_stats stats = {0};
    double clock = tc_now_ms();

    NEED(tc_part_solve(part_of(run), &solver, &run->solve_params, &stats));
    report->solve_ms = tc_lap_ms(&clock);
    tc_run_describe_solve(run, solver, &stats, report);
    return TILECUT_OK;
}

static tilecut_status conclude(tc_run *run, uint8_t *mask, tilecut_report *report)
{
    tc_part *const part = part_of(run);
    tilecut_status status = TILECUT_OK;
    double clock = tc_now_ms();

    TRY(tc_part_conclude(part, run->graph, run->solve_params.threads, mask, report));
    report->certify_ms = tc_lap_ms(&clock);
done:
    tc_part_close(part);
    return status;
}

const tc_backend tc_backend_parts = {
    .name = "parts", .takes = takes, .build = build_parts, .solve = solve_parts, .conclude = conclude,
};
