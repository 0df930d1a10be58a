/* SPDX-License-Identifier: MIT
 *
 * volume_door.c - the calls of tilecut_volume.h: check, build, solve, cut, certify, hand out.
 */
#include <string.h>

#include "neighbourhoods.h"
#include "parallel.h"
#include "sized.h"
#include "solver.h"
#include "status.h"
#include "volume.h"

tilecut_status tc_volume_setup(const tilecut_params *params, tc_setup *setup, int *links)
{
    tilecut_params p = {0};
    if (params) NEED(TC_READ(&p, params, params));
    *links = p.connectivity == 26 ? TC_WIDE_LINKS : 3;
    if (p.connectivity == 26 || p.connectivity == 6) p.connectivity = 0;
    p.size = sizeof p;
    return tc_setup_resolve(setup, &p);
}

tilecut_status tc_volume_solver(const char *name, int links, int width, int height, const tc_solver **solver)
{
    *solver = name ? tc_solver_find(name) : NULL;
    if (name && !*solver) return tc_fail(TILECUT_EINVAL, "there is no solver '%s'", name);
    if (links == TC_WIDE_LINKS && name && strcmp(name, "bk") != 0)
        return tc_fail(TILECUT_EINVAL, "solver '%s' takes no volumes with 26 neighbours; bk does", name);
    return *solver ? tc_solver_check(*solver, 6, width, height) : TILECUT_OK;
}

static tilecut_status conclude(tc_grid *grid, const tc_volume *volume, int threads, uint8_t *mask,
                               tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_labels labels = {0};
    double clock = tc_now_ms();
    const bool wide = volume->links == TC_WIDE_LINKS;
    TRY(wide ? tc_wide_cut(grid, &labels) : tc_cut(grid, threads, &labels));
    TRY(wide ? tc_wide_certify(grid, volume, &labels, threads, &report->flow, &report->cut)
             : tc_volume_certify(grid, &volume->arrays, &labels, threads, &report->flow, &report->cut));
    report->foreground = tc_volume_mask(grid, &volume->arrays, &labels, threads, mask);
    report->certify_ms = tc_lap_ms(&clock);
    report->certified = 1;
done:
    tc_labels_free(&labels);
    return status;
}

void tc_volume_describe(const tc_grid *grid, const tc_volume *volume, const tc_solver *solver,
                        const tc_solve_params *how, const tc_solve_stats *stats, tilecut_report *report)
{
    if (solver->can & TC_ON_CUDA) {
        report->device_index = how->device, report->copy_ms = stats->copy_ms;
        report->decisions = stats->decisions;
        memcpy(report->decision, stats->decision, sizeof stats->decision);
        report->solve_ms = stats->device_ms > 0 ? stats->device_ms : report->solve_ms - stats->copy_ms;
    }
    report->solver = solver->name, report->device = solver->can & TC_ON_CUDA ? "cuda" : "cpu";
    report->connectivity = 2 * volume->links;
    report->threads = solver->can & TC_THREADED ? how->threads : 1;
    report->quantum = volume->quantum, report->lambda = volume->lambda, report->beta = volume->beta;
    report->colors = volume->colors;
    report->energy = (double)report->cut * report->quantum;
    report->bytes_per_pixel = (double)(tc_grid_bytes(grid) + stats->bytes) / (double)tc_volume_voxels(&volume->arrays);
}

tilecut_status tc_volume_solve_in(tc_grid *grid, const tc_volume *volume, const tc_setup *setup,
                                  const tc_solver *solver, bool few, uint8_t *mask, tilecut_report *report)
{
    const int threads = tc_threads_that_pay(setup->threads, (int64_t)tc_volume_voxels(&volume->arrays));
    const tc_solve_params how = {.threads = threads, .device = setup->device, .cancel = setup->cancel};
    tc_solve_stats stats = {0};
    double clock = tc_now_ms();

    if (volume->links == TC_WIDE_LINKS) {
        solver = tc_solver_find("bk");
        NEED(tc_bk_solve_wide(grid, &how, &stats));
    } else
        NEED(few ? tc_solver_solve(solver, grid, &how, &stats) : tc_solver_run(&solver, grid, &how, &stats));
    report->solve_ms = tc_lap_ms(&clock);
    NEED(conclude(grid, volume, how.threads, mask, report));
    tc_volume_describe(grid, volume, solver, &how, &stats, report);
    return TILECUT_OK;
}

tilecut_status tc_volume_solve(const tc_volume *volume, const tc_setup *setup, const tc_solver *solver, uint8_t *mask,
                               tilecut_report *report)
{
    const tilecut_volume_arrays *const a = &volume->arrays;
    tilecut_status status = TILECUT_OK;
    tc_grid grid = {0};
    double clock = tc_now_ms();

    const bool wide = volume->links == TC_WIDE_LINKS;
    TRY(tc_grid_init_volume(&grid, a->width, a->height, a->depth, wide ? 26 : 6));
    if (wide) tc_wide_build(&grid, volume, setup->threads);
    else tc_volume_build(&grid, a, setup->threads);
    report->graph_ms = tc_lap_ms(&clock);
    TRY(tc_volume_solve_in(&grid, volume, setup, solver, false, mask, report));
done:
    tc_grid_free(&grid);
    return status;
}

