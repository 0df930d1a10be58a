/* SPDX-License-Identifier: MIT
 *
 * backend_cuda.c - the row for a CUDA device. For an image and most volumes, everything from pixels to the mask stays
 * on the device; for other volumes and for arrays, the graph is built, cut and proved there. If the device gives up a
 * solve, the host finishes it. See backend.h; the work is done behind the seam, in cuda_backend.h.
 */
#include "backend.h"
#include "build_grid.h"
#include "cuda_backend.h"
#include "cut.h"
#include "hybrid.h"
#include "parallel.h"
#include "status.h"

/* ---- Learning --------------------------------------------------------------------------------- */

/* True if graphs stay on the device. Only one solver works that way; other solvers for a device get a grid from the
 * host and return it. */
static bool solves_on_device(const tc_solver *solver)
{
    return solver && solver->solve == tc_cuda_tiles;
}

/* True if the image is a volume's only slice, and its pixels are not squares of side 1. They are not if slices lie
 * closer than the pixels of one, as the least of all three distances is 1. */
static bool is_uneven_slice(const tc_run *run)
{
    const int rows = run->params->slice_rows;
    const double *const step = run->params->spacing;
    return rows && (step[0] != 1 || step[1] != 1) && rows == run->source.image->height;
}

static bool learns(const tc_run *run)
{
    const tc_setup *const params = run->params;
    return solves_on_device(run->solver) && !params->comm && !params->prior && !is_uneven_slice(run) &&
           tc_colors_find(params->colors)->on_device != TC_NOT_ON_DEVICE;
}

/* Sets the facts that are known about the graph before it is cut. */
static void describe(tc_run *run, const tc_cuda_origin *origin)
{
    const int connectivity = run->params->slice_rows ? 6 : run->params->connectivity == 8 ? 8 : 4;
    run->facts = (tilecut_report){.connectivity = connectivity,
                                  .threads = run->params->threads, .quantum = origin->quantum,
                                  .beta = origin->beta, .lambda = origin->lambda,
                                  .colors = tc_colors_find(run->params->colors)->name, .model_ms = origin->model_ms,
                                  .copy_ms = origin->copy_ms, .graph_ms = origin->build_ms};
    run->shared = origin->shared;
}

static tilecut_status learn(tc_run *run)
{
    const tilecut_image *const image = run->source.image;
    tc_kept_flow *const kept = run->kept;
    tc_cuda_origin origin;

    NEED(tc_cuda_graph_learn(&kept->on_device, image, run->source.seeds, run->params, run->source.stream, run->smaller,
                             &origin));
    run->put_off = run->smaller;
    kept->at = &tc_backend_cuda;
    kept->solver = run->solver;
    kept->device = run->solve_params.device;
    run->pixels = (size_t)image->width * (size_t)image->height;
    run->strokes = origin.strokes;
    run->guessed = origin.guessed;
    run->painted = origin.painted;
    run->learns = tc_colors_learn(tc_colors_find(run->params->colors)) && run->params->iterations >= 0;
    describe(run, &origin);
    return TILECUT_OK;
}

static tilecut_status learn_now(tc_run *run)
{
    const double copy_ms = run->facts.copy_ms;
    tc_cuda_origin origin;
    NEED(tc_cuda_graph_learn_now(run->kept->on_device, run->params, &origin));
    describe(run, &origin);
    run->facts.copy_ms = copy_ms;
    run->put_off = false;
    return TILECUT_OK;
}

static tilecut_status relearn(tc_run *run)
{
    tc_cuda_origin origin;
    NEED(tc_cuda_graph_relearn(run->kept->on_device, &origin));
    describe(run, &origin);
    return TILECUT_OK;
}

static void keep(tc_run *run)
{
    tc_cuda_graph_keep(run->kept->on_device);
}

static void drop(tc_run *run)
{
    tc_cuda_graph_drop(run->kept->on_device);
}

/* Makes `run` a run on a graph that was made on the device from the graph of `from`. */
static void begin_beside(tc_run *run, const tc_run *from, const tc_cuda_origin *origin)
{
    run->kept->at = &tc_backend_cuda;
    run->kept->solver = from->kept->solver;
    run->kept->device = from->kept->device;
    run->guessed = origin->guessed;
    run->painted = origin->painted;
    run->learns = from->learns;
    describe(run, origin);
}

