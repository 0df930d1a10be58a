/* SPDX-License-Identifier: MIT
 *
 * volume_door.c - the calls of tilecut_volume.h: check, build, solve, cut, certify, hand out.
 */
#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "sized.h"
#include "solver.h"
#include "status.h"
#include "volume.h"

tilecut_status tc_volume_solver(const char *name, int width, int height, const tc_solver **solver)
{
    *solver = name ? tc_solver_find(name) : NULL;
    if (name && !*solver) return tc_fail(TILECUT_EINVAL, "there is no solver '%s'", name);
    return *solver ? tc_solver_check(*solver, 6, width, height) : TILECUT_OK;
}

static tilecut_status conclude(const tc_grid *grid, const tc_volume *volume, int threads, uint8_t *mask,
                               tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_labels labels = {0};
    double clock = tc_now_ms();
    TRY(tc_cut(grid, threads, &labels));
    TRY(tc_volume_certify(grid, &volume->arrays, &labels, threads, &report->flow, &report->cut));
    report->foreground = tc_volume_mask(grid, &volume->arrays, &labels, mask);
    report->certify_ms = tc_lap_ms(&clock);
    report->certified = 1;
done:
    tc_labels_free(&labels);
    return status;
}

tilecut_status tc_volume_solve_in(tc_grid *grid, const tc_volume *volume, const tc_setup *setup,
                                  const tc_solver *solver, bool few, uint8_t *mask, tilecut_report *report)
{
    const tc_solve_params how = {.threads = setup->threads, .device = setup->device, .cancel = setup->cancel};
    tilecut_status status = TILECUT_OK;
    tc_solve_stats stats = {0};
    double clock = tc_now_ms();

    TRY(few ? tc_solver_solve(solver, grid, &how, &stats) : tc_solver_run(&solver, grid, &how, &stats));
    report->solve_ms = tc_lap_ms(&clock);
    TRY(conclude(grid, volume, how.threads, mask, report));
    if (solver->can & TC_ON_CUDA) {
        report->device_index = how.device, report->copy_ms = stats.copy_ms;
        report->solve_ms = stats.device_ms > 0 ? stats.device_ms : report->solve_ms - stats.copy_ms;
    }
    report->solver = solver->name, report->device = solver->can & TC_ON_CUDA ? "cuda" : "cpu";
    report->connectivity = 6;
    report->threads = solver->can & TC_THREADED ? how.threads : 1;
    report->quantum = volume->quantum, report->lambda = volume->lambda, report->beta = volume->beta;
    report->colors = volume->colors;
    report->energy = (double)report->cut * report->quantum;
    report->bytes_per_pixel =
        (double)(tc_grid_bytes(grid) + stats.bytes) / (double)tc_volume_voxels(&volume->arrays);
done:
    return status;
}

/* Builds a grid, solves it and drops it. */
static tilecut_status solve(const tc_volume *volume, const tc_setup *setup, const tc_solver *solver, uint8_t *mask,
                            tilecut_report *report)
{
    const tilecut_volume_arrays *const a = &volume->arrays;
    tilecut_status status = TILECUT_OK;
    tc_grid grid = {0};
    double clock = tc_now_ms();

    TRY(tc_grid_init_volume(&grid, a->width, a->height, a->depth));
    tc_volume_build(&grid, a, setup->threads);
    report->graph_ms = tc_lap_ms(&clock);
    TRY(tc_volume_solve_in(&grid, volume, setup, solver, false, mask, report));
done:
    tc_grid_free(&grid);
    return status;
}

tilecut_status tilecut_volume_segment(const tilecut_volume *volume, const uint8_t *seeds, const tilecut_params *params,
                                      uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    const tc_solver *solver;
    tilecut_report told = {0};
    tilecut_volume whole;
    tc_volume made = {0};
    tc_setup setup;

    if (!volume || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", volume ? "mask" : "volume");
    TRY(tc_sized_check(report, "tilecut_report"));
    TRY(tc_setup_resolve(&setup, params));
    TRY(tc_sized_read(&whole, sizeof whole, sizeof whole, volume, "tilecut_volume"));
    TRY(tc_volume_solver(setup.solver, whole.width, whole.height, &solver));
    const double start = tc_now_ms();
    TRY(tc_volume_from_voxels(&made, &whole, seeds, &setup));
    told.model_ms = tc_now_ms() - start;
    TRY(tc_volume_check(&made.arrays));
    TRY(solve(&made, &setup, solver, mask, &told));
    tc_sized_write(report, TC_FIRST_REPORT, &told, sizeof told);
done:
    tc_volume_free(&made);
    return status;
}

tilecut_status tilecut_volume_check(const tilecut_volume_arrays *arrays)
{
    tilecut_status status = TILECUT_OK;
    tilecut_volume_arrays whole;
    if (!arrays) return tc_fail(TILECUT_EINVAL, "arrays is NULL");
    TRY(tc_sized_read(&whole, sizeof whole, sizeof whole, arrays, "tilecut_volume_arrays"));
    TRY(tc_volume_check(&whole));
done:
    return status;
}

tilecut_status tilecut_volume_capacities(const tilecut_volume *volume, const uint8_t *seeds,
                                         const tilecut_params *params, int32_t *source, int32_t *sink,
                                         int32_t *links, double *quantum)
{
    tilecut_status status = TILECUT_OK;
    tilecut_volume whole;
    tc_volume made = {0};
    tc_setup setup;

    if (!volume || !source || !sink || !links)
        return tc_fail(TILECUT_EINVAL, "volume, source, sink and links must be given");
    TRY(tc_setup_resolve(&setup, params));
    TRY(tc_sized_read(&whole, sizeof whole, sizeof whole, volume, "tilecut_volume"));
    TRY(tc_volume_from_voxels(&made, &whole, seeds, &setup));
    TRY(tc_volume_check(&made.arrays));
    const size_t voxels = tc_volume_voxels(&made.arrays), bytes = voxels * sizeof *source;
    memcpy(source, made.arrays.source, bytes);
    memcpy(sink, made.arrays.sink, bytes);
    for (size_t k = 0; k < TILECUT_VOLUME_LINKS; k++) memcpy(links + k * voxels, made.arrays.to[k], bytes);
    if (quantum) *quantum = made.quantum;
done:
    tc_volume_free(&made);
    return status;
}

tilecut_status tilecut_volume_solve(const tilecut_volume_arrays *arrays, const tilecut_params *params, uint8_t *mask,
                                    tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_volume given = {.quantum = 1, .colors = "none"};
    const tc_solver *solver;
    tilecut_report told = {0};
    tc_setup setup;

    if (!arrays || !mask) return tc_fail(TILECUT_EINVAL, "%s is NULL", arrays ? "mask" : "arrays");
    TRY(tc_sized_check(report, "tilecut_report"));
    TRY(tc_setup_resolve(&setup, params));
    TRY(tc_sized_read(&given.arrays, sizeof given.arrays, sizeof given.arrays, arrays, "tilecut_volume_arrays"));
    TRY(tc_volume_check(&given.arrays));
    TRY(tc_volume_solver(setup.solver, given.arrays.width, given.arrays.height, &solver));
    TRY(solve(&given, &setup, solver, mask, &told));
    tc_sized_write(report, TC_FIRST_REPORT, &told, sizeof told);
done:
    return status;
}