/* With capacities made and proven by the CPU. */
static tilecut_status segment_here(const tilecut_volume *volume, const uint8_t *seeds, int links, const tc_setup *setup,
                                   const tc_solver *solver, uint8_t *mask, tilecut_report *report)
{
    const double start = tc_now_ms();
    tilecut_status status = TILECUT_OK;
    tc_volume made = {0};
    TRY(tc_volume_from_voxels(&made, volume, seeds, links, setup));
    report->model_ms = tc_now_ms() - start;
    TRY(links == TC_WIDE_LINKS ? tc_wide_check(&made) : tc_volume_check(&made.arrays, setup->threads));
    TRY(tc_volume_solve(&made, setup, solver, mask, report));
done:
    tc_volume_free(&made);
    return status;
}

tilecut_status tilecut_volume_segment(const tilecut_volume *volume, const uint8_t *seeds, const tilecut_params *params,
                                      uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    const tc_solver *solver;
    tilecut_report told = {0};
    tilecut_volume whole;
    tc_thread_pool *pool = NULL;
    tc_setup setup;
    int links;

    if (!volume || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", volume ? "mask" : "volume");
    NEED(tc_sized_check(report, "tilecut_report"));
    NEED(tc_volume_setup(params, &setup, &links));
    NEED(tc_sized_read(&whole, sizeof whole, sizeof whole, volume, "tilecut_volume"));
    NEED(tc_volume_solver(setup.solver, links, whole.width, whole.height, &solver));
    pool = tc_thread_pool_open(setup.threads);
    if (tc_volume_learns_there(solver, links, &setup))
        TRY(tc_volume_segment_there(&whole, seeds, &setup, solver, mask, &told));
    else
        TRY(segment_here(&whole, seeds, links, &setup, solver, mask, &told));
    TC_WRITE(report, &told, report);
done:
    tc_thread_pool_close(pool);
    return status;
}

tilecut_status tilecut_volume_check(const tilecut_volume_arrays *arrays)
{
    tilecut_volume_arrays whole;
    if (!arrays) return tc_fail(TILECUT_EINVAL, "arrays is NULL");
    NEED(tc_sized_read(&whole, sizeof whole, sizeof whole, arrays, "tilecut_volume_arrays"));
    return tc_volume_check(&whole, 1);
}

tilecut_status tilecut_volume_capacities(const tilecut_volume *volume, const uint8_t *seeds,
                                         const tilecut_params *params, int32_t *source, int32_t *sink,
                                         int32_t *links, double *quantum)
{
    tilecut_status status = TILECUT_OK;
    tilecut_volume whole;
    tc_volume made = {0};
    tc_thread_pool *pool = NULL;
    tc_setup setup;
    int shape;

    if (!volume || !source || !sink || !links)
        return tc_fail(TILECUT_EINVAL, "volume, source, sink and links must be given");
    TRY(tc_volume_setup(params, &setup, &shape));
    if (shape != 3) return tc_fail(TILECUT_EINVAL, "connectivity is 26; capacities are those of 6 neighbours");
    TRY(tc_sized_read(&whole, sizeof whole, sizeof whole, volume, "tilecut_volume"));
    pool = tc_thread_pool_open(setup.threads);
    TRY(tc_volume_from_voxels(&made, &whole, seeds, 3, &setup));
    TRY(tc_volume_check(&made.arrays, setup.threads));
    const size_t voxels = tc_volume_voxels(&made.arrays), bytes = voxels * sizeof *source;
    memcpy(source, made.arrays.source, bytes);
    memcpy(sink, made.arrays.sink, bytes);
    for (size_t k = 0; k < TILECUT_VOLUME_LINKS; k++) memcpy(links + k * voxels, made.arrays.to[k], bytes);
    if (quantum) *quantum = made.quantum;
done:
    tc_thread_pool_close(pool);
    tc_volume_free(&made);
    return status;
}

/* Arrays take 20 to 32 bytes a voxel of a device's memory. If they do not fit, the grid alone may. */
static tilecut_status solve_arrays(tc_volume *volume, const tc_setup *setup, const tc_solver *solver, uint8_t *mask,
                                   tilecut_report *report)
{
    tilecut_status status = TILECUT_ENOMEM;
    if (tc_volume_stays_there(solver)) status = tc_volume_solve_there(volume, setup, solver, mask, report);
    if (status != TILECUT_ENOMEM) return status;
    NEED(tc_volume_check(&volume->arrays, setup->threads));
    return tc_volume_solve(volume, setup, solver, mask, report);
}

tilecut_status tilecut_volume_solve(const tilecut_volume_arrays *arrays, const tilecut_params *params, uint8_t *mask,
                                    tilecut_report *report)
{
    tc_volume given = {.links = 3, .quantum = 1, .colors = "none"};
    const tc_solver *solver;
    tilecut_report told = {0};
    tc_setup setup;

    if (!arrays || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", arrays ? "mask" : "arrays");
    NEED(tc_sized_check(report, "tilecut_report"));
    NEED(tc_setup_resolve(&setup, params));
    NEED(tc_sized_read(&given.arrays, sizeof given.arrays, sizeof given.arrays, arrays, "tilecut_volume_arrays"));
    NEED(tc_volume_check_arrays(&given.arrays));
    NEED(tc_volume_solver(setup.solver, 3, given.arrays.width, given.arrays.height, &solver));
    tc_thread_pool *const pool = tc_thread_pool_open(setup.threads);
    const tilecut_status status = solve_arrays(&given, &setup, solver, mask, &told);
    tc_thread_pool_close(pool);
    if (status == TILECUT_OK) TC_WRITE(report, &told, report);
    return status;
}
