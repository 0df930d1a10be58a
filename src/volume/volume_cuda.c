/* SPDX-License-Identifier: MIT
 *
 * volume_cuda.c - volumes that stay on a CUDA device, from voxels or arrays to labels. Solves that the device does not
 * finish are finished on the host. The work is done behind the seam, in cuda_volume.h.
 */
#include "cuda_volume.h"
#include "cut.h"
#include "solve.h"
#include "status.h"
#include "volume.h"

bool tc_volume_solves_on_device(const tc_solver *solver)
{
    return solver && solver->solve == tc_cuda_tiles;
}

bool tc_volume_learns_on_device(const tc_solver *solver, const tc_setup *setup, int depth)
{
    const tc_colors *const model = tc_colors_find(setup->colors);
    return tc_volume_solves_on_device(solver) && setup->connectivity == 6 && model && !(setup->spatial > 0) &&
           setup->islands && (setup->iterations < 0 || (setup->iterations == 0 && depth > 1)) &&
           model->on_device != TC_NOT_ON_DEVICE;
}

/* What is cut. */
typedef struct cutting {
    tc_cuda_volume *volume;
    tc_cuda_volume_origin origin;
    tc_cuda_volume_answer answer;
    const tc_setup *setup;
    size_t voxels;
} cutting;

/* Fills in the report of a cut that the device has begun, and maybe ended. */
static void describe_cut(const cutting *c, tilecut_report *report)
{
    report->solver = "cuda", report->device = "cuda", report->device_index = c->setup->device;
    report->threads = 1, report->connectivity = 6;
    report->model_ms = c->origin.model_ms, report->graph_ms = c->origin.build_ms;
    report->copy_ms = c->origin.copy_ms + c->answer.copy_ms;
    report->bytes_per_pixel = (double)c->answer.bytes / (double)c->voxels;
    report->energy = (double)report->cut * report->quantum;
    report->certified = 1;
}

static tilecut_status solve_volume(cutting *c)
{
    const tc_solve_params params = {
        .threads = c->setup->threads, .device = c->setup->device, .cancel = c->setup->cancel};
    return tc_cuda_volume_solve(c->volume, &params, &c->answer);
}

/* Continues on the host with the device's flow where it has stopped. */
static tilecut_status finish_on_host(cutting *c, const tilecut_graph *graph, uint8_t *mask, tilecut_report *report)
{
    tc_kept kept = {.at = &tc_backend_host, .flow = TC_FLOW_OF_THIS_GRAPH};
    tilecut_status status = TILECUT_OK;
    tc_setup host_setup = *c->setup;
    host_setup.solver = NULL;
    TRY(tc_grid_init_volume(&kept.grid, graph->width, graph->height, graph->depth, 6));
    TRY(tc_cuda_volume_fetch(c->volume, &kept.grid));
    TRY(tc_solve(graph, &host_setup, &kept, mask, NULL, report));
    report->warm = 0;
    report->solve_ms += c->answer.solve_ms;
done:
    tc_kept_free(&kept);
    return status;
}

/* Reads the answer from the device. */
static tilecut_status conclude(cutting *c, uint8_t *mask, tilecut_report *report)
{
    NEED(tc_cuda_volume_conclude(c->volume, mask, &c->answer));
    NEED(tc_proof_judge(&(tc_proof){c->answer.flow, c->answer.cut, c->answer.violations}));
    report->flow = c->answer.flow, report->cut = c->answer.cut, report->foreground = c->answer.foreground;
    report->solve_ms = c->answer.solve_ms, report->certify_ms = c->answer.certify_ms;
    return TILECUT_OK;
}

static tilecut_status learn_volume(cutting *c, const tilecut_volume *volume, const uint8_t *seeds)
{
    double distance[3];
    tilecut_volume ranged = *volume;
    if (!seeds) return tc_fail(TILECUT_EINVAL, "seeds is NULL");
    tc_volume_distances(volume, distance);
    NEED(tc_volume_fix_range(&ranged, NULL, c->setup->threads));
    return tc_cuda_volume_learn(&c->volume, &ranged, distance, seeds, c->setup, &c->origin);
}

tilecut_status tc_volume_segment_on_device(const tilecut_volume *volume, const uint8_t *seeds, const tc_setup *setup,
                                       uint8_t *mask, tilecut_report *report)
{
    cutting c = {.setup = setup, .voxels = (size_t)volume->width * (size_t)volume->height * (size_t)volume->depth};
    tilecut_status status = TILECUT_OK;
    tc_volume made = {0};

    TRY(learn_volume(&c, volume, seeds));
    TRY(solve_volume(&c));
    if (c.answer.unfinished) {
        TRY(tc_volume_open(&made, volume, seeds, setup));
        TRY(finish_on_host(&c, made.graph, mask, report));
    } else {
        TRY(conclude(&c, mask, report));
    }
    report->quantum = c.origin.quantum, report->beta = c.origin.beta, report->lambda = setup->lambda;
    report->colors = tc_colors_find(setup->colors)->name;
    describe_cut(&c, report);
done:
    tc_volume_close(&made);
    tc_cuda_volume_destroy(c.volume);
    return status;
}

tilecut_status tc_volume_solve_on_device(const tilecut_volume_arrays *arrays, const tc_setup *setup, uint8_t *mask,
                                     tilecut_report *report)
{
    tilecut_graph graph;
    NEED(tc_graph_of_volume(&graph, arrays));
    cutting c = {.setup = setup, .voxels = tc_graph_pixels(&graph)};
    tilecut_status status = tc_cuda_volume_take(&c.volume, arrays, false, setup->device, &c.origin);

    if (status == TILECUT_ERANGE)
        (void)tc_graph_check(&graph, 0, graph.height * graph.depth, 0, setup->threads); /* says where */
    if (status != TILECUT_OK) return status;
    TRY(solve_volume(&c));
    if (c.answer.unfinished) TRY(finish_on_host(&c, &graph, mask, report));
    else TRY(conclude(&c, mask, report));
    report->quantum = 1, report->colors = "none";
    describe_cut(&c, report);
done:
    tc_cuda_volume_destroy(c.volume);
    return status;
}