static tilecut_status fork_off(const tc_run *run, tc_branch branch, tc_run *other)
{
    const int start = branch.kind == TC_OTHER_START ? branch.number : -1;
    const int move = branch.kind == TC_OTHER_MOVE ? branch.number : -1;
    tc_cuda_origin origin;
    *other = *run;
    other->own_kept = (tc_kept_flow){0};
    other->coarse = (tc_coarse){0};
    other->kept = &other->own_kept;
    NEED(tc_cuda_graph_fork(run->kept->on_device, start, move, branch.beside, &other->kept->on_device, &origin));
    begin_beside(other, run, &origin);
    return TILECUT_OK;
}

static void take_result(tc_run *run, tc_run *other)
{
    struct tc_cuda_graph *const before = run->kept->on_device;
    run->kept->on_device = other->kept->on_device;
    other->kept->on_device = before;
    run->report = other->report;
}

static tilecut_status shrink(const tc_run *run, int factor, tc_run *small, bool *done)
{
    const tilecut_image *const image = run->source.image;
    const size_t width = (size_t)(image->width + factor - 1) / (size_t)factor;
    const size_t height = (size_t)(image->height + factor - 1) / (size_t)factor;
    tc_cuda_origin origin;
    NEED(tc_cuda_graph_shrink(run->kept->on_device, factor, small->params, &small->kept->on_device, &origin));
    *done = small->kept->on_device != NULL;
    if (!*done) return TILECUT_OK;
    small->pixels = width * height;
    begin_beside(small, run, &origin);
    return TILECUT_OK;
}

static tilecut_status learn_from_copy(tc_run *run, const tc_run *small, int factor)
{
    const double copy_ms = run->facts.copy_ms;
    tc_cuda_origin origin;
    NEED(tc_cuda_graph_learn_from_copy(run->kept->on_device, small->kept->on_device, factor, &origin));
    describe(run, &origin);
    run->facts.copy_ms = copy_ms; /* the time to copy the pixels to the device for learning */
    return TILECUT_OK;
}

/* Does nothing here, because conclude() has removed the islands. */
static tilecut_status drop_islands(tc_run *run, uint8_t *mask, tilecut_report *report)
{
    (void)mask;
    report->foreground -= run->islands;
    return TILECUT_OK;
}

static tilecut_status deliver(const tc_run *run, uint8_t *mask)
{
    return tc_cuda_graph_kept(run->kept->on_device, mask);
}

static tilecut_status look_there(const tc_run *run, tc_box_evidence *seen)
{
    tc_box_tally tally;
    NEED(tc_cuda_graph_look(run->kept->on_device, &tally));
    *seen = tc_box_evidence_of(&tally);
    return TILECUT_OK;
}

/* ---- Cutting with `hybrid`, which may end on the device or on the host -------------------------- */

/* Does the same as tc_survey_grid(), for a graph that has no grid. */
static tilecut_status survey(const tilecut_graph *graph, tc_survey *seen)
{
    tilecut_status status = TILECUT_OK;
    tilecut_row row;
    int first, step;

    *seen = (tc_survey){0};
    TRY(tc_row_init(&row, graph->width));
    tc_survey_rows(graph->width, graph->height, &first, &step);
    for (int y = first; y < graph->height; y += step) {
        tc_graph_row(graph, y, &row);
        for (int x = 0; x + 1 < graph->width; x++)
            tc_survey_pixel(seen, (row.source[x] > row.sink[x]) - (row.source[x] < row.sink[x]),
                            row.to[TILECUT_RIGHT][x] != 0, row.to[TILECUT_DOWN][x] != 0);
    }
done:
    tc_row_free(&row);
    return status;
}

/* Does the same as tc_hybrid_go_on(), for a graph that the device builds itself; *build_ms is the time for building.
 * The solve may end on the device or in the grid of `kept`. */
static tilecut_status continue_on_device(tc_run *run, const tc_costs *costs, tc_solve_stats *stats, double *build_ms)
{
    tilecut_status status = TILECUT_OK;
    tc_cuda_hybrid_report result;
    bool ended_on_device = false;
    void *self = NULL;

    TRY(tc_cuda_hybrid_graph_open(run->graph, run->solve_params.device, &self));
    TRY(tc_hybrid_go_on(&tc_cuda_hybrid_graph, self, costs, &run->kept->grid, &run->solve_params, stats,
                        &ended_on_device));
done:
    result = tc_cuda_hybrid_graph_close(self, ended_on_device ? &run->kept->on_device : NULL);
    *build_ms = result.build_ms;
    stats->copy_ms -= result.build_ms;
    stats->bytes += result.bytes;
    return status;
}

/* Solves by `hybrid`: builds the graph on the device (host or GPU) that solves first. */
static tilecut_status solve_on_both(tc_run *run, tilecut_report *report)
{
    const tilecut_graph *const graph = run->graph;
    tc_kept_flow *const kept = run->kept;
    tc_grid *const grid = &kept->grid;
    tc_costs costs = tc_costs_default(graph->connectivity);
    tc_solve_stats stats = {0};
    const tc_solver *best = NULL;
    tc_survey seen;
    double clock = tc_now_ms();

    NEED(tc_cuda_device(run->solve_params.device, NULL, 0));
    const double waking = stats.copy_ms = tc_lap_ms(&clock);
    NEED(tc_grid_init(grid, graph->width, graph->height, graph->connectivity));
    NEED(survey(graph, &seen));
    costs.tiny = costs.local = 8500; /* no grid has to be copied; the only cost is that of starting some hundred
                                        blocks */
    const bool on_host = tc_hybrid_starts_on_cpu(&costs, &seen, grid, &stats);
    if (on_host) {
        grid->by_rows = tc_solver_wants_rows(NULL);
        NEED(tc_grid_build(grid, graph, run->solve_params.threads));
        report->graph_ms = tc_lap_ms(&clock);
        NEED(tc_solver_run(&best, grid, &run->solve_params, &stats));
    } else {
        NEED(continue_on_device(run, &costs, &stats, &report->graph_ms));
    }
    /* includes all copying, which is subtracted next */
    report->solve_ms = tc_lap_ms(&clock) + waking - (on_host ? 0 : report->graph_ms);
    tc_run_describe_solve(run, run->solver, &stats, report);
    if (kept->on_device)
        report->bytes_per_pixel = (double)stats.bytes / (double)run->pixels; /* the grid is not touched */
    else kept->at = &tc_backend_host;
    return TILECUT_OK;
}

/* ---- Cutting ---------------------------------------------------------------------------------- */

static bool islands_go(const tc_run *run)
{
    return run->learner == &tc_backend_cuda && tc_run_drops_islands(run);
}

/* Sets the facts that were not known yet when describe() ran. */
static void describe_training(tc_run *run, const tc_cuda_origin *training, tilecut_report *report)
{
    tilecut_report *const both[] = {&run->facts, report};
    for (int i = 0; i < 2; i++) {
        both[i]->beta = training->beta;
        both[i]->quantum = training->quantum;
        both[i]->model_ms = training->model_ms;
        both[i]->graph_ms = training->build_ms;
    }
    run->shared = training->shared;
}

static bool takes(const tc_run *run)
{
    if (!run->graph) return true; /* there is no graph on the host, because the energy was learnt on the device */
    if (run->flow || !run->solver) return false;
    return solves_on_device(run->solver) || (run->solver->solve == tc_solver_hybrid && !run->again &&
                                             run->graph->from_image && !tc_graph_is_volume(run->graph));
}

/* Puts the graph on the device. If there is no memory for samples, seeds or arrays besides the grid, the host builds
 * the graph, and the device only solves it. */
static tilecut_status create(tc_run *run, tilecut_report *report)
{
    const tilecut_graph *const graph = run->graph;
    tc_kept_flow *const kept = run->kept;
    tc_cuda_origin origin;
    const tilecut_status status = tc_cuda_graph_create(&kept->on_device, graph, run->solve_params.device,
                                                       run->solve_params.threads, &origin);
    if (status == TILECUT_ENOMEM) {
        kept->at = &tc_backend_host;
        return kept->at->build(run, report);
    }
    if (status == TILECUT_ERANGE)
        /* sets the error sentence, which names the place */
        (void)tc_graph_check(graph, 0, graph->height * graph->depth, 0, run->solve_params.threads);
    report->copy_ms = origin.copy_ms;
    report->graph_ms = origin.build_ms;
    return status;
}

static tilecut_status build(tc_run *run, tilecut_report *report)
{
    tc_kept_flow *const kept = run->kept;

    if (!run->graph || !solves_on_device(run->solver))
        return TILECUT_OK; /* the graph is on the device already, or solve() chooses its place */
    const bool same = kept->on_device && kept->solver == run->solver && kept->device == run->solve_params.device;
    report->warm = same && kept->flow == TC_FLOW_OF_THIS_GRAPH;
    if (report->warm) return TILECUT_OK;
    tc_kept_flow_free(kept);
    kept->at = &tc_backend_cuda;
    kept->solver = run->solver;
    kept->device = run->solve_params.device;
    return create(run, report);
}

static tilecut_status solve(tc_run *run, tilecut_report *report)
{
    tc_cuda_answer answer;

    if (!solves_on_device(run->solver)) return solve_on_both(run, report);
    NEED(tc_cuda_graph_solve(run->kept->on_device, &run->solve_params, islands_go(run), &answer));
    if (answer.learnt) describe_training(run, &answer.training, report);
    report->solver = run->solver->name;
    report->device = "cuda";
    report->device_index = run->solve_params.device;
    report->solve_ms = answer.solve_ms;
    report->bytes_per_pixel = (double)answer.bytes / (double)run->pixels;
    if (answer.unfinished) run->kept->flow = TC_FLOW_UNFINISHED;
    return TILECUT_OK;
}

static tilecut_status finish(tc_run *run, tilecut_report *report)
{
    const tilecut_graph *const graph = run->graph;
    tc_kept_flow *const kept = run->kept;
    tc_solve_stats stats = {0};
    double clock = tc_now_ms();

    NEED(tc_grid_init_lattice(&kept->grid, graph->width, graph->height, graph->depth, graph->connectivity, 0));
    NEED(tc_cuda_graph_fetch(kept->on_device, &kept->grid));
    report->copy_ms += tc_lap_ms(&clock);
    NEED(tc_solver_solve(tc_solver_for(TC_FOR_LONG_PATHS, &kept->grid), &kept->grid, &run->solve_params, &stats));
    report->solve_ms += tc_lap_ms(&clock);
    report->solver = kept->solver->name;
    report->device = "cuda";
    report->device_index = kept->device;
    tc_cuda_graph_destroy(kept->on_device);
    kept->on_device = NULL;
    kept->at = &tc_backend_host;
    return TILECUT_OK;
}

static tilecut_status conclude(tc_run *run, uint8_t *mask, tilecut_report *report)
{
    tc_cuda_answer answer = {0};

    NEED(tc_cuda_graph_answer(run->kept->on_device, islands_go(run), mask, &answer));
    report->certify_ms = answer.certify_ms;
    report->copy_ms += answer.copy_ms;
    NEED(tc_proof_judge(&(tc_proof){answer.flow, answer.cut, answer.violations}));
    report->flow = answer.flow;
    report->cut = answer.cut;
    report->foreground = answer.foreground + answer.islands;
    run->islands = answer.islands;
    run->changed = answer.changed > 0;
    return TILECUT_OK;
}

static tilecut_status reseed(tc_kept_flow *kept, const tc_energy *energy, const uint8_t *before, const uint8_t *after)
{
    (void)energy; /* not needed, because the tables of the energy are on the device */
    return tc_cuda_graph_reseed(kept->on_device, before, after);
}

const tc_backend tc_backend_cuda = {
    .name = "cuda", .reads_device_memory = true, .keeps_masks = true, .learns = learns, .learn = learn,
    .learn_now = learn_now, .relearn = relearn, .keep = keep, .drop = drop, .fork = fork_off, .take = take_result,
    .shrink = shrink, .learn_from_copy = learn_from_copy, .drop_islands = drop_islands, .deliver = deliver,
    .look = look_there, .takes = takes, .build = build, .solve = solve, .finish = finish, .conclude = conclude,
    .reseed = reseed,
};
